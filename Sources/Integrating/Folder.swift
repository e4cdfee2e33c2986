import FoundationEssentials
import Glibc

/// A folder of Martlet's own, by its absolute path.
///
/// Every failure names the path and the reason, and what is read is a regular file: links are not followed, because what
/// lies in a workspace was put there by code that is not trusted.
package struct Folder: Hashable, Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  package func folder(_ name: String) -> Folder { Folder("\(path)/\(name)") }
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Creates the folder and those above it.
  @discardableResult
  package func create() throws(IntegratingError) -> Folder {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .storage("create the folder", path, reason: Self.reason(error))
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
  package func names() -> [String] {
    // A folder that cannot be listed is treated as one that is not there: the next write to it says why.
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Removes the folder and everything beneath it; does nothing when it is not there.
  package func remove() throws(IntegratingError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw .storage("remove", path, reason: Self.reason(error))
    }
  }

  /// Moves the folder to where there is none yet, in one step.
  package func rename(to place: Folder) throws(IntegratingError) {
    guard Glibc.rename(path, place.path) == 0 else {
      throw .storage("put the report in place at", place.path, errno: errno)
    }
  }

  /// What the system said, where an error of Foundation's has its words inside.
  static func reason(_ error: any Error) -> String {
    if let error = error as? CocoaError, let underlying = error.underlying as? POSIXError {
      return String(cString: strerror(underlying.code.rawValue))
    }
    return "\(error)"
  }
}

extension Folder {
  /// Writes a file aside and renames it into place, so that a reader sees the old bytes or the new ones.
  package func write(_ bytes: [UInt8], to name: String) throws(IntegratingError) {
    let target = file(name)
    let aside = "\(target).\(getpid()).new"
    do throws(IntegratingError) {
      try Self.writeWhole(bytes, to: aside)
      guard Glibc.rename(aside, target) == 0 else { throw .storage("write", target, errno: errno) }
    } catch {
      unlink(aside)
      throw error
    }
  }

  /// Writes a new file whole; the caller publishes the folder it is in.
  package func create(_ name: String, _ bytes: [UInt8]) throws(IntegratingError) {
    try Self.writeWhole(bytes, to: file(name))
  }

  /// Adds bytes to the end of a file in one write, creating it when it is not there.
  package func append(_ bytes: [UInt8], to name: String) throws(IntegratingError) {
    try Self.writeWhole(bytes, to: file(name), flags: O_APPEND)
  }

  /// The bytes of a regular file beneath the folder; nil when there is none of that relative path, when it or a folder
  /// on the way is a link, or when the path leads upwards.
  package func read(_ name: String) -> [UInt8]? {
    guard let descriptor = openBeneath(name) else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      filled += count
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// Opens a file for reading, one folder after the other, so that no link on the way is followed.
  private func openBeneath(_ name: String) -> Int32? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard !parts.contains(where: { ["", ".", ".."].contains($0) }), let last = parts.last else { return nil }
    var here = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for part in parts.dropLast() where here >= 0 {
      let next = openat(here, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      close(here)
      here = next
    }
    guard here >= 0 else { return nil }
    defer { close(here) }
    let descriptor = openat(here, last, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    return descriptor >= 0 ? descriptor : nil
  }

  private static func writeWhole(_ bytes: [UInt8], to path: String, flags: Int32 = O_TRUNC) throws(IntegratingError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0o644)
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
    storage(operation, path, reason: String(cString: strerror(code)))
  }

  static func storage(_ operation: String, _ path: String, reason: String) -> IntegratingError {
    let advice =
      reason == String(cString: strerror(ENOSPC))
      ? "Free some space on that disk, or choose another home with --home or MARTLET_HOME."
      : "Make it writable, or choose another home with --home or MARTLET_HOME."
    return IntegratingError(.service, "cannot \(operation) \(path): \(reason). \(advice)")
  }
}
