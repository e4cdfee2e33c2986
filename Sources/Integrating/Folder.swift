import FoundationEssentials
import Git
import Glibc
import Model
import Processes

/// A folder of Martlet's own, identified by its absolute path.
///
/// Every failure names the path and the reason. Only regular files are read, and links beneath the base folder are not
/// followed, because untrusted code wrote the contents of a workspace.
package struct Folder: Hashable, Sendable {
  package let path: String
  /// The folder from which this one was derived. Links may be part of the path to it, but not of the rest.
  private let base: String
  /// Whether new items in the folder are accessible to this user alone.
  private let isPrivate: Bool

  /// - Parameter isPrivate: whether the folder and new items in it are accessible to this user alone; otherwise
  ///   everybody on the machine may read them.
  package init(_ path: String, isPrivate: Bool = false) {
    self.init(path, base: path, isPrivate: isPrivate)
  }

  private init(_ path: String, base: String, isPrivate: Bool) {
    self.path = path
    self.base = base
    self.isPrivate = isPrivate
  }

  package func folder(_ name: String) -> Folder { Folder("\(path)/\(name)", base: base, isPrivate: isPrivate) }
  /// The same folder, with new items readable by other users.
  var readable: Folder { Folder(path, base: base, isPrivate: false) }
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  private var fileMode: mode_t { isPrivate ? 0o600 : 0o644 }

  /// Creates the folder and its parents; existing folders keep their modes.
  @discardableResult
  package func create() throws(IntegratingError) -> Folder {
    if mkdir(path, isPrivate ? 0o700 : 0o755) == 0 { return self }
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: isPrivate ? [.posixPermissions: 0o700] : nil)
    } catch {
      throw .storage("create the folder", path, error)
    }
    return self
  }

  /// Creates the folder of an item with a relative path.
  func createFolder(of name: String) throws(IntegratingError) {
    try (name.lastIndex(of: "/").map { folder(String(name[..<$0])) } ?? self).create()
  }

  package var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// Whether the folder has an item at a relative path; a link counts as one.
  package func holds(_ name: String) -> Bool {
    stat(file(name)) != nil
  }

  /// Returns the sorted names of the folder's items; empty if the folder does not exist.
  ///
  /// A folder that cannot be listed is treated as missing: the next write to it reports why.
  package func names() -> [String] {
    UntrustedFolder(base).names(of: path == base ? "." : String(path.utf8.dropFirst(base.utf8.count + 1)) ?? ".")
  }

  /// The numbers that items of the folder are named by.
  var numbers: [Int] { names().compactMap(Int.init) }

  /// Returns the path from the base to an item in this folder.
  private func way(to name: String) -> String {
    String(file(name).utf8.dropFirst(base.utf8.count + 1)) ?? name
  }

  /// Removes the folder and everything beneath it; does nothing if it does not exist.
  package func remove() throws(IntegratingError) {
    try answering { try Removal.remove(path) }
  }

  /// Removes the folder, or failing that, renames it; it then stays beside its place until everything around it is
  /// removed.
  ///
  /// Leftovers of one commit, such as a file that cannot be removed, must not block the next one.
  func takeAway() throws(IntegratingError) {
    do throws(IntegratingError) {
      try remove()
    } catch {
      let (parent, name) = path.lastIndex(of: "/").map { (path[..<$0], path[$0...].dropFirst()) } ?? ("", path[...])
      for count in 1...1000 where Glibc.rename(path, "\(parent)/.removed-\(name).\(count)") == 0 { return }
      throw error
    }
  }

  /// Creates the folder, or restores its owner's access to an existing one.
  func reopen() throws(IntegratingError) {
    try create()
    if fchmodat(AT_FDCWD, path, 0o700, AT_SYMLINK_NOFOLLOW) != 0 {
      throw .storage("open the folder", path, errno: errno)
    }
  }

  /// Whether the owner lacks access to the folder, or to a folder or file beneath it; files in subfolders may be
  /// read-only, as git's objects are.
  var isShut: Bool {
    guard var status = stat(path) else { return false }
    var isFound = status.st_mode & 0o700 != 0o700
    var waiting = [path]
    // Keeps one listing open at a time, however deeply folders are nested.
    while !isFound, let folder = waiting.popLast() {
      guard let listing = opendir(folder) else {
        isFound = errno == EACCES
        continue
      }
      defer { closedir(listing) }
      while !isFound, let entry = readdir(listing) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        guard name != ".", name != "..", fstatat(dirfd(listing), name, &status, AT_SYMLINK_NOFOLLOW) == 0
        else { continue }
        let needed: mode_t = status.isFolder ? 0o700 : folder == path ? 0o600 : 0o400
        isFound = (status.isFolder || status.isFile) && status.st_mode & needed != needed
        if status.isFolder { waiting.append("\(folder)/\(name)") }
      }
    }
    return isFound
  }

  /// Moves the folder to a path that does not exist yet, in one step.
  package func rename(to place: Folder) throws(IntegratingError) {
    guard Glibc.rename(path, place.path) == 0 else {
      throw .storage("put the report in place at", place.path, errno: errno)
    }
  }
}

extension Folder {
  /// Writes a file aside and renames it into place, so that readers see either the old bytes or the new ones.
  ///
  /// Aside is in this folder even if the file is in one beneath it: what killed processes left is looked for in folders
  /// of Martlet's own, and not in each report.
  package func write(_ bytes: [UInt8], to name: String) throws(IntegratingError) {
    let target = file(name)
    let aside = file("\(name.replacing("/", with: "-")).\(getpid()).new")
    do throws(IntegratingError) {
      try writeWhole(bytes, to: aside)
      guard Glibc.rename(aside, target) == 0 else { throw .storage("write", target, errno: errno) }
    } catch {
      unlink(aside)
      throw error
    }
  }

  /// Writes a text, like other bytes.
  package func write(_ text: String, to name: String) throws(IntegratingError) {
    try write(Array(text.utf8), to: name)
  }

  /// Writes a value as JSON, like other bytes.
  func write(json value: some Encodable, to name: String) throws(IntegratingError) {
    let bytes: Data
    do {
      bytes = try JSONEncoder().encode(value)
    } catch {
      throw IntegratingError(.service, "cannot write \(file(name)): \(error).")
    }
    try write([UInt8](bytes), to: name)
  }

  /// Returns the value that a file holds as JSON; nil if there is none, or if another version of Martlet wrote it.
  func value<Value: Decodable>(_ type: Value.Type, in name: String) -> Value? {
    read(name).flatMap { try? JSONDecoder().decode(type, from: Data($0)) }
  }

  /// Writes a whole new file; the caller publishes the folder that contains it.
  package func create(_ name: String, _ bytes: [UInt8]) throws(IntegratingError) {
    try writeWhole(bytes, to: file(name))
  }

  /// Appends bytes to a file in one write, creating it if necessary.
  package func append(_ bytes: [UInt8], to name: String) throws(IntegratingError) {
    try writeWhole(bytes, to: file(name), flags: O_APPEND)
  }

  /// Returns the bytes of a regular file beneath the folder; nil if it does not exist, is behind a link, is not a
  /// regular file or exceeds the limit (by default a gigabyte), and if the relative path leads upwards.
  package func read(_ name: String, limit: Int = 1 << 30) -> [UInt8]? {
    guard Self.staysBeneath(name), case .bytes(let bytes) = UntrustedFolder(base).read(way(to: name), limit: limit)
    else {
      return nil
    }
    return bytes
  }

  /// Returns the text of such a file, whatever in it is not valid.
  func text(of name: String) -> String? { read(name).map { String(decoding: $0, as: UTF8.self) } }

  /// Returns so many bytes of a file of Martlet's own, or those that it has; no bytes if it cannot be read.
  func piece(of name: String, from offset: Int = 0, bytes limit: Int) -> [UInt8] {
    guard case .file(let file) = UntrustedFolder(base).open(way(to: name)) else { return [] }
    return file.read(from: offset, atMost: limit)
  }

  /// Copies a file beneath another folder, however large, to a new one of the same name; the caller publishes the folder
  /// that contains it. Returns false if there is no regular file, or only behind a link.
  func copy(_ name: String, from other: Folder) throws(IntegratingError) -> Bool {
    guard Self.staysBeneath(name), case .file(let source) = UntrustedFolder(other.base).open(other.way(to: name)) else {
      return false
    }
    try create(name, [])
    var copied = 0
    while copied < source.firstLength {
      let bytes = source.read(from: copied, atMost: min(1 << 20, source.firstLength - copied))
      guard !bytes.isEmpty else { throw .storage("read", other.file(name), errno: EIO) }
      try append(bytes, to: name)
      copied += bytes.count
    }
    return true
  }

  /// Whether a relative path has no component that leads elsewhere.
  static func staysBeneath(_ name: String) -> Bool {
    !name.split(separator: "/", omittingEmptySubsequences: false).contains { ["", ".", ".."].contains($0) }
  }

  /// Creates or replaces a link, in one step.
  package func link(_ name: String, to target: String) throws(IntegratingError) {
    let aside = "\(file(name)).\(getpid()).new"
    unlink(aside)
    guard symlink(target, aside) == 0, Glibc.rename(aside, file(name)) == 0 else {
      throw .storage("write", file(name), errno: errno)
    }
  }

  /// Returns the sorted relative paths of the regular files in the folder and its subfolders.
  package func filesBeneath() -> [String] { itemsBeneath().filter(\.isFile).map(\.path) }

  /// Returns everything beneath the folder except folders, with the relative paths.
  private func itemsBeneath() -> [(path: String, isFile: Bool)] {
    names().flatMap { name -> [(path: String, isFile: Bool)] in
      guard let status = stat(file(name)) else { return [] }
      guard status.isFolder else { return [(name, status.isFile)] }
      return folder(name).itemsBeneath().map { ("\(name)/\($0.path)", $0.isFile) }
    }
  }

  /// Returns the size of a file in bytes; zero if it does not exist.
  package func size(of name: String) -> Int {
    stat(file(name)).map { Int($0.st_size) } ?? 0
  }

  /// Returns the target of a link; nil if there is no link of that name.
  package func linkTarget(of name: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(file(name), &buffer, buffer.count)
    return count > 0 ? String(validating: buffer[..<count], as: UTF8.self) : nil
  }

  /// Returns why a file must not be read, as the middle of a sentence; nil if it may be.
  package func refusal(of name: String) -> String? {
    UntrustedFolder(base).refusal(of: way(to: name))
  }

  private func writeWhole(_ bytes: [UInt8], to path: String, flags: Int32 = O_TRUNC) throws(IntegratingError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, fileMode)
    guard descriptor >= 0 else { throw .storage("write", path, errno: errno) }
    var code = Self.write(bytes[...], to: descriptor)
    if close(descriptor) != 0, code == 0 { code = errno }
    guard code == 0 else { throw .storage("write", path, errno: code) }
  }

  /// Writes all bytes to an open file. Returns 0 or an error number.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : ENOSPC }
        written += count
      }
      return 0
    }
  }
}

extension IntegratingError {
  /// Returns a disk error, with advice on fixing the usual ones.
  static func storage(_ operation: String, _ path: String, errno code: Int32) -> IntegratingError {
    storage(operation, path, reason: SystemReason.words(of: code), isFull: code == ENOSPC)
  }

  /// Returns a disk error for one thrown by Foundation, with the same advice.
  static func storage(_ operation: String, _ path: String, _ error: any Error) -> IntegratingError {
    storage(operation, path, reason: SystemReason.of(error), isFull: SystemReason.number(of: error) == ENOSPC)
  }

  private static func storage(
    _ operation: String, _ path: String, reason: String, isFull: Bool
  ) -> IntegratingError {
    let advice =
      isFull
      ? "Free some space on that disk, or choose another home with --home or MARTLET_HOME."
      : "Make it writable, or choose another home with --home or MARTLET_HOME."
    return IntegratingError(.service, "cannot \(operation) \(path): \(reason). \(advice)")
  }
}

extension Folder {
  private static let piece = 1 << 16

  /// Removes the secrets from every file beneath the folder; does nothing without secrets.
  ///
  /// Removes links, pipes and the like altogether, and files that cannot be read or whose copy cannot be written. Items
  /// whose names are not valid text stay: Martlet never reads them.
  func maskFiles(with mask: SecretMask) throws(IntegratingError) {
    guard !mask.isEmpty else { return }
    // Beside the folder, where no program of the integration can have put anything and the name is never too long.
    let aside = "\(path).masked"
    defer { unlink(aside) }
    for (name, _) in itemsBeneath() where !put(name, masked: mask, by: aside) {
      guard unlink(file(name)) == 0 || errno == ENOENT else { throw .storage("remove", file(name), errno: errno) }
    }
  }

  /// Replaces a regular file with a copy without secrets; a file that contains none stays as it is.
  ///
  /// - Parameter aside: the path at which to write the copy.
  private func put(_ name: String, masked mask: SecretMask, by aside: String) -> Bool {
    let source = open(file(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard source >= 0 else { return false }
    defer { close(source) }
    guard stat(source)?.isFile == true else { return false }
    unlink(aside)
    let target = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, fileMode)
    guard target >= 0 else { return false }
    defer { close(target) }
    return switch Self.pass(source, to: target, mask) {
    case .same: true
    case .masked: Glibc.rename(aside, file(name)) == 0
    case .broken: false
    }
  }

  private enum Copy {
    case same, masked, broken
  }

  private static func pass(_ source: Int32, to target: Int32, _ mask: SecretMask) -> Copy {
    var stream = MaskedStream(mask)
    var buffer = [UInt8](repeating: 0, count: piece)
    var isWhole = true
    func put(_ bytes: ArraySlice<UInt8>) { isWhole = isWhole && write(bytes, to: target) == 0 }
    while isWhole {
      let count = Glibc.read(source, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return .broken }
      if count == 0 { break }
      stream.feed(buffer[..<count], put)
    }
    stream.finish(put)
    return !isWhole ? .broken : stream.hasReplaced ? .masked : .same
  }
}

extension Folder {
  /// Whether the folder has a regular file with exactly these bytes.
  func holds(_ name: String, _ bytes: [UInt8]) -> Bool {
    let descriptor = open(file(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard let status = stat(descriptor), status.isFile, Int(status.st_size) == bytes.count else { return false }
    return withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
      var compared = 0
      while compared < bytes.count {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0, count <= bytes.count - compared else { return false }
        let isEqual = bytes.withUnsafeBytes { bytes in
          guard let start = bytes.baseAddress, let found = buffer.baseAddress else { return false }
          return memcmp(start + compared, found, count) == 0
        }
        guard isEqual else { return false }
        compared += count
      }
      return true
    }
  }

  /// Adds a hard link to a file of another folder; returns false if the file system cannot do that.
  func share(_ name: String, of other: Folder) -> Bool {
    Glibc.link(other.file(name), file(name)) == 0
  }
}
