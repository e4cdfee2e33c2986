/// Holds the version of the program to one place.
enum VersionRules {
  static let changelog = ".github/CHANGELOG.md"
  private static let declaration = "static let version = \""

  /// A version that is declared twice or never, that stands elsewhere too, or that the changelog does not begin with.
  static func violations(in texts: [(path: String, text: String)], changelog: String) -> [Violation] {
    let declared = texts.flatMap { path, text in
      text.split(separator: "\n").compactMap { line in
        line.firstRange(of: declaration).map {
          (path: path, version: String(line[$0.upperBound...].prefix { $0 != "\"" }))
        }
      }
    }
    guard let version = declared.first?.version, declared.count == 1 else {
      return [Violation(file: "Sources", line: nil, rule: "the version is declared \(declared.count) times, not once")]
    }
    let elsewhere = texts.filter { $0.path != declared[0].path && $0.text.has(version) }.map {
      Violation(file: $0.path, line: nil, rule: "the version \(version) is said here a second time")
    }
    let heading = changelog.split(separator: "\n").first { $0.hasPrefix("## ") }
    guard heading?.split(separator: " ").dropFirst().first.map(String.init) != version else { return elsewhere }
    let rule = "the first heading of a version is not '## \(version)'"
    return elsewhere + [Violation(file: Self.changelog, line: nil, rule: rule)]
  }
}
