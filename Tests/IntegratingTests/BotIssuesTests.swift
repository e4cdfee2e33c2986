import FoundationEssentials
import Model
import Rendering
import Testing

@testable import Integrating

@Suite("The issues of a bot with several destinations")
struct BotIssuesTests {
  private let scratch: Scratch
  private let home: Home
  private let bot = "Ways"
  private let date = Date(timeIntervalSince1970: 0)

  init() throws {
    scratch = try Scratch()
    home = Home(scratch.file("home"))
    try home.integrations(of: bot).create()
  }

  private var stored: StoredIntegrations { StoredIntegrations(in: home) }

  /// The result for one destination.
  ///
  /// - Parameter since: when its issue, the failure of `t`, began; nil without one.
  private func result(
    _ number: Int, _ name: String, since start: Int?, required: Bool = true, isBuilt: Bool = true,
    on branch: String? = "main"
  ) -> Integration {
    var integration = Integration(
      bot: bot, number: number, repository: "/r", branch: branch,
      commit: Commit(id: CommitID(rawValue: "c\(number)"), summary: "Begin", author: "Ada", date: date),
      cause: .commit, toolchain: "Swift", configuration: "debug", sandbox: "off", queuedAt: date, repeatCommand: "")
    var destination = Destination()
    (destination.name, destination.isRequired) = (name, required)
    let outcome = start == nil ? Outcome.succeeded : .testFailures
    integration.outcome = isBuilt ? outcome : .canceled
    integration.destination = DestinationResult(destination, leads: false, outcome: isBuilt ? outcome : nil)
    guard let start else { return integration }
    let streak = IssueRecord.Streak(opened: start, lastSeen: number, age: number - start)
    let record = IssueRecord(
      id: "t-1", kind: .testFailure, message: "no", location: nil,
      test: TestID(module: "M", suite: "S", name: "t"), streaks: [streak])
    var issue = Issue(record)
    issue.apply([], number: number, commit: integration.commit.id, at: date)
    integration.issues = [issue]
    if isBuilt {
      integration.issueMemory = IssueMemory(
        number: number, commit: integration.commit.id, reached: [.build, .tests], records: [record])
    }
    return integration
  }

  /// Keeps an integration whose issues are those that its required destinations have.
  private func keep(_ first: Integration, _ cells: [Integration]) throws {
    var whole = first
    whole.destination?.leads = true
    whole.cells = cells
    let red = ([first] + cells).filter { $0.destination?.required == true && !$0.issues.isEmpty }
    if let telling = red.first {
      (whole.outcome, whole.issues) = (.testFailures, telling.issues)
      whole.issues[0].destinations = red.compactMap(\.destination?.name)
    }
    let document = IntegrationRecord(whole)
    let folder = home.integrations(of: bot).folder("\(first.number)")
    try folder.create().write(try document.encoded(), to: StoredIntegration.fileName)
    try PastIndex(of: home).add(document)
  }

  private func wish(_ scope: Silence.Scope = .streak) -> BotIssues.SilenceWish {
    BotIssues.SilenceWish(scope, reason: "known", author: "Ada", since: date)
  }

  @Test("Those of every required destination are listed and can be silenced")
  func required() throws {
    try keep(result(3, "default", since: nil), [result(3, "extra", since: 2)])
    let issues = try stored.issues(of: bot, at: date)
    let entry = try #require(issues.branches.first?.issues.first)
    #expect(entry.issue.id == "t-1")
    #expect(entry.issue.status == .unresolved)
    #expect(entry.issue.destinations == ["extra"])
    #expect(entry.record.streaks.map(\.opened) == [2])
    #expect(try issues.silences(of: "t-1", wish()).map(\.number) == [2])
    #expect(try stored.issues(of: bot, knownTo: 3, at: date)?.branches.first?.issues.count == 1)
  }

  @Test("Those of a package that the bot integrated earlier are not those of the present one")
  func otherPackage() throws {
    var earlier = result(3, "default", since: 2, on: "old")
    earlier.packagePath = "packages/App"
    try keep(earlier, [])
    #expect(try stored.issues(of: bot, at: date).branches.count == 1)
    var now = result(4, "default", since: nil)
    now.packagePath = "packages/Lib"
    try keep(now, [])
    #expect(try stored.issues(of: bot, at: date).branches.map(\.document.number) == [4])
  }

  @Test("Those of a repository that the bot integrated earlier are not those of the present one")
  func otherRepository() throws {
    try keep(result(3, "default", since: 2, on: "old"), [])
    var now = result(4, "default", since: nil)
    now.repositorySince = 4
    try keep(now, [])
    #expect(try stored.issues(of: bot, at: date).branches.map(\.document.number) == [4])
  }

  @Test("One that is gone for long is still of the destination that had it")
  func gone() throws {
    var (first, extra) = (result(4, "default", since: nil), result(4, "extra", since: nil))
    for (number, issue) in [("t-1", 1), ("t-2", 2)] {
      let streak = IssueRecord.Streak(opened: issue, lastSeen: issue, closed: issue + 1)
      let record = IssueRecord(
        id: number, kind: .testFailure, message: "no", location: nil, test: nil, streaks: [streak])
      let memory = { (old: IssueMemory?, commit: CommitID) in
        IssueMemory(number: 4, commit: commit, reached: [.build, .tests], records: (old?.records ?? []) + [record])
      }
      extra.issueMemory = memory(extra.issueMemory, extra.commit.id)
      if number == "t-2" { first.issueMemory = memory(first.issueMemory, first.commit.id) }
    }
    try keep(first, [extra])
    let issues = try #require(try stored.issues(of: bot, at: date).branches.first?.issues)
    #expect(issues.map(\.issue.id) == ["t-2", "t-1"])
    #expect(issues.map(\.issue.destinations) == [[], ["extra"]])
  }

  @Test("One that began at different times is silenced for each destination")
  func streaks() throws {
    try keep(result(3, "default", since: 1), [result(3, "extra", since: 3)])
    let issues = try stored.issues(of: bot, at: date)
    #expect(issues.branches.first?.issues.map(\.record.life.streakStart) == [1])
    #expect(try issues.silences(of: "t-1", wish()).map(\.number) == [1, 3])
    #expect(try issues.silences(of: "t-1", wish(.ever)).count == 1)
  }

  @Test("What only an optional destination has is not listed, but can be silenced")
  func optional() throws {
    try keep(result(3, "default", since: nil), [result(3, "nightly", since: 2, required: false)])
    let issues = try stored.issues(of: bot, at: date)
    #expect(issues.branches.first?.issues.isEmpty == true)
    #expect(issues.branches.first?.all.map(\.issue.id) == ["t-1"])
    #expect(try issues.silences(of: "t-1", wish()).map(\.number) == [2])
  }

  @Test("A destination that was not built is remembered as it was when it last was")
  func lastBuilt() throws {
    try keep(result(3, "default", since: nil), [result(3, "idle", since: 2)])
    var idle = result(4, "idle", since: 2, isBuilt: false)
    idle.destination?.lastBuilt = 3
    idle.issues[0].isCarriedOver = true
    try keep(result(4, "default", since: nil), [idle])
    let entry = try #require(try stored.issues(of: bot, at: date).branches.first?.issues.first)
    #expect(entry.issue.isCarriedOver)
    #expect(entry.record.streaks.map(\.lastSeen) == [3])
  }

  @Test("A destination last built where it did so itself, whatever became of the others")
  func lastThatBuilt() throws {
    func broken(_ result: Integration) -> Integration {
      var result = result
      result.outcome = .buildErrors
      result.destination?.outcome = .buildErrors
      return result
    }
    try keep(result(3, "default", since: nil), [broken(result(3, "extra", since: nil))])
    let past = PastResults(integrations: home.integrations(of: bot))
    let before = try #require(past.document(of: 3))
    var first = broken(result(4, "default", since: nil))
    first.baseline = Baseline(before)
    try keep(first, [broken(result(4, "extra", since: nil))])
    let document = past.document(of: 4)
    #expect(past.last(for: "default", from: document)?.number == 4)
    #expect(past.last(for: "default", from: document, where: \.isBuilt)?.number == 3)
    #expect(past.last(for: "extra", from: document, where: \.isBuilt) == nil)
  }

  @Test("A destination is found by its name, whether it led then or not")
  func names() throws {
    try keep(result(3, "default", since: 2), [result(3, "extra", since: nil)])
    let past = PastResults(integrations: home.integrations(of: bot))
    let document = try #require(past.document(of: 3))
    #expect(past.last(for: "default", from: document).map { past.memory(of: $0).records.map(\.id) } == ["t-1"])
    #expect(past.last(for: "extra", from: document)?.outcome == .succeeded)
    #expect(past.last(for: "other", from: document) == nil)
  }

  @Test("The branch that decides how the bot stands comes first, whichever was integrated last")
  func order() throws {
    try keep(result(3, "default", since: 2), [])
    try keep(result(4, "default", since: 2, on: "topic"), [])
    try keep(result(5, "default", since: 2, on: "other"), [])
    #expect(try stored.issues(of: bot, at: date).branches.map(\.document.branch) == ["main", "other", "topic"])
  }

  @Test("A newer integration without a result that knows them tells them with its own, as the page of the bot does")
  func withoutResult() throws {
    try keep(result(3, "default", since: 2), [])
    var trouble = result(4, "default", since: 2)
    (trouble.outcome, trouble.destination, trouble.issueMemory) = (.triggerError, nil, nil)
    trouble.issues[0].isCarriedOver = true
    let record = IssueRecord(
      id: "p-1", kind: .triggerError, message: "no", location: nil, test: nil,
      streaks: [IssueRecord.Streak(opened: 4, lastSeen: 4, age: 0)])
    var own = Model.Issue(record)
    own.apply([], number: 4, commit: trouble.commit.id, at: date)
    trouble.issues.append(own)
    let document = IntegrationRecord(trouble)
    try home.integrations(of: bot).folder("4").create().write(try document.encoded(), to: StoredIntegration.fileName)
    try PastIndex(of: home).add(document)
    let branch = try #require(try stored.issues(of: bot, at: date).branches.first)
    #expect(branch.document.number == 4)
    #expect(branch.issues.map(\.issue.id) == ["t-1", "p-1"])
    #expect(branch.issues.map(\.issue.status) == [.unresolved, .new])
    #expect(try stored.issues(of: bot, knownTo: 3, later: 4, at: date)?.branches.first?.issues.count == 2)
  }

  @Test("Those of deleted branches are left out")
  func deleted() throws {
    try scratch.shell(
      """
      git init --quiet --initial-branch=main repository && cd repository
      git commit --quiet --allow-empty --message Begin
      """)
    try keep(result(3, "default", since: 2, on: "topic"), [])
    try keep(result(4, "default", since: 2), [])
    #expect(try stored.issues(of: bot, at: date).branches.map(\.document.branch) == ["main", "topic"])
    try home.integrations(of: bot).write("\(scratch.file("repository"))\n", to: "repository")
    #expect(try stored.issues(of: bot, at: date).branches.map(\.document.branch) == ["main"])
  }
}
