import FoundationEssentials
import Model

/// One page of a bot's history; the first also has the verdict, the trends and the bot's settings.
struct BotPage {
  /// The number of integrations on a page.
  static let rows = 200
  /// How many of them a phone shows at first.
  private static let rowsOfPhone = 10

  private let bot: BotHistory
  private let states: BranchStates<HistoryLine>
  private let number: Int
  private let count: Int
  private let time: LocalTime

  /// When it is written; nil if that is not known.
  private let asOf: Date?

  init(_ bot: BotHistory, page number: Int, of count: Int, asOf: Date?, time: LocalTime) {
    self.asOf = asOf
    self.bot = bot
    states = bot.states
    self.number = number
    self.count = count
    self.time = time
  }

  static func pageCount(_ bot: BotHistory) -> Int { max(1, (bot.entries.count + rows - 1) / rows) }

  /// The branch that determines the bot's state.
  private var main: BranchState<HistoryLine> { states.main }

  /// A suffix that names the branch concerned, if there are other branches, or only those.
  private var place: String {
    if let branch = bot.onlyBranch { return " on branch \(branch)" }
    return main.lines.isEmpty ? main.branch.map { " on \($0)" } ?? "" : states.place
  }

  /// The branches that have a page, with that.
  private var pages: [String: String] { bot.onlyBranch == nil ? BranchTable.pages(of: states) : [:] }

  var path: String { path(number) }

  private func path(_ number: Int) -> String {
    guard let branch = bot.onlyBranch else { return number == 1 ? "index.html" : "history-\(number).html" }
    return Self.path(of: branch, number)
  }

  /// The prefix of the file names of branch pages.
  static let branchPrefix = "branch-"

  /// Returns a page of a single branch; an encoded branch name never has a plus sign.
  static func path(of branch: String, _ number: Int = 1) -> String {
    "\(branchPrefix)\(FileSystemName.encode(branch))\(number == 1 ? "" : "+\(number)").html"
  }

  var title: String {
    number == 1 ? sentence : "\(bot.name)\(bot.onlyBranch == nil ? "" : place), page \(number) of \(count)"
  }

  var record: [String: TemplateValue] {
    let shown = bot.entries.dropFirst((number - 1) * Self.rows).prefix(Self.rows)
    let isFirst = number == 1
    let pages = pages
    return [
      "sentence": .shown(title), "glyph": .text(unseen?.glyph ?? main.told?.glyph ?? "not-run"),
      "facts": .list(isFirst ? facts : []), "hasFacts": .flag(isFirst && !facts.isEmpty),
      "finding": isFirst
        ? bot.finding(of: main)?.record(besides: main.since?.number, bot.link) ?? .missing : .missing,
      "redBranch": isFirst ? redBranch : .missing,
      "why": isFirst ? .shown(ifAny: incompleteWhy) : .missing,
      "command": (isFirst ? command : nil).map(TemplateValue.command) ?? .missing,
      "comparesWithPoint": .flag(!bot.isForgotten),
      "problems": .list(isFirst ? problems.map { .shown($0) } : []),
      "running": .list(isFirst ? bot.running.map { QueueRow(entry: $0, time: time).record } : []),
      "waiting": .list(isFirst ? bot.waiting.map { waiting($0).record } : []),
      "unlisted": isFirst ? QueueRow.unlisted(bot.unlisted) : .missing,
      "hasQueue": .flag(isFirst && !(bot.running + bot.waiting).isEmpty),
      "plots": isFirst ? BotTrends(main.lines, of: bot, place: states.place).record : .missing,
      "branches": isFirst && hasTable ? BranchTable(states, of: bot, told: told, time: time).record : .missing,
      "branchSwitch": BranchSwitch(of: bot)?.record ?? .missing,
      // A branch without any has nothing to say of them.
      "issues": isFirst
        ? bot.issues.flatMap {
          bot.isBesideMain && $0.isEmpty ? nil : $0.record(beside: issuesBeside, place: states.place, bot.link)
        } ?? .missing : .missing,
      "rhythm": isFirst ? RhythmStrip(main.lines, of: bot, place: states.place).record : .missing,
      "summary": .text(summary), "hasRows": .flag(!shown.isEmpty),
      "rows": .list(
        shown.map { BotHistoryRow($0, of: bot, mainBranch: main.branch, pages: pages, asOf: asOf, time: time).record }),
      "many": shown.count > Self.rowsOfPhone ? .text(CountText.plain(shown.count)) : .missing,
      "csv": .optional(bot.onlyBranch == nil && !shown.isEmpty ? SitePages.historyName : nil),
      "newer": number > 1 ? .text(path(number - 1)) : .missing,
      "older": number < count ? .text(path(number + 1)) : .missing,
      "settings": .list(
        isFirst ? settings.map { .record(["label": .text($0.label), "words": .shown($0.words)]) } : []),
      "passedOver": .list(isFirst ? (bot.state?.passedOver ?? []).map(passedOver) : []),
      "hasPassedOver": .flag(isFirst && bot.state?.passedOver.isEmpty == false),
      "file": .shown(ifAny: isFirst ? bot.state?.file : nil), "name": .shown(bot.name),
    ]
  }

  /// The settings of the bot, and which branch it is that HEAD points to, where the bot asks for no other.
  private var settings: [WatchState.Setting] {
    var settings = bot.state?.settings ?? []
    // The repository comes first.
    if bot.state?.branches?.isEmpty == true, bot.branches != nil, let head = main.branch {
      settings.insert(WatchState.Setting("Branch", "\(head) (HEAD)"), at: min(1, settings.count))
    }
    return settings
  }

  /// What the bot asks for although no branch has or had such a name; nil if there is none, and if the branches are not
  /// known.
  private var missingBranches: String? {
    guard let globs = bot.state?.branches, let known = bot.branches else { return nil }
    // What is gone was no mistake.
    let names = known.existing.union(bot.entries.compactMap(\.branch))
    return globs.filter { glob in
      let pattern = Glob(glob)
      return !RefName.isForChangeRequests(glob) && !names.contains { pattern.matches($0) }
    }.nonEmpty.map { "No such branch: \($0.joined(separator: ", "))" }
  }

  private func passedOver(_ commit: WatchState.PassedOver) -> TemplateValue {
    .record([
      "commit": .text(commit.commit.short), "branch": .shown(ifAny: commit.branch), "reason": .shown(commit.reason),
      "date": .text(time.minute(of: commit.date)), "machineDate": .text(time.machine(of: commit.date)),
    ])
  }

  /// What made the first of the red branches red that the heading names beside a main one that is not; missing if that is
  /// not known.
  private var redBranch: TemplateValue {
    redBeside.map { name, finding in
      .record(["name": .shown(name), "link": .optional(pages[name]), "finding": finding.record(besides: nil, bot.link)])
    } ?? .missing
  }

  /// The first red branch beside a main one that is not, with what made it red.
  private var redBeside: (name: String, finding: LeadingFinding)? {
    guard bot.onlyBranch == nil, !main.isRed, unseen == nil, main.trouble == nil, main.result != nil,
      let state = states.others.first(where: \.isRed), let name = state.branch,
      let finding = bot.finding(ofOther: state)
    else { return nil }
    return (name, finding)
  }

  /// The branches of which the heading tells what made them red.
  private var told: Set<String> {
    Set([bot.finding(of: main) == nil ? nil : main.branch, redBeside?.name].compactMap(\.self))
  }

  /// Why its newest result is incomplete, where no issue tells.
  private var incompleteWhy: String? {
    guard let newest = main.result, newest.outcome == .incomplete, main.trouble == nil, bot.finding(of: main) == nil
    else { return nil }
    return newest.wholeResult + (bot.onlyAuthor(of: main).map { " · \($0)" } ?? "")
  }

  private var unseen: UnseenCommits? { UnseenCommits(of: bot, told: main.told) }

  private var hindrance: WatchState.Hindrance? { bot.hindrance(beside: main) }

  /// What is wrong with the bot, without what the heading has of it.
  private var problems: [String] {
    hindrance.map { [$0.remedy] + (bot.state?.problems ?? []) } ?? bot.state?.allProblems ?? []
  }

  /// Returns the row of what waits, without the reason where the heading or the problems have that of the whole bot.
  private func waiting(_ entry: WatchState.Entry) -> QueueRow {
    var entry = entry
    if bot.state?.hindrance != nil { entry.waitsFor = nil }
    return QueueRow(entry: entry, time: time)
  }

  /// The state of the bot in a few words.
  private var sentence: String {
    if let unseen {
      let before = main.result.map { "; \($0.number) \($0.was)" } ?? ""
      return "\(bot.name) \(unseen.predicate)\(before)"
    }
    if let trouble = main.trouble {
      let article = trouble.outcome == .internalError ? "an" : "a"
      let before = main.result.map { "; \($0.number) \($0.was)" } ?? ""
      return "\(bot.name) ended with \(article) \(trouble.lowercasedOutcome)\(place) in \(trouble.number)\(before)"
    }
    guard let newest = main.result else {
      if let hindrance { return "\(bot.name) cannot run: \(hindrance.reason)" }
      return bot.entries.isEmpty ? "\(bot.name) has not integrated yet" : "\(bot.name) has no result\(place) yet"
    }
    if main.isRed {
      let (lately, now, turned) =
        switch main.redKind {
        case .notGreen: ("has not been green", "is not green", "is not green")
        case .incomplete: ("has been incomplete", "is incomplete", "is incomplete")
        case .red where newest.outcome == .buildErrors:
          ("has not built", "does not build", "does not build any more")
        case .red: ("has been red", "is red", "went red")
        }
      guard let since = main.since else { return "\(bot.name) \(now)\(place)" }
      guard since.number == newest.number else { return "\(bot.name) \(lately)\(place) since \(since.number)" }
      // The first result of all is no turn.
      return "\(bot.name) \(main.lastGreen == nil ? now : turned)\(place) in \(since.number)"
    }
    if newest.outcome == .succeeded {
      let beside = besideGreen
      let before = main.lines.filter(\.outcome.isConclusive).dropFirst().first
      return before?.outcome.isGreen == false && beside.isEmpty
        ? "\(bot.name) went green\(place) in \(newest.number)" : "\(bot.name) is green\(place)\(beside)"
    }
    if newest.isOnlyFlaky { return "\(bot.name) is flaky\(place)\(besideGreen)" }
    let reasons = newest.reasonText()
    return "\(bot.name) has warnings\(place)" + (reasons.isEmpty ? "" : ". \(reasons)")
  }

  /// Which other branches are red, to follow that the main one is not; empty if none is.
  private var besideGreen: String {
    let red = bot.onlyBranch == nil ? states.redKinds(among: bot.entries) : []
    return RedBranchWords.predicate(red).map { " but \($0)" } ?? ""
  }

  /// What other branches have open that the main one has not.
  private var issuesBeside: [BotIssueList.Beside] {
    let pages = pages
    return states.others.compactMap { state in
      guard let branch = state.branch, let count = bot.branchIssues[branch]?.onlyHereCount, count > 0 else {
        return nil
      }
      return .init(branch: branch, count: count, link: pages[branch].map { "\($0)#issues" })
    }
  }

  private func fact(_ words: String = "", link: String? = nil, to label: String? = nil, delta: Delta? = nil)
    -> TemplateValue
  {
    .record([
      "words": .shown(ifAny: words.isEmpty ? nil : words), "link": .optional(link), "label": .shown(ifAny: label),
      "delta": delta.record,
    ])
  }

  private var facts: [TemplateValue] {
    var facts: [TemplateValue] = []
    if let trouble = main.trouble {
      facts.append(
        fact("newest:", link: bot.link(trouble.number), to: "\(trouble.number) · \(time.minute(of: trouble.endedAt))"))
    }
    if let newest = main.result { facts += figures(of: newest) }
    if bot.isBesideMain, let lines = bot.issues?.neverRan {
      facts.append(lines.link == nil ? fact(lines.words) : fact(link: lines.link, to: lines.words))
    }
    // They are flaky in integrations of all branches.
    if bot.onlyBranch == nil, !bot.flakyTests.isEmpty { facts.append(fact(link: FlakyPage.path, to: flaky)) }
    if main.isRed {
      if let green = main.lastGreen {
        let (words, state) =
          green.outcome == .succeeded
          ? ("last green:", "") : ("last passed:", " (\(green.warningWords ?? green.countedOutcome))")
        let label = "\(green.number)\(state) · \(time.minute(of: green.endedAt))"
        facts.append(fact(words, link: bot.link(green.number), to: label))
      } else if main.since == nil {
        facts.append(fact("never green yet"))
      }
    } else if main.greenStreak > 1, main.trouble == nil, main.result?.outcome == .succeeded {
      facts.append(fact("\(CountText.plain(main.greenStreak)) green in a row\(states.place)"))
    }
    if let missingBranches { facts.append(fact(missingBranches)) }
    if let tag = redTag {
      let label = "\(tag.tag ?? "") · \(time.minute(of: tag.endedAt))"
      facts.append(fact("\(RedKind(tag.outcome).rawValue) tag:", link: bot.link(tag.number), to: label))
    }
    return facts + queueFacts
  }

  private var queueFacts: [TemplateValue] {
    guard bot.state != nil else { return [] }
    let waiting = bot.waiting.count + bot.unlisted
    return bot.running.map { one in
      fact("\(one.number.map { "\($0)" } ?? "one") is running, at \(StepWords.phrase(one.step ?? .pending))")
    } + (waiting > 0 ? [fact("\(CountText.counted(waiting, "integration")) waiting")] : [])
  }

  /// Returns the figures of the newest result, unless the table of branches has them; those of a branch with their changes
  /// since its branch point.
  private func figures(of newest: HistoryLine) -> [TemplateValue] {
    var facts: [TemplateValue] = []
    let (red, point) = (newest.countingRed, bot.ownBranchPoint)
    let (all, tests) = (CountText.counted(newest.tests.listed, "test"), bot.testsLink(newest))
    if red > 0, !hasTable {
      let delta =
        if let point { newest.redDelta(since: point) } else { bot.redDelta(of: newest, since: newest.baseline) }
      facts.append(fact(link: tests, to: "\(CountText.plain(red)) of \(all) red", delta: delta))
    }
    if !hasTable, let missing = TestSum.missing(in: newest.tests).nonEmpty?.joined(separator: ", ") {
      facts.append(fact(link: tests, to: red > 0 ? missing : "\(missing) of \(all)"))
    }
    if let worse = newest.worseWords { facts.append(fact(link: bot.link(newest.number), to: worse)) }
    if main.trouble != nil {
      let label = "\(newest.number) · \(time.minute(of: newest.endedAt))"
      facts.append(fact("last result:", link: bot.link(newest.number), to: label))
    }
    // What made it red says how many others there are, and how many are new stands above the list.
    let known = main.trouble.flatMap { $0.knowsIssues ? $0 : nil } ?? newest
    if known.openIssues > 0, !hasTable, bot.finding(of: main) == nil, let link = bot.link(known.number) {
      facts.append(
        fact(
          link: "\(link)#issues", to: CountText.counted(known.openIssues, "open issue"),
          delta: point.flatMap { Delta(known.openIssues, from: $0.openIssues, .moreIsWorse) }))
    }
    if let point {
      facts += changes(of: newest, since: point)
      let page = comparison ?? bot.link(point.number)
      facts.append(fact("changes since", link: page, to: "\(point.number), the branch point"))
    }
    return facts
  }

  /// Returns how many tests and uncovered lines a green result has, as far as there are more or fewer than at its branch
  /// point.
  private func changes(of newest: HistoryLine, since point: HistoryLine) -> [TemplateValue] {
    guard newest.outcome.isGreen, point.tests.listed > 0 else { return [] }
    let (listed, uncovered) = (newest.tests.listed, newest.lines?.uncovered)
    let tests = Delta(listed, from: point.tests.listed, .neutral).map {
      fact(link: bot.testsLink(newest), to: CountText.counted(listed, "test"), delta: $0)
    }
    let lines = uncovered.flatMap { own in
      point.lines.flatMap { Delta(own, from: $0.uncovered, .moreIsWorse) }.map {
        fact(link: bot.coverageLink(newest), to: CountText.counted(own, "uncovered line"), delta: $0)
      }
    }
    return [tests, lines].compactMap(\.self)
  }

  /// The integration of the newest tag, if it is red.
  private var redTag: HistoryLine? {
    states.redTag.flatMap { tag in bot.entries.first { $0.number == tag.since } }
  }

  /// How many tests are flaky; which one, if it is only one.
  private var flaky: String {
    let last = bot.flakyTests.compactMap(\.lastFailure).max()
    guard bot.flakyTests.count == 1, let test = bot.flakyTests.first else {
      return CountText.counted(bot.flakyTests.count, "flaky test") + (last.map { ", newest in \($0)" } ?? "")
    }
    let since = last == main.result?.number ? nil : last
    return
      "\(TestHeadline.quoted(bot.flakyCases[test.id]?.title ?? test.id.name)) \(FlakyWords.chance(test.rate))"
      + (since.map { ", last in \($0)" } ?? "")
  }

  /// Whether the page has the table of branches.
  private var hasTable: Bool { bot.onlyBranch == nil && !states.others.isEmpty }

  /// The page that compares another branch with its branch point, if one does.
  private var comparison: String? {
    guard let point = bot.ownBranchPoint, let own = main.result else { return nil }
    return bot.comparisonLink(own, with: point.number)
  }

  /// The command that does so where no page does, or that removes a bot that is no longer watched.
  private var command: String? {
    if bot.isForgotten { return "martlet bots remove \(bot.name)" }
    guard comparison == nil, let point = bot.ownBranchPoint, let own = main.result else { return nil }
    return "martlet compare \(bot.name)/\(point.number) \(own.number)"
  }

  private var summary: String {
    guard !bot.entries.isEmpty else { return "none yet" }
    let kinds = Outcome.allCases.reversed().flatMap { outcome in
      // Red tests and failed gates are counted separately, and so are flaky tests and warnings.
      bot.entries.filter { $0.outcome == outcome }.grouped(by: \.countedOutcome).map { alike in
        "\(CountText.plain(alike.count)) \(alike[0].countedOutcome)"
      }
    }
    return bot.entries.count == 1
      ? kinds[0] : "\(CountText.plain(bot.entries.count)) in all: \(kinds.joined(separator: ", "))"
  }
}
