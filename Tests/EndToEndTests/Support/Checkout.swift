import FoundationEssentials

/// The checkout of Martlet that these tests belong to.
enum Checkout {
  static func folder(_ path: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: path).path
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: folder(path))), as: UTF8.self)
  }
}
