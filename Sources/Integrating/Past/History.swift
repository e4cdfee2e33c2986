import FoundationEssentials
package import Model
import Processes

/// The finished integrations of a bot as lists and trends show them, one JSON value a line, oldest first.
///
/// It can be made again from the summary documents; it exists so that a list reads one file, and an overview its end.
package struct History: Sendable {
  static let fileName = "history"
  private static let lineEnd = UInt8(ascii: "\n")

  private let folder: Folder

  /// - Parameter folder: that of the bot's integrations.
  package init(in folder: Folder) {
    self.folder = folder
  }

  /// The newest entries, newest first; lines that cannot be read are passed over.
  ///
  /// - Parameter limit: how many at most; nil for all.
  package func newest(_ limit: Int? = nil) -> [HistoryLine] {
    // Twice the length of a usual line; when that is too little, the whole is read.
    let tail = limit.map { folder.end(of: Self.fileName, bytes: ($0 + 1) * 2048) } ?? folder.end(of: Self.fileName)
    let found = entries(in: tail.isWhole ? tail.bytes[...] : tail.bytes.drop { $0 != Self.lineEnd }, limit: limit)
    if let limit, found.count < limit, !tail.isWhole {
      return entries(in: folder.end(of: Self.fileName).bytes[...], limit: limit)
    }
    return found
  }

  private func entries(in bytes: ArraySlice<UInt8>, limit: Int?) -> [HistoryLine] {
    let decoder = JSONDecoder()
    var entries: [HistoryLine] = []
    for line in bytes.split(separator: Self.lineEnd).reversed() {
      guard entries.count < limit ?? .max else { break }
      // Half a line is what a full disk or a power cut left.
      guard let entry = try? decoder.decode(HistoryLine.self, from: Data(line)) else { continue }
      entries.append(entry)
    }
    return entries
  }

  /// Adds one line in a single write.
  func append(_ entry: HistoryLine, mask: SecretMask = SecretMask([])) throws(IntegratingError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line: [UInt8]
    do {
      line = mask.mask([UInt8](try encoder.encode(entry))) + [Self.lineEnd]
    } catch {
      throw IntegratingError(
        .service, "cannot write \(folder.file(Self.fileName)): \(error). This is a fault of Martlet; please report it.")
    }
    let isTorn = (folder.end(of: Self.fileName, bytes: 1).bytes.last ?? Self.lineEnd) != Self.lineEnd
    try folder.append((isTorn ? [Self.lineEnd] : []) + line, to: Self.fileName)
  }
}
