import FoundationEssentials
import Git
import Glibc
import Model
import Processes

/// A folder of Martlet's own, by its absolute path.
///
/// Every failure names the path and the reason, and what is read is a regular file: links beneath the folder that was
/// named first are not followed, because what lies in a workspace was put there by code that is not trusted.
package struct Folder: Hashable, Sendable {
  package let path: String
  /// The folder that was named first, which links may lead to.
  private let base: String
  /// Whether what is made in it is for this user alone.
  private let isPrivate: Bool

  /// - Parameter isPrivate: whether the folder and what is made in it is for this user alone; otherwise everybody on the
  ///   machine may read it.
  package init(_ path: String, isPrivate: Bool = false) {
    self.init(path, base: path, isPrivate: isPrivate)
  }

  private init(_ path: String, base: String, isPrivate: Bool) {
    self.path = path
    self.base = base
    self.isPrivate = isPrivate
  }

  package func folder(_ name: String) -> Folder { Folder("\(path)/\(name)", base: base, isPrivate: isPrivate) }
  /// The same folder, of which others may read what is made in it.
  var readable: Folder { Folder(path, base: base, isPrivate: false) }
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  private var fileMode: mode_t { isPrivate ? 0o600 : 0o644 }

  /// Creates the folder and those above it; one that is there keeps its mode.
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

  package var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// Whether the folder holds something at a relative path, a link included.
  package func holds(_ name: String) -> Bool {
    var status = stat()
    return lstat(file(name), &status) == 0
  }

  /// The names of what is in the folder, sorted; empty when there is no such folder.
  ///
  /// A folder that cannot be listed is treated as one that is not there: the next write to it says why.
  package func names() -> [String] {
    UntrustedFolder(base).names(of: path == base ? "." : String(path.utf8.dropFirst(base.utf8.count + 1)) ?? ".")
  }

  /// The way from the base to something in this folder.
  private func way(to name: String) -> String {
    String(file(name).utf8.dropFirst(base.utf8.count + 1)) ?? name
  }

  /// Removes the folder and everything beneath it; does nothing when it is not there.
  package func remove() throws(IntegratingError) {
    do throws(GitError) {
      try Removal.remove(path)
    } catch {
      throw IntegratingError(error)
    }
  }

  /// Takes the folder away from its place: removes it, or else gives it a name beside it, which it has until all around it
  /// is removed.
  ///
  /// What one commit left behind, as a file that nobody may remove, is no hindrance for the next one.
  func takeAway() throws(IntegratingError) {
    do throws(IntegratingError) {
      try remove()
    } catch {
      let (parent, name) = path.lastIndex(of: "/").map { (path[..<$0], path[$0...].dropFirst()) } ?? ("", path[...])
      for count in 1...1000 where Glibc.rename(path, "\(parent)/.removed-\(name).\(count)") == 0 { return }
      throw error
    }
  }

  /// Makes the folder, or lets its owner into the one that is there again.
  func reopen() throws(IntegratingError) {
    try create()
    if fchmodat(AT_FDCWD, path, 0o700, AT_SYMLINK_NOFOLLOW) != 0 {
      throw .storage("open the folder", path, errno: errno)
    }
  }

  /// Whether its owner is kept out of the folder, of a folder in it, or of a file: one further beneath can be read-only, as
  /// git's objects are.
  var isShut: Bool {
    var status = stat()
    guard lstat(path, &status) == 0 else { return false }
    var isFound = status.st_mode & 0o700 != 0o700
    var waiting = [path]
    // One listing is open at a time, however deep folders lie.
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
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let needed: mode_t = isFolder ? 0o700 : folder == path ? 0o600 : 0o400
        isFound = (isFolder || status.st_mode & S_IFMT == S_IFREG) && status.st_mode & needed != needed
        if isFolder { waiting.append("\(folder)/\(name)") }
      }
    }
    return isFound
  }

  /// Moves the folder to where there is none yet, in one step.
  package func rename(to place: Folder) throws(IntegratingError) {
    guard Glibc.rename(path, place.path) == 0 else {
      throw .storage("put the report in place at", place.path, errno: errno)
    }
  }

}

extension Folder {
  /// Writes a file aside and renames it into place, so that a reader sees the old bytes or the new ones.
  package func write(_ bytes: [UInt8], to name: String) throws(IntegratingError) {
    let target = file(name)
    let aside = "\(target).\(getpid()).new"
    do throws(IntegratingError) {
      try writeWhole(bytes, to: aside)
      guard Glibc.rename(aside, target) == 0 else { throw .storage("write", target, errno: errno) }
    } catch {
      unlink(aside)
      throw error
    }
  }

  /// Writes a new file whole; the caller publishes the folder it is in.
  package func create(_ name: String, _ bytes: [UInt8]) throws(IntegratingError) {
    try writeWhole(bytes, to: file(name))
  }

  /// Adds bytes to the end of a file in one write, creating it when it is not there.
  package func append(_ bytes: [UInt8], to name: String) throws(IntegratingError) {
    try writeWhole(bytes, to: file(name), flags: O_APPEND)
  }

  /// The bytes of a regular file beneath the folder; nil when there is none of that relative path, when it is behind a
  /// link, no regular file or longer than the limit, a gigabyte, and when the path leads upwards.
  package func read(_ name: String, limit: Int = 1 << 30) -> [UInt8]? {
    guard Self.staysBeneath(name), case .bytes(let bytes) = UntrustedFolder(base).read(way(to: name), limit: limit)
    else {
      return nil
    }
    return bytes
  }

  /// The last bytes of a file of Martlet's own, and whether they are all; nothing when it cannot be read.
  func end(of name: String, bytes limit: Int = .max) -> (bytes: [UInt8], isWhole: Bool) {
    let descriptor = open(file(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return ([], true) }
    defer { close(descriptor) }
    let length = Int(lseek(descriptor, 0, SEEK_END))
    let wanted = max(0, min(length, limit))
    let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
      while count < wanted {
        let read = pread(descriptor, buffer.baseAddress?.advanced(by: count), wanted - count, length - wanted + count)
        guard read > 0 else { break }
        count += read
      }
    }
    return (bytes, wanted == length)
  }

  /// The first bytes of a file of Martlet's own; nothing when it cannot be read.
  func start(of name: String, bytes limit: Int) -> [UInt8] {
    let descriptor = open(file(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      while count < limit {
        let read = pread(descriptor, buffer.baseAddress?.advanced(by: count), limit - count, count)
        guard read > 0 else { break }
        count += read
      }
    }
  }

  /// Whether a relative path has no part that leads elsewhere.
  private static func staysBeneath(_ name: String) -> Bool {
    !name.split(separator: "/", omittingEmptySubsequences: false).contains { ["", ".", ".."].contains($0) }
  }

  /// Points a link at something, in one step.
  package func link(_ name: String, to target: String) throws(IntegratingError) {
    let aside = "\(file(name)).\(getpid()).new"
    unlink(aside)
    guard symlink(target, aside) == 0, Glibc.rename(aside, file(name)) == 0 else {
      throw .storage("write", file(name), errno: errno)
    }
  }

  /// The relative paths of the regular files in the folder and those beneath it, sorted.
  package func filesBeneath() -> [String] {
    names().flatMap { name -> [String] in
      var status = stat()
      guard lstat(file(name), &status) == 0 else { return [] }
      switch status.st_mode & S_IFMT {
      case S_IFREG: return [name]
      case S_IFDIR: return folder(name).filesBeneath().map { "\(name)/\($0)" }
      default: return []
      }
    }
  }

  /// The bytes of a file; zero when it is not there.
  package func size(of name: String) -> Int {
    var status = stat()
    return lstat(file(name), &status) == 0 ? Int(status.st_size) : 0
  }

  /// What a link points to; nil when there is no link of that name.
  package func link(_ name: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(file(name), &buffer, buffer.count)
    return count > 0 ? String(validating: buffer[..<count], as: UTF8.self) : nil
  }

  /// Why a file must not be read, as the middle of a sentence; nil when it may be.
  package func refusal(of name: String) -> String? {
    UntrustedFolder(base).refusal(of: way(to: name))
  }

  private func writeWhole(_ bytes: [UInt8], to path: String, flags: Int32 = O_TRUNC) throws(IntegratingError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, fileMode)
    guard descriptor >= 0 else { throw .storage("write", path, errno: errno) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
      if count < 0 {
        if errno == EINTR { continue }
        let reason = errno
        close(descriptor)
        throw .storage("write", path, errno: reason)
      }
      written += count
    }
    guard close(descriptor) == 0 else { throw .storage("write", path, errno: errno) }
  }
}

extension IntegratingError {
  /// An error of the disk, with the step that mends the usual ones.
  static func storage(_ operation: String, _ path: String, errno code: Int32) -> IntegratingError {
    storage(operation, path, reason: SystemReason.words(of: code), isFull: code == ENOSPC)
  }

  /// The same, of what Foundation throws.
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

  /// Takes the secrets out of every file beneath; does nothing without secrets.
  ///
  /// Links, pipes and the like go, and so does a file that cannot be read or whose copy cannot be written. What has a
  /// name that is no text stays: nothing of Martlet's reads it.
  func maskFiles(with mask: SecretMask) throws(IntegratingError) {
    guard !mask.isEmpty else { return }
    // Beside the folder, where no program of the integration can have put anything, and the name is never too long.
    let aside = "\(path).masked"
    defer { unlink(aside) }
    for name in entriesBeneath() where !put(name, masked: mask, by: aside) {
      guard unlink(file(name)) == 0 || errno == ENOENT else { throw .storage("remove", file(name), errno: errno) }
    }
  }

  /// The relative paths of all that is beneath and no folder.
  private func entriesBeneath() -> [String] {
    names().flatMap { name -> [String] in
      var status = stat()
      guard lstat(file(name), &status) == 0 else { return [] }
      guard status.st_mode & S_IFMT == S_IFDIR else { return [name] }
      return folder(name).entriesBeneath().map { "\(name)/\($0)" }
    }
  }

  /// Puts a copy without secrets in the place of a plain file; one without any stays as it is.
  ///
  /// - Parameter aside: where the copy is written.
  private func put(_ name: String, masked mask: SecretMask, by aside: String) -> Bool {
    let source = open(file(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard source >= 0 else { return false }
    defer { close(source) }
    var status = stat()
    guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
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

  /// What copying a file came to.
  private enum Copy {
    case same, masked, broken
  }

  private static func pass(_ source: Int32, to target: Int32, _ mask: SecretMask) -> Copy {
    var stream = MaskedStream(mask)
    var buffer = [UInt8](repeating: 0, count: piece)
    var isWhole = true
    func put(_ bytes: ArraySlice<UInt8>) {
      var rest = bytes
      while isWhole, !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(target, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        isWhole = count > 0
        rest = rest.dropFirst(max(0, count))
      }
    }
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
  /// Whether a regular file of the folder holds exactly these bytes.
  func holds(_ name: String, _ bytes: [UInt8]) -> Bool {
    let descriptor = open(file(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == bytes.count
    else { return false }
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

  /// Gives a file of another folder a second name in this one; false where the file system does not do that.
  func share(_ name: String, of other: Folder) -> Bool {
    Glibc.link(other.file(name), file(name)) == 0
  }
}
