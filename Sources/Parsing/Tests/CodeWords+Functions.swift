import Syntax

extension CodeWords {
  /// The modifiers that say nothing about who may call a method.
  private static let plainModifiers: Set<String> = ["internal", "final", "nonisolated"]

  /// Whether a function has what tests of both libraries have: no parameters, no value and no attribute, and nothing that
  /// says who may call it.
  ///
  /// - Parameter index: that of `func`.
  func mightBeTest(at index: Int) -> Bool {
    let modifiers = modifiers(before: index)
    let before = index - 1 - modifiers.count
    let isPlain = ["", "{", "}", "@MainActor"].contains(self[before]) || self[before - 1] == "import"
    return isPlain && modifiers.isSubset(of: Self.plainModifiers) && self[index + 2] == "(" && self[index + 3] == ")"
      && !returnsValue(behind: index + 3)
  }

  /// Whether a word of some kind is in the body of a function.
  func bodyHolds(ofFunctionAt index: Int, where isWanted: (String) -> Bool) -> Bool {
    braces(behind: index + 2)?.contains { isWanted(self[$0]) } ?? false
  }

  /// Returns the words between the braces of a declaration, and these, given the index behind its name; nil if it has
  /// none.
  func braces(behind index: Int) -> Range<Int>? {
    var index = index
    while index < indices.upperBound {
      switch self[index] {
      case "{": return self.end(of: index).map { index..<$0 + 1 }
      case "(", "[":
        guard let end = self.end(of: index) else { return nil }
        index = end + 1
      // A protocol requirement has no body.
      case "func", "var", "let", "}", "class", "struct", "init": return nil
      default: index += 1
      }
    }
    return nil
  }

  /// Whether the parameters are followed by a return type other than `Void`.
  func returnsValue(behind parenthesis: Int) -> Bool {
    var position = parenthesis + 1
    while ["async", "throws", "rethrows"].contains(self[position]) {
      position += 1
      // The type of a typed `throws`.
      if self[position] == "(" {
        while position < indices.upperBound, self[position - 1] != ")" { position += 1 }
      }
    }
    guard self[position] == "->" else { return false }
    if self[position + 1] == "Void" { return self[position + 2] != "{" }
    if self[position + 1] == "Swift" { return false }
    return !(self[position + 1] == "(" && self[position + 2] == ")" && self[position + 3] == "{")
  }
}
