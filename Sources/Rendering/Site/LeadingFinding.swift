import Model

/// The first cause of a red integration, on one line: a red test, an error of the build or a failed gate.
struct LeadingFinding: Sendable {
  /// The name of the test or the gate, or the beginning of the error.
  private let name: String
  /// The suite of the test, the line of the error, or what the gate found.
  private let context: String?
  /// Who probably caused it, and how many more causes there are; nil for one without a suspect.
  private let rest: String?
  /// The issue's page, relative to the bot's folder; nil if there is none.
  private let link: String?

  private static let kinds: Set<Issue.Kind> = [
    .error, .linkerError, .testFailure, .crash, .timeOut, .sanitizer, .gate,
  ]

  /// Nil if none of the issues made the integration red.
  ///
  /// - Parameters:
  ///   - open: the open issues of the document, in the order of lists.
  ///   - link: returns the path of an issue's page.
  init?(of document: IntegrationRecord, among open: [IntegrationRecord.FlatIssue], link: (Issue) -> String?) {
    let red = open.filter { Self.kinds.contains($0.kind) && $0.carriedOver != true }
    // A gate judges one change, and a test stays red until it is mended.
    guard let issue = (red.first { $0.kind != .gate } ?? red.first).map(Issue.init) else { return nil }
    if let test = issue.test {
      name = document.tests.cases.first { $0.id == test }?.displayName ?? test.name
      context = test.home
    } else if let gate = document.gates?.first(where: { $0.rule == issue.gate }) {
      name = gate.name.capitalizedFirst
      context = gate.finding(beside: document.baseline)
    } else {
      name = FailureLine.brief(of: issue.message)
      context = issue.location?.short
    }
    let who = document.suspect(of: issue)?.who
    let others = red.count > 1 ? "\(CountText.plain(red.count - 1)) more" : nil
    let parts = [who, others].compactMap(\.self)
    rest = parts.isEmpty ? nil : parts.joined(separator: " · ")
    self.link = link(issue)
  }

  /// - Parameter folder: the path of the bot's folder from the page, with a slash at its end.
  func record(from folder: String = "") -> TemplateValue {
    .record([
      "name": .shown(name), "context": .shown(ifAny: context), "link": .optional(link.map { "\(folder)\($0)" }),
      "rest": .shown(ifAny: rest),
    ])
  }
}
