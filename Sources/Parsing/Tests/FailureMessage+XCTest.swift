import Model

/// The shapes are those of
/// [XCTAssert.swift](https://github.com/swiftlang/swift-corelibs-xctest/blob/main/Sources/XCTest/Public/XCTAssert.swift).
extension FailureMessage {
  static func xctest(_ message: String) -> ParsedFailure? {
    if let rest = message.dropping("failed - ") {
      return ParsedFailure(assertion: "XCTFail", note: note(rest))
    }
    if let rest = message.dropping(#"threw error ""#), rest.hasSuffix(#"""#) {
      return ParsedFailure(assertion: "threw error", first: String(rest.dropLast()))
    }
    if let rest = message.dropping("Asynchronous wait failed - ") { return wait(rest) }
    if let rest = message.dropping("Failed due to expectation fulfilled in incorrect order: requires '") {
      return order(rest)
    }
    guard message.hasPrefix("XCT") else { return nil }
    let assertion = String(message.prefix { $0.isLetter })
    let rest = message.dropFirst(assertion.count)
    if let rest = rest.dropping(" failed - ") {
      return ParsedFailure(assertion: assertion, note: note(rest))
    }
    if let rest = rest.dropping(#" threw error ""#) { return value(rest, of: assertion, relation: "threw error") }
    guard let rest = rest.dropping(" failed: ") else { return nil }
    if let rest = rest.dropping(#"(""#) { return comparison(rest, of: assertion) }
    if let rest = rest.dropping(#"threw error ""#) { return value(rest, of: assertion, relation: "threw error") }
    if let rest = rest.dropping(#"""#) { return value(rest, of: assertion, relation: nil) }
    return statement(rest, of: assertion)
  }

  /// `A") is not equal to ("B") +/- ("C") - note`: the relation stands where both operands are best balanced.
  private static func comparison(_ text: Substring, of assertion: String) -> ParsedFailure? {
    var splits: [(first: Substring, relation: String, rest: Substring)] = []
    for relation in relations {
      for range in text.ranges(ofText: "\") \(relation) (\"") {
        splits.append((text[..<range.lowerBound], relation, text[range.upperBound...]))
      }
    }
    splits.sort { $0.first.endIndex < $1.first.endIndex }
    guard let split = splits.first(where: \.first.isBalanced) ?? splits.first else { return nil }
    guard let (second, rest) = operand(split.rest, closing: #"")"#) else { return nil }
    var parsed = ParsedFailure(
      assertion: assertion, first: String(split.first), second: String(second), relation: split.relation)
    var remainder = rest
    if let behind = rest.dropping(#" +/- (""#), let (accuracy, rest) = operand(behind, closing: #"")"#) {
      parsed.accuracy = String(accuracy)
      remainder = rest
    }
    parsed.note = remainder.dropping(" - ").flatMap(note)
    return parsed
  }

  /// `value" - note`.
  private static func value(_ text: Substring, of assertion: String, relation: String?) -> ParsedFailure? {
    guard let (value, rest) = operand(text, closing: #"""#) else { return nil }
    return ParsedFailure(
      assertion: assertion, first: String(value), relation: relation, note: rest.dropping(" - ").flatMap(note))
  }

  /// `did not throw error - note`, `expected non-nil value of type "Int" - note`: words without an operand.
  private static func statement(_ text: Substring, of assertion: String) -> ParsedFailure? {
    guard let separator = text.range(of: " - ", in: text.startIndex) else { return nil }
    return ParsedFailure(
      assertion: assertion, relation: String(text[..<separator.lowerBound]), note: note(text[separator.upperBound...]))
  }

  /// `Exceeded timeout of 0.01 seconds, with unfulfilled expectations: a, b`.
  private static func wait(_ text: Substring) -> ParsedFailure {
    let assertion = "Asynchronous wait"
    if let colon = text.range(of: ": ", in: text.startIndex) {
      return ParsedFailure(
        assertion: assertion, first: String(text[colon.upperBound...]), relation: String(text[..<colon.lowerBound]))
    }
    return ParsedFailure(assertion: assertion, relation: String(text))
  }

  /// `a', actually fulfilled 'b'`, behind the words that it follows.
  private static func order(_ text: Substring) -> ParsedFailure? {
    let between = "', actually fulfilled '"
    guard text.hasSuffix("'"), let range = text.range(of: between, in: text.startIndex) else { return nil }
    return ParsedFailure(
      assertion: "Asynchronous wait", first: String(text[range.upperBound...].dropLast()),
      second: String(text[..<range.lowerBound]), relation: "was fulfilled before")
  }

  /// The text up to the quotes that close an operand: the first ones that leave it balanced and are followed by the
  /// next part of the message.
  private static func operand(_ text: Substring, closing: String) -> (operand: Substring, rest: Substring)? {
    var ends: [(operand: Substring, rest: Substring)] = []
    for next in [" - ", #" +/- (""#] {
      for range in text.ranges(ofText: closing + next) {
        ends.append(
          (text[..<range.lowerBound], text[text.utf8.index(range.lowerBound, offsetBy: closing.utf8.count)...]))
      }
    }
    if text.hasSuffix(closing) { ends.append((text.dropLast(closing.utf8.count), "")) }
    ends.sort { $0.operand.endIndex < $1.operand.endIndex }
    return ends.first(where: \.operand.isBalanced) ?? ends.first
  }

  private static func note(_ text: Substring) -> String? {
    text.isEmpty ? nil : String(text)
  }

  private static let relations = [
    "is not equal to", "is equal to", "is not identical to", "is identical to", "is not less than",
    "is not greater than", "is less than", "is greater than",
  ]
}

extension StringProtocol {
  /// What follows a beginning; nil without that beginning.
  func dropping(_ beginning: String) -> Substring? where SubSequence == Substring {
    hasPrefix(beginning) ? self[utf8.index(startIndex, offsetBy: beginning.utf8.count)...] : nil
  }
}
