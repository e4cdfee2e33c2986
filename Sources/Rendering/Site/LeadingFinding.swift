import Model

/// The first cause of a red integration, on one line: a red test, an error of the build or a failed gate.
struct LeadingFinding: Sendable {
  /// The name of the test or the gate, or the beginning of the error.
  private let name: String
  /// The suite of the test, the line of the error, or what the gate found.
  private let context: String?
  /// Who probably caused it, since when it is there, and how many more causes there are: what does not fit on a line is
  /// cut off.
  private let rest: [String]
  /// The other cause, if there is one, with its page; nil if there is none.
  private let other: (name: String, link: String?)?
  /// The issue's page, relative to the bot's folder; nil if there is none.
  private let link: String?

  private static let kinds: Set<Issue.Kind> = [
    .error, .linkerError, .testFailure, .crash, .timeOut, .quit, .sanitizer, .gate,
  ]

  /// Nil if none of the issues made the integration red.
  ///
  /// - Parameters:
  ///   - open: the open issues of the document, in the order of lists.
  ///   - link: returns the path of an issue's page.
  init?(of document: IntegrationRecord, among open: [IntegrationRecord.FlatIssue], link: (Issue) -> String?) {
    let red = open.filter { Self.kinds.contains($0.kind) && $0.carriedOver != true }
    // A gate judges one change, and a test stays red until it is mended.
    guard let first = red.first(where: { $0.kind != .gate }) ?? red.first else { return nil }
    let issue = Issue(first)
    let told = Self.told(issue, in: document)
    (name, context) = (told.name, told.context)
    let others = red.filter { $0.id != first.id }
    other = others.count == 1 ? (Self.told(Issue(others[0]), in: document).short, link(Issue(others[0]))) : nil
    let more = others.count > 1 ? "\(CountText.plain(others.count)) more" : nil
    rest = [
      document.suspect(of: issue)?.brief(of: issue, beside: issue.test == nil ? issue.location : nil),
      IssueWords.age(of: issue), more,
    ].compactMap(\.self)
    self.link = link(issue)
  }

  /// Returns the name of a cause, what stands beside it, and the shortest words for it in mid-sentence.
  private static func told(
    _ issue: Issue, in document: IntegrationRecord
  ) -> (name: String, context: String?, short: String) {
    if let test = issue.test {
      let name = document.tests.cases.first { $0.id == test }?.displayName ?? test.name
      return (name, test.home, name)
    }
    if let gate = document.gates?.first(where: { $0.rule == issue.gate }) {
      return (
        GateResult.title(ofRule: gate.rule), gate.finding(beside: document.baseline),
        GateResult.failure(ofRule: gate.rule)
      )
    }
    let message = FailureLine.brief(of: issue.message)
    let short = issue.gate.map(GateResult.failure(ofRule:)) ?? issue.location?.short ?? message
    return (message, issue.location?.short, short)
  }

  /// - Parameter folder: the path of the bot's folder from the page, with a slash at its end.
  func record(from folder: String = "") -> TemplateValue {
    .record([
      "name": .shown(name), "context": .shown(ifAny: context), "link": .optional(link.map { "\(folder)\($0)" }),
      "rest": .list(rest.map { .shown($0) }),
      "other": other.map { other in
        .record([
          "words": .shown(other.name), "link": .optional(other.link.map { "\(folder)\($0)" }),
          "isElsewhere": .flag(false),
        ])
      } ?? .missing,
    ])
  }
}
