import Model

/// A failure in one line: the operands with their difference, or the beginning of the message.
struct FailureLine {
  private let failure: TestFailure
  /// What a sanitizer found, of which the message has all calls, too; nil for any other failure.
  let found: String?

  /// - Parameters:
  ///   - test: the test that failed so, if a sanitizer may have found it.
  ///   - place: what stands beside the line; nil for the place of the failure.
  init(_ failure: TestFailure, of test: TestResult? = nil, beside place: SourceLocation? = nil) {
    self.failure = failure
    let report = failure.end == nil ? test?.sanitizerReports.first { $0.isTold(by: failure) } : nil
    found = report?.line(beside: place ?? failure.location)
  }

  var record: TemplateValue {
    if let found { return record(operands: nil, text: found) }
    let parsed = failure.parsed
    if let said = Self.said(of: failure.message) { return record(operands: nil, text: said) }
    if let conditions = parsed.flatMap(Self.conditions) { return record(operands: nil, text: conditions, note: note) }
    if let parsed, let operands = Operands(parsed) {
      if operands.areEqual {
        let text = Self.text(of: operands, in: parsed)
        return note.map { record(operands: nil, text: $0, note: text) } ?? record(operands: nil, text: text)
      }
      return record(operands: Self.record(of: operands, alike: parsed.operandsPrintAlike), text: nil, note: note)
    }
    if let parsed, let expression = parsed.expression, parsed.first == nil {
      let text = "\(parsed.assertion) failed: \(expression)"
      return note.map { record(operands: nil, text: $0, note: text) } ?? record(operands: nil, text: text)
    }
    if let parsed, parsed.assertion == Self.fail { return record(operands: nil, text: note ?? "\(Self.fail)()") }
    // The state already precedes it.
    return record(operands: nil, text: FailureText.shown(failure.end ?? failure.message))
  }

  /// Whether it tells all of two values that were compared.
  var isWhole: Bool {
    guard let parsed = failure.parsed, let operands = Operands(parsed), operands.fitOnLine else { return false }
    return note.map { Self.firstLine($0) == $0 } ?? true
  }

  /// The assertion that fails always, of which only its author's words tell anything.
  private static let fail = "XCTFail"

  /// The comment that the author of the test wrote for this failure.
  private var note: String? { failure.parsed?.note.flatMap { $0.isEmpty ? nil : $0 } }

  private func record(operands: TemplateValue?, text: String?, note: String? = nil) -> TemplateValue {
    .record([
      "operands": operands ?? .missing,
      "text": text.map { .shown(Self.firstLine($0)) } ?? .missing,
      "note": note.map { .shown(Self.firstLine($0)) } ?? .missing,
    ])
  }

  /// Returns the first line of an issue's message, without the dash with which XCTest ends an assertion that has no
  /// message of its own.
  static func headline(of message: String) -> String {
    FailureText.shown(firstLine(message))
  }

  /// Returns a message on one line for lists: of an expectation that compares, its two operands; otherwise without the
  /// words that begin every failed expectation. The author's text stands behind it, if that is all the rest.
  static func brief(of message: String) -> String {
    if let said = said(of: message) { return firstLine(said) }
    let lines = message.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    if lines.count > 1, let compared = compared(FailureMessage.xctest(message)) {
      let line = text(of: compared.operands, in: compared.parsed)
      return joined(line, compared.parsed.note.map(firstLine), areEqual: compared.operands.areEqual)
    }
    let isNoted = lines.count == 2 && lines[1].count <= 200
    guard isNoted || lines.count == 1, let first = lines.first else { return statement(headline(of: message)) }
    let compared = Self.compared(String(first))
    let line = compared.map { text(of: $0.operands, in: $0.parsed) } ?? statement(headline(of: String(first)))
    // The two operands have their difference.
    let isTold = compared != nil && isNoted && FailureMessage.isDifference(lines[1])
    let note = isNoted && !isTold ? String(lines[1]) : compared?.parsed.note
    return joined(line, note, areEqual: compared?.operands.areEqual == true)
  }

  /// Returns a line and its author's words, which tell more than values that do not differ.
  private static func joined(_ line: String, _ note: String?, areEqual: Bool) -> String {
    let parts: [String?] = areEqual ? [note, line] : [line, note]
    return parts.compactMap(\.self).joined(separator: " · ")
  }

  /// Returns the author's words about an assertion of XCTest without values, which tell more than it; nil for any other
  /// message.
  private static func said(of message: String) -> String? {
    guard let parsed = FailureMessage.xctest(message), parsed.relation != nil, parsed.first == nil else { return nil }
    return parsed.note.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns what a message is on one line whose parts are not kept: the same, with the difference of two operands.
  static func record(of message: String) -> TemplateValue {
    let first = message.split(separator: "\n").first ?? ""
    let isOneLine = message.count <= first.count + 1
    guard let compared = isOneLine ? compared(String(first)) : compared(FailureMessage.xctest(message)) else {
      return .record(["operands": .missing, "text": .shown(brief(of: message)), "note": .missing])
    }
    let note = compared.parsed.note
    guard compared.operands.areEqual else {
      return .record([
        "operands": record(of: compared.operands, alike: false), "text": .missing, "note": .shown(ifAny: note),
      ])
    }
    let line = text(of: compared.operands, in: compared.parsed)
    return .record([
      "operands": .missing, "text": .shown(note ?? line), "note": .shown(ifAny: note == nil ? nil : line),
    ])
  }

  private static func record(of operands: Operands, alike: Bool) -> TemplateValue {
    let brief = operands.brief()
    return .record([
      "first": Operands.record(brief.first), "second": Operands.record(brief.second),
      "relation": .shown(operands.relation),
      "alike": .flag(alike),
    ])
  }

  /// - Parameter parsed: the assertion, whose expression tells what should differ.
  private static func text(of operands: Operands, in parsed: ParsedFailure? = nil) -> String {
    let brief = operands.brief(around: 20, limit: 100)
    if operands.areEqual {
      let words = "both are \(brief.first.map(\.text).joined())"
      return parsed?.expression.map { "\(firstLine($0)): \(words)" } ?? words
    }
    return "\(brief.first.map(\.text).joined()) \(operands.relation) \(brief.second.map(\.text).joined())"
  }

  /// Returns what holds instead of an expectation that compares, then its expression in the source unless that says no
  /// more; nil for any other line.
  static func lines(of headline: String) -> [String]? {
    guard let compared = Self.compared(headline), let expression = compared.parsed.expression else { return nil }
    return [text(of: compared.operands)] + (compared.parsed.comparesWords ? [] : [expression])
  }

  /// Returns the operands of an assertion that compares them, and its author's words on the same line; nil for any other
  /// message.
  private static func compared(_ headline: String) -> (operands: Operands, parsed: ParsedFailure)? {
    compared(FailureMessage.swiftTesting(headline: headline, note: nil) ?? FailureMessage.xctest(headline))
  }

  private static func compared(_ parsed: ParsedFailure?) -> (operands: Operands, parsed: ParsedFailure)? {
    guard let parsed, let operands = Operands(parsed), parsed.accuracy == nil,
      parsed.relation.map({ Operands.opposites[$0] != nil }) == true, !parsed.operandsPrintAlike
    else { return nil }
    return (operands, parsed)
  }

  /// Returns a known issue on one line, the author's words first.
  static func known(_ issue: TestFailure) -> String {
    guard let note = issue.parsed?.note, !note.isEmpty, let line = issue.message.split(separator: "\n").first else {
      return "fails as expected: \(brief(of: issue.message))"
    }
    return "\(firstLine(note)) · fails as expected: \(brief(of: String(line)))"
  }

  /// Returns what the conditions came to that an `&&` or `||` joins, such as `isOpen → false`; nil for other messages.
  static func conditions(_ parsed: ParsedFailure) -> String? {
    guard let sources = parsed.conditions, let first = parsed.first, let second = parsed.second else { return nil }
    let all = [(sources.first, first), (sources.second, second)]
    // What is true, or was not evaluated, is no reason.
    let reasons = all.filter { Bool($0.1) == false }
    return (reasons.isEmpty ? all : reasons).map { "\($0.0) → \($0.1)" }.joined(separator: ", ")
  }

  private static let expectation = "Expectation failed: "

  /// What stands in a log before a failed assertion of XCTest.
  private static let beforeAssertion = " : "

  /// Returns a line of a log with a failed expectation or assertion as lists have it.
  static func shortened(_ line: String) -> String {
    let assertion = line.firstRange(ofASCII: "\(beforeAssertion)XCT").map {
      line.utf8.index($0.lowerBound, offsetBy: beforeAssertion.utf8.count)
    }
    guard let start = line.firstRange(ofASCII: expectation)?.lowerBound ?? assertion else { return line }
    return "\(line[..<start])\(brief(of: String(line[start...])))"
  }

  private static func statement(_ headline: String) -> String {
    let parsed = FailureMessage.swiftTesting(headline: headline, note: nil)
    if let conditions = parsed.flatMap(conditions) { return conditions }
    return headline.hasPrefix(expectation) && headline.count > expectation.count
      ? FailureMessage.withoutUnevaluated(String(headline.dropFirst(expectation.count))) : headline
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
