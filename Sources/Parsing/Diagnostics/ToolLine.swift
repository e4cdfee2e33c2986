import Model

/// Corrections to the lines of tools that Swift Build runs.
enum ToolLine {
  private static let manifest = "/Package.swift: "

  /// Returns the line as the tool printed it, without the manifest's path and the target that Swift Build adds:
  /// `/p/Package.swift: Core: clang: warning: text`.
  static func text(_ line: String) -> String {
    guard line.hasPrefix("/"), let manifest = line.firstRange(ofASCII: manifest) else { return line }
    let rest = line[manifest.upperBound...]
    guard let end = rest.firstRange(of: ": "), Diagnostic.Severity(rawValue: String(rest[..<end.lowerBound])) == nil
    else { return line }
    return String(rest[end.upperBound...])
  }

  /// Whether the line is about the build system rather than the package.
  static func isOfBuildSystem(_ line: String) -> Bool { BuildSystemRemark.beginnings.contains(where: line.hasPrefix) }

  /// Whether the line only marks places in the source line above it.
  static func isMarking(_ line: String) -> Bool {
    line.contains("^") && line.allSatisfy { " \t^~".contains($0) }
  }

  /// Returns the test target in which the build did not look for XCTest tests, which Swift Build calls by the name of
  /// its product; nil for any other message.
  static func unsearchedTarget(in message: String) -> String? {
    guard message.hasPrefix("Skipping XCTest discovery for '") else { return nil }
    let name = message.split(separator: "'", omittingEmptySubsequences: false)[1]
    return String(name.hasSuffix("-product") ? name.dropLast("-product".count) : name)
  }
}
