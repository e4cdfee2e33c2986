import FoundationEssentials
import Model

@testable import Rendering

/// Histories as a small machine has them: a red bot, one that never integrated, one that is green.
enum SiteSample {
  static let start = Date(timeIntervalSince1970: 1_795_161_600)

  static func entry(
    _ number: Int, _ outcome: Outcome, listed: Int = 30, red: Int = 0, uncovered: Int? = 40,
    change: (inout HistoryLine) -> Void = { _ in }
  ) -> HistoryLine {
    let date = start.addingTimeInterval(Double(number) * 3600)
    var integration = Integration(
      bot: "Greeter", number: number, repository: "/srv/git/Greeter.git", branch: "main",
      commit: Commit(
        id: CommitID(rawValue: String(repeating: "\(number % 10)", count: 40)), summary: "Change number \(number)",
        author: number.isMultiple(of: 2) ? "mira" : "jon", date: date),
      cause: .commit, toolchain: "Swift version 6.3.1", configuration: "debug", sandbox: "on", queuedAt: date,
      repeatCommand: "")
    integration.endedAt = date.addingTimeInterval(25.5)
    integration.outcome = outcome
    var entry = HistoryLine(of: IntegrationRecord(integration))
    entry.tests.passed = listed - red
    entry.tests.failed = red
    // Tests change the counts, which those of the document do not follow.
    entry.judgedRed = nil
    entry.lines = uncovered.map { LineTally(total: 200, covered: 200 - $0, partial: 3) }
    entry.listedChange = 1
    entry.uncoveredChange = uncovered.map { _ in number == 9 ? 6 : 0 }
    entry.baseline = number - 1
    change(&entry)
    return entry
  }

  static var greeter: BotHistory {
    var history = greeterHistory
    history.issues = BotIssueList(of: IntegrationRecord(IssueSample.report.integration)) {
      ["issues.html", "issues/t-4c81.html"].contains($0)
    }
    return history
  }

  private static let greeterHistory = BotHistory(
    name: "Greeter",
    entries: [
      entry(9, .testFailures, listed: 33, red: 4, uncovered: 46) {
        $0.commitCount = 3
        $0.newIssues = 4
      },
      entry(8, .canceled, listed: 0, uncovered: nil) { $0.reasons = ["The integration was canceled."] },
      entry(7, .testFailures, red: 1), entry(6, .succeeded), entry(5, .warnings) { $0.cause = .toolchain },
      entry(4, .buildErrors, listed: 0, uncovered: nil), entry(3, .succeeded), entry(2, .succeeded),
    ],
    withReport: [9, 7, 6, 5],
    state: WatchState.BotState(
      name: "Greeter", repository: "/srv/git/Greeter.git", file: "bots/Greeter.yml",
      settings: [WatchState.Setting("Branches", "main"), WatchState.Setting("Actions", "build, test")],
      passedOver: [
        WatchState.PassedOver(
          branch: "main", commit: CommitID(rawValue: String(repeating: "d", count: 40)),
          reason: "It only changes files that the bot ignores.", date: start)
      ]),
    waiting: [waiting])

  /// Red on its main branch and on another, and green on the one that was integrated last.
  static let branched = BotHistory(
    name: "Weaver",
    entries: [
      entry(8, .succeeded) {
        $0.branch = "feature/loom"
        $0.branchPoint = 5
      }, entry(7, .testFailures, red: 2),
      entry(6, .warnings) { $0.branch = "feature/loom" }, entry(5, .testFailures, red: 1),
      entry(4, .buildErrors, listed: 0, uncovered: nil) { $0.branch = "release/1" }, entry(3, .succeeded),
      entry(2, .succeeded) { $0.branch = "gone" }, entry(1, .succeeded),
    ],
    withReport: [8, 7, 4], branches: known(["main", "feature/loom", "release/1"]))

  static func known(_ branches: [String], head: String = "main") -> KnownBranches {
    let refs = Dictionary(
      uniqueKeysWithValues: branches.map {
        (RefName(branch: $0), CommitID(rawValue: String(repeating: "e", count: 40)))
      })
    return KnownBranches(Tips(refs: refs, head: RefName(branch: head)), asked: ["*", "*/*"])
  }

  static let ropewalk = BotHistory(
    name: "Ropewalk", entries: (1...12).reversed().map { entry($0, .succeeded) }, withReport: Set(1...12),
    running: [running])

  static let almanac = BotHistory(
    name: "Almanac", entries: [], withReport: [],
    state: WatchState.BotState(
      name: "Almanac", repository: "/srv/git/<Almanac>", file: "bots/Almanac.yml",
      problems: ["the repository /srv/git/<Almanac> is not there"]))

  static let running = WatchState.Entry(
    bot: "Ropewalk", number: 13, branch: "main", commit: CommitID(rawValue: String(repeating: "c", count: 40)),
    cause: .commit, since: start, step: .testing)

  static let waiting = WatchState.Entry(
    bot: "Greeter", branch: "topic", commit: CommitID(rawValue: String(repeating: "d", count: 40)), cause: .person,
    commitCount: 2, since: start, waitsFor: "waits for a free job")

  static let state = WatchState(
    asOf: start.addingTimeInterval(40_000), bots: [greeter, almanac].compactMap(\.state), running: [running],
    waiting: [waiting], jobs: 2)

  static func pages() throws -> SitePages {
    SitePages(templates: try PageSite.reportTemplates(), time: LocalTime { _ in 3600 })
  }
}
