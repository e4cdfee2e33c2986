import FoundationEssentials
import Testing

/// A text that a person has looked at and accepted; `MARTLET_ACCEPT=1` writes it as it is now, and fails.
struct GoldenFile {
  private let file: URL

  /// - Parameter name: the path below `Tests/RenderingTests/Golden`.
  init(_ name: String) {
    file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Golden/\(name)")
  }

  func compare(with text: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) throws {
    if ProcessInfo.processInfo.environment["MARTLET_ACCEPT"] == "1" {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      Issue.record("\(file.lastPathComponent) was written. Look at the difference, then run without MARTLET_ACCEPT.")
      return
    }
    let accepted = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let lines = (text.split(separator: "\n"), accepted.split(separator: "\n"))
    let first = zip(lines.0, lines.1).first { $0 != $1 }
    #expect(
      text == accepted,
      "\(file.lastPathComponent): \(first.map { "\($0.0)\naccepted was\n\($0.1)" } ?? "one is longer"); MARTLET_ACCEPT=1 accepts it",
      sourceLocation: sourceLocation)
  }
}
