import Model

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
