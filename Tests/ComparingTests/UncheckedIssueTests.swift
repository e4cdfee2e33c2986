import FoundationEssentials
@testable import Model
import Testing

@testable import Comparing

@Suite("Issues across integrations that proved nothing")
struct UncheckedIssueTests {
  private let path = "Sources/Shop/Cart.swift"
  private let warning = Issue(
    id: "", kind: .warning, message: "never used", location: SourceLocation(file: "Sources/Shop/Cart.swift", line: 5))
  private let built = IssueReach(built: true, tests: [:])
  private let unbuilt = IssueReach(built: false, tests: [:])
  /// Line 5 is another one.
  private var edit: SourceDifference { change(to: path, [LineMap.Hunk(old: 5..<6, new: 5..<6)]) }

  private func change(to newPath: String?, _ hunks: [LineMap.Hunk] = []) -> SourceDifference {
    SourceDifference([
      FileDifference(
        status: newPath == nil ? .deleted : .modified, oldPath: path, newPath: newPath,
        lines: newPath == nil ? nil : LineMap(hunks: hunks))
    ])
  }

  private func commit(_ number: Int) -> Commit {
    Commit(
      id: CommitID(rawValue: String(repeating: "\(number)", count: 40)), summary: "Commit \(number)",
      author: "Author \(number)", date: Date(timeIntervalSince1970: 0))
  }

  /// One commit for each integration, from the second on.
  private func follow(_ steps: [(reach: IssueReach, change: SourceDifference?)], from issue: Issue? = nil)
    -> IssueRecord.Streak?
  {
    var memory = Finding.comparison([issue ?? warning], with: nil, reach: built, number: 1).memory
    for (index, step) in steps.enumerated() {
      let number = index + 2
      memory =
        IssueComparison(
          number: number, commit: commit(number).id, commits: [commit(number)], reach: step.reach,
          now: Date(timeIntervalSince1970: 0)
        ).compare([], with: memory, after: step.change).memory
    }
    return memory.records.first?.streaks.last
  }

  @Test("The issue of a test that is missing where a program could not be listed is not gone")
  func unlisted() {
    let issue = Issue(id: "t-1", kind: .testFailure, message: "no", test: Finding.test("t"))
    let old = Documents.integration(1, .testFailures, tests: [Documents.test("t", .failed)], issues: [issue])
    // The others are red, so that the whole is not incomplete.
    var new = Documents.integration(2, .testFailures, tests: [Documents.test("u", .failed)])
    #expect(Documents.comparison(old, new).issues.gone.map(\.ending) == [.testDeleted])
    new.reasons = [
      .testsRed(failed: 1, crashed: 0, timedOut: 0),
      .gap(.listingFailed(executable: "ShopTests", error: "It died of signal 11.", ownMain: nil)),
    ]
    let comparison = Documents.comparison(old, new)
    #expect(comparison.issues.gone.isEmpty)
    #expect(comparison.issues.notReached.map(\.id) == ["t-1"])
    #expect(comparison.tests.remarks == ["Shop 2 is incomplete: a test missing there may still exist."])
  }

  @Test("What is gone behind a broken build may have gone with the commits of either")
  func range() throws {
    let streak = try #require(follow([(unbuilt, nil), (built, nil)]))
    #expect(streak.closed == 3 && streak.ending == .fixed && streak.end == 3)
    #expect(streak.resolution?.integrations == 2...3)
    #expect(streak.resolution?.count == 2 && streak.resolution?.commit == commit(3).id)
    #expect(streak.resolution?.people == ["Author 3", "Author 2"] && streak.isEndUnsure)
    #expect(streak.unchecked == nil && streak.wentUnchecked == nil)
    #expect(follow([(built, nil)])?.resolution?.integrations == nil)
  }

  @Test("What is gone went with the commit that took its line away, although that did not build")
  func line() throws {
    let streak = try #require(follow([(unbuilt, edit), (unbuilt, nil), (built, nil)]))
    #expect(streak.closed == 4 && streak.ending == .fixed && streak.end == 2)
    #expect(streak.resolution?.integrations == 2...2 && streak.wentUnchecked == true)
    #expect(streak.resolution?.count == 1 && streak.resolution?.author == "Author 2")
    let late = try #require(follow([(unbuilt, nil), (unbuilt, edit), (built, nil)]))
    #expect(late.resolution?.integrations == 2...3 && late.resolution?.count == 2)
  }

  @Test("What is gone with its file says so, whether that built or not")
  func file() {
    #expect(follow([(built, change(to: nil))])?.ending == .fileDeleted)
    #expect(follow([(built, change(to: nil))])?.resolution?.author == "Author 2")
    let late = follow([(unbuilt, change(to: nil)), (built, nil)])
    #expect(late?.ending == .fileDeleted && late?.resolution?.author == "Author 2")
  }

  @Test("A test is fixed by either, whatever became of its line")
  func test() {
    let red = Issue(
      id: "", kind: .testFailure, message: "no", location: warning.location, test: Finding.test("a"))
    let passed = IssueReach(built: true, tests: [Finding.test("a"): .passed])
    let streak = follow([(unbuilt, edit), (passed, nil)], from: red)
    #expect(streak?.ending == .fixed && streak?.resolution?.integrations == 2...3)
    var retried = passed
    retried.flaky = [Finding.test("a")]
    let flaky = follow([(unbuilt, nil), (retried, nil), (passed, nil)], from: red)
    #expect(flaky?.resolution?.integrations == nil && flaky?.resolution?.count == 1)
  }

  @Test("What is seen again was not ended, and a canceled integration is no evidence")
  func seen() throws {
    let first = Finding.comparison([warning], with: nil, reach: built, number: 1).memory
    func next(_ found: [Issue], _ reach: IssueReach, with memory: IssueMemory) -> IssueMemory {
      IssueComparison(
        number: memory.number + 1, commit: commit(memory.number + 1).id, commits: [commit(memory.number + 1)],
        reach: reach, now: Date(timeIntervalSince1970: 0)
      ).compare(found, with: memory).memory
    }
    let missed = next([], unbuilt, with: first)
    #expect(missed.records[0].streaks[0].unchecked?.commits.integrations == 2...2)
    #expect(next([warning], built, with: missed).records[0].streaks[0].unchecked == nil)
    #expect(next([], .void, with: first).records[0].streaks[0].unchecked == nil)
  }

  @Test("The life of an issue says in which integrations it may have ended")
  func life() throws {
    var record = IssueRecord(
      id: "w", kind: .warning, message: "m", location: nil, test: nil,
      streaks: [.init(opened: 1, lastSeen: 1, closed: 3)])
    record.streaks[0].resolution = IssueRecord.Resolution([commit(3)])
    #expect(record.life.goneIn == nil)
    record.streaks[0].resolution?.integrations = 2...3
    #expect(record.life.goneIn == 2...3)
  }
}
