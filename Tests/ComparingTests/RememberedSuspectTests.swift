@testable import Model
import Rendering
import Testing

@testable import Comparing

@Suite("Who is remembered to have caused what two integrations have")
struct RememberedSuspectTests {
  @Test("A test that is red in both names whom the first integration suspected, and a new suspect comes first")
  func both() throws {
    let test = Documents.test("a", .failed)
    func integration(_ number: Int, suspecting suspects: [Suspect]) -> Integration {
      var issue = Issue(id: "t-1", kind: .testFailure, message: "late", test: test.id)
      issue.status = number == 1 ? .new : .unresolved
      issue.life = IssueLife(firstSeen: 1, streakStart: 1, streakAge: number - 1)
      issue.suspects = suspects
      var record = IssueRecord(
        id: "t-1", kind: .testFailure, message: "late", location: nil, test: test.id,
        streaks: [.init(opened: 1, lastSeen: number, age: number - 1)])
      record.suspects = [Suspect(name: "Ada", email: "", confidence: .high, reason: "She changed it.")]
      var integration = Documents.integration(number, .testFailures, tests: [test], issues: [issue])
      integration.issueMemory = IssueMemory(
        number: number, commit: integration.commit.id, reached: [], records: [record])
      return integration
    }
    func named(_ suspects: [Suspect]) throws -> String? {
      let comparison = Documents.comparison(integration(1, suspecting: []), integration(2, suspecting: suspects))
      let words = ComparisonWords(comparison)
      let group = try #require(words.testGroups.first)
      return words.issue(of: try #require(group.tests.first), in: group)?.suspects.first?.name
    }
    #expect(try named([]) == "Ada")
    #expect(try named([Suspect(name: "Bob", email: "", confidence: .high, reason: "He did.")]) == "Bob")
  }

  @Test("What is silenced from the integration on in which it was found first has suspects, too")
  func silenced() {
    func new(since number: Int, predates: Bool = false) -> [Int] {
      var issue = Issue(id: "t-1", kind: .testFailure, status: .silenced, message: "odd")
      issue.life = IssueLife(firstSeen: number, streakStart: number, predates: predates)
      let memory = IssueMemory(number: 2, commit: CommitID(rawValue: "a"), reached: [], records: [])
      return FollowedIssues(issues: [issue], memory: memory).new(in: 2)
    }
    #expect(new(since: 2) == [0] && new(since: 1).isEmpty && new(since: 2, predates: true).isEmpty)
  }

  @Test("A new test that ends at the place of an older issue has the suspects of that, and what they changed")
  func elder() {
    let place = SourceLocation(file: "Sources/A.swift", line: 15)
    let (test, other) = (Documents.test("new", .timedOut).id, Documents.test("old", .timedOut).id)
    let new = Issue(id: "h-2", kind: .timeOut, message: "late", location: place, test: test)
    let old = Issue(
      id: "h-1", kind: .timeOut, status: .unresolved, message: "late", location: place, age: 1, test: other)
    var record = IssueRecord(
      id: "h-1", kind: .timeOut, message: "late", location: place, test: other,
      streaks: [.init(opened: 1, lastSeen: 2, age: 1)])
    record.suspects = [Suspect(name: "Ada", email: "", confidence: .high, reason: "She changed it.")]
    record.suspectedHunk = SourceHunk(file: place.file, lines: [.init(number: 15, text: "wait()", change: .added)])
    let own = IssueRecord(new: new, "h-2", in: 2, predates: false)
    let found = FollowedIssues(
      issues: [new, old],
      memory: IssueMemory(number: 2, commit: CommitID(rawValue: "a"), reached: [], records: [record, own]))
    var baseline = Baseline(
      number: 1, commit: CommitID(rawValue: "b"), outcome: .testFailures, tests: TestCounts(), totals: nil, files: [:],
      duration: 1, warnings: 0, states: [other: .timedOut])
    var named = found
    let isGiven = named.inheritSuspects(ofIssueAt: 0, since: baseline)
    #expect(isGiven)
    #expect(named.issues[0].suspects.map(\.name) == ["Ada"])
    #expect(named.memory.records[1].suspects == record.suspects)
    #expect(named.memory.records[1].suspectedHunk == record.suspectedHunk)
    #expect(named.memory.records[1].life.began == 1 && named.memory.records[1].life.streakStart == 2)
    named.memory.records[1].beginReason(in: 3)
    #expect(named.memory.records[1].life.began == 3 && named.memory.records[1].suspectedHunk == nil)
    named = found
    let isGivenToElder = named.inheritSuspects(ofIssueAt: 1, since: baseline)
    #expect(!isGivenToElder)
    named.issues[1].location?.line = 16
    let isGivenElsewhere = named.inheritSuspects(ofIssueAt: 0, since: baseline)
    #expect(!isGivenElsewhere)
    baseline.states[test] = .passed
    named = found
    let isGivenToKnown = named.inheritSuspects(ofIssueAt: 0, since: baseline)
    #expect(!isGivenToKnown, "It is no new test.")
    #expect(named == found)
  }
}
