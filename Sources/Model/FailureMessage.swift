/// A parser for the failure messages of both libraries.
package enum FailureMessage {
  /// Whether the text ends inside an operand, so that the next line certainly continues it.
  package static func isUnfinished(_ message: String) -> Bool {
    guard message.hasPrefix("XCT"), let failed = message.firstRange(ofASCII: " failed: ") else {
      return message.hasPrefix(#"threw error ""#) && !(message.hasSuffix(#"""#) && message.utf8.count > 13)
    }
    let rest = message[failed.upperBound...]
    guard rest.hasPrefix(#"(""#) || rest.hasPrefix(#"""#) || rest.hasPrefix(#"threw error ""#) else { return false }
    return xctest(message) == nil
  }

  /// Whether nothing can follow: the author added no text, or the form has no place for one.
  package static func isComplete(_ message: String) -> Bool {
    if isUnfinished(message) { return false }
    if message.hasSuffix(" - ") || message == "Test skipped" { return true }
    if message.hasPrefix(#"threw error ""#) || message.hasPrefix("Test skipped: threw error ") {
      return message.hasSuffix(#"""#)
    }
    return message.hasPrefix("Asynchronous wait failed") || message.hasPrefix("Failed due to expectation fulfilled")
  }
}

extension StringProtocol {
  /// Whether brackets are properly nested and quotes come in pairs.
  var isBalanced: Bool {
    var open: [UInt8] = []
    var quotes = 0
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\""): quotes += 1
      case UInt8(ascii: "("): open.append(UInt8(ascii: ")"))
      case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
      case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        guard open.popLast() == byte else { return false }
      default: break
      }
    }
    return open.isEmpty && quotes.isMultiple(of: 2)
  }
}

/// The forms are those of Swift Testing's `Issue` and `Expression`:
/// https://github.com/swiftlang/swift-testing/blob/main/Sources/Testing/Issues/Issue.swift
/// https://github.com/swiftlang/swift-testing/blob/main/Sources/Testing/SourceAttribution/Expression.swift
extension FailureMessage {
  /// Returns the parts of a message; nil if it has none of the known forms.
  ///
  /// - Parameters:
  ///   - headline: the text of the issue itself.
  ///   - note: the joined comments.
  package static func swiftTesting(headline: String, note: String?) -> ParsedFailure? {
    let headline = headline[...]
    if let rest = headline.dropping("Expectation failed: ") { return expectation(rest, note: note) }
    if let rest = headline.dropping("Caught error: ") {
      return ParsedFailure(assertion: "Caught error", first: String(rest), note: note)
    }
    if let rest = headline.dropping("Issue recorded") {
      let note = note ?? rest.dropping(": ").map(String.init)
      return ParsedFailure(assertion: "Issue recorded", note: note)
    }
    if headline == "Known issue was not recorded" {
      return ParsedFailure(assertion: String(headline), note: note)
    }
    let expected = ", but expected to be confirmed "
    if let rest = headline.dropping("Confirmation was confirmed "),
      let range = rest.firstRange(ofASCII: expected)
    {
      return ParsedFailure(
        assertion: "Confirmation", first: String(rest[..<range.lowerBound]), second: String(rest[range.upperBound...]),
        relation: "but expected to be confirmed", note: note)
    }
    if let rest = headline.dropping("Time limit was exceeded: ") {
      return ParsedFailure(assertion: "Time limit", first: String(rest), relation: "was exceeded", note: note)
    }
    return nil
  }

  /// Whether a line below an expectation tells how two collections differ, as `inserted ["a"], removed ["b"]`.
  package static func isDifference(_ line: some StringProtocol) -> Bool {
    (line.hasPrefix("inserted [") || line.hasPrefix("removed [")) && line.hasSuffix("]")
  }

  /// Returns a condition without saying of its parts that the library did not evaluate them, as of `!(isReady)`.
  package static func withoutUnevaluated(_ text: String) -> String { text.replacing(" → \(unevaluated)", with: "") }

  /// What Swift Testing prints for the value of a condition that did not matter any more.
  package static let unevaluated = "<not evaluated>"

  private static func expectation(_ text: Substring, note: String?) -> ParsedFailure {
    var parsed = thrown(text) ?? ParsedFailure(assertion: assertion)
    parsed.note = note
    if parsed.relation != nil { return parsed }
    let expression = Expression(text)
    parsed.expression = expression.source
    parsed.first = expression.first
    parsed.relation = expression.relation
    parsed.second = expression.second
    parsed.conditions = expression.conditions
    return parsed
  }

  /// The library's messages do not distinguish `#expect` from `#require`.
  private static let assertion = "Expectation"

  /// Parses the four forms of `#expect(throws:)`.
  private static func thrown(_ text: Substring) -> ParsedFailure? {
    let missing = "an error was expected but none was thrown"
    if let rest = text.dropping(missing) {
      let value = rest.dropping(#" and ""#).flatMap { $0.hasSuffix(#"" was returned"#) ? $0.dropLast(14) : nil }
      return ParsedFailure(assertion: assertion, first: value.map(String.init), relation: missing)
    }
    if let rest = text.dropping(#"an error was thrown when none was expected: ""#), rest.hasSuffix(#"""#) {
      return ParsedFailure(
        assertion: assertion, first: String(rest.dropLast()), relation: "an error was thrown when none was expected")
    }
    let instead = #"" was thrown instead"#
    if let rest = text.dropping("expected error "), rest.hasSuffix(instead),
      let range = rest.firstRange(ofASCII: #", but ""#)
    {
      return ParsedFailure(
        assertion: assertion, first: String(rest[range.upperBound...].dropLast(instead.utf8.count)),
        second: "error " + rest[..<range.lowerBound], relation: "was thrown instead of")
    }
    return nil
  }
}

/// A failed condition as Swift Testing prints it, with values after arrows: `(a → 3) == (b → 4)`.
private struct Expression {
  var source: String
  var first: String?
  var relation: String?
  var second: String?
  var conditions: ParsedFailure.Conditions?

  init(_ text: Substring) {
    let marks = Expression.topLevel(text)
    if marks.operators.count == 1, marks.arrows.isEmpty, let mark = marks.operators.first {
      let left = Operand(text[..<mark.lowerBound])
      let right = Operand(text[mark.upperBound...])
      relation = text[mark].filter { $0 != " " }
      first = left.value
      second = right.value
      source = left.source + text[mark] + right.source
      if relation == "&&" || relation == "||" {
        conditions = ParsedFailure.Conditions(first: left.source, second: right.source)
      }
    } else if let arrow = marks.arrows.first, marks.operators.isEmpty {
      source = String(text[..<arrow.lowerBound])
      first = String(text[arrow.upperBound...])
    } else {
      source = FailureMessage.withoutUnevaluated(String(text))
    }
  }

  /// One side of an operator: `(a → 3)`, or a literal, which is its own value.
  private struct Operand {
    var source: String
    var value: String

    init(_ text: Substring) {
      source = String(text)
      value = source
      guard text.hasPrefix("("), text.hasSuffix(")") else { return }
      let inner = text.dropFirst().dropLast()
      guard let arrow = Expression.topLevel(inner).arrows.first else { return }
      source = String(inner[..<arrow.lowerBound])
      value = String(inner[arrow.upperBound...])
    }
  }

  private static let operators = [
    " == ", " != ", " === ", " !== ", " < ", " > ", " <= ", " >= ", " && ", " || ", " is ", " as? ",
  ]

  /// Returns the operators and arrows outside brackets and string literals.
  private static func topLevel(_ text: Substring) -> (
    operators: [Range<Substring.Index>], arrows: [Range<Substring.Index>]
  ) {
    var found: (operators: [Range<Substring.Index>], arrows: [Range<Substring.Index>]) = ([], [])
    var depth = 0
    var isQuoted = false
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text.utf8[index]
      let next = text.utf8.index(after: index)
      switch byte {
      case UInt8(ascii: "\\") where isQuoted && next < text.endIndex:
        index = text.utf8.index(after: next)
        continue
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += isQuoted ? 0 : 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= isQuoted ? 0 : 1
      case UInt8(ascii: " ") where !isQuoted && depth == 0:
        if let length = operators.first(where: text[index...].hasPrefix)?.utf8.count {
          found.operators.append(index..<text.utf8.index(index, offsetBy: length))
        } else if text[index...].hasPrefix(" → ") {
          found.arrows.append(index..<text.utf8.index(index, offsetBy: " → ".utf8.count))
        }
      default: break
      }
      index = next
    }
    return found
  }
}

/// The forms are those of XCTest:
/// https://github.com/swiftlang/swift-corelibs-xctest/blob/main/Sources/XCTest/Public/XCTAssert.swift
extension FailureMessage {
  package static func xctest(_ message: String) -> ParsedFailure? {
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

  /// Parses `A") is not equal to ("B") +/- ("C") - note`, splitting at the relation that leaves the operands best
  /// balanced.
  private static func comparison(_ text: Substring, of assertion: String) -> ParsedFailure? {
    var splits: [(first: Substring, relation: String, rest: Substring)] = []
    for relation in relations {
      for range in text.firstRanges(ofASCII: "\") \(relation) (\"") {
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

  /// Parses `value" - note`.
  private static func value(_ text: Substring, of assertion: String, relation: String?) -> ParsedFailure? {
    guard let (value, rest) = operand(text, closing: #"""#) else { return nil }
    return ParsedFailure(
      assertion: assertion, first: String(value), relation: relation, note: rest.dropping(" - ").flatMap(note))
  }

  /// Parses a message without an operand: `did not throw error - note`, `expected non-nil value of type "Int" - note`.
  private static func statement(_ text: Substring, of assertion: String) -> ParsedFailure? {
    guard let separator = text.firstRange(ofASCII: " - ") else { return nil }
    return ParsedFailure(
      assertion: assertion, relation: String(text[..<separator.lowerBound]), note: note(text[separator.upperBound...]))
  }

  /// Parses `Exceeded timeout of 0.01 seconds, with unfulfilled expectations: a, b`.
  private static func wait(_ text: Substring) -> ParsedFailure {
    let assertion = "Asynchronous wait"
    if let colon = text.firstRange(ofASCII: ": ") {
      return ParsedFailure(
        assertion: assertion, first: String(text[colon.upperBound...]), relation: String(text[..<colon.lowerBound]))
    }
    return ParsedFailure(assertion: assertion, relation: String(text))
  }

  /// Parses `a', actually fulfilled 'b'`, which follows the fixed words.
  private static func order(_ text: Substring) -> ParsedFailure? {
    let between = "', actually fulfilled '"
    guard text.hasSuffix("'"), let range = text.firstRange(ofASCII: between) else { return nil }
    return ParsedFailure(
      assertion: "Asynchronous wait", first: String(text[range.upperBound...].dropLast()),
      second: String(text[..<range.lowerBound]), relation: "was fulfilled before")
  }

  /// Splits the text at the quotes that close an operand: the first ones that leave it balanced and precede the next
  /// part of the message.
  private static func operand(_ text: Substring, closing: String) -> (operand: Substring, rest: Substring)? {
    var ends: [(operand: Substring, rest: Substring)] = []
    for next in [" - ", #" +/- (""#] {
      for range in text.firstRanges(ofASCII: closing + next) {
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
