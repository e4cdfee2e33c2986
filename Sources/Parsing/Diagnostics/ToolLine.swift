/// What Swift Build makes of the lines of the tools that it runs.
enum ToolLine {
  private static let manifest = "/Package.swift: "
  private static let severities: Set<Substring> = ["error", "warning", "note", "remark"]

  /// The line as the tool said it: Swift Build puts the manifest's path and the target in front,
  /// `/p/Package.swift: Core: clang: warning: text`.
  static func text(_ line: String) -> String {
    guard line.hasPrefix("/"), let manifest = line.firstRange(of: manifest) else { return line }
    let rest = line[manifest.upperBound...]
    guard let end = rest.firstRange(of: ": "), !severities.contains(rest[..<end.lowerBound]) else { return line }
    return String(rest[end.upperBound...])
  }

  /// Whether it is no fault of the package: Swift Build links with an option that clang does not need for objects, and from
  /// Swift 6.4 on SwiftPM advises against a build system that was asked for.
  static func isOfBuildSystem(_ line: String) -> Bool {
    line.hasPrefix("clang: warning: argument unused during compilation: '-rdynamic'")
      || line.hasPrefix("warning: '--build-system native' has been deprecated")
  }

  /// Whether it marks places in the line of source above it.
  static func isMarking(_ line: String) -> Bool {
    line.contains("^") && line.allSatisfy { " \t^~".contains($0) }
  }

  /// The test target in which the build did not look for tests of XCTest, which Swift Build calls by the name of the product
  /// that it makes of one; nil where a message says something else.
  static func unsearchedTarget(in message: String) -> String? {
    guard message.hasPrefix("Skipping XCTest discovery for '") else { return nil }
    let name = message.split(separator: "'", omittingEmptySubsequences: false)[1]
    return String(name.hasSuffix("-product") ? name.dropLast("-product".count) : name)
  }
}
