import Model

/// One issue in a mail: kind, place, the first lines of the message, and the suspects.
struct MessageIssue {
  private static let mostLines = 8
  private static let mostCharacters = 200
  private static let mostCases = 3

  let issue: Issue
  private let test: TestResult?
  private let gate: GateResult?

  init(_ issue: Issue, result: TestResult?, gate: GateResult? = nil) {
    self.issue = issue
    test = result
    self.gate = gate
  }

  var tellsPatch: Bool { gate?.tellsPatch == true }

  /// The name of the test, otherwise the place of the issue, otherwise the beginning of the message.
  var title: String {
    if let gate { return gate.title }
    if let test { return test.title }
    if let title = issue.testTitle { return title }
    return issue.location?.short ?? messageLines.first ?? issue.kind.word
  }

  /// The failure of the test; nil for a warning about the same test.
  private var failure: TestFailure? { issue.kind.isOfRedTest ? test?.failures.first : nil }

  private var isNamedByMessage: Bool { test == nil && issue.test == nil && issue.location == nil }

  /// The title, followed by the message if the title is only a place.
  var line: String {
    if let gate { return gate.line }
    guard issue.test == nil, !isNamedByMessage, let first = lines.first else { return title }
    return "\(shortPlace ?? title): \(first)"
  }

  /// The title and the beginning of the message, for one-line summaries.
  var summary: String {
    if let gate { return gate.line }
    guard !isNamedByMessage, let first = lines.first else { return title }
    return "\(shortPlace ?? title): \(first)"
  }

  /// The state in capitals, as a word to search for.
  var mark: String {
    if issue.kind == .testFailure { return "FAILED" }
    if issue.kind == .crash { return "CRASHED" }
    return (issue.kind == .timeOut ? "timed out" : issue.kind.word).uppercased()
  }

  var record: TemplateValue { record(suspects: issue.suspects.prefix(3).map { Accusation($0.sentence) }) }

  func record(suspects: [Accusation]) -> TemplateValue {
    .record([
      "mark": .text(mark), "title": .shown(OneLine.of(gate?.line ?? place.flatMap { isPlace ? $0 : nil } ?? title)),
      "line": .shown(OneLine.of(line)),
      "suite": .shown(ifAny: suite), "cases": .shown(ifAny: cases.map { OneLine.of($0) }),
      "place": .shown(ifAny: isPlace ? nil : place),
      "hasLines": .flag(!lines.isEmpty), "lines": .list(lines.map { .shown($0) }),
      "suspects": .list(suspects.map(\.record)),
      "findingAge": .shown(ifAny: findingAge), "how": .shown(ifAny: ending),
    ])
  }

  /// How it was resolved, if nobody fixed it.
  private var ending: String? {
    guard issue.status == .resolved, issue.ending != nil, issue.ending != .fixed else { return nil }
    return IssueWords.word(forEndOf: issue)
  }

  private var isPlace: Bool { gate == nil && issue.test == nil && issue.location != nil }

  /// The title if it is a place, with the column, as a line may have several findings.
  private var shortPlace: String? { isPlace ? issue.location?.shortWithColumn : nil }

  /// Where and since when, unless it is simply new.
  private var findingAge: String? {
    let isNew = issue.status == .new && issue.comeback == nil
    let parts =
      isNew
      ? IssueWords.destinations(of: issue)
      : IssueWords.history(of: issue) + [issue.endedSilence].compactMap(\.self).map(IssueWords.end)
    return parts.isEmpty ? nil : "\(parts.joined(separator: "; ").capitalizedFirst)."
  }

  private var suite: String? {
    guard let id = issue.test else { return nil }
    let place = id.suite.isEmpty ? id.module : "\(id.module) / \(id.suite)"
    return test.map { "\(place), \($0.library.rawValue)" } ?? place
  }

  /// Which cases of a parameterised test are red.
  private var cases: String? {
    guard issue.kind.isOfRedTest, let test, let count = test.redCases else { return nil }
    let red = (test.arguments ?? []).filter(\.state.isRed).map {
      TestHeadline.arguments(OneLine.of($0.display, most: 60), of: test.id)
    }
    let left = red.count - Self.mostCases
    let names = red.prefix(Self.mostCases) + (left > 0 ? ["\(CountText.plain(left)) more"] : [])
    return red.isEmpty ? nil : "\(count) red: \(names.joined(separator: "; "))"
  }

  private var place: String? {
    guard gate == nil, let location = failure?.location ?? issue.location else { return nil }
    return isPlace ? location.description : "\(location.file):\(location.line)"
  }

  /// The first lines of the message, without the one in the title.
  private var lines: [String] { gate != nil ? [] : isNamedByMessage ? Array(messageLines.dropFirst()) : messageLines }

  private var messageLines: [String] {
    let message = FailureText.shown(failure?.message ?? issue.message)
    var all = message.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }.map(String.init)
    if let compared = all.first.flatMap(FailureLine.lines) { all.replaceSubrange(..<1, with: compared) }
    let shown = all.prefix(Self.mostLines).map { line in
      line.count <= Self.mostCharacters ? line : "\(line.prefix(Self.mostCharacters - 1))…"
    }
    return shown + (all.count > Self.mostLines ? ["…"] : [])
  }
}

extension MessageIssue {
  /// A sentence about who probably caused an issue, and what they changed.
  struct Accusation {
    private static let mostChanged = 4

    private let sentence: String
    private let changed: [String]

    /// - Parameters:
    ///   - hunk: the change that speaks for the first suspect of the issue, if it is known.
    ///   - place: the line that speaks for this one.
    init(_ sentence: String, _ hunk: SourceHunk? = nil, at place: SourceLocation? = nil) {
      self.sentence = sentence
      changed = hunk.flatMap { hunk in place.flatMap { Self.lines(of: hunk, at: $0) } } ?? []
    }

    /// Returns the changed lines of a hunk beside one of them, without common indentation; nil if it is not among them.
    private static func lines(of hunk: SourceHunk, at place: SourceLocation) -> [String]? {
      let lines = hunk.lines.filter { $0.change != nil }
      guard hunk.file == place.file,
        let own = lines.firstIndex(where: { $0.change == .added && $0.number == place.line })
      else { return nil }
      let first = max(0, min(own - 1, lines.count - mostChanged))
      let shown = lines.dropFirst(first).prefix(mostChanged)
      let indents = shown.filter { !$0.text.allSatisfy(\.isWhitespace) }.map {
        $0.text.prefix(while: \.isWhitespace).count
      }
      return shown.map { line in
        let text = line.text.dropFirst(indents.min() ?? 0).prefix(mostCharacters)
        return "\(line.change == .removed ? "−" : "+") \(text)"
      }
    }

    var record: TemplateValue {
      .record([
        "sentence": .shown(OneLine.of(sentence)), "hasChanged": .flag(!changed.isEmpty),
        "changed": .list(changed.map { .shown($0) }),
      ])
    }
  }
}
