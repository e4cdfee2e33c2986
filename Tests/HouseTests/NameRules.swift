/// What files may be called.
enum NameRules {
  private static let vague = ["Utils", "Utilities", "Helper", "Helpers", "Manager", "Common", "Misc"]

  /// Names that say nothing about what is inside.
  static func vagueness(of text: SwiftText) -> [Violation] {
    let name = stem(text.path)
    guard let word = vague.first(where: name.hasSuffix) else { return [] }
    return [Violation(file: text.path, line: nil, rule: "a file called '\(word)' says nothing about what is in it")]
  }

  /// A file is named after a type that it declares, or `Type+Verb` after one that it extends.
  static func mismatch(of text: SwiftText) -> [Violation] {
    let name = stem(text.path)
    let hasCode = text.code.contains { line in
      !line.allSatisfy(\.isWhitespace) && !line.split(separator: " ").contains("import")
    }
    guard hasCode, name != "main" else { return [] }
    let parts = name.split(separator: "+", maxSplits: 1)
    let types =
      parts.count == 2 ? declared(text.code, declarations.union(["extension"])) : declared(text.code, declarations)
    guard let type = parts.first, !types.contains(String(type)) else { return [] }
    let rule = "a file is named after a type that it declares, or 'Type+Verb'; '\(type)' is not in it"
    return [Violation(file: text.path, line: nil, rule: rule)]
  }

  /// Types of one name, those inside others aside: in the whole package a name means one thing.
  static func twins(in texts: [SwiftText]) -> [Violation] {
    var first: [String: String] = [:]
    var violations: [Violation] = []
    for text in texts {
      for line in text.code where !line.hasPrefix(" ") {
        for name in declared([line], declarations).sorted() {
          guard let other = first.updateValue(first[name] ?? text.path, forKey: name) else { continue }
          violations.append(Violation(file: text.path, line: nil, rule: "there is another '\(name)' in \(other)"))
        }
      }
    }
    return violations
  }

  private static let declarations: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]

  private static func stem(_ path: String) -> Substring {
    (path.split(separator: "/").last ?? "").dropLast(".swift".count)
  }

  /// The names that follow any of the keywords; of a dotted name, the last part.
  private static func declared(_ code: [String], _ keywords: Set<Substring>) -> Set<String> {
    var names: Set<String> = []
    for line in code {
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." }
      for (word, next) in zip(words, words.dropFirst()) where keywords.contains(word) {
        next.split(separator: ".").last.map { _ = names.insert(String($0)) }
      }
    }
    return names
  }
}
