/// Holds what `CONTRIBUTING.md` names against the repository, so that a walk through it leads somewhere.
struct GuideRules {
  static let file = ".github/CONTRIBUTING.md"

  var text: String
  /// The targets of the manifest, which are named like types.
  var targets: Set<String>
  /// The Swift files below `Sources` and `Tests`.
  var sources: [SwiftText]
  /// Whether there is a file or folder, by its path in the repository.
  var exists: (String) -> Bool

  /// A file, a folder or a type that the text names in code style.
  struct Named: Equatable {
    var name: String
    /// From 1.
    var line: Int
    var isPath: Bool
  }

  private static let folders = ["Sources", "Tests", "templates", "script", "bots", ".github"]

  /// What is set in code style and is a path in the repository, or one word like a type's name.
  var named: [Named] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { number, line in
      line.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap { index, word in
        guard index % 2 == 1 else { return nil }
        let path = word.prefix { $0 != " " }
        if Self.folders.contains(where: { path.hasPrefix("\($0)/") }) {
          return Named(name: String(path), line: number + 1, isPath: true)
        }
        let isType = word.first?.isUppercase == true && word.contains(where: \.isLowercase)
        return isType && word.allSatisfy(\.isLetter) ? Named(name: String(word), line: number + 1, isPath: false) : nil
      }
    }
  }

  func violations() -> [Violation] {
    let known = types.union(targets).union(ImportRules.system)
    return named.filter { $0.isPath ? !exists($0.name) : !known.contains($0.name) }.map {
      let kind = $0.isPath ? "file or folder" : "type"
      return Violation(file: Self.file, line: $0.line, rule: "there is no \(kind) '\($0.name)'")
    }
  }

  /// The types that the sources declare.
  private var types: Set<String> {
    let keywords: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    return Set(
      sources.flatMap(\.code).flatMap { line -> [String] in
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        return zip(words, words.dropFirst()).filter { keywords.contains($0.0) }.map { String($0.1) }
      })
  }
}
