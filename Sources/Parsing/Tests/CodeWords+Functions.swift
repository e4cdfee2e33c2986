import Syntax

/// What tells a function that could be a test from others.
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
    guard let start = indices[index...].first(where: { self[$0] == "{" }), let end = end(of: start) else {
      return false
    }
    return (start..<end).contains { isWanted(self[$0]) }
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
