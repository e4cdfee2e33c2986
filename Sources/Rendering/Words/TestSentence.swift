import Model

/// The name of a test as a sentence: what it states about the code, without the syntax of the language.
enum TestSentence {
  /// Of tests that belong to none.
  static let outsideSuites = "outside suites"

  /// Returns the same where there are several targets.
  static func outsideSuites(of target: String) -> String { "\(outsideSuites) of \(target)" }

  /// Returns `greeting at noon is afternoon` for `test_greeting_atNoon_isAfternoon`; a display name is returned
  /// unchanged.
  static func of(_ name: String, displayName: String?) -> String {
    if let displayName { return displayName }
    let base = name.prefix { $0 != "(" }
    if base.hasPrefix("`") { return base.filter { $0 != "`" } }
    let rest = withoutTest(base)
    let words = rest.split(separator: "_").flatMap(words)
    return words.isEmpty ? String(base) : words.joined(separator: " ")
  }

  /// Returns the name without the prefix that XCTest requires; `testimony` is a word of its own.
  private static func withoutTest(_ name: Substring) -> Substring {
    guard name.hasPrefix("test"), let next = name.dropFirst(4).first, !next.isLowercase else { return name }
    return name.dropFirst(4)
  }

  /// Returns the words of a name in camel case; capitals such as `URL` stay together.
  private static func words(of part: Substring) -> [String] {
    let letters = Array(part)
    var words: [[Character]] = []
    for (index, letter) in letters.enumerated() {
      let follows = index > 0 ? letters[index - 1] : " "
      let precedes = index + 1 < letters.count ? letters[index + 1] : " "
      let beginsWord =
        letter.isUppercase && !follows.isUppercase || letter.isUppercase && precedes.isLowercase && index > 0
        || letter.isNumber != follows.isNumber && index > 0 && !letter.isLowercase
      if words.isEmpty || beginsWord { words.append([]) }
      words[words.count - 1].append(letter)
    }
    return words.map { word in
      let isAcronym = word.count > 1 && word.allSatisfy { $0.isUppercase || $0.isNumber }
      return isAcronym ? String(word) : String(word).lowercased()
    }
  }
}
