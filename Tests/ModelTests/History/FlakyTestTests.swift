import Testing

@testable import Model

@Suite("Flaky tests")
struct FlakyTestTests {
  private func id(_ name: String) -> TestID { TestID(module: "ShopTests", suite: "Cart", name: name) }

  /// Integrations, the newest first: a letter for each test, a capital one for a test that was flaky.
  private func integrations(_ ends: [[String: Character]]) -> [TestVerdicts] {
    ends.enumerated().map { index, ends in
      let verdicts = ends.map { name, letter in
        (
          id(name),
          TestVerdicts.Verdict(
            state: letter == "f" ? .failed : .passed, duration: 1, isFlaky: letter == "P")
        )
      }
      return TestVerdicts(
        number: 9 - index, commit: CommitID(rawValue: "\(index)"), branch: "main", toolchain: "t",
        verdicts: Dictionary(uniqueKeysWithValues: verdicts))
    }
  }

  @Test("The worst comes first; a test that only broke, and one that is gone, are not among them")
  func order() {
    let found = FlakyTest.all(
      of: integrations([
        ["seldom": "p", "often": "P", "broken": "f"], ["seldom": "P", "often": "P", "broken": "f", "gone": "P"],
        ["seldom": "p", "often": "f", "broken": "p", "gone": "p"],
      ]))
    #expect(found.map(\.id.name) == ["often", "seldom"])
    #expect(
      found.map(\.rate) == [FailureRate(failures: 2, runs: 3), FailureRate(failures: 1, runs: 3)],
      "A commit on which it only failed says nothing of chance.")
    #expect(found.map(\.since) == [8, 8])
    #expect(found.map(\.lastFailure) == [9, 8])
  }

  @Test("One that fails every time is not the more flaky for it")
  func steady() {
    let found = FlakyTest.all(
      of: integrations([
        ["often": "p", "red": "f"], ["often": "P", "red": "f"], ["often": "P", "red": "f"], ["often": "p", "red": "P"],
      ]))
    #expect(found.map(\.id.name) == ["often", "red"])
    #expect(found.map(\.history.failedSteadily.count) == [0, 3])
  }

  @Test("A test is flaky since the first integration in which it was red by chance, not since a failure that was fixed")
  func since() {
    func since(_ ending: IssueRecord.Ending?, byChance: Bool? = nil, of test: String = "t") -> [Int] {
      var streak = IssueRecord.Streak(opened: 3, lastSeen: 4, closed: 5)
      (streak.ending, streak.isByChance) = (ending, byChance)
      let record = IssueRecord(
        id: "t-1", kind: .testFailure, message: "no", location: nil, test: id(test), streaks: [streak])
      return FlakyTest.all(of: integrations([["t": "p"], ["t": "P"]]), [record]).map(\.since)
    }
    #expect(since(.passedAgain) == [3])
    #expect(since(nil, byChance: true) == [3])
    #expect(since(.fixed) == [8])
    #expect(since(.passedAgain, of: "other") == [8])
  }

  @Test("A failure in every run is not the first flaky one, though the test passed again after it by chance")
  func failedSteadily() {
    var streak = IssueRecord.Streak(opened: 7, lastSeen: 7, closed: 8)
    streak.ending = .passedAgain
    let record = IssueRecord(
      id: "t-1", kind: .testFailure, message: "no", location: nil, test: id("t"), streaks: [streak])
    let found = FlakyTest.all(of: integrations([["t": "p"], ["t": "P"], ["t": "f"]]), [record])
    #expect(found.map(\.since) == [8])
    #expect(found.map(\.history.failedSteadily.first?.number) == [7])
  }

  @Test(
    "Few runs say less about a rate than many",
    arguments: [(4, 47, 3, 20), (1, 2, 9, 91), (0, 10, 0, 28), (50, 100, 40, 60), (0, 0, 0, 100)])
  func interval(failures: Int, runs: Int, lower: Int, upper: Int) {
    let interval = FailureRate(failures: failures, runs: runs).interval
    #expect(Int((interval.lowerBound * 100).rounded()) == lower)
    #expect(Int((interval.upperBound * 100).rounded()) == upper)
  }
}
