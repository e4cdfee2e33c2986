import Model

/// The page of one issue: what it is, who may have caused it, and when it was open.
struct IssuePage: ReportSection, Page {
  static let template = "issue"
  /// The maximum number of source excerpts on the page of a gate.
  static let mostExcerpts = 10
  /// The number of lines that are shown on either side of an issue's own.
  static let around = 8
  /// The same beside the lines of its cause.
  private static let aroundBeside = 4

  let issue: Issue
  /// Its whole history.
  let past: IssueRecord
  let report: ReportContext
  /// That of the destination that tells it; the same where all have it.
  let own: ReportContext
  /// With the pages of that destination.
  let sources: ShownSources
  let kin: Kin?

  init(issue: Issue, past: IssueRecord, report: ReportContext) {
    (self.issue, self.past, self.report) = (issue, past, report)
    own = report.having(issue)
    sources = report.sources(for: own)
    kin = Kin.heir(of: past, in: report.issueIndex) ?? Kin.forebear(of: past, in: report.issueIndex)
  }

  var frame: PageFrame {
    PageFrame(
      title: "\(issue.id): \(title)", root: "../", section: .issues,
      trail: [.init("Issues", path: "issues.html"), .init(issue.id)], facts: report.facts)
  }

  var record: [String: TemplateValue] {
    let excerpts = excerpts
    let lastSource = report.lastSource(of: issue, root: "../")
    let turns = turns
    let said = gateSentence
    let glyph = report.glyph(of: issue)
    return [
      "glyph": .text(glyph), "tone": .text(issue.style(glyph)),
      "heading": .heading(heading(end: closedIn == nil ? end : "\(IssueWords.ending(of: issue)) in")),
      "closedIn": closedIn ?? .missing, "heir": heir?.record(root: "../") ?? .missing,
      "status": tellsEnd && integration.flakySince(endOf: issue) == nil ? .missing : .text(status.word),
      "style": .text(status.style),
      "kind": headline(end: nil) == nil && issue.gate == nil ? .text(issue.word) : .missing,
      "id": .shown(issue.id),
      // The excerpt below has the path.
      "place": .place(ifAny: place(besideSource: !excerpts.isEmpty)),
      "was": .optional(issue.status.isOver ? issue.kind.isOfRedTest ? "failed" : "was" : nil),
      "placeLink": excerpts.isEmpty ? .optional(lastSource) : "#source",
      "placeIsElsewhere": .flag(excerpts.isEmpty && lastSource != nil),
      "suite": .shown(ifAny: issue.test?.home),
      "kin": heir == nil
        ? kin?.record(root: "../") ?? report.wordsOfElder(of: issue, root: "../") ?? .missing : .missing,
      "log": log,
      "line": name == nil || said != nil || sanitizer != nil
        ? .missing : quitLine ?? gateLine ?? own.line(of: issue),
      "caseName": .shown(ifAny: caseName),
      "said": .list(said ?? []), "hasSaid": .flag(said?.isEmpty == false),
      "then": .shown(ifAny: passedGate == nil ? nil : earlierFinding),
      "places": toldLines, "more": .optional(tellsLines ? foundGate?.morePlaces : nil),
      "test": test,
      "history": .list(history.map { $0.record { report.address(of: $0, with: issue.test, root: "../") } }),
      "silence": .shown(ifAny: issue.silence.map(IssueWords.sentence)),
      "endedSilence": .shown(ifAny: issue.endedSilence.map(IssueWords.end)),
      "finding": isLong ? finding ?? .missing : .missing, "output": triggerRun?.record ?? .missing,
      "message": isLong && finding == nil ? .shown(String(issue.message.prefix(20_000))) : .missing,
      "ranChanges": ranChanges,
      "unbegun": .shown(ifAny: unbegunNames),
      "told": .list(turns.filter { $0.people.count == 1 }.map(record(of:))),
      "turns": .list(turns.filter(\.needsSection).map(record(of:))),
      "again": again,
      "life": life, "showsStreaks": .flag(past.streaks.count > 1),
      "streaks": .list(past.streaks.indices.reversed().map(record(ofStreak:))),
      "streakCount": past.streaks.count > 1
        ? .shown(
          "opened \(CountText.counted(past.streaks.count, "time"))"
            + (integration.branch.map { integration.branchPoint == nil ? " on \($0)" : " in the history of \($0)" }
              ?? ""))
        : .missing,
      "hasSources": .flag(!excerpts.isEmpty), "sources": .list(excerpts), "backtrace": backtrace,
      "report": sanitizer?.record ?? .missing, "isDeclaration": .flag(report.isAtDeclaration(issue)),
      "earlier": earlier,
      "isSilenced": .flag(issue.status == .silenced),
      "command": silencing.map { .command($0) } ?? .missing, "unsilenceable": .optional(unsilenceable),
    ]
  }

  /// As the rows of the summary tell it.
  private var status: (word: String, style: String) {
    if let since = integration.flakySince(endOf: issue) {
      return (FlakyWords.since(since).text.capitalizedFirst, "old")
    }
    return switch issue.status {
    case .resolved: ("Resolved", "gone")
    case .dropped: ("Not checked", "gone")
    case .silenced: ("Silenced", "silenced")
    case .new where issue.isKnownFlaky: ("Known flaky", "old")
    case .new where issue.comeback != nil: ("Came back", "new")
    case .new: ("New", "new")
    case .unresolved: (issue.isOfFlaky ? "Flaky" : "Open", "old")
    }
  }

  /// What is said of its past besides its only streak, or the table of its streaks.
  private var history: [[IssueWords.Part]] {
    let streaks = IssueWords.streakPhrases(
      of: issue, record: past, tellsDoubts: !issue.isUnchecked, on: report.branchBeforeComeback(of: issue))
    let doubts =
      issue.isUnchecked
      ? IssueWords.unchecked(past, in: integration.number, because: unrun)
      : IssueWords.doubts(about: issue, record: past)
    let words =
      past.streaks.count < 2 || issue.status.isOver || issue.status == .new && issue.comeback == nil
      ? IssueWords.phrases(doubts)
      // The status says that it came back, and it did so here.
      : issue.comeback == nil || issue.isKnownFlaky ? streaks : Array(streaks.dropFirst())
    return IssueWords.phrases([runs, cases].compactMap(\.self) + IssueWords.destinations(of: issue)) + words
      + [issue.life.flatMap(IssueWords.dropped), report.flakyPast(of: issue)].compactMap(\.self)
      + IssueWords.phrases(IssueWords.elsewhere(of: issue))
  }

  /// Since when there is the issue, or from when until when it was open the last time; missing if it is new or came
  /// back.
  private var life: TemplateValue {
    guard let streak = past.streaks.last, past.streaks.count == 1 || issue.status.isOver,
      issue.status != .new || past.predates
    else { return .missing }
    return .record([
      "opening": .text(IssueWords.opening(of: past.life)),
      "opened": number(streak.opened), "orEarlier": .flag(past.life.mayBeOlder),
      // The heading says how and where.
      "isClosed": .flag(streak.closed != nil || issue.status == .dropped),
      // Whether it is still there is not known in those that did not check it.
      // Of one that was gone in the next integration, the two say it.
      "length": streak.age > 0 && issue.status != .dropped && !(past.life.mayBeOlder && streak.isEndUnsure)
        && (streak.closed != nil || !issue.isCarriedOver || issue.passedOnRetry)
        ? .text((past.life.mayBeOlder ? "at least " : "") + IssueWords.length(of: streak)) : .missing,
    ])
  }

  /// The link to the page of its test in the newest integration that has one, otherwise to the test's row.
  private var test: TemplateValue {
    guard let test = issue.test else { return .missing }
    let (link, page) = (own.link(to: test), own.paths.page(of: test))
    if link != page || heir != nil, issue.kind.isOfRedTest, let seen = report.lastSeen(issue) {
      return .record([
        "link": .text(report.address(of: page, in: seen, root: "../")), "words": .text("test page in \(seen)"),
        "isElsewhere": .flag(true),
      ])
    }
    return link.map {
      .record([
        "link": .text("../\(report.place(of: own))\($0)"),
        "words": .text($0 == page ? "test page" : "in the list of tests"),
        "isElsewhere": .flag(false),
      ])
    } ?? .missing
  }

  /// The section of the commands that show the issue again, each with what it does if there are several; missing without
  /// one.
  private var again: TemplateValue {
    let repeats = repeats
    guard !repeats.isEmpty else { return .missing }
    return .record([
      "heading": .text(issue.isUnchecked ? "Check it" : "Reproduce it"),
      "commands": .list(
        repeats.map { label, command in
          .record(["label": .optional(repeats.count > 1 ? label : nil), "command": .command(command)])
        }),
    ])
  }

  /// The commands that show the issue again, or whether it is still there where its test did not run; empty for one that is
  /// gone, or may be for other reasons, and for what no command shows.
  private var repeats: [(label: String?, command: String)] {
    guard !issue.status.isOver else { return [] }
    if issue.isUnchecked {
      guard let test = issue.test.flatMap({ report.tests[$0] }), test.state == .notRun else { return [] }
      return [(nil, RepeatCommands(test, of: integration).martlet)]
    }
    guard let id = issue.test else {
      guard let command = repeatCommand else { return [] }
      return [(nil, command)]
    }
    guard let test = own.tests[id] else { return [] }
    let commands = RepeatCommands(test, of: own.integration)
    return own.flakyPast(of: issue) == nil ? commands.all : [(nil, commands.untilItFails)]
  }

  /// The command that shows the issue again if it is not of a test; nil for what none shows.
  private var repeatCommand: String? {
    let integration = own.integration
    switch issue.kind {
    case .testFailure, .crash, .timeOut, .quit: return nil
    case .error, .linkerError: return integration.buildCommand ?? integration.repeatCommand
    // What is built already prints no warning again.
    case .warning:
      return integration.buildCommand.map { "\($0) --scratch-path \"$(mktemp -d)\"" } ?? integration.repeatCommand
    case .analyzerWarning, .sanitizer: return integration.unfilteredCommand ?? integration.repeatCommand
    // What a gate found is the same each time.
    case .gate, .triggerError, .serviceError, .serviceWarning: return nil
    }
  }

  /// Returns how many lines to show on each side: beyond a change that was cut, added ones would seem to be old.
  private func around(line: Int) -> Int {
    if let cut = changeBeside?.cutLines { return cut.contains(line) ? Self.around : 1 }
    return changeBeside == nil && turns.contains { !$0.hunks.isEmpty } ? Self.aroundBeside : Self.around
  }

  /// Returns the lines to show if they are not those around a place: the change that was cut, or the whole test.
  private func span(with place: SourceLocation) -> ClosedRange<Int>? {
    changeBeside?.cutLines.flatMap { $0.contains(place.line) ? $0 : nil } ?? testLines(with: place)
  }

  func link(to place: SourceLocation?) -> String? {
    place.flatMap { sources.link(to: $0.file, line: $0.line) }.map { "../\($0)" }
  }

  /// Excerpts of the lines concerned: for a failed gate, all known lines, otherwise the issue's own.
  private var excerpts: [TemplateValue] {
    guard issue.isFound else { return [] }
    guard let lines = failedGate?.lines, !lines.isEmpty else {
      let source = issue.location.flatMap {
        SourceExcerpt(
          of: $0, in: sources, from: declaration(in: $0.file), around: around(line: $0.line), only: span(with: $0)
        )?.record(caption: $0.file, column: issue.test == nil ? $0.column : nil, change: changeBeside)
      }
      let call = quit?.calledFrom.flatMap {
        SourceExcerpt(of: $0, in: sources, around: Self.around)?.record(
          caption: "called from \($0.file)", added: report.linesOfNew($0.file))
      }
      return [source, call].compactMap(\.self)
    }
    return SourceHunk.stretches(of: lines).prefix(Self.mostExcerpts).compactMap { stretch in
      stretch.first.flatMap { first in
        SourceExcerpt(
          of: first, in: sources, around: 4, through: stretch.last?.line, hot: Set(stretch.map(\.line))
        )?.record(caption: caption(of: stretch))
      }
    }
  }

  var failedGate: GateResult? { report.failedGate(of: issue) }

  private var name: String? { own.name(of: issue) }

  /// Its failure as the page of its test shows it; nil if that is not known here, or has nothing but its message.
  private var finding: TemplateValue? {
    guard issue.kind == .testFailure, let test = issue.test.flatMap({ own.tests[$0] }),
      let failure = failure(of: test), failure.parsed != nil
    else { return nil }
    return FindingSection(failure, of: test, number: 1, sources: sources).quoted
  }

  /// The failure of its test, or what is known of one in an earlier integration.
  private func failure(of test: TestResult) -> TestFailure? {
    if issue.isFound { return test.firstFailure }
    // Swift Testing's message alone does not tell what the author added to it.
    guard test.library == .xctest else { return nil }
    return TestFailure(
      location: issue.location, message: issue.message, parsed: FailureMessage.xctest(issue.message))
  }

  /// Whether its message is more than the line below the heading, or the heading, has of it.
  private var isLong: Bool {
    let lines = issue.message.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    return lines.count > (name == nil ? 1 : 2) || issue.message.count > 200
  }

  /// The heading without its link.
  private var title: String { heading(end: end) + (heir.map { ", then \($0.words)" } ?? "") }

  /// Returns what became of its test or gate, otherwise the first line of its message.
  ///
  /// - Parameter end: what ended it; nil for nothing.
  private func heading(end: String?) -> String {
    if let headline = headline(end: end) { return headline }
    let message = FailureLine.headline(of: issue.message)
    let said = message.count > 200 ? String(message.prefix(190)) + " …" : message
    let subject = name ?? (end == nil ? said : "“\(said)”")
    return [subject, end].compactMap(\.self).joined(separator: ", ")
  }

  /// Returns what became of its red test or its gate; nil for any other issue.
  private func headline(end: String?) -> String? {
    name.flatMap { name in
      let subject =
        issue.gate.map { GateResult.name(ofRule: $0).capitalizedFirst }
        ?? issue.test.flatMap { own.tests[$0]?.quotedTitle } ?? name
      let subjects = CountText.list([subject] + [unbegun].compactMap(\.self))
      // Of one that is not found here, the case is not known.
      let redCase = issue.isFound ? issue.test.flatMap { own.tests[$0] }.map(TestHeadline.redCase) : nil
      return (quit?.words ?? race).map { "\(subjects) \($0)" }
        ?? TestHeadline.of(issue, named: subject, end: end).map { $0 + (redCase ?? "") }
    }
  }

  /// Whether the heading says what ended it, and where.
  private var tellsEnd: Bool {
    issue.status == .resolved && (headline(end: nil) != nil || past.streaks.last?.closed != nil)
  }

  /// What ended it, and where; nil if what its test is red with instead stands there.
  private var end: String? {
    tellsEnd && heir == nil ? IssueWords.end(of: issue, closed: past.streaks.last?.closed) : nil
  }

  /// The integration at the end of the heading; nil if that names none, or what came there instead.
  private var closedIn: TemplateValue? {
    end == nil ? nil : past.streaks.last.flatMap { $0.closed == nil ? nil : self.end(of: $0) }
  }

  /// Returns the name of a commit, or what is said of it, with a link to the commits of the integration that has it.
  func link(to commit: CommitID?, in number: Int?, words: String? = nil) -> TemplateValue? {
    guard let commit else { return nil }
    let isHere = integration.commits.contains { $0.id == commit }
    let folder = isHere ? "" : number.flatMap { $0 > 0 ? "\(integration.wayOut)\($0)/" : nil }
    let list = isHere ? report.commitsPath : "index.html#commits"
    return linked(words ?? commit.short, to: folder.map { "../\($0)\(list)" }, isElsewhere: !isHere)
  }

  /// Returns words for the template `linked`.
  func linked(_ words: String, to link: String? = nil, isElsewhere: Bool = false) -> TemplateValue {
    .record(["words": .shown(words), "link": .optional(link), "isElsewhere": .flag(isElsewhere)])
  }

  /// Returns changed lines with their earlier text.
  ///
  /// - Parameters:
  ///   - number: the integration that changed them; in another, something else may stand there.
  ///   - place: the line that speaks for the change.
  ///   - hot: the lines in question, if they are others than the changed ones.
  func record(
    of hunk: SourceHunk, in number: Int?, own place: SourceLocation? = nil, hot: Set<Int>? = nil
  ) -> TemplateValue {
    let isHere = number == integration.number
    return SourceExcerpt.record(
      of: hunk, in: isHere ? nil : number.flatMap { $0 > 0 ? $0 : nil },
      link: isHere ? hunk.linked.flatMap { sources.link(to: $0.file, line: $0.line) } : nil,
      own: place?.file == hunk.file ? place?.line : nil, hot: hot)
  }

  private func record(ofStreak index: Int) -> TemplateValue {
    let streak = past.streaks[index]
    return .record([
      "opened": number(streak.opened), "lastSeen": number(streak.lastSeen),
      "closed": end(of: streak),
      "with": streak.resolution.flatMap { resolution in
        link(to: resolution.commit, in: streak.end, words: IssueWords.commits(of: resolution))
      } ?? .missing,
      "summary": .shown(ifAny: streak.resolution.flatMap { $0.count == 1 ? $0.summary : nil }),
      "length": .text(IssueWords.lasted(streak)),
    ])
  }

  /// Returns the integration that found the issue resolved, or those in one of which the streak ended; missing while it is
  /// open.
  private func end(of streak: IssueRecord.Streak) -> TemplateValue {
    streak.closed.map {
      number($0, as: IssueWords.place(ofEnd: streak.resolution?.integrations, closed: $0))
    } ?? .missing
  }

  /// Returns a number with a link to its report, unless that is this one.
  ///
  /// - Parameter words: what stands for the number; nil for itself.
  func number(_ number: Int, as words: String? = nil) -> TemplateValue {
    .record([
      "number": .text(words ?? "\(number)"), "link": .optional(report.address(of: number, root: "../")),
    ])
  }
}
