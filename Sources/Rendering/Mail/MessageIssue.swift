import Model

/// One issue in a mail: what, where, the first lines of the message, and who probably did it.
struct MessageIssue {
  private static let mostLines = 8
  private static let mostCharacters = 200

  let issue: Issue
  private let test: TestResult?

  /// - Parameter result: what became of the test that the issue is about.
  init(_ issue: Issue, result: TestResult?) {
    self.issue = issue
    test = result
  }

  /// The name of the test, the place of the finding, or where there is neither, the beginning of the message.
  var title: String {
    if let test { return test.title }
    if let id = issue.test { return id.name }
    return issue.location?.short ?? messageLines.first ?? issue.kind.word
  }

  /// What the test failed on, of which a warning about the same test does not tell.
  private var failure: TestFailure? { issue.kind.isOfRedTest ? test?.failures.first : nil }

  private var isNamedByMessage: Bool { test == nil && issue.test == nil && issue.location == nil }

  /// The title, and what was found where a place alone would not say it.
  var line: String {
    guard issue.test == nil, !isNamedByMessage, let first = lines.first else { return title }
    return "\(title): \(first)"
  }

  /// The title and the beginning of the message, for who is told in one line.
  var summary: String {
    guard !isNamedByMessage, let first = lines.first else { return title }
    return "\(title): \(first)"
  }

  /// The state in capitals, as a word that can be searched for.
  var mark: String {
    if issue.kind == .testFailure { return "FAILED" }
    if issue.kind == .crash { return "CRASHED" }
    return (issue.kind == .timeOut ? "timed out" : issue.kind.word).uppercased()
  }

  var record: TemplateValue { record(suspects: issue.suspects.prefix(3).map(\.sentence)) }

  /// - Parameter suspects: sentences about who probably did it.
  func record(suspects: [String]) -> TemplateValue {
    .record([
      "mark": .text(mark), "title": .shown(OneLine.of(title)), "line": .shown(OneLine.of(line)),
      "suite": .shown(ifAny: suite), "place": .shown(ifAny: place),
      "hasLines": .flag(!lines.isEmpty), "lines": .list(lines.map { .shown($0) }),
      "suspects": .list(suspects.map { .shown(OneLine.of($0)) }),
      "findingAge": .text(findingAge),
    ])
  }

  private var findingAge: String {
    let words = IssueWords.history(of: issue).joined(separator: "; ")
    return "\(words.capitalizedFirst)."
  }

  private var suite: String? {
    guard let id = issue.test else { return nil }
    let place = id.suite.isEmpty ? id.module : "\(id.module) / \(id.suite)"
    return test.map { "\(place), \($0.library.rawValue)" } ?? place
  }

  private var place: String? {
    guard let location = failure?.location ?? issue.location else { return nil }
    // The whole path where it is not the title already.
    return "\(location.file):\(location.line)"
  }

  /// The first lines of the message that are not the title already.
  private var lines: [String] { isNamedByMessage ? Array(messageLines.dropFirst()) : messageLines }

  private var messageLines: [String] {
    let message = failure?.message ?? issue.message
    let all = message.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    let shown = all.prefix(Self.mostLines).map { line in
      line.count <= Self.mostCharacters ? String(line) : "\(line.prefix(Self.mostCharacters - 1))…"
    }
    return shown + (all.count > Self.mostLines ? ["…"] : [])
  }
}
