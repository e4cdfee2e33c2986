/// What `Package.swift` says about targets, read as text.
///
/// Running the package manager would be slow, and would wait for the build that runs this test.
struct PackageManifest {
  struct Target: Equatable {
    var kind: String
    var name: String
    var dependencies: [String]
    /// Where its sources lie, when it says so.
    var path: String?
    /// From 1.
    var line: Int
  }

  private(set) var targets: [Target] = []

  /// Finds each `.target(name: "…", … dependencies: ["…"])`.
  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let code = lines.map { line in line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line[...] }
    var kind: String?
    var start = 0
    var call = ""
    for (number, line) in code.enumerated() {
      if let found = Self.kinds.first(where: { line.contains(".\($0)(") }) {
        kind = found
        start = number + 1
        call = ""
      }
      guard let current = kind else { continue }
      call += line
      guard let target = Self.target(current, in: call, line: start) else { continue }
      targets.append(target)
      kind = nil
    }
  }

  private static let kinds = ["executableTarget", "systemLibrary", "testTarget", "target"]

  /// Reads a call once its parentheses are balanced.
  private static func target(_ kind: String, in call: String, line: Int) -> Target? {
    guard let open = call.firstRange(of: ".\(kind)(") else { return nil }
    var depth = 1
    var inside = ""
    for character in call[open.upperBound...] where depth > 0 {
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      inside.append(character)
    }
    guard depth == 0 else { return nil }
    let name = strings(in: inside, after: "name:", until: ",").first
    return name.map {
      Target(
        kind: kind, name: $0, dependencies: strings(in: inside, after: "dependencies:", until: "]"),
        path: strings(in: inside, after: "path:", until: ",").first, line: line)
    }
  }

  /// The string literals between a label and the next delimiter.
  private static func strings(in text: String, after label: String, until end: Character) -> [String] {
    guard let start = text.firstRange(of: label) else { return [] }
    let part = text[start.upperBound...].prefix { $0 != end }
    return part.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
  }
}
