package import Model
import Syntax

extension FileCoverage {
  /// Returns the coverage without the conditions that are constants in the source, such as that of `while (1)`: they
  /// can never go the other way, so they are not branches.
  ///
  /// LLVM also omits the conditions that it folds, but does not say where; those that only the compiler can evaluate,
  /// such as a `sizeof`, remain here.
  /// - Parameter source: the text of the file.
  package func withoutConstantConditions(in source: [UInt8]) -> FileCoverage {
    guard !conditions.isEmpty else { return self }
    let lines = source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var file = self
    file.conditions.removeAll { condition in
      guard condition.start.line == condition.end.line, lines.indices.contains(condition.line - 1) else { return false }
      let text = lines[condition.line - 1]
      let first = text.startIndex + condition.start.column - 1
      let end = text.startIndex + condition.end.column - 1
      return end <= text.endIndex && first < end && Self.isConstant(text[first..<end])
    }
    file.totals.branches = file.conditions.branches
    return file
  }

  /// Whether a text is a number or a Boolean literal.
  private static func isConstant(_ text: ArraySlice<UInt8>) -> Bool {
    var text = text
    while text.first == UInt8(ascii: "("), text.last == UInt8(ascii: ")") { text = text.dropFirst().dropLast() }
    guard let first = text.first else { return false }
    if ["true", "false", "YES", "NO"].contains(where: { text.elementsEqual($0.utf8) }) { return true }
    return first.isDigit
      && text.allSatisfy { $0.isDigit || ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
  }
}
