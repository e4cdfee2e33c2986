import FoundationEssentials
@testable import Model
import Testing

@testable import Rendering

@Suite("What is said of an issue's past")
struct IssueWordsTests {
  private func history(_ life: IssueLife, _ status: Model.Issue.Status = .unresolved) -> [String] {
    var issue = Model.Issue(id: "w", kind: .warning, status: status, message: "m", age: life.streakAge)
    issue.life = life
    return IssueWords.history(of: issue)
  }

  @Test("An issue that was there already says so, and that nothing is known where nothing is")
  func predating() {
    #expect(
      history(IssueLife(firstSeen: 1, streakStart: 1, predates: true)) == ["since 1"], "Nothing is before the first.")
    #expect(
      history(IssueLife(firstSeen: 1, streakStart: 1, streakAge: 6, predates: true))
        == ["since 1"])
    #expect(
      history(IssueLife(firstSeen: 3, streakStart: 3, predates: true)) == ["since 3 or earlier"])
    #expect(
      history(IssueLife(firstSeen: 3, streakStart: 3, streakAge: 2, predates: true))
        == ["since 3 or earlier"])
  }

  @Test("What is no longer checked says since when, and not that it is gone")
  func dropped() {
    #expect(
      history(IssueLife(firstSeen: 2, streakStart: 2, droppedIn: 5), .dropped)
        == ["opened in 2, no longer checked since 5"])
    #expect(
      history(
        IssueLife(firstSeen: 2, streak: 2, streakStart: 4, cameBackFrom: 2, droppedIn: 5), .dropped)
        == ["came back in 4, no longer checked since 5"])
    #expect(Model.Issue.Status.dropped.rawValue == "no-longer-checked")
  }

  @Test("An issue that other destinations have since another integration is told as they have it")
  func elsewhere() {
    var issue = Model.Issue(
      id: "t", kind: .testFailure, status: .new, message: "Expectation failed: (two() → 5) == 2",
      test: TestID(module: "M", suite: "S", name: "two()"))
    issue.life = IssueLife(firstSeen: 2, streak: 2, streakStart: 4, cameBackFrom: 2)
    issue.destinations = ["release"]
    #expect(IssueWords.history(of: issue) == ["for release only", "came back in 4", "before in 2"])
    var other = issue
    (other.status, other.message, other.destinations) = (.unresolved, "it broke", ["debug", "thread"])
    other.life = IssueLife(firstSeen: 3, streakStart: 3, streakAge: 1)
    other.suspects = [Suspect(name: "Gus", email: "", confidence: .high, reason: "")]
    issue.elsewhere = [other]
    #expect(IssueWords.history(of: issue).first == "for release")
    #expect(IssueWords.elsewhere(of: issue) == ["for debug and thread: it broke, since 3, probably Gus"])
  }

  @Test(
    "An issue that an integration did not come to says which one checked it last, whatever other branches did since")
  func carriedOver() {
    var issue = Model.Issue(id: "e", kind: .error, status: .unresolved, message: "m", age: 2)
    issue.life = IssueLife(firstSeen: 3, streakStart: 3, streakAge: 2)
    issue.isCarriedOver = true
    let record = IssueRecord(
      id: "e", kind: .error, message: "m", location: nil, test: nil, streaks: [.init(opened: 3, lastSeen: 4, age: 2)])
    #expect(IssueWords.history(of: issue, record: record) == ["open since 3", "not checked since 4"])
    #expect(IssueWords.history(of: issue).last == "not checked")
    issue.passedOnRetry = true
    #expect(IssueWords.history(of: issue) == ["since 3", "passed on retry"])
  }

  @Test("An issue of a known past says where it came and went")
  func streaks() {
    #expect(history(IssueLife(firstSeen: 3, streakStart: 3), .new) == ["new in 3"])
    #expect(
      history(IssueLife(firstSeen: 3, streakStart: 3, streakAge: 2)) == ["since 3"])
    #expect(
      history(IssueLife(firstSeen: 3, streakStart: 9, cameBackFrom: 5))
        == ["came back in 9", "before in 3–5"])
    #expect(
      history(IssueLife(firstSeen: 3, streak: 3, streakStart: 9, cameBackFrom: 5))
        == ["came back in 9", "before in 3 and 5"])
    #expect(history(IssueLife(firstSeen: 3, streakStart: 3), .resolved) == ["opened in 3, resolved"])
  }

  @Test(
    "What is gone says why",
    arguments: [
      (.fixed, "opened in 3, fixed in 5"), (.testDeleted, "opened in 3, test deleted in 5"),
      (.fileDeleted, "opened in 3, file deleted in 5"), (.knownIssue, "opened in 3, marked as a known issue in 5"),
      (.passedAgain, "opened in 3, passed again in 5"), (.failsOtherwise, "opened in 3, failed in another way in 5"),
      (nil, "opened in 3, resolved in 5"),
    ] as [(IssueRecord.Ending?, String)])
  func endings(ending: IssueRecord.Ending?, words: String) {
    var record = IssueRecord(
      id: "t", kind: .testFailure, message: "m", location: nil, test: nil,
      streaks: [.init(opened: 3, lastSeen: 4, closed: 5, age: 1)])
    record.streaks[0].ending = ending
    #expect(IssueWords.history(of: Model.Issue(record), record: record) == [words])
  }

  @Test("A gate that passed in between came back, as anything else does", arguments: [Model.Issue.Kind.gate, .error])
  func gate(kind: Model.Issue.Kind) {
    var issue = Model.Issue(
      IssueRecord(
        id: "g", kind: kind, message: "m", location: nil, test: nil,
        streaks: [.init(opened: 4, lastSeen: 4, closed: 5), .init(opened: 13, lastSeen: 13)]))
    issue.status = .new
    #expect(issue.toldStatus == "came back")
    #expect(IssueWords.age(of: issue)?.text == "came back")
    #expect(IssueWords.history(of: issue) == ["came back in 13", "before in 4"])
  }

  @Test("A gate is not fixed, but passed, and passed again if it passed before")
  func passedGate() {
    var record = IssueRecord(
      id: "g", kind: .gate, message: "m", location: nil, test: nil,
      streaks: [.init(opened: 3, lastSeen: 4, closed: 5, age: 1)])
    record.streaks[0].ending = .fixed
    #expect(IssueWords.history(of: Model.Issue(record), record: record) == ["opened in 3, passed in 5"])
    #expect(IssueWords.turn(forEndOf: Model.Issue(record)) == "Passed")
    record.streaks.insert(.init(opened: 1, lastSeen: 1, closed: 2), at: 0)
    #expect(IssueWords.turn(forEndOf: Model.Issue(record)) == "Passed again")
  }

  @Test(
    "What ended behind integrations that proved nothing says in which it may have",
    arguments: [
      // Without a commit in 4, it is only known that 4 found it fixed.
      (2...2, "fixed in 4"), (2...3, "fixed in 4"), (3...4, "fixed in 3 or 4"), (2...4, "fixed in one of 2–4"),
    ])
  func either(integrations: ClosedRange<Int>, words: String) {
    var record = IssueRecord(
      id: "w", kind: .warning, message: "m", location: nil, test: nil,
      streaks: [.init(opened: 1, lastSeen: 1, closed: 4, age: 2)])
    record.streaks[0].ending = .fixed
    let commit = Commit(
      id: CommitID(rawValue: "e83f1640"), summary: "s", author: "a", date: Date(timeIntervalSince1970: 0))
    record.streaks[0].resolution = IssueRecord.Resolution([commit])
    record.streaks[0].resolution?.integrations = integrations
    let issue = Model.Issue(record)
    #expect(IssueWords.history(of: issue, record: record) == ["opened in 1, \(words)"])
    let length = "\(integrations.count > 1 ? "up to " : "")3 integrations"
    #expect(IssueWords.length(of: record.streaks[0]) == length)
  }

  @Test(
    "What went where nothing checked it says where its line went, and where that was seen",
    arguments: [
      (.fixed, 3...3, "fixed in 3, checked"), (.fixed, 2...3, "fixed in 2 or 3, checked"),
      (.fileDeleted, 3...3, "file deleted in 3, checked"),
    ] as [(IssueRecord.Ending, ClosedRange<Int>, String)])
  func unchecked(ending: IssueRecord.Ending, integrations: ClosedRange<Int>, words: String) {
    var record = IssueRecord(
      id: "w", kind: .warning, message: "m", location: nil, test: nil,
      streaks: [.init(opened: 1, lastSeen: 1, closed: 4, age: 2)])
    record.streaks[0].ending = ending
    record.streaks[0].wentUnchecked = true
    record.streaks[0].resolution = IssueRecord.Resolution([
      Commit(id: CommitID(rawValue: "e83f1640"), summary: "s", author: "a", date: Date(timeIntervalSince1970: 0))
    ])
    record.streaks[0].resolution?.integrations = integrations
    let issue = Model.Issue(record)
    #expect(IssueWords.history(of: issue) == ["opened in 1, \(words)"])
    #expect(IssueWords.history(of: issue, record: record) == ["opened in 1, \(words) in 4"])
  }

  @Test("What is still open lasted so far, those included that could not check it")
  func lasted() {
    let streak = IssueRecord.Streak(opened: 2, lastSeen: 2, age: 1)
    #expect(IssueWords.lasted(streak) == "2 integrations so far")
    #expect(IssueWords.lasted(.init(opened: 2, lastSeen: 2, closed: 3)) == "1 integration")
  }

  @Test("A failed gate names its lines by file, and counts those that a line does not hold")
  func gatePlaces() {
    var gate = GateResult(rule: "patch=80", state: .failed, sentence: "")
    gate.lines = [3, 4, 7].map { Model.SourceLocation(file: "Sources/A/A.swift", line: $0) }
    gate.lines?.append(Model.SourceLocation(file: "Sources/A/B.swift", line: 2))
    #expect(gate.places == ["A.swift:3–4,", "7;", "B.swift:2"])
    gate.lines = (1...7).map { Model.SourceLocation(file: "A.swift", line: $0 * 2) }
    #expect(gate.places == ["A.swift:2,", "4,", "6,", "8,", "10", "and 2 more lines"])
  }

  @Test("A mail does not call a failed gate new")
  func failedGate() {
    var gate = Model.Issue(id: "g", kind: .gate, message: "80% patch gate: 1 of 2 lines ran.")
    gate.life = IssueLife(firstSeen: 42, streakStart: 42)
    let facts = MessageFacts(GreeterSample.integration(), page: "", time: .utc)
    #expect(facts.news([gate]) == "1 failed gate")
    gate.life?.cameBackFrom = 11
    #expect(facts.news([gate]) == "1 gate failed again")
  }

  @Test("Of several commits that ended an issue, whose one may have is told of at most two people")
  func people() {
    func told(_ authors: String...) -> String? {
      let commits = authors.map {
        Commit(id: CommitID(rawValue: "c"), summary: "", author: $0, date: Date(timeIntervalSince1970: 0))
      }
      return IssueRecord.Resolution(commits).flatMap(IssueWords.people)
    }
    #expect(told("Ada") == "Ada" && told("Ada", "Ada") == "Ada" && told("Ada", "Bob", "Ada") == "Ada or Bob")
    #expect(told("Ada", "Bob", "Cy") == nil)
  }
}
