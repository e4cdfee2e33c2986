@testable import Model
import Testing

@testable import Comparing

@Suite("Several destinations of one integration")
struct DestinationJudgementTests {
  private func part(
    _ name: String, _ outcome: Outcome?, _ reasons: [OutcomeReason] = [], _ issues: [Issue] = [], required: Bool = true
  ) -> DestinationJudgement.Part {
    DestinationJudgement.Part(
      name: name, isRequired: required, verdict: outcome.map { Verdict($0, reasons) }, issues: issues)
  }

  private func issue(_ id: String, _ status: Issue.Status, carriedOver: Bool = false) -> Issue {
    var issue = Issue(id: id, kind: .testFailure, status: status, message: id)
    issue.isCarriedOver = carriedOver
    return issue
  }

  private let red = OutcomeReason.testsRed(failed: 1, crashed: 0, timedOut: 0)

  @Test("The worst of those that are required counts, with what is worst first")
  func worst() {
    let verdict = DestinationJudgement.verdict(of: [
      part("debug", .warnings, [.compilerWarnings(2)]),
      part("release", .buildErrors, [.buildFailed(.package, errors: 1)]),
      part("thread", .testFailures, [red]), part("nightly", .internalError, required: false), part("idle", nil),
    ])
    #expect(verdict.outcome == .buildErrors)
    #expect(
      verdict.reasons == [
        .inDestinations(["release"], .buildFailed(.package, errors: 1)), .inDestinations(["thread"], red),
        .inDestinations(["debug"], .compilerWarnings(2)),
      ])
    #expect(!verdict.onlyGatesFailed)
  }

  @Test("A reason that all have is told once and names none; one that some have names them in the bot's order")
  func shared() {
    let verdict = DestinationJudgement.verdict(of: [
      part("a", .warnings, [.compilerWarnings(2)]), part("b", .testFailures, [red, .compilerWarnings(2)]),
      part("c", .testFailures, [red, .compilerWarnings(2)]),
    ])
    #expect(verdict.reasons == [.inDestinations(["b", "c"], red), .compilerWarnings(2)])
  }

  @Test("A gate is on the coverage of the whole, and of no single one")
  func gates() {
    let gate = OutcomeReason.gateFailed(GateResult(rule: "ratchet", state: .failed, sentence: "Fewer lines ran."))
    let failed = Issue(id: "g", kind: .gate, status: .new, message: "g")
    let parts = [part("a", .testFailures, [gate], [failed]), part("b", .succeeded)]
    #expect(DestinationJudgement.verdict(of: parts).reasons == [gate])
    #expect(DestinationJudgement.issues(of: parts).map(\.destinations) == [[]])
    // Others have gates of their own.
    let other = [part("a", .succeeded), part("b", .testFailures, [gate], [failed])]
    #expect(DestinationJudgement.verdict(of: other).reasons == [.inDestinations(["b"], gate)])
    #expect(DestinationJudgement.issues(of: other).map(\.destinations) == [["b"]])
  }

  @Test("A failed trigger is of the whole, and of no single one")
  func triggers() {
    let failed = Issue(id: "s", kind: .triggerError, status: .new, message: "s")
    let parts = [part("a", .warnings, [], [failed]), part("b", .succeeded)]
    #expect(DestinationJudgement.issues(of: parts).map(\.destinations) == [[]])
  }

  @Test("As many red tests are one reason only if they are the same tests")
  func sameTests() {
    func failure(_ test: String) -> Issue {
      Issue(
        id: "t-\(test)", kind: .testFailure, message: test, test: TestID(module: "M", suite: "S", name: test))
    }
    let different = DestinationJudgement.verdict(of: [
      part("a", .testFailures, [red], [failure("plain")]), part("b", .testFailures, [red], [failure("extra")]),
    ])
    #expect(different.reasons == [.inDestinations(["a"], red), .inDestinations(["b"], red)])
    var old = failure("extra")
    old.isCarriedOver = true
    let same = DestinationJudgement.verdict(of: [
      part("a", .testFailures, [red], [failure("plain")]), part("b", .testFailures, [red], [failure("plain"), old]),
    ])
    #expect(same.reasons == [red])
  }

  @Test("What is remembered of an issue is what the destination knows by which it is told")
  func records() {
    func record(_ id: String, _ streaks: [IssueRecord.Streak]) -> IssueRecord {
      IssueRecord(id: id, kind: .testFailure, message: id, location: nil, test: nil, streaks: streaks)
    }
    let gone = record("t", [.init(opened: 1, lastSeen: 1, closed: 2)])
    let open = record("t", [.init(opened: 3, lastSeen: 3)])
    let (early, late) = (
      record("u", [.init(opened: 1, lastSeen: 1, closed: 2)]), record("u", [.init(opened: 1, lastSeen: 4, closed: 5)])
    )
    var told = issue("t", .unresolved, carriedOver: true)
    told.life = open.life
    var parts = [
      part("a", .succeeded, [], [issue("t", .resolved)]), part("b", .testFailures, [], [told]),
      part("c", .succeeded, required: false),
    ]
    (parts[0].records, parts[1].records) = ([gone, early], [open, late])
    parts[2].records = [record("v", [.init(opened: 1, lastSeen: 1)])]
    #expect(DestinationJudgement.records(of: parts, telling: [told]) == [open, late])
    // One that is there is told by a destination that has it.
    told.life = nil
    #expect(DestinationJudgement.records(of: parts, telling: [told]).first == open)
  }

  @Test("What an earlier integration was judged by is repeated in its words, whatever is found besides")
  func adopted() {
    let before = OutcomeReason.adopted("release: 1 test failed.", .init("tests-red", destinations: ["release"]))
    let parts = [part("debug", .testFailures, [before]), part("release", nil), part("thread", .testFailures, [red])]
    let verdict = DestinationJudgement.verdict(of: parts)
    #expect(verdict.outcome == .testFailures)
    #expect(verdict.reasons == [before, .inDestinations(["thread"], red)])
    #expect(verdict.reasons.map(\.code.destinations) == [["release"], ["thread"]])
  }

  @Test("An issue is new where it is new for one, and knows its destinations")
  func new() {
    let issues = DestinationJudgement.issues(of: [
      part("a", .testFailures, [], [issue("t", .unresolved), issue("u", .resolved)]),
      part("b", .testFailures, [], [issue("t", .new), issue("u", .unresolved, carriedOver: true)]),
      part("c", .succeeded, [], [issue("t", .resolved)]),
      part("d", .testFailures, [], [issue("x", .new)], required: false),
    ])
    #expect(issues.map(\.id) == ["t", "u"])
    #expect(issues.map(\.status) == [.new, .unresolved])
    #expect(issues.map(\.destinations) == [["a", "b"], ["b"]])
    #expect(issues.map(\.isCarriedOver) == [false, true])
  }

  @Test("An issue that has a new reason for one destination has one")
  func newReason() {
    func part(_ name: String, reason: Int?) -> DestinationJudgement.Part {
      var issue = Issue(id: "t", kind: .testFailure, status: .unresolved, message: name, test: Finding.test("a"))
      issue.life = IssueLife(firstSeen: 1, streakStart: 1, streakAge: 1)
      issue.life?.reasonSince = reason
      return DestinationJudgement.Part(name: name, isRequired: true, verdict: nil, issues: [issue])
    }
    func told(_ parts: DestinationJudgement.Part...) -> [String] {
      DestinationJudgement.issues(of: parts).map(\.message)
    }
    #expect(told(part("debug", reason: nil), part("release", reason: 5)) == ["release"])
    #expect(told(part("debug", reason: 5), part("release", reason: 5)) == ["debug"])
  }

  private func open(
    since start: Int, in number: Int, _ message: String, cameBackFrom last: Int? = nil, suspect: String? = nil,
    predates: Bool = false
  ) -> (issue: Issue, record: IssueRecord) {
    let gone = last.map { [IssueRecord.Streak(opened: $0, lastSeen: $0, closed: $0 + 1)] } ?? []
    var record = IssueRecord(
      id: "t", kind: .testFailure, message: message, location: nil, test: Finding.test("a"), predates: predates,
      streaks: gone + [.init(opened: start, lastSeen: number, age: number - start)])
    record.suspects = suspect.map {
      [Suspect(name: $0, email: "", confidence: .high, reason: "", commit: CommitID(rawValue: "by \($0)"))]
    }
    var issue = Issue(record)
    issue.status = start == number ? .new : .unresolved
    return (issue, record)
  }

  private func part(_ name: String, _ found: (issue: Issue, record: IssueRecord)) -> DestinationJudgement.Part {
    DestinationJudgement.Part(
      name: name, isRequired: true, verdict: nil, issues: [found.issue], records: [found.record])
  }

  @Test("A test that is red since different integrations is told as each destination has it, with whom that suspects")
  func elsewhere() throws {
    let debug = open(since: 3, in: 4, "4", suspect: "Gus")
    let release = open(since: 4, in: 4, "5", cameBackFrom: 2)
    let parts = [part("debug", debug), part("release", release), part("other", debug)]
    let issue = try #require(DestinationJudgement.issues(of: parts).first)
    #expect(issue.status == .new && issue.message == "5" && issue.destinations == ["release"])
    let other = try #require(issue.elsewhere.first)
    #expect(issue.elsewhere.count == 1 && other.destinations == ["debug", "other"])
    #expect(other.message == "4" && other.life?.streakStart == 3 && other.suspects.map(\.name) == ["Gus"])
    #expect(issue.told(for: "other") == other && issue.told(for: "release") == issue)
    #expect(issue.told(for: "idle") == nil)
    #expect(DestinationJudgement.records(of: parts, telling: [issue]) == [release.record])
    // The document keeps it.
    #expect(Issue(IntegrationRecord.FlatIssue(issue)).elsewhere.map(\.message) == ["4"])
  }

  @Test("Nothing is apart where it may be as old: where a destination had it when it could first be seen")
  func predating() throws {
    let old = open(since: 2, in: 5, "4")
    let late = open(since: 4, in: 5, "5", predates: true)
    let issue = try #require(DestinationJudgement.issues(of: [part("debug", old), part("idle", late)]).first)
    #expect(issue.elsewhere.isEmpty && issue.destinations.isEmpty)
    // Nor where idle time found later what one commit did.
    let parts = [part("debug", open(since: 2, in: 5, "4", suspect: "Gus"))]
    let same = parts + [part("idle", open(since: 3, in: 5, "4", suspect: "Gus"))]
    #expect(DestinationJudgement.issues(of: same).map(\.elsewhere) == [[]])
    // What predates is older than what is new.
    let new = open(since: 5, in: 5, "6", suspect: "Hal")
    let mixed = try #require(DestinationJudgement.issues(of: [part("idle", late), part("debug", new)]).first)
    #expect(mixed.message == "6" && mixed.destinations == ["debug"])
    #expect(mixed.elsewhere.map(\.destinations) == [["idle"]] && mixed.elsewhere[0].suspects.isEmpty)
  }

  @Test("What an earlier integration of the commit told as new is no news where another destination has it, too")
  func sameCommit() {
    func open(_ status: Issue.Status, since start: Int) -> Issue {
      var issue = issue("t", status)
      issue.life = IssueLife(firstSeen: start, streakStart: start)
      return issue
    }
    func told(_ first: Issue, after earlier: Set<Int>) -> Issue? {
      DestinationJudgement.issues(
        of: [part("a", .testFailures, [], [first]), part("idle", .testFailures, [], [open(.new, since: 4)])],
        after: earlier
      ).first
    }
    let again = told(open(.unresolved, since: 3), after: [3])
    #expect(again?.status == .unresolved && again?.life?.streakStart == 3 && again?.destinations == [])
    // What a commit before broke for one, and this commit for another, is new.
    #expect(told(open(.unresolved, since: 2), after: [3])?.status == .new)
    #expect(told(open(.unresolved, since: 3), after: [])?.status == .new)
    #expect(told(open(.resolved, since: 3), after: [3])?.status == .new)
  }

  @Test("An issue is resolved when no destination has it any more")
  func resolved() {
    let issues = DestinationJudgement.issues(of: [
      part("a", .succeeded, [], [issue("t", .resolved)]),
      part("b", .succeeded, [], [issue("t", .resolved), issue("u", .silenced)]),
    ])
    #expect(issues.map(\.id) == ["u", "t"])
    #expect(issues.map(\.status) == [.silenced, .resolved])
    // All of them need no names.
    #expect(issues.map(\.destinations) == [["b"], []])
  }
}
