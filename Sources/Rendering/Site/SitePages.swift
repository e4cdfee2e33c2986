import FoundationEssentials
package import Model

/// Renders the pages above the reports: the index of bots, and each bot's history.
package struct SitePages: Sendable {
  private let templates: TemplateLibrary
  private let assets: [ReportRenderer.Asset]
  private let time: LocalTime

  package init(templates: ReportTemplates, time: LocalTime) {
    self.templates = templates.library
    assets = templates.assets
    self.time = time
  }

  /// The style sheet and the script of the site's own pages, by name.
  package var files: [(name: String, bytes: [UInt8])] { assets.map { ($0.name, $0.bytes) } }

  /// Returns the index of bots.
  ///
  /// - Parameters:
  ///   - bots: the bots, each with at least its newest entries.
  ///   - state: the state of the watcher; nil without one.
  package func index(_ bots: [BotHistory], state: WatchState?, isWhole: Bool = true) throws(TemplateError) -> [UInt8] {
    let page = BotIndexPage(bots, state: state, isWhole: isWhole, time: time)
    let frame = PageFrame(
      title: page.title, root: "", trail: ["All bots"],
      asOf: words(asOf: state.map { asOf($0, with: bots) }))
    return try templates.render("bots", in: frame, page.record)
  }

  /// Returns the bots that are watched for an unattended display, which reloads the page every minute: of each no more
  /// than somebody who passes by needs.
  package func wall(_ bots: [BotHistory], state: WatchState?, isWhole: Bool = true) throws(TemplateError) -> [UInt8] {
    let page = BotIndexPage(bots.filter { !$0.isForgotten }, state: state, isWhole: isWhole, time: time)
    let frame = PageFrame(
      title: page.title, root: "", trail: ["Wall"], asOf: words(asOf: state.map { asOf($0, with: bots) }))
    return try templates.render("wall", in: frame, page.wall)
  }

  /// The name of a bot's figures as CSV, in its folder.
  package static let historyName = "history.csv"

  /// The name of the page of machines, beside the index.
  package static let machinesName = MachinesPage.path

  /// Returns the page of the machines that a watcher integrates on; nil if its own is the only one.
  package func machines(_ state: WatchState?) throws(TemplateError) -> [UInt8]? {
    guard let state, let machines = state.machines else { return nil }
    let page = MachinesPage(machines, time: time)
    let frame = PageFrame(
      title: page.title, root: "", trail: ["All bots", "Machines"], asOf: words(asOf: asOf(state, with: [])))
    return try templates.render("machines", in: frame, page.record)
  }

  /// Returns the pages that lead from the newest reports of each branch to their neighbours, by path relative to the
  /// bot's folder.
  package func steps(of bot: BotHistory) throws(TemplateError) -> [(path: String, bytes: [UInt8])] {
    var files: [(path: String, bytes: [UInt8])] = []
    let reports = bot.newestReports
    let main = bot.states.main.branch.flatMap { name in reports.contains { $0.branch == name } ? name : nil }
    for (branch, numbers) in reports {
      let told = told(on: branch, of: bot)?.number
      for (index, number) in numbers.enumerated().prefix(BotHistory.steppedReports) {
        let next = index > 0 ? numbers[index - 1] : nil
        let previous = index + 1 < numbers.count ? numbers[index + 1] : nil
        // What is the newest of its own branch leads on to that of the main one.
        let newest = next == nil && branch != main ? main : nil
        let sheet = NewestSheet.own(
          of: branch, newest: newest, next: next == told ? nil : next, isNewest: next == nil, previous: previous)
        files.append(("\(number)/\(NewestSheet.path)", sheet))
        let steps = StepPage.all(next: next, previous: previous, of: branch, newest: newest)
        for step in steps {
          let frame = PageFrame(
            title: step.title, root: "", top: "../../", trail: [bot.name, "\(number)"], asOf: nil)
          files.append(("\(number)/\(step.path)", try templates.render("step", in: frame, step.record)))
        }
      }
    }
    return files
  }

  /// Returns, for the main branch and for each that has reports, the page that leads to the newest integration and the
  /// sheet that shows its outcome.
  private func newest(of bot: BotHistory) throws(TemplateError) -> [(path: String, bytes: [UInt8])] {
    let states = bot.states
    let main = states.others.isEmpty ? nil : states.main.branch
    var files = try newest(told(on: nil, of: bot), in: bot, called: NewestSheet.names(of: nil), of: main)
    let branches = Set(bot.entries.filter { bot.withReport.contains($0.number) }.compactMap(\.branch))
    for branch in branches.sorted() {
      files += try newest(
        told(on: branch, of: bot), in: bot, called: NewestSheet.names(of: branch),
        of: branch == states.main.branch ? main : branch)
    }
    return files
  }

  /// Returns the integration that the sheet of a branch tells as its newest; nil without a report.
  ///
  /// - Parameter branch: nil for the bot's main one.
  private func told(on branch: String?, of bot: BotHistory) -> HistoryLine? {
    let states =
      branch == nil
      ? bot.states : BranchStates(bot.entries.filter { $0.branch == branch }, isWhole: bot.isWhole, of: nil)
    return states.main.told.flatMap { bot.withReport.contains($0.number) ? $0 : nil }
  }

  private func newest(
    _ newest: HistoryLine?, in bot: BotHistory, called names: (sheet: String, page: String), of branch: String?
  ) throws(TemplateError) -> [(path: String, bytes: [UInt8])] {
    let step = StepPage(
      names.page, leadingTo: newest.map { "integration \($0.number)" } ?? bot.name,
      at: newest.map { "\($0.number)/index.html" } ?? "index.html")
    let frame = PageFrame(title: step.title, root: "../", trail: [bot.name], asOf: nil)
    let page = try templates.render("step", in: frame, step.record)
    return [(step.path, page), (names.sheet, NewestSheet(newest, of: branch).bytes)]
  }

  /// Returns whether a file in a bot's folder is to be removed once it is no longer rendered: the page of a branch is
  /// removed with the branch.
  package static func mayGo(_ name: String) -> Bool {
    name.hasPrefix(BotPage.branchPrefix) || name.hasPrefix(NewestSheet.branchPrefix) || name == FlakyPage.path
  }

  /// Returns a bot's pages, those of its branches, and its figures as CSV, by path relative to the bot's folder.
  package func pages(of bot: BotHistory, asOf state: WatchState?) throws(TemplateError) -> [(
    path: String, bytes: [UInt8]
  )] {
    var files: [(path: String, bytes: [UInt8])] = []
    let states = bot.states
    let date = state.map { asOf($0, with: [bot]) }
    for history in [bot] + BranchTable.withPages(of: states).map({ bot.alone($0, among: states) }) {
      let count = BotPage.pageCount(history)
      for number in 1...count {
        let page = BotPage(history, page: number, of: count, asOf: date, time: time)
        let frame = PageFrame(
          title: page.title, root: "../", trail: [bot.name] + [history.onlyBranch].compactMap(\.self),
          asOf: words(asOf: date))
        files.append((page.path, try templates.render("bot", in: frame, page.record)))
      }
    }
    if let flaky = FlakyPage(bot, time: time) {
      let frame = PageFrame(title: flaky.title, root: "../", trail: [bot.name, "Flaky tests"], asOf: words(asOf: date))
      files.append((FlakyPage.path, try templates.render("flaky", in: frame, flaky.record)))
    }
    files += try newest(of: bot)
    files.append((Self.historyName, HistoryTable(bot.entries, time: time).bytes))
    return files
  }

  /// Returns the page for the address of a removed report.
  package func removed(_ entry: HistoryLine, of bot: BotHistory) throws(TemplateError) -> [UInt8] {
    let page = RemovedPage(entry, of: bot, time: time)
    let frame = PageFrame(
      title: page.title, root: "../../", trail: [bot.name, "\(entry.number)"], asOf: nil)
    return try templates.render("removed", in: frame, page.record)
  }

  /// Returns the time of what a page shows: `martlet run` adds integrations to the last state of a watcher.
  private func asOf(_ state: WatchState, with bots: [BotHistory]) -> Date {
    let newest = bots.compactMap { $0.entries.lazy.map(\.endedAt).max() }.max()
    return max(state.asOf, newest ?? state.asOf)
  }

  private func words(asOf date: Date?) -> (words: String, machine: String)? {
    date.map { ("as of \(time.second(of: $0))", time.machine(of: $0)) }
  }
}
