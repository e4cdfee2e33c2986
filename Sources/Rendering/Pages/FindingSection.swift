import Model

/// One failure of a test on the test's own page: the message taken apart and the source where it was recorded.
struct FindingSection {
  enum Kind {
    case failure, knownIssue, warning
  }

  private let failure: TestFailure
  private let test: TestResult
  private let caseName: String?
  private let kind: Kind
  private let number: Int
  private let sources: ShownSources

  init(
    _ failure: TestFailure, of test: TestResult, caseName: String? = nil, kind: Kind = .failure, number: Int,
    sources: ShownSources
  ) {
    self.failure = failure
    self.test = test
    self.caseName = caseName
    self.kind = kind
    self.number = number
    self.sources = sources
  }

  var record: TemplateValue {
    .record(message.merging(source) { message, _ in message })
  }

  private var message: [String: TemplateValue] {
    let note = failure.parsed?.note ?? ""
    return [
      "number": .text("\(number)"),
      "isTold": .flag(isTold),
      "heading": .text(heading),
      "caseName": .shown(ifAny: caseName),
      "assertion": .shown(ifAny: failure.parsed?.assertion),
      "pair": pair,
      "lines": lineDifference?.record ?? .missing,
      "value": value,
      "expression": .shown(ifAny: failure.parsed?.expression),
      "note": note.isEmpty ? .missing : .shown(note),
      "message": needsMessage ? .shown(cut(failure.message)) : .missing,
    ]
  }

  private var source: [String: TemplateValue] {
    let excerpt = excerpt
    return [
      "place": .shown(ifAny: failure.location?.short),
      "hasSource": .flag(excerpt != nil),
      "source": excerpt?.record(caption: sourceCaption) ?? .missing,
      "sourceHeading": .text(sourceHeading),
      "sourcePath": .shown(ifAny: failure.location?.file),
      "declaration": declaration,
    ]
  }

  /// Whether the message is the end of the test, which the page's first lines tell in full.
  private var isTold: Bool {
    guard number == 1,
      let end = test.crash.map({ CrashReport.message($0.reason) }) ?? test.hang.map({ "Timed out: \($0.rule)" })
    else { return false }
    return failure.message == end && !end.contains("\n") && end.count <= 300
  }

  /// The whole message, where its parts do not say it all.
  private var needsMessage: Bool {
    guard let parsed = failure.parsed else { return true }
    return parsed.first == nil && parsed.expression == nil
  }

  private var lineDifference: LineDifference? {
    guard let parsed = failure.parsed, let first = parsed.first, let second = parsed.second,
      !parsed.operandsPrintAlike
    else { return nil }
    return LineDifference(cut(first), cut(second))
  }

  private var pair: TemplateValue {
    guard let parsed = failure.parsed, let first = parsed.first, let second = parsed.second,
      let operands = Operands(cutOperands(parsed))
    else { return .missing }
    let only = operands.places?.only
    return .record([
      "first": Operands.record(operands.first),
      "second": Operands.record(operands.second),
      "isByLine": .flag(lineDifference != nil),
      "brief": lineDifference == nil && operands.isLong
        ? .record([
          "first": Operands.record(Operands.folded(operands.first)),
          "second": Operands.record(Operands.folded(operands.second)),
        ]) : .missing,
      "relation": .shown(operands.relation),
      "accuracy": .shown(ifAny: parsed.accuracy),
      "alike": .flag(parsed.operandsPrintAlike),
      "places": operands.places.map { .text(CountText.counted($0.count, "place")) } ?? .missing,
      "onlyFirst": only.flatMap { $0.first.isEmpty ? nil : .shown($0.first) } ?? .missing,
      "onlySecond": only.flatMap { $0.second.isEmpty ? nil : .shown($0.second) } ?? .missing,
      "isOnly": .flag(only != nil),
      "lengths": .text("\(CountText.plain(first.count)) and \(CountText.plain(second.count)) characters"),
    ])
  }

  /// The only operand of an assertion that has one.
  private var value: TemplateValue {
    guard let parsed = failure.parsed, let first = parsed.first, parsed.second == nil else { return .missing }
    return .shown(cut(first))
  }

  private var excerpt: SourceExcerpt? {
    guard let location = failure.location else { return nil }
    let start = location.file == test.location?.file ? test.location?.line : nil
    return SourceExcerpt(
      of: location, in: sources, from: start, bubble: FailureLine(failure).record,
      glyph: glyph)
  }

  private var heading: String {
    switch kind {
    case .knownIssue: "Known issue"
    case .warning: "Warning"
    case .failure: number == 1 ? "Message" : "Message \(number)"
    }
  }

  private var glyph: String {
    switch kind {
    case .knownIssue: "known"
    case .warning: "warning"
    case .failure: test.state.isRed ? test.state.glyph : test.quit == nil ? "failed" : test.glyph
    }
  }

  private var sourceHeading: String {
    if kind != .failure { return "Where it was recorded" }
    if number > 1 { return "Where message \(number) was recorded" }
    if test.state == .timedOut, test.hang != nil { return "Where it hangs" }
    if test.quit != nil { return "Where it ended the process" }
    return test.state == .crashed ? "Where it crashed" : "Where it failed"
  }

  private var sourceCaption: String {
    guard let location = failure.location else { return "" }
    return isInHelper ? "\(location.file), not the file where the test is declared" : location.file
  }

  private var isInHelper: Bool {
    guard let location = failure.location, let declared = test.location else { return false }
    return location.file != declared.file
  }

  /// Where the test is declared, when the failure was recorded in another file.
  private var declaration: TemplateValue {
    guard isInHelper, let declared = test.location, !isCalledFromTest(declared) else { return .missing }
    let excerpt = SourceExcerpt(of: declared, in: sources, around: 8)
    return .record([
      "place": .shown(declared.description),
      "source": excerpt?.record(caption: declared.file) ?? .missing,
    ])
  }

  /// Whether the calls of a crash or a hang, which the page quotes, lead through the file where the test is declared.
  private func isCalledFromTest(_ declared: SourceLocation) -> Bool {
    isTold && test.stacks.first?.frames.contains { $0.location?.file == declared.file } == true
  }

  private func cutOperands(_ parsed: ParsedFailure) -> ParsedFailure {
    var parsed = parsed
    parsed.first = parsed.first.map(cut)
    parsed.second = parsed.second.map(cut)
    return parsed
  }

  /// Keeps a page within bounds; the log has the whole.
  private func cut(_ text: String) -> String {
    text.utf8.count <= 100_000 ? text : String(text.prefix(50_000)) + " … (cut here; the log has the whole)"
  }
}
