import FoundationEssentials
import Testing

@testable import Model

@Suite("The history of tests")
struct TestHistoryTests {
  private let test = TestID(module: "ShopTests", suite: "Cart", name: "sums()")

  private static let states: [Character: TestState] = [
    "p": .passed, "f": .failed, "c": .crashed, "s": .skipped, "k": .expectedFailure, "n": .notRun,
  ]

  /// Integrations, the newest first: `8 c main p` is number, commit, branch and the letter of a state, a capital for a flaky
  /// test; `*` behind the commit is for uncommitted changes.
  private func history(_ lines: String...) -> TestHistory {
    let all = lines.map { line in
      let words = line.split(separator: " ").map(String.init)
      let letter = words[3]
      let verdict = letter.lowercased().first.flatMap { Self.states[$0] }.map {
        TestVerdicts.Verdict(state: $0, duration: 12, isFlaky: letter == letter.uppercased())
      }
      var all = TestVerdicts(
        number: Int(words[0]) ?? 0, commit: CommitID(rawValue: words[1].replacing("*", with: "")), branch: words[2],
        toolchain: "Swift 6.3", verdicts: verdict.map { [test: $0] } ?? [:])
      all.isDirty = words[1].hasSuffix("*")
      return all
    }
    return TestHistory.all(of: all)[test] ?? TestHistory([])
  }

  @Test("A test that is red says since when, and over how many commits of the branch")
  func redStreak() {
    let red = history("9 e main f", "8 d main c", "7 x side p", "6 d main f", "5 c main s", "4 b main f", "3 a main p")
    #expect(red.redStreak == .init(since: 4, commits: 3, isWhole: false))
    #expect(history("9 e main p", "8 d main f").redStreak == nil)
    #expect(history("9 e main f").redStreak == .init(since: 9, commits: 1, isWhole: true))
    #expect(red.redCount == 4)
  }

  @Test("Different ends of the same commit prove a test flaky, on whatever branch")
  func flaky() {
    #expect(history("9 b main p", "8 a side f", "7 a main p").flakyIn == [8, 7])
    #expect(history("9 b main P", "8 a main p").flakyIn == [9])
    #expect(history("9 b main p", "8 a main f").flakyIn.isEmpty)
    #expect(history("9 a main p", "8 a main s").flakyIn.isEmpty)
    #expect(history("9 a main s", "8 a main p", "7 a main f", "6 a main n").flakyIn == [8, 7], "It ran in two.")
  }

  @Test("What fails in every retry is no chance, unless the same code passed elsewhere")
  func chance() {
    func result(_ attempts: TestState...) -> TestResult {
      TestResult(
        id: test, library: .swiftTesting, state: .failed,
        attempts: attempts.map { TestAttempt(state: $0, duration: 1) })
    }
    let flaky = history("9 c main f", "8 b main p", "7 a main P")
    #expect(flaky.suggestsChance(for: result()), "It was not run again.")
    #expect(flaky.suggestsChance(for: nil))
    #expect(!flaky.suggestsChance(for: result(.failed, .failed)))
    #expect(!flaky.suggestsChance(for: result(.failed, .crashed, .failed)))
    #expect(flaky.suggestsChance(for: result(.failed, .skipped)))
    var serial = result(.failed, .failed)
    serial.serialRun = TestAttempt(state: .passed, duration: 1)
    #expect(flaky.suggestsChance(for: serial))
    let elsewhere = history("9 b main f", "8 b main p", "7 a main P")
    #expect(elsewhere.suggestsChance(for: result(.failed, .failed)))
    #expect(!history("9 b main f", "8 a main p").suggestsChance(for: result()))
  }

  @Test("Uncommitted changes are other code than their commit's, so that another end proves nothing")
  func uncommitted() {
    #expect(history("9 a* main f", "8 a main p").flakyIn.isEmpty)
    #expect(history("9 a* main F", "8 a main p").flakyIn == [9])
    #expect(history("9 a* main f", "8 a main p", "7 a main f").flakyIn == [8, 7])
  }

  @Test("Another toolchain may make another end")
  func otherToolchain() {
    let verdict = TestVerdicts.Verdict(state: .failed, duration: 1, isFlaky: false)
    let commit = CommitID(rawValue: "a")
    let old = TestVerdicts(number: 1, commit: commit, branch: nil, toolchain: "Swift 6.2", verdicts: [test: verdict])
    var new = old
    (new.number, new.toolchain) = (2, "Swift 6.3")
    new.verdicts[test]?.state = .passed
    #expect(TestHistory.all(of: [new, old])[test]?.flakyIn == [])
    new.toolchain = old.toolchain
    #expect(TestHistory.all(of: [new, old])[test]?.flakyIn == [2, 1])
  }

  @Test("Another version of a dependency may make another end")
  func otherDependency() {
    let verdict = TestVerdicts.Verdict(state: .failed, duration: 1, isFlaky: false)
    let commit = CommitID(rawValue: "a")
    var old = TestVerdicts(number: 1, commit: commit, branch: nil, toolchain: "Swift 6.3", verdicts: [test: verdict])
    old.circumstances = [Circumstance("system", "Debian"), Circumstance("dependency dep", "1.0.0, 1a2b3c4")]
    var new = old
    new.number = 2
    new.verdicts[test]?.state = .passed
    new.circumstances = [Circumstance("system", "Ubuntu"), Circumstance("dependency dep", "1.0.0, 1a2b3c4")]
    #expect(TestHistory.all(of: [new, old])[test]?.flakyIn == [2, 1])
    new.circumstances?[1].value = "1.1.0, 5d6e7f8"
    #expect(TestHistory.all(of: [new, old])[test]?.flakyIn == [])
  }

  @Test("A test that is red in one configuration only is not flaky, and a pass in another one ends its red streak")
  func otherSettings() {
    let verdict = TestVerdicts.Verdict(state: .failed, duration: 1, isFlaky: false)
    func integration(_ number: Int, _ configuration: String, _ processors: String) -> TestVerdicts {
      var one = TestVerdicts(
        number: number, commit: CommitID(rawValue: "a"), branch: nil, toolchain: "Swift 6.3", verdicts: [test: verdict])
      one.circumstances = [Circumstance("configuration", configuration), Circumstance("processors", processors)]
      return one
    }
    var green = integration(2, "debug", "2")
    green.verdicts[test]?.state = .passed
    let history = TestHistory.all(of: [integration(3, "release", "2"), green, integration(1, "release", "2")])[test]
    #expect(history?.flakyIn == [])
    #expect(history?.redStreak == TestHistory.RedStreak(since: 3, commits: 1, isWhole: false))
    let alike = TestHistory.all(of: [integration(3, "debug", "4"), green])[test]
    #expect(alike?.flakyIn == [3, 2], "Another number of processors is no excuse.")
  }

  @Test("Never is said of more than one run")
  func never() {
    #expect(history("2 b main p", "1 a main k").hasNeverFailed)
    #expect(!history("2 b main p").hasNeverFailed)
    #expect(!history("2 b main p", "1 a main f").hasNeverFailed)
    #expect(history("3 c main f", "2 b main s", "1 a main c").hasNeverPassed)
    #expect(!history("3 c main f", "2 b main p").hasNeverPassed)
    #expect(!history("3 c main s", "2 b main n").hasNeverPassed)
  }
}
