package import Model

/// The open issues of a bot for its page, as of one integration.
package struct BotIssueList: Sendable {
  private static let most = 20

  /// The integration.
  let number: Int
  private let branch: String?
  /// The first issues: new ones, then older ones, then those that were not checked, then silenced ones.
  private let shown: [Issue]
  private let failedGates: [GateResult]
  /// Who probably caused those that are shown, by issue.
  private let suspects: [String: Suspect]
  /// The integrations that last saw those that were not checked, by issue.
  private let lastSeen: [String: Int]
  /// The display names of tests that have one.
  private let titles: [TestID: String]
  private let baseline: Int?
  private let open: Set<String>
  private let openCount: Int
  /// How many of them are new, or came back.
  private let newCount: Int
  /// How many of these came back.
  private let backCount: Int
  private let silencedCount: Int
  /// How many were ever resolved, and are.
  private let resolvedCount: Int
  /// The existing pages, relative to the integration's report.
  private let pages: Set<String>
  /// The open issues of another branch that the main one does not have.
  struct Beside {
    var branch: String
    var count: Int
    /// Where they are listed, relative to the bot's folder; nil if nowhere.
    var link: String?

    /// The maximum number that are named.
    static let most = 3
  }

  /// The main branch and its open issues; nil for that branch itself, and if they are not known.
  private let main: (branch: String?, open: Set<String>)?
  /// What made the integration red, if anything.
  let finding: LeadingFinding?
  /// Of the lines that its commits changed those that never ran.
  private let untested: [SourceLocation]
  private let changed: LineTally?

  /// - Parameters:
  ///   - main: the issues of the main branch, for those of another one.
  ///   - hasFile: whether the integration's report has a file at a path.
  package init(of document: IntegrationRecord, beside main: BotIssueList? = nil, hasFile: (String) -> Bool) {
    number = document.number
    branch = document.branch
    let known = Dictionary(grouping: document.issues, by: \.status)
    let kinds = Issue.Kind.worstFirst
    let unresolved = Dictionary(grouping: known[.unresolved] ?? []) { Issue($0).isUnchecked }
    let groups = [known[.new], unresolved[false], unresolved[true], known[.silenced]].compactMap(\.self)
    let sorted = groups.flatMap { group in
      let byKind = Dictionary(grouping: group, by: \.kind)
      return kinds.flatMap { byKind[$0] ?? [] }
    }
    shown = sorted.prefix(Self.most).map(Issue.init)
    baseline = document.baseline
    suspects = Dictionary(
      shown.compactMap { issue in document.suspect(of: issue).map { (issue.id, $0) } }, uniquingKeysWith: { $1 })
    let unseen = Set(shown.filter { !$0.isFound }.map(\.id))
    let records = (document.issueMemory?.records ?? []).filter { unseen.contains($0.id) }
    let seen = records.compactMap { record in record.streaks.last.map { (record.id, $0.lastSeen) } }
    lastSeen = Dictionary(seen) { first, _ in first }
    let named = document.tests.cases.compactMap { test in test.displayName.map { (test.id, $0) } }
    titles = Dictionary(named) { first, _ in first }
    failedGates = (document.gates ?? []).filter { $0.state == .failed }
    silencedCount = known[.silenced]?.count ?? 0
    resolvedCount = document.issueMemory?.records.count { !$0.isOpen } ?? 0
    let open = sorted.filter { $0.status != .silenced }
    self.open = Set(open.map(\.id))
    self.main = main.map { ($0.branch, $0.open) }
    openCount = open.count
    newCount = known[.new]?.count ?? 0
    backCount = known[.new]?.count { $0.life?.cameBackFrom != nil } ?? 0
    pages = Set(([IssueIndex.path, Self.coveragePath] + shown.map { IssueIndex.path(of: $0.id) }).filter(hasFile))
    let patch = document.coverage.changes?.patch
    changed = patch?.lines
    untested = (patch?.files ?? []).flatMap { file in
      file.neverRan.map { SourceLocation(file: file.path, line: $0) }
    }
    finding = LeadingFinding(of: document, among: open) { hasFile($0) ? "\(document.number)/\($0)" : nil }
  }

  private static let coveragePath = "coverage.html"

  /// Whether nothing is open, and nothing is silenced.
  var isEmpty: Bool { shown.isEmpty }

  /// Which of the lines that its own commits changed never ran, with the page that shows them; nil if there are none.
  var neverRan: (words: String, link: String?)? {
    guard let changed, !untested.isEmpty else { return nil }
    let places = LinePlaces(untested)
    let named = places.places.count > 2 ? "" : ": \(places.text(first: 2, SourceLocation.fileName(of:)))"
    return (
      "\(CoverageWords.changed(changed)) in \(number)\(named)",
      pages.contains(Self.coveragePath) ? "\(number)/\(Self.coveragePath)" : nil
    )
  }

  /// How many of the branch's open issues the main one does not have; nil for the main one, and if that is not known.
  var onlyHereCount: Int? { main.map { open.subtracting($0.open).count } }

  /// - Parameters:
  ///   - others: what other branches have open, on the page of the bot.
  ///   - place: a suffix that names the branch; empty for a bot with one branch.
  ///   - link: returns the address of an integration's report; nil if it is gone.
  func record(beside others: [Beside], place: String, _ link: (Int) -> String?) -> TemplateValue {
    let left = openCount + silencedCount - shown.count
    let open = openCount == 0 ? "none" : CountText.plain(openCount)
    let since = IssueWords.since(newCount, back: backCount, of: openCount) ?? " in "
    let order = newCount > 0 && newCount < openCount ? ", new ones first" : ""
    let silenced = silencedCount > 0 ? "; \(CountText.plain(silencedCount)) silenced" : ""
    let summary = [
      IssueWords.Part(words: "\(open) open\(place)\(since)", number: number),
      IssueWords.Part(words: "\(order)\(onlyHere)\(silenced)\(onlyThere)"),
    ]
    let parts = others.prefix(Beside.most).map { other in
      (words: "\(CountText.plain(other.count))\(openCount == 0 ? "" : " more") on \(other.branch)", link: other.link)
    }
    return .record([
      "summary": summary.record(link),
      "others": .list(
        parts.map {
          .record(["words": .shown($0.words), "link": .optional($0.link), "isElsewhere": .flag(false)])
        }),
      "hasRows": .flag(!shown.isEmpty), "rows": .list(shown.map { row($0, link) }),
      "allWords": .text(IssueWords.all(resolved: resolvedCount, place: place)),
      "all": pages.contains(IssueIndex.path) ? .text("\(number)/\(IssueIndex.path)") : .missing,
      "left": left > 0 ? .text(CountText.counted(left, "more issue")) : .missing,
    ])
  }

  /// How many of its issues the main branch does not have, behind how many are open; empty if it has all.
  private var onlyHere: String {
    guard let count = onlyHereCount, count > 0 else { return "" }
    if count < openCount { return "; \(CountText.plain(count)) \(notOnMain)" }
    return count == 1 ? ", \(notOnMain)" : "; none of them on \(mainName)"
  }

  /// How many issues only the main branch has, behind those of this one; empty if there are none.
  private var onlyThere: String {
    guard let count = main?.open.subtracting(open).count, count > 0 else { return "" }
    return "; \(mainName) has \(openCount == 0 ? CountText.plain(count) : CountText.counted(count, "other"))"
  }

  private var mainName: String { main?.branch ?? "the default branch" }

  private var notOnMain: String { "not on \(mainName)" }

  /// Whether a row says that the main branch does not have the issue: where it has none of them, the heading does.
  private func isOnlyHere(_ issue: Issue) -> Bool {
    guard let main, open.contains(issue.id), !main.open.contains(issue.id) else { return false }
    return !open.isDisjoint(with: main.open)
  }

  private func row(_ issue: Issue, _ link: (Int) -> String?) -> TemplateValue {
    let page = IssueIndex.path(of: issue.id)
    let suspect = suspects[issue.id]?.brief(of: issue)
    let gate = failedGates.first { $0.rule == issue.gate }
    let places = gate?.places ?? []
    let name: String? = issue.test.flatMap { titles[$0] } ?? issue.testTitle ?? gate?.name.capitalizedFirst
    let address = pages.contains(page) ? "\(number)/\(page)" : nil
    let source = issue.isFound ? address : lastSeen[issue.id].flatMap(link).map { "\($0)?page=\(page)" }
    return .record([
      "glyph": .text(issue.glyph), "style": .text(issue.style(issue.glyph)), "kind": .text(issue.word),
      "name": .shown(ifAny: name),
      "suite": .shown(ifAny: issue.test?.suite),
      "message": .shown(gate?.finding(beside: baseline) ?? FailureLine.brief(of: issue.message)),
      "link": .optional(address), "cause": .optional(address.map { "\($0)#\(IssuePage.Turn.cause)" }),
      "source": .optional(source.map { "\($0)#source" }),
      "onlyHere": .optional(isOnlyHere(issue) ? notOnMain : nil),
      "places": .list(
        (places.isEmpty ? [issue.location?.short].compactMap(\.self) : places).map { .record(["place": .name($0)]) }),
      "suspect": .shown(ifAny: suspect),
      "history": IssueWords.historyPhrases(of: issue).phrase().record(link),
      "note": .shown(ifAny: issue.silence.map(IssueWords.sentence) ?? issue.endedSilence.map(IssueWords.end)),
      "id": .shown(String(issue.id.prefix(16))),
    ])
  }
}
