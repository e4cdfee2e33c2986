import Model

/// The shapes are those of Swift Testing's
/// [Issue](https://github.com/swiftlang/swift-testing/blob/main/Sources/Testing/Issues/Issue.swift) and
/// [Expression](https://github.com/swiftlang/swift-testing/blob/main/Sources/Testing/SourceAttribution/Expression.swift).
extension FailureMessage {
  /// Splits a joined message: its headline is the text up to the first line break at which it is balanced.
  static func swiftTesting(_ message: String) -> ParsedFailure? {
    for line in message.ranges(ofText: "\n") where message[..<line.lowerBound].isBalanced {
      return swiftTesting(
        headline: String(message[..<line.lowerBound]), note: String(message[line.upperBound...]))
    }
    return swiftTesting(headline: message, note: nil)
  }

  /// - Parameters:
  ///   - headline: the text of the issue itself.
  ///   - note: the comments, joined.
  static func swiftTesting(headline: String, note: String?) -> ParsedFailure? {
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
      let range = rest.range(of: expected, in: rest.startIndex)
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

  private static func expectation(_ text: Substring, note: String?) -> ParsedFailure {
    var parsed = thrown(text) ?? ParsedFailure(assertion: assertion)
    parsed.note = note
    if parsed.relation != nil { return parsed }
    let expression = Expression(text)
    parsed.expression = expression.source
    parsed.first = expression.first
    parsed.relation = expression.relation
    parsed.second = expression.second
    return parsed
  }

  /// The library's messages do not tell `#expect` from `#require`.
  private static let assertion = "Expectation"

  /// `#expect(throws:)` in its four forms.
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
      let range = rest.range(of: #", but ""#, in: rest.startIndex)
    {
      return ParsedFailure(
        assertion: assertion, first: String(rest[range.upperBound...].dropLast(instead.utf8.count)),
        second: "error " + rest[..<range.lowerBound], relation: "was thrown instead of")
    }
    return nil
  }
}

/// A failed condition as Swift Testing prints it, with the values behind arrows: `(a → 3) == (b → 4)`.
private struct Expression {
  var source: String
  var first: String?
  var relation: String?
  var second: String?

  init(_ text: Substring) {
    let marks = Expression.topLevel(text)
    if marks.operators.count == 1, marks.arrows.isEmpty, let mark = marks.operators.first {
      let left = Operand(text[..<mark.lowerBound])
      let right = Operand(text[mark.upperBound...])
      relation = text[mark].filter { $0 != " " }
      first = left.value
      second = right.value
      source = left.source + text[mark] + right.source
    } else if let arrow = marks.arrows.first, marks.operators.isEmpty {
      source = String(text[..<arrow.lowerBound])
      first = String(text[arrow.upperBound...])
    } else {
      source = String(text)
    }
  }

  /// One side of an operator: `(a → 3)`, or a literal that is its own value.
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

  /// The operators and arrows that stand outside brackets and string literals.
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
