import Model

/// Keeps the events of a test process as they were read, for whoever wants to look at them later.
final class EventsCopy {
  private static let most = 1 << 16
  private let name: String
  private let folder: Folder
  private var pending: [UInt8] = []
  /// How many bytes are still taken.
  private var left = Bounds.standard.events

  /// - Parameter folder: where nobody else writes.
  init(_ name: String, in folder: Folder) {
    self.name = name
    self.folder = folder
  }

  func append(_ bytes: ArraySlice<UInt8>) {
    // From the first record on that has no room there is none, and never a part of one that can be mistaken.
    guard bytes.count <= left else { return left = 0 }
    left -= bytes.count
    pending += bytes
    if pending.count >= Self.most { write() }
  }

  /// Writes what is left to write, when the process is over.
  func finish() { write() }

  /// The copy is for reading only, and a full disk is told elsewhere.
  private func write() {
    try? folder.append(pending, to: name)  // Nothing depends on the copy.
    pending = []
  }
}
