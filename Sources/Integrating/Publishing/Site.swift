import FoundationEssentials
import Glibc
import Model
package import Rendering

/// The pages above the reports, made from the histories and reports in the home, and from the last state of a watcher.
///
/// A page is written only if its bytes changed, aside and then renamed, so that several processes may publish at once
/// and a reader never sees half a page.
package struct Site: Sendable {
  private let home: Home
  private let pages: SitePages
  private let folder: Folder
  private let index: PastIndex

  package init(home: Home, templates: ReportTemplates, time: LocalTime) {
    self.home = home
    pages = SitePages(templates: templates, time: time)
    folder = home.site
    index = PastIndex(of: home)
  }

  /// Writes the index of bots and the pages of the bots that changed.
  ///
  /// - Parameter bots: the names of the bots; nil for all.
  package func publish(_ bots: [String]?) throws(IntegratingError) {
    let state = home.watchState
    do {
      try folder.create()
      for file in pages.files { try write(file.bytes, to: file.name, in: folder) }
      let names = try names(state)
      for name in bots ?? names where names.contains(name) {
        let place = try folder.folder(name).create()
        do {
          try write(wholeHistory(of: name, state), asOf: state, in: place)
        } catch {
          // A bot that was removed meanwhile has no pages.
          if place.exists { throw error }
        }
      }
      if state != nil { try removeUnknown(except: names) }
      let overview = try names.map { try briefHistory(of: $0, state) }
      try write(try pages.index(overview, state: state), to: "index.html", in: folder)
      try write(try pages.wall(overview, state: state), to: "wall.html", in: folder)
      if let page = try pages.machines(state) {
        try write(page, to: SitePages.machinesName, in: folder)
      } else {
        unlink(folder.file(SitePages.machinesName))
      }
    } catch {
      throw error as? IntegratingError
        ?? IntegratingError(.service, "The pages of integrations are written, but not those that list them: \(error)")
    }
  }

  /// Writes the pages of a bot.
  private func write(_ history: BotHistory, asOf state: WatchState?, in place: Folder) throws {
    let files = try pages.pages(of: history, asOf: state)
    for page in files { try write(page.bytes, to: page.path, in: place) }
    removeGone(from: place, except: Set(files.map(\.path)))
    for step in try pages.steps(of: history) { try write(step.bytes, to: step.path, in: place) }
    try leaveNotices(of: history, in: place)
  }

  /// Returns the index and the wall for users who may see only some bots; reads nothing about the others.
  package func overview(of isSeen: (String) -> Bool) throws(IntegratingError) -> OverviewPages {
    let state = home.watchState?.only(isSeen)
    return try answering {
      let bots = try names(state).filter(isSeen).map { try briefHistory(of: $0, state) }
      // Without the queue and the machine, which would reveal something about every bot.
      return OverviewPages(
        index: try pages.index(bots, state: nil, isWhole: false), wall: try pages.wall(bots, state: nil, isWhole: false)
      )
    }
  }

  /// Returns every bot with a history, and every bot that a watcher knows.
  private func names(_ state: WatchState?) throws(IntegratingError) -> [String] {
    Set(try index.bots()).union(state?.bots.map(\.name) ?? []).sorted()
  }

  /// - Parameter limit: roughly how many integrations to read, if these show the state of the bot; nil for all.
  private func history(of name: String, _ state: WatchState?, limit: Int?) throws(IntegratingError) -> BotHistory {
    // Nil if no watcher ever was in this home, so that all bots are what people ran by hand.
    let isWatched = state.map { $0.bots.contains { $0.name == name } }
    // A user who sees this page may not be allowed to see the others.
    let state = state?.only { $0 == name }
    let bot = state?.bots.first
    let known = home.branches(of: name, in: bot?.repository, asked: bot?.branches)
    let (entries, states) = try BranchStates.read(of: known, atFirst: limit ?? .max, enough: limit ?? .max) {
      limit throws(IntegratingError) in try index.newest(of: name, limit)
    }
    let reports = folder.folder(name)
    var found = BotHistory(
      name: name, entries: entries,
      // The page in the place of a removed report has no document.
      withReport: Set(entries.map(\.number).filter { reports.holds("\($0)/\(StoredIntegration.fileName)") }),
      branches: known, isWhole: states.main.isWhole, state: bot,
      running: state?.running ?? [], waiting: state?.waiting ?? [])
    found.unlisted = state?.unlisted?[name] ?? 0
    found.isForgotten = isWatched == false && entries.contains { $0.cause != .person }
    found.withComparison = Set(
      entries.filter { $0.baseline != nil }.map(\.number).filter { reports.holds("\($0)/\(ComparisonPage.path)") })
    found.withBranchComparison = Set(
      entries.filter { $0.branchPoint != nil }.map(\.number)
        .filter { reports.holds("\($0)/\(OtherReference.branchPoint.path)") })
    found.withBuiltComparison = Set(
      entries.filter { $0.coverageBaseline != nil }.map(\.number)
        .filter { reports.holds("\($0)/\(OtherReference.built.path)") })
    return found
  }

  /// Returns what the index shows of a bot.
  private func briefHistory(of name: String, _ state: WatchState?) throws(IntegratingError) -> BotHistory {
    var history = try history(of: name, state, limit: BotHistory.overviewLength)
    let states = history.states
    if states.main.isRed { history.issues = issues(of: states.main, in: history) }
    // Several red branches are only named.
    if states.redBeside.count == 1, let red = states.others.first(where: \.isRed), let branch = red.branch {
      history.branchIssues[branch] = issues(of: red, in: history)
    }
    return history
  }

  /// Returns everything that the bot's own page shows.
  private func wholeHistory(of name: String, _ state: WatchState?) throws(IntegratingError) -> BotHistory {
    var history = try history(of: name, state, limit: nil)
    let unsteady = try PastVerdicts(index: index, bot: name).unsteady()
    history.flakyTests = FlakyTest.all(of: unsteady, issueRecords(after: unsteady.first?.number, of: name))
    history.flakyCases = FlakyCase.all(
      of: history.flakyTests,
      in: Self.failures(of: history.flakyTests).compactMap(home.results(of: name).document))
    let states = history.states
    history.issues = issues(of: states.main, in: history)
    for state in states.others.filter({ $0.result != nil }).prefix(Self.mostBranchesWithIssues) {
      guard let branch = state.branch else { continue }
      history.branchIssues[branch] = issues(of: state, in: history, beside: history.issues)
    }
    return history
  }

  /// The maximum number of integrations that are read for the messages of flaky tests.
  private static let mostFlakyDocuments = 10

  /// Returns the numbers of the newest integrations in which flaky tests failed last, and in which they did first.
  private static func failures(of tests: [FlakyTest]) -> Set<Int> {
    func newest(_ numbers: [Int]) -> Set<Int> { Set(Set(numbers).sorted(by: >).prefix(mostFlakyDocuments)) }
    return newest(tests.compactMap(\.lastFailure)).union(newest(tests.map(\.since)))
  }

  /// Returns what an integration remembers of issues.
  private func issueRecords(after number: Int?, of bot: String) -> [IssueRecord] {
    let past = home.results(of: bot)
    return number.flatMap(past.document).map { past.memory(of: $0).records } ?? []
  }

  /// - Parameter main: the issues of the main branch, for those of another one.
  private func issues(
    of state: BranchState<HistoryLine>, in history: BotHistory, beside main: BotIssueList? = nil
  ) -> BotIssueList? {
    let newest = state.lines.first { $0.knowsIssues && history.withReport.contains($0.number) }
    guard let number = newest?.number, let document = home.results(of: history.name).document(of: number) else {
      return nil
    }
    let report = home.report(number, of: history.name)
    return BotIssueList(of: document, beside: main, hasFile: report.holds)
  }

  /// Removes the folders of bots that nobody knows any more and that never left a report, such as those whose files were
  /// never valid. A first report may be on its way, aside.
  private func removeUnknown(except names: [String]) throws(IntegratingError) {
    for name in Set(folder.names()).subtracting(names) {
      let place = folder.folder(name)
      let contents = place.names()
      guard contents.contains(SitePages.historyName),
        !contents.contains(where: { Int($0) != nil || $0.hasPrefix(".") })
      else { continue }
      try place.remove()
    }
  }

  /// Removes the pages of branches that are gone, and that of flaky tests if none is left.
  private func removeGone(from place: Folder, except written: Set<String>) {
    for name in place.names() where SitePages.mayGo(name) && !written.contains(name) {
      // A page that stays is read by nobody, since no other page leads there.
      unlink(place.file(name))
    }
  }

  /// The maximum number of other branches whose issues are read.
  private static let mostBranchesWithIssues = 20

  /// The maximum number of removed reports of a bot that keep a page at their address.
  var mostNotices = 200

  /// Writes a page to the address of each report that was removed lately, once, and removes those of older ones, so
  /// that what a bot does not keep does not fill the disk after all.
  ///
  /// A report that is about to be published already has its results in the home, and gets no page.
  private func leaveNotices(of history: BotHistory, in place: Folder) throws {
    let results = Set(home.integrations(of: history.name).names())
    let removed = history.entries.filter {
      !history.withReport.contains($0.number) && !results.contains("\($0.number)")
    }
    for entry in removed.prefix(mostNotices) where !place.holds("\(entry.number)/index.html") {
      let bytes = try pages.removed(entry, of: history)
      try place.folder("\(entry.number)").create().write(bytes, to: "index.html")
    }
    guard removed.count > mostNotices else { return }
    let old = Set(place.names()).intersection(removed.dropFirst(mostNotices).map { "\($0.number)" })
    for number in old { try place.folder(number).remove() }
  }

  private func write(_ bytes: [UInt8], to name: String, in folder: Folder) throws(IntegratingError) {
    guard folder.read(name) != bytes else { return }
    try folder.write(bytes, to: name)
  }
}

/// The pages about several bots.
package struct OverviewPages: Sendable {
  package let index: [UInt8]
  package let wall: [UInt8]

  /// A fingerprint of exactly these bytes.
  package var tag: String { FileSystemName.fingerprint64(String(decoding: index + wall, as: UTF8.self)) }
}
