import Model

/// The name of a test as a sentence: what it says about the code, without the signs of the language.
enum TestSentence {
  /// `test_greeting_atNoon_isAfternoon` becomes `greeting at noon is afternoon`; a name that is written for people
  /// stays as it is.
  static func of(_ name: String, displayName: String?) -> String {
    if let displayName { return displayName }
    let base = name.prefix { $0 != "(" }
    if base.hasPrefix("`") { return base.filter { $0 != "`" } }
    let rest = withoutTest(base)
    let words = rest.split(separator: "_").flatMap(words)
    return words.isEmpty ? String(base) : words.joined(separator: " ")
  }

  /// The name without the word that XCTest asks for; `testimony` is a word of its own.
  private static func withoutTest(_ name: Substring) -> Substring {
    guard name.hasPrefix("test"), let next = name.dropFirst(4).first, !next.isLowercase else { return name }
    return name.dropFirst(4)
  }

  /// The words of a name in camel case; what is written in capitals, as `URL`, stays together.
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
