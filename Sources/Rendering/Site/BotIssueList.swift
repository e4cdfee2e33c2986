package import Model

/// The open issues of a bot for its page, as of one integration.
package struct BotIssueList: Sendable {
  private static let most = 20

  /// The integration.
  let number: Int
  private let branch: String?
  /// The first issues: new ones, then older ones, then silenced ones.
  private let shown: [Issue]
  private let failedGates: [GateResult]
  /// The display names of tests that have one.
  private let titles: [TestID: String]
  private let baseline: Int?
  private let open: Set<String>
  private let openCount: Int
  private let openChange: Int?
  private let silencedCount: Int
  /// How many were ever resolved, and are.
  private let resolvedCount: Int
  /// The existing pages, relative to the integration's report.
  private let pages: Set<String>
  /// The main branch and its open issues; nil for that branch itself, and if they are not known.
  private let main: (branch: String?, open: Set<String>)?
  /// What made the integration red, if anything.
  let finding: LeadingFinding?

  /// - Parameters:
  ///   - main: the issues of the main branch, for those of another one.
  ///   - hasFile: whether the integration's report has a file at a path.
  package init(of document: IntegrationRecord, beside main: BotIssueList? = nil, hasFile: (String) -> Bool) {
    number = document.number
    branch = document.branch
    let known = Dictionary(grouping: document.issues, by: \.status)
    let kinds = Issue.Kind.allCases
    let sorted = [Issue.Status.new, .unresolved, .silenced].flatMap { status in
      let byKind = Dictionary(grouping: known[status] ?? [], by: \.kind)
      return kinds.flatMap { byKind[$0] ?? [] }
    }
    shown = sorted.prefix(Self.most).map(Issue.init)
    baseline = document.baseline
    let named = document.tests.cases.compactMap { test in test.displayName.map { (test.id, $0) } }
    titles = Dictionary(named) { first, _ in first }
    failedGates = (document.gates ?? []).filter { $0.state == .failed }
    silencedCount = known[.silenced]?.count ?? 0
    resolvedCount = document.issueMemory?.records.count { !$0.isOpen } ?? 0
    let open = sorted.filter { $0.status != .silenced }
    self.open = Set(open.map(\.id))
    self.main = main.map { ($0.branch, $0.open) }
    openCount = open.count
    openChange = document.deltas?.openIssues
    pages = Set(([IssueIndex.path] + shown.map { IssueIndex.path(of: $0.id) }).filter(hasFile))
    finding = LeadingFinding(of: document, among: open) { issue in
      let page = IssueIndex.path(of: issue.id)
      return hasFile(page) ? "\(document.number)/\(page)" : nil
    }
  }

  var record: TemplateValue {
    let left = openCount + silencedCount - shown.count
    let silenced = silencedCount > 0 ? ", \(CountText.plain(silencedCount)) silenced" : ""
    let beside = besideMain.map { "; \($0)" } ?? ""
    let open = openCount == 0 ? "none" : CountText.plain(openCount)
    return .record([
      "open": .text("\(open) open"),
      "delta": openChange.flatMap { Delta($0, from: 0, .moreIsWorse) }.record,
      "summary": .shown("\(silenced) in \(number)\(beside)"),
      "hasRows": .flag(!shown.isEmpty), "rows": .list(shown.map(row)),
      "allWords": .text(IssueWords.all(resolved: resolvedCount)),
      "all": pages.contains(IssueIndex.path) ? .text("\(number)/\(IssueIndex.path)") : .missing,
      "left": left > 0 ? .text(CountText.counted(left, "more issue")) : .missing,
    ])
  }

  /// How many issues the branch and the main one do not share; nil if they have the same.
  private var besideMain: String? {
    guard let main else { return nil }
    let counts = [
      (open.subtracting(main.open).count, notOnMain),
      (main.open.subtracting(open).count, "only on \(mainName)"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\(CountText.plain($0)) \($1)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private var mainName: String { main?.branch ?? "the default branch" }

  private var notOnMain: String { "not on \(mainName)" }

  private func isOnlyHere(_ issue: Issue) -> Bool {
    main.map { open.contains(issue.id) && !$0.open.contains(issue.id) } ?? false
  }

  private func row(_ issue: Issue) -> TemplateValue {
    let page = IssueIndex.path(of: issue.id)
    let suspect = issue.suspects.first?.brief(of: issue)
    let gate = failedGates.first { $0.rule == issue.gate }
    let places = gate?.places ?? []
    let name: String? = issue.test.flatMap { titles[$0] } ?? issue.testTitle ?? gate?.name.capitalizedFirst
    return .record([
      "glyph": .text(issue.kind.glyph), "kind": .text(issue.kind.word),
      "name": .shown(ifAny: name),
      "suite": .shown(ifAny: issue.test?.suite),
      "message": .shown(gate?.finding(beside: baseline) ?? FailureLine.brief(of: issue.message)),
      "link": pages.contains(page) ? .text("\(number)/\(page)") : .missing,
      "onlyHere": .optional(isOnlyHere(issue) ? notOnMain : nil),
      "places": .list((places.isEmpty ? [issue.location?.short ?? ""] : places).map { .shown($0) }),
      "suspect": .shown(ifAny: suspect),
      "history": .shown(IssueWords.history(of: issue).joined(separator: "; ")),
      "note": .shown(ifAny: issue.silence.map(IssueWords.sentence) ?? issue.endedSilence.map(IssueWords.end)),
      "id": .shown(String(issue.id.prefix(16))),
    ])
  }
}
