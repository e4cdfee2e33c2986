import Model

/// One bot in the index: the state of its main branch, with any other red branches.
struct BotIndexRow {
  private let bot: BotHistory
  private let states: BranchStates<HistoryLine>
  private let time: LocalTime

  init(_ bot: BotHistory, time: LocalTime) {
    self.bot = bot
    states = bot.states
    self.time = time
  }

  var name: String { bot.name }

  var main: BranchState<HistoryLine> { states.main }

  /// The newest result of its main branch; nil where only uncommitted changes have one, which say nothing of a commit.
  var result: HistoryLine? { main.result.flatMap { $0.uncommitted == true ? nil : $0 } }

  /// Whether its newest result may be out of date, because its commits are not seen.
  var isUnreadable: Bool { bot.isUnreadable }

  /// Why it cannot run, if it has never been integrated.
  var hindrance: String? { bot.hindrance(beside: main)?.reason }

  /// Whether a watcher integrated it that no longer knows it.
  var isForgotten: Bool { bot.isForgotten }

  private var unseen: UnseenCommits? { running == nil ? UnseenCommits(of: bot, told: main.told) : nil }

  /// The sort key: what does not build and what is red first, no result last, and behind them what is no longer watched.
  var urgency: Int {
    let (unseen, noResult, forgotten) = (4, 9, 10)
    if isForgotten { return forgotten }
    // Trouble does not make a red bot less red.
    let told = [main.trouble, main.result].compactMap { $0?.outcome.urgency }
    let own = told.min() ?? (hasNoProblems ? noResult : unseen)
    let least = isUnreadable ? unseen : states.redBeside.isEmpty ? noResult : Self.redBeside
    return min(own, least)
  }

  /// Whether nothing worse is to be told of it than a problem that is not its tests'.
  var isProblemToldFirst: Bool {
    isTroubled && !isUnreadable && hindrance == nil && !isForgotten && main.trouble == nil
      && result.map(\.outcome.isGreen) != false
  }

  /// The sort key of a bot that is red on another branch only.
  private static let redBeside = 5

  /// Whether somebody has to look at it.
  var needsSomebody: Bool { urgency <= Self.redBeside || !hasNoProblems }

  /// The other red branches and the newest tag, if it is red, where the main branch is not.
  var redBesideGreen: [(branch: RedBranch, kind: RedKind)] {
    main.isRed || isForgotten ? [] : states.redKinds(among: bot.entries)
  }

  /// The entry that is running on the main branch; on any branch if the main one is not yet known.
  private var running: WatchState.Entry? {
    bot.running.first { main.branch == nil || $0.branch == main.branch }
  }

  var record: TemplateValue {
    // The text is that of the newest integration; the figures are those of the newest integration that has any.
    let newest = main.told
    let measured = main.result
    let isDirty = newest?.uncommitted == true
    let subject = newest.map { isDirty ? "Uncommitted changes" : FailureLine.firstLine($0.subject) }
    return .record([
      "style": .text(running != nil ? "running" : unseen?.glyph ?? newest?.outcome.style ?? "not-run"),
      "glyph": .text(glyph),
      "name": .name(bot.name), "link": .text("\(bot.name)/index.html"), "word": .shown(word),
      "wordLink": .optional(flakyReport),
      "ageBefore": .text(age?.before ?? ""), "ageAfter": .text(age?.after ?? ""),
      "ageMachine": .optional(age.map { time.machine(of: $0.line.endedAt) }),
      "ageDate": .optional(age.map { (isRedSinceNewest ? "since " : "") + time.minute(of: $0.line.endedAt) }),
      "isSince": .flag(redSince != nil),
      "remark": .shown(remark),
      "finding": finding?.record(from: "\(bot.name)/", besides: redSince?.number, bot.link) ?? .missing,
      "branches": branches,
      "number": .optional(newest.map { "\($0.number)" }),
      "report": .optional(address(newest.flatMap { bot.link($0.number) })),
      "tests": measured.map(tests) ?? .missing, "lines": measured.map(lines) ?? .missing,
      // A single result is told by the rest of the row.
      "strip": strip.count > 1 ? .html(strip.html) : .missing,
      "last": strip.count > 1 ? .text("\(strip.count)\(states.place)") : .missing,
      "subject": .shown(ifAny: subject),
      "commit": .optional(newest?.commit.short),
      "commits": .optional(
        address(newest.flatMap { $0.commitCount > 0 ? bot.comparisonLink($0.number) : nil }).map { "\($0)#commits" }),
      "author": .shown(ifAny: isDirty ? nil : newest?.author),
      "more": .optional(newest.flatMap { !isDirty && $0.commitCount > 1 ? "and \($0.commitCount - 1) more" : nil }),
    ])
  }

  /// Returns the path from the index to a page in the bot's folder.
  private func address(_ page: String?) -> String? { page.map { "\(bot.name)/\($0)" } }

  /// The tests of the newest integration if only flaky ones kept it from being green; what is red has its finding.
  private var flakyReport: String? {
    guard let newest = main.told, newest.isOnlyFlaky else { return nil }
    return address(bot.testsLink(newest) ?? bot.link(newest.number))
  }

  private var glyph: String { running != nil ? "running" : unseen?.glyph ?? main.told?.glyph ?? "not-run" }

  /// The other red branches, with their pages; a tag has that of its integration.
  private var branches: TemplateValue {
    guard !states.redBeside.isEmpty else { return .missing }
    let pages = BranchTable.pages(of: states)
    let only = states.redBeside.count == 1 ? states.redBeside.first : nil
    let parts = RedBranchWords.parts(states.redBeside).map { part in
      let page = part.branch.flatMap { branch in
        branch.isTag ? branch.since.flatMap(bot.link) : pages[branch.name]
      }
      return TemplateValue.record([
        "words": .shown(part.name), "link": .optional(page.map { "\(bot.name)/\($0)" }), "isElsewhere": .flag(false),
        "rest": .shown(part.rest + (only == nil ? finding(of: part.branch)?.brief : unfoundAuthor(of: only)).dotted),
      ])
    }
    return .record([
      "glyph": "failed", "lead": .text(RedBranchWords.lead(beside: main.isRed)), "parts": .list(parts),
      "finding": only.flatMap { finding(of: $0)?.record(from: "\(bot.name)/", besides: $0.since, bot.link) }
        ?? .missing,
    ])
  }

  /// Returns who made the newest commit of a branch of which it is not known what made it red.
  private func unfoundAuthor(of branch: RedBranch?) -> String? {
    guard finding(of: branch) == nil else { return nil }
    return states.others.first { $0.branch == branch?.name }?.told?.author
  }

  /// Returns what made a branch red, as far as the overview has that.
  private func finding(of branch: RedBranch?) -> LeadingFinding? {
    branch.flatMap { bot.branchIssues[$0.name] }?.finding
  }

  /// The newest integrations of the main branch.
  var strip: OutcomeStrip { OutcomeStrip(main.lines, isRunning: running != nil, place: states.place) }

  private var finding: LeadingFinding? { bot.finding(of: main) }

  /// The integration since which the main branch is red; nil if it is not red, or if that is too far back.
  private var redSince: HistoryLine? { running == nil && main.isRed && main.trouble == nil ? main.since : nil }

  /// The integration at whose end it turned red, otherwise the newest one, with what stands before and behind that time.
  private var age: (before: String, line: HistoryLine, after: String)? {
    guard unseen == nil, running == nil, let told = main.told else { return nil }
    guard let since = redSince else { return (" (", told, ")") }
    return isRedSinceNewest ? (" ", since, "") : (", \(redWord)since \(since.number) (", since, ")")
  }

  /// Whether that is the newest one, whose end is then since when it is red.
  private var isRedSinceNewest: Bool { redSince != nil && redSince?.number == main.told?.number }

  /// The state: if it is not green, the reasons, which are more informative than its name, unless the first is named
  /// below.
  private var word: String {
    if let running { return running.step?.word ?? "Running" }
    if let unseen { return unseen.word }
    guard let told = main.told else { return hindrance == nil ? "No result yet" : "Cannot run" }
    guard told.outcome != .succeeded, main.trouble == nil, hasNoProblems, finding == nil else {
      return finding?.outcomeWord ?? told.outcomeWord
    }
    return reasons ?? told.outcomeWord
  }

  /// Whether it has more of a problem than that its commits have to be looked for, which are seen nevertheless.
  private var isTroubled: Bool {
    !hasNoProblems
      && (bot.state?.source != .polled || bot.state?.hindrance != nil || bot.state?.problems.count ?? 0 > 1)
  }

  private var hasNoProblems: Bool { bot.state?.allProblems.isEmpty != false }

  private var reasons: String? {
    main.told.flatMap { told in
      // Of one that is incomplete, the rest follows from the first, and a figure counts what did not run.
      told.outcome == .incomplete ? told.firstReason : told.reasonText().nonEmpty
    }
  }

  private var remark: String {
    if unseen != nil {
      let problem = bot.state?.allProblems.first.map { ": \($0)" } ?? ""
      return problem
        + (main.told.map { "\(problem.hasSuffix(".") ? " " : "; ")integration \($0.number) \($0.was)" } ?? "")
    }
    // What to do about it is on the page of the bot.
    if let hindrance { return ": \(hindrance)" }
    if let problem = bot.state?.allProblems.first {
      return "\(main.told == nil ? ":" : ".") \(problem)\(source)"
    }
    if running != nil, let newest = main.told {
      let outcome = newest.outcome.isConclusive ? newest.was : newest.lowercasedOutcome
      return "; \(newest.number) \(outcome)\(source)"
    }
    guard let newest = main.result else {
      return main.told == nil && running == nil ? bot.state?.schedule.map { ": \($0)" } ?? "" : ""
    }
    if main.trouble != nil { return (reasons.map { ": \($0)" } ?? "") + source }
    let silenced = newest.silencedWords.map { ", \($0)" } ?? ""
    if main.isRed { return silenced + bot.onlyAuthor(of: main).dotted }
    let streak =
      main.greenStreak > 1 && newest.outcome == .succeeded
      ? ", \(CountText.plain(main.greenStreak)) green in a row\(states.place)"
      : redBesideGreen.isEmpty ? "" : states.place
    return streak + (newest.worseWords.map { ", \($0)" } ?? "") + silenced
  }

  /// What the main branch has been since it is not green, to stand before that; empty if its outcome tells.
  private var redWord: String { main.redKind == .incomplete ? "" : "\(main.redKind.rawValue) " }

  /// The last result, with whether the figures come from it, if it is not the one that the row names.
  private var source: String {
    guard main.trouble != nil, let newest = main.result else { return "" }
    let silenced = newest.silencedWords.map { " with \($0)" } ?? ""
    let hasFigures = newest.tests.listed > 0 || newest.lines != nil
    let subject = hasFigures ? "figures from \(newest.number), which" : "integration \(newest.number)"
    return "; \(subject) \(newest.was)\(silenced)"
  }

  private func tests(_ entry: HistoryLine) -> TemplateValue {
    // Without a build no test was listed, which does not mean that any were removed.
    guard entry.tests.listed > 0 else { return .missing }
    let counts = entry.tests
    let bad = entry.badTests
    let rest =
      (bad.isEmpty ? [] : ["of \(CountText.counted(counts.listed, "test"))"] + bad.dropFirst())
      + (counts.flaky > 0 ? ["\(CountText.plain(counts.flaky)) flaky"] : [])
    return .record([
      "worst": .text(bad.first ?? CountText.plain(counts.listed)), "link": .optional(address(bot.testsLink(entry))),
      "unit": bad.isEmpty ? .text(CountText.agreeing(counts.listed, "test", "tests")) : .missing,
      "rest": .optional(rest.nonEmpty?.joined(separator: ", ")),
      "delta": (bad.isEmpty ? nil : bot.redDelta(of: entry, since: entry.baseline)).record,
    ])
  }

  private func lines(_ entry: HistoryLine) -> TemplateValue {
    guard let lines = entry.lines else { return .missing }
    return .record([
      "uncovered": .optional(entry.uncoveredWords), "link": .optional(address(bot.coverageLink(entry))),
      "total": .text(
        "of \(CountText.plain(lines.total))"
          + (lines.uncovered > 0 ? CountText.percent(lines.uncovered, of: lines.total).map { ", \($0)" } ?? "" : "")),
      "delta": entry.uncoveredDelta.record, "missing": .optional(MissingTestsWords.missing(ifAny: entry.tests)),
    ])
  }
}

extension BotIndexRow {
  /// The row on the wall: how the bot is, since when, what made it so and who, with no links but its own and that of
  /// the cause. That a newer commit is being integrated hides nothing of it, since nobody there can look at the bot's page.
  var wallRecord: TemplateValue {
    let unseen = UnseenCommits(of: bot, told: main.told)
    let since = unseen == nil && (main.isRed || main.trouble != nil) ? main.since : nil
    let problem = bot.state?.allProblems.first
    let reason = hindrance ?? (unseen != nil || main.told == nil ? problem : nil)
    let cause = unseen == nil ? wallCause ?? (reason == nil ? problem.map(WallCause.init) : nil) : nil
    let none = hindrance == nil ? "No result yet" : "Cannot run"
    return .record([
      "style": .text(unseen?.glyph ?? main.told?.outcome.style ?? "not-run"),
      "glyph": .text(unseen?.glyph ?? main.told?.glyph ?? "not-run"),
      "name": .name(bot.name), "link": .text("\(bot.name)/index.html"),
      "word": .shown(unseen?.word ?? finding?.outcomeWord ?? main.told?.outcomeWord ?? none),
      "place": .text(states.redBeside.isEmpty ? "" : states.place),
      "reason": .shown(ifAny: reason),
      "isGreen": .flag(unseen == nil && hasNoProblems && main.told?.outcome == .succeeded),
      "since": since.map { sinceRecord(of: $0, kind: wallKind(since: $0)) } ?? .missing,
      "cause": cause?.record ?? .missing, "beside": wallBeside,
      "now": .optional(bot.running.first.map { $0.step?.word ?? "Running" }),
    ])
  }

  /// Returns what the main branch has been since an integration, unless that ended like the newest one.
  private func wallKind(since line: HistoryLine) -> String {
    let isAlike = line.outcome == main.told?.outcome && line.redKinds == main.told?.redKinds
    let isTold = main.trouble != nil || main.redKind == .incomplete || isAlike
    return isTold ? "" : ", \(main.redKind.rawValue)"
  }

  /// What made the main branch red and who; where the report is not kept, what its line in the history tells.
  private var wallCause: WallCause? {
    guard let told = main.told, main.isRed || main.trouble != nil else { return nil }
    if let finding { return WallCause(finding, since: main.since, in: "\(bot.name)/") }
    let who = told.uncommitted == true ? nil : bot.onlyAuthor(of: main) ?? "newest commit by \(told.author)"
    return WallCause(name: told.reasonText(), rest: who ?? "")
  }

  /// What other branches are red; of a single one since when, what made it so and who.
  private var wallBeside: TemplateValue {
    guard let predicate = RedBranchWords.predicate(states.redKinds(among: bot.entries)) else { return .missing }
    let only = states.redBeside.count == 1 ? states.redBeside.first : nil
    let state = only.flatMap { only in states.others.first { !only.isTag && $0.branch == only.name } }
    let finding = state.flatMap { bot.finding(ofOther: $0) }
    let cause =
      finding.map { WallCause($0, since: state?.since, in: "\(bot.name)/") }
      ?? state?.told.map { WallCause($0.author) }
    return .record([
      "glyph": "failed", "words": .shown(((main.isRed ? "also " : "") + predicate).capitalizedFirst),
      "since": state?.since.map { sinceRecord(of: $0, kind: "") } ?? .missing,
      "cause": cause?.record ?? .missing,
    ])
  }

  private func sinceRecord(of line: HistoryLine, kind: String) -> TemplateValue {
    .record([
      "kind": .text(kind), "machineDate": .text(time.machine(of: line.endedAt)),
      "date": .text("since \(time.minute(of: line.endedAt))"),
    ])
  }
}

/// What stands on the wall below the state of a bot or of a branch.
private struct WallCause {
  var name = ""
  var rest: String
  /// The integration that has the cause, if it was red for something else first, so that its age is not that of the cause.
  var late: Int?
  /// The page of the cause; nil if there is none.
  var link: String?

  init(name: String, rest: String) { (self.name, self.rest) = (name, rest) }

  init(_ words: String) { rest = words }

  init(_ finding: LeadingFinding, since line: HistoryLine?, in folder: String) {
    (name, rest) = finding.onWall
    link = finding.link.map { folder + $0 }
    late = finding.later(than: line?.number)
  }

  var record: TemplateValue {
    .record([
      "name": .shown(name), "rest": .shown(rest), "late": .optional(late.map { "\($0)" }), "link": .optional(link),
    ])
  }
}

extension String? {
  /// The text behind a dot that parts it from what stands before; empty for none.
  fileprivate var dotted: String { map { " · \($0)" } ?? "" }
}
