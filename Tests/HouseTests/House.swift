import FoundationEssentials
import Testing

/// The repository that these tests were built from.
enum House {
  static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: "\(root)/\(path)")), as: UTF8.self)
  }

  /// The files below a folder with a suffix, as paths relative to the repository, sorted.
  static func files(under folder: String, suffix: String) throws -> [String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")
    return paths.filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }.sorted()
  }

  /// The Swift files of the program and of its tests, read and told apart into code, comments and strings, once.
  static func sources() throws -> [SwiftText] { try readSources.get() }
  static func tests() throws -> [SwiftText] { try readTests.get() }

  private static let readSources = Result { try swiftTexts(under: "Sources") }
  private static let readTests = Result { try swiftTexts(under: "Tests") }

  private static func swiftTexts(under folder: String) throws -> [SwiftText] {
    try files(under: folder, suffix: ".swift").map { SwiftText(path: $0, try text($0)) }
  }

  /// Fails the test once for each violation, so that each is told with its file, line and rule.
  static func expectNone(_ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation) {
    for violation in violations {
      Issue.record("\(violation)", sourceLocation: sourceLocation)
    }
  }
}
