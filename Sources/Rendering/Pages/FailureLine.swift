import Model

/// A failure in one line: the operands with their difference, or the beginning of the message.
struct FailureLine {
  private let failure: TestFailure

  init(_ failure: TestFailure) {
    self.failure = failure
  }

  var record: TemplateValue {
    let parsed = failure.parsed
    if let parsed, let operands = Operands(parsed) {
      return record(
        operands: [
          "first": Operands.record(Operands.brief(operands.first)),
          "second": Operands.record(Operands.brief(operands.second)),
          "relation": .shown(operands.relation),
          "alike": .flag(parsed.operandsPrintAlike),
        ], text: nil, note: note)
    }
    if let parsed, let expression = parsed.expression, parsed.first == nil {
      let text = "\(parsed.assertion) failed: \(expression)"
      return note.map { record(operands: nil, text: $0, note: text) } ?? record(operands: nil, text: text)
    }
    // The state already precedes it.
    return record(operands: nil, text: failure.end ?? failure.message)
  }

  /// The comment that the author of the test wrote for this failure.
  private var note: String? { failure.parsed?.note.flatMap { $0.isEmpty ? nil : $0 } }

  private func record(operands: [String: TemplateValue]?, text: String?, note: String? = nil) -> TemplateValue {
    .record([
      "operands": operands.map { .record($0) } ?? .missing,
      "text": text.map { .shown(Self.firstLine($0)) } ?? .missing,
      "note": note.map { .shown(Self.firstLine($0)) } ?? .missing,
    ])
  }

  /// Returns the first line of an issue's message, without the dash with which XCTest ends an assertion that has no
  /// message of its own.
  static func headline(of message: String) -> String {
    FailureText.shown(firstLine(message))
  }

  /// Returns a message on one line for lists: without the words that begin every failed expectation, and with the
  /// author's text behind it, if that is all the rest.
  static func brief(of message: String) -> String {
    let lines = message.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    let isNoted = lines.count == 2 && lines[1].count <= 200
    let text = isNoted ? "\(headline(of: String(lines[0]))) · \(lines[1])" : headline(of: message)
    let start = "Expectation failed: "
    return text.hasPrefix(start) && text.count > start.count ? String(text.dropFirst(start.count)) : text
  }

  /// The first line that is not empty, its errors of Foundation reduced, cut at 300 characters.
  static func firstLine(_ message: String) -> String {
    let text = FoundationErrorText.reduced(message)
    let first = text.split(separator: "\n").first { !$0.allSatisfy(\.isWhitespace) } ?? ""
    let isWhole = first.count == text.count && first.count <= 300
    return isWhole || first.count <= 300 && text.hasSuffix("\n") && text.count == first.count + 1
      ? String(first) : String(first.prefix(300)) + " …"
  }
}
