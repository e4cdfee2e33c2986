/// A failure message split into its parts, so that a page can show its operands one above the other.
package struct ParsedFailure: Hashable, Sendable {
  /// Two conditions as they stand in the source.
  package struct Conditions: Hashable, Sendable {
    package var first: String
    package var second: String
  }

  /// The assertion or expectation, such as `XCTAssertEqual` or `#expect`.
  package var assertion: String
  /// The first operand as printed, or the only value; nil if the message has none.
  package var first: String?
  /// The second operand as printed.
  package var second: String?
  /// The expected relation of the operands in the tool's words, such as `is not equal to` or `==`.
  package var relation: String?
  /// The allowed difference of a comparison with accuracy.
  package var accuracy: String?
  /// The author's own text.
  package var note: String?
  /// The expression as written in the source, if the library prints it.
  package var expression: String?
  /// What an `&&` or `||` joins; nil for any other message.
  package var conditions: Conditions?

  package init(
    assertion: String, first: String? = nil, second: String? = nil, relation: String? = nil, accuracy: String? = nil,
    note: String? = nil, expression: String? = nil
  ) {
    self.assertion = assertion
    self.first = first
    self.second = second
    self.relation = relation
    self.accuracy = accuracy
    self.note = note
    self.expression = expression
  }

  /// Whether its operands are the words of the source, as of `1 == 2`.
  package var comparesWords: Bool {
    guard let first, let relation, let second else { return false }
    return "\(first) \(relation) \(second)" == expression
  }

  /// Whether the operands differ although they print alike. An ordering, such as "greater than", may also fail for
  /// equal operands.
  package var operandsPrintAlike: Bool {
    let isEquality = relation.map { ["is not equal to", "==", "==="].contains($0) } ?? true
    return first != nil && first == second && isEquality
  }
}
