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
    return "\(title): \(first)"
  }

  /// The title and the beginning of the message, for one-line summaries.
  var summary: String {
    if let gate { return gate.line }
    guard !isNamedByMessage, let first = lines.first else { return title }
    return "\(title): \(first)"
  }

  /// The state in capitals, as a word to search for.
  var mark: String {
    if issue.kind == .testFailure { return "FAILED" }
    if issue.kind == .crash { return "CRASHED" }
    return (issue.kind == .timeOut ? "timed out" : issue.kind.word).uppercased()
  }

  var record: TemplateValue { record(suspects: issue.suspects.prefix(3).map(\.sentence)) }

  /// - Parameter suspects: sentences about who probably caused it.
  func record(suspects: [String]) -> TemplateValue {
    .record([
      "mark": .text(mark), "title": .shown(OneLine.of(gate?.line ?? place.flatMap { isPlace ? $0 : nil } ?? title)),
      "line": .shown(OneLine.of(line)),
      "suite": .shown(ifAny: suite), "cases": .shown(ifAny: cases.map { OneLine.of($0) }),
      "place": .shown(ifAny: isPlace ? nil : place),
      "hasLines": .flag(!lines.isEmpty), "lines": .list(lines.map { .shown($0) }),
      "suspects": .list(suspects.map { .shown(OneLine.of($0)) }),
      "findingAge": .shown(ifAny: findingAge), "how": .shown(ifAny: ending),
    ])
  }

  /// How it was resolved, if nobody fixed it.
  private var ending: String? {
    guard issue.status == .resolved, issue.ending != nil, issue.ending != .fixed else { return nil }
    return IssueWords.word(forEndOf: issue)
  }

  private var isPlace: Bool { gate == nil && issue.test == nil && issue.location != nil }

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
    let red = (test.arguments ?? []).filter(\.state.isRed).map { OneLine.of($0.display, most: 60) }
    let left = red.count - Self.mostCases
    let names = red.prefix(Self.mostCases) + (left > 0 ? ["\(CountText.plain(left)) more"] : [])
    return red.isEmpty ? nil : "\(count) red: \(names.joined(separator: "; "))"
  }

  private var place: String? {
    guard gate == nil, let location = failure?.location ?? issue.location else { return nil }
    return "\(location.file):\(location.line)"
  }

  /// The first lines of the message, without the one in the title.
  private var lines: [String] { gate != nil ? [] : isNamedByMessage ? Array(messageLines.dropFirst()) : messageLines }

  private var messageLines: [String] {
    let message = FailureText.shown(failure?.message ?? issue.message)
    let all = message.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    let shown = all.prefix(Self.mostLines).map { line in
      line.count <= Self.mostCharacters ? String(line) : "\(line.prefix(Self.mostCharacters - 1))…"
    }
    return shown + (all.count > Self.mostLines ? ["…"] : [])
  }
}
