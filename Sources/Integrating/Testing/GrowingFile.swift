import Glibc
import Model

/// A file that another process writes, read on from where the last reading ended.
final class GrowingFile {
  let path: String
  private let descriptor: Int32
  private var position = 0

  /// Creates the file, so that what is read is the file that was made here and no other.
  init(_ path: String) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Passes on what was written since the last time.
  func readOn(_ body: ([UInt8]) -> Void) {
    guard descriptor >= 0 else { return }
    while true {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = pread(descriptor, &buffer, buffer.count, position)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      position += count
      body(Array(buffer[..<count]))
    }
  }
}

/// A copy of the events of a test process as they were read, for later inspection.
final class EventsCopy {
  private static let most = 1 << 16
  private let name: String
  private let folder: Folder
  private var pending: [UInt8] = []
  /// The number of bytes that are still accepted.
  private var left = Bounds.standard.events

  /// - Parameter folder: a folder to which nobody else writes.
  init(_ name: String, in folder: Folder) {
    self.name = name
    self.folder = folder
  }

  func append(_ bytes: ArraySlice<UInt8>) {
    // The first record for which there is no room ends the copy, which thus never has a misleading part of a record.
    guard bytes.count <= left else { return left = 0 }
    left -= bytes.count
    pending += bytes
    if pending.count >= Self.most { write() }
  }

  /// Writes the rest, when the process is over.
  func finish() { write() }

  /// Writes what is pending. The copy is only for reading, and a full disk is reported elsewhere.
  private func write() {
    try? folder.append(pending, to: name)  // Nothing depends on the copy.
    pending = []
  }
}
