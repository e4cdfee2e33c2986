import Model

/// One failure of a test on the test's own page: the parsed message and the source where it was recorded.
struct FindingSection {
  enum Kind {
    case failure, knownIssue, warning
  }

  let failure: TestFailure
  private let test: TestResult
  private let caseName: String?
  private let kind: Kind
  private let number: Int
  private let sources: ShownSources
  /// The change that speaks for who is suspected, if the source where it was recorded shows all of it.
  private let change: SourceHunk?
  private let excerpt: SourceExcerpt?
  /// The lines, all of which are new, of the file with the call that led to what ended the process.
  private let calling: Set<Int>
  /// What the page tells already of the line where it was recorded; nil for the first finding there.
  private let told: Told?

  /// What a finding tells of the line where it was recorded, which others there share with it.
  struct Told {
    /// The number of the finding.
    var number: Int
    var expression: String?
    var note: String?
  }

  /// What was expected where, whatever was found instead.
  struct Expectation: Hashable {
    let line: SourceLocation?
    let words: ParsedFailure

    /// Nil for a message of which no parts are known.
    init?(of failure: TestFailure, at line: SourceLocation?) {
      guard var words = failure.parsed else { return nil }
      (words.first, words.second, words.note) = (nil, nil, nil)
      self.line = line
      self.words = words
    }
  }

  /// - Parameters:
  ///   - calling: The lines of the file with the call that led to what ended the process, if all are new.
  ///   - told: what the first finding of the same line tells of it; nil if this is it.
  init(
    _ failure: TestFailure, of test: TestResult, caseName: String? = nil, kind: Kind = .failure, number: Int,
    sources: ShownSources, change: SourceHunk? = nil, calling: Set<Int> = [], told: Told? = nil
  ) {
    self.told = told
    self.failure = failure
    self.test = test
    self.caseName = caseName
    self.kind = kind
    self.number = number
    self.sources = sources
    self.calling = calling
    let excerpt = Self.excerpt(of: failure, of: test, in: sources)
    let change = change.flatMap { excerpt?.shows($0) == true ? $0 : nil }
    self.change = change
    // Beside a change that was cut, other added lines would seem to be old.
    let cut = change?.cutLines.flatMap { Self.excerpt(of: failure, of: test, in: sources, only: $0) }
    self.excerpt = cut ?? excerpt
  }

  var record: TemplateValue {
    .record(message.merging(source) { message, _ in message })
  }

  /// What it says, for a page that has its place and its source elsewhere.
  var quoted: TemplateValue {
    .record(message.merging(["place": .missing, "hasSource": false]) { _, own in own })
  }

  /// What it tells of the line where it was recorded.
  var telling: Told { Told(number: number, expression: isTold ? nil : expression, note: isTold ? nil : note) }

  /// Whether it shows the source where it was recorded.
  var hasSource: Bool { excerpt != nil }

  /// Whether that shows the change that speaks for who is suspected.
  var showsChange: Bool { change != nil }

  /// The author's words, unless the whole message is shown, and ends with them.
  private var note: String? {
    failure.parsed?.note?.nonEmpty.flatMap { needsMessage && failure.message.hasSuffix($0) ? nil : $0 }
  }

  private var message: [String: TemplateValue] {
    [
      "number": .text("\(number)"),
      "isTold": .flag(isTold),
      "heading": .text(heading),
      "caseName": .shown(ifAny: caseName),
      // Of a case, its name says more.
      "assertion": .shown(ifAny: caseName == nil ? failure.parsed?.assertion : nil),
      "pair": pair,
      "lines": lineDifference?.record ?? .missing,
      "value": value,
      "expression": .shown(ifAny: expression == told?.expression ? nil : expression),
      "note": .shown(ifAny: note == told?.note ? nil : note),
      "report": report?.record ?? .missing,
      "message": needsMessage && report == nil ? .shown(cut(FailureText.shown(failure.message))) : .missing,
    ]
  }

  private var source: [String: TemplateValue] {
    [
      "place": .place(failure.location),
      "hasSource": .flag(excerpt != nil), "sourceNumber": .text("\(told?.number ?? number)"),
      "source": (told == nil ? excerpt?.record(caption: sourceCaption, change: change) : nil) ?? .missing,
      "showsChange": .flag(showsChange),
      "sourceHeading": .text(sourceHeading),
      "sourcePath": .shown(ifAny: told == nil ? failure.location?.file : nil),
      "declaration": told == nil ? declaration : .missing,
    ]
  }

  /// Whether the message is the end of the test, which the page already shows in full at the top; a call that ended the
  /// process is the first.
  private var isTold: Bool {
    guard number == 1 else { return false }
    return test.quit != nil
      || failure.end != nil && !failure.message.contains("\n") && failure.message.count <= 300
  }

  /// What a sanitizer found, if the message tells that.
  private var report: SanitizerSection? {
    test.sanitizerReports.first { $0.story == failure.message }
      .map { SanitizerSection(found: $0, test: test, sources: sources) }
  }

  /// Whether the whole message is needed because its parts do not cover it.
  private var needsMessage: Bool {
    guard let parsed = failure.parsed else { return true }
    return parsed.first == nil && parsed.expression == nil
  }

  /// The expression in the source, unless the operands below are its own words.
  private var expression: String? {
    guard let parsed = failure.parsed, let expression = parsed.expression else { return nil }
    return parsed.comparesWords ? nil : expression
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
    let (only, conditions) = (operands.places?.only, parsed.conditions)
    // Where the marks show the difference at a glance, words would only repeat it.
    let places = operands.showsDifference ? nil : operands.places
    return .record([
      "first": Operands.record(operands.first),
      "second": Operands.record(operands.second),
      "conditions": conditions.map {
        .record([
          "one": .shown($0.first), "other": .shown($0.second),
          "isUnevaluated": .flag(second == FailureMessage.unevaluated),
        ])
      } ?? .missing,
      "isByLine": .flag(lineDifference != nil),
      "brief": lineDifference == nil && operands.isLong
        ? .record([
          "first": Operands.record(Operands.folded(operands.first)),
          "second": Operands.record(Operands.folded(operands.second)),
        ]) : .missing,
      "relation": .shown(operands.relation),
      "accuracy": .shown(ifAny: parsed.accuracy),
      "alike": .flag(parsed.operandsPrintAlike),
      "places": places.map { .text(CountText.counted($0.count, "place")) } ?? .missing,
      "onlyFirst": only.flatMap { $0.first.isEmpty ? nil : .shown($0.first) } ?? .missing,
      "onlySecond": only.flatMap { $0.second.isEmpty ? nil : .shown($0.second) } ?? .missing,
      "isOnly": .flag(only != nil),
      "lengths": first.count == second.count
        ? .missing : .text("\(CountText.plain(first.count)) and \(CountText.plain(second.count)) characters"),
    ])
  }

  /// The operand of an assertion that has only one.
  private var value: TemplateValue {
    guard let parsed = failure.parsed, let first = parsed.first, parsed.second == nil else { return .missing }
    return .shown(cut(FoundationErrorText.reduced(first)))
  }

  private static func excerpt(
    of failure: TestFailure, of test: TestResult, in sources: ShownSources, only lines: ClosedRange<Int>? = nil
  ) -> SourceExcerpt? {
    guard let location = failure.location else { return nil }
    let start = location.file == test.location?.file ? test.location?.line : nil
    return lines?.contains(location.line) == false
      ? nil : SourceExcerpt(of: location, in: sources, from: start, only: lines)
  }

  private var heading: String {
    switch kind {
    case .knownIssue: "Known issue"
    case .warning: "Warning"
    case .failure: number == 1 ? "Failure" : "Failure \(number)"
    }
  }

  private var sourceHeading: String {
    if kind != .failure { return "Where it was recorded" }
    if number > 1 { return "Where failure \(number) was recorded" }
    if test.state == .timedOut, test.hang != nil { return "Where it hangs" }
    if let quit = test.quit { return quit.isByTest ? "Where it ended the process" : "Where the process ended" }
    return test.state == .crashed ? "Where it crashed" : "Where it failed"
  }

  private var sourceCaption: String {
    guard let location = failure.location else { return "" }
    return location.file
  }

  private var isInHelper: Bool {
    guard let location = failure.location, let declared = test.location else { return false }
    return location.file != declared.file
  }

  /// The call that led to what ended the process, or the declaration of the test if the failure was recorded in another
  /// file.
  private var declaration: TemplateValue {
    let call = number == 1 ? test.quit?.calledFrom : nil
    guard call != nil || isInHelper, let place = call ?? test.location, !isCalledFromTest(place) else {
      return .missing
    }
    let excerpt = SourceExcerpt(of: place, in: sources, around: 8)
    return .record([
      "heading": .text(call == nil ? "Where the test is declared" : "Where it was called from"),
      "id": .text(call == nil ? "declared" : "called"),
      "place": excerpt == nil ? .place(ifAny: place.description) : .missing,
      "source": excerpt?.record(caption: place.file, added: call == nil ? [] : calling) ?? .missing,
    ])
  }

  /// Returns whether the calls of a crash or a hang, which the page quotes, include the file that declares the test.
  private func isCalledFromTest(_ declared: SourceLocation) -> Bool {
    isTold && test.stacks.first?.frames.contains { $0.location?.file == declared.file } == true
  }

  private func cutOperands(_ parsed: ParsedFailure) -> ParsedFailure {
    var parsed = parsed
    parsed.first = parsed.first.map(cut)
    parsed.second = parsed.second.map(cut)
    return parsed
  }

  /// Returns a text limited in size; the log has the whole text.
  private func cut(_ text: String) -> String {
    text.utf8.count <= 100_000 ? text : String(text.prefix(50_000)) + " … (cut here; the log has the whole)"
  }
}

/// Two texts of many lines compared line by line, with common lines folded.
struct LineDifference {
  private let rows: [TemplateValue]
  private let removed: Int
  private let added: Int

  /// Nil if neither text has more than three lines.
  init?(_ first: String, _ second: String) {
    let one = Self.lines(of: first)
    let other = Self.lines(of: second)
    guard max(one.count, other.count) > 3 else { return nil }
    var rows: [TemplateValue] = []
    var removed = 0
    var added = 0
    let runs = SequenceDifference.runs(one, other)
    for (index, run) in runs.enumerated() {
      if run.isSame {
        rows += Self.context(run, one, isFirst: index == 0, isLast: index == runs.count - 1)
      } else {
        removed += run.first.count
        added += run.second.count
        rows += Self.replaced(run, one, other)
      }
    }
    self.rows = rows
    self.removed = removed
    self.added = added
  }

  var record: TemplateValue {
    .record([
      "rows": .list(rows),
      "summary": .text(
        "\(CountText.counted(removed, "line")) only on the left, \(CountText.counted(added, "line")) only on the right"
      ),
    ])
  }

  /// Returns the lines of a text; a printed string literal is also split at its escaped line feeds.
  private static func lines(of text: String) -> [String] {
    var lines: [String] = [""]
    var isEscaped = false
    let isLiteral = text.hasPrefix("\"")
    for character in VisibleText.of(text) {
      if character == "\n" {
        lines.append("")
      } else {
        lines[lines.count - 1].append(character)
        if isLiteral, isEscaped, character == "n" { lines.append("") }
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return lines
  }

  /// Returns up to three unchanged lines beside each change, and a note about the others.
  private static func context(
    _ run: SequenceDifference.Run, _ lines: [String], isFirst: Bool, isLast: Bool
  ) -> [TemplateValue] {
    let head = isFirst ? 0 : 3
    let tail = isLast ? 0 : 3
    let isFolded = run.first.count > head + tail + 1
    var rows: [TemplateValue] = []
    for (offset, index) in run.first.enumerated() {
      if isFolded, offset >= head, offset < run.first.count - tail {
        if offset == head {
          let count = run.first.count - head - tail
          rows.append(row("fold", nil, nil, [.init(text: "\(CountText.counted(count, "line")) alike", differs: false)]))
        }
      } else {
        let pieces = [WordDifference.Piece(text: lines[index], differs: false)]
        rows.append(row("same", index, run.second.lowerBound + offset, pieces))
      }
    }
    return rows
  }

  /// Returns replaced lines; if both sides have as many, they are compared word by word.
  private static func replaced(_ run: SequenceDifference.Run, _ one: [String], _ other: [String]) -> [TemplateValue] {
    let isPaired = run.first.count == run.second.count
    let pairs = isPaired ? zip(run.first, run.second).map { WordDifference(one[$0], other[$1]) } : []
    let removed = run.first.enumerated().map { offset, index in
      row("first", index, nil, isPaired ? pairs[offset].first : [.init(text: one[index], differs: false)])
    }
    let added = run.second.enumerated().map { offset, index in
      row("second", nil, index, isPaired ? pairs[offset].second : [.init(text: other[index], differs: false)])
    }
    return removed + added
  }

  private static func row(
    _ kind: String, _ first: Int?, _ second: Int?, _ pieces: [WordDifference.Piece]
  ) -> TemplateValue {
    let marks = ["first": "−", "second": "+"]
    let words = ["first": "only on the left", "second": "only on the right"]
    return .record([
      "kind": .text(kind),
      "first": first.map { .text("\($0 + 1)") } ?? .text(""),
      "second": second.map { .text("\($0 + 1)") } ?? .text(""),
      "mark": .text(marks[kind] ?? ""),
      "says": words[kind].map { .text($0) } ?? .missing,
      "pieces": Operands.record(pieces),
    ])
  }
}
