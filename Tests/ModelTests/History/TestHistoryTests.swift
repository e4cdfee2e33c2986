import FoundationEssentials
import Model
import Testing

@Suite("The history of tests")
struct TestHistoryTests {
  private let test = TestID(module: "ShopTests", suite: "Cart", name: "sums()")

  /// Integrations, the newest first: `8 c main p` is number, commit, branch and the letter of the text form.
  private func history(_ lines: String...) -> TestHistory {
    let all = lines.map { line in
      let words = line.split(separator: " ").map(String.init)
      let text = "martlet.verdicts/1 \(words[0]) \(words[1])\n\(words[2])\nSwift 6.3\n\(words[3]) 12 \(test)\n"
      return TestVerdicts(text: text)
    }
    return TestHistory.all(of: all.compactMap(\.self))[test] ?? TestHistory([])
  }

  @Test("The text form holds all that it was made of")
  func text() throws {
    var verdicts = TestVerdicts(
      number: 12, commit: CommitID(rawValue: "abc"), branch: "release/1 \n x", toolchain: "Swift 6.3", verdicts: [:])
    for (index, state) in TestState.allCases.enumerated() {
      let id = TestID(module: "A", suite: "S/T", name: "`says \(state)`()")
      verdicts.verdicts[id] = .init(state: state, duration: index * 1000, isFlaky: index % 2 == 0)
    }
    let read = try #require(TestVerdicts(text: verdicts.text))
    #expect(read.verdicts == verdicts.verdicts)
    #expect(read.number == 12)
    #expect(read.commit.rawValue == "abc")
    #expect(read.branch == "release/1   x")
    #expect(read.text == verdicts.text)
  }

  @Test("The text form holds what was measured, and what that depends on")
  func measured() throws {
    var verdicts = TestVerdicts(
      number: 12, commit: CommitID(rawValue: "abc"), branch: nil, toolchain: "Swift 6.3", verdicts: [:])
    verdicts.verdicts[test] = .init(state: .passed, duration: 1, isFlaky: false)
    verdicts.measured[test] = [
      MeasuredFigure(metric: "Clock\tMonotonic Time", unit: "s", average: 0.1 + 0.2, deviation: 1e-7, repetitions: 10),
      MeasuredFigure(metric: "Memory", unit: "", average: 0, deviation: 0, repetitions: 1),
    ]
    verdicts.circumstances = [Circumstance("system", "Debian 12\nx"), Circumstance("arguments", "")]
    let read = try #require(TestVerdicts(text: verdicts.text))
    #expect(read.verdicts == verdicts.verdicts)
    verdicts.measured[test]?[0].metric = "Clock Monotonic Time"
    verdicts.circumstances?[0].value = "Debian 12 x"
    #expect(read.measured == verdicts.measured)
    #expect(read.circumstances == verdicts.circumstances)
    #expect(read.text == verdicts.text)
  }

  @Test("The text form of before measured values were kept is read, and says that nothing is known of them")
  func old() throws {
    let old = try #require(TestVerdicts(text: "martlet.verdicts/1 7 abc\nmain\nSwift 6.3\np 12 \(test)\n"))
    #expect(old.verdicts[test]?.duration == 12)
    #expect(old.measured.isEmpty)
    #expect(old.circumstances == nil)
  }

  @Test(
    "A measured value that cannot be read is none",
    arguments: [
      "m", "m ", "m 1\t0\t1\tTime\ts", "m x\t0\t1\tTime\ts\tA.B/c", "m nan\t0\t1\tTime\ts\tA.B/c",
      "m -1\t0\t1\tTime\ts\tA.B/c", "m 1\tinf\t1\tTime\ts\tA.B/c", "m 1\t0\t\tTime\ts\tA.B/c",
      "m 1\t0\t1\tTime\ts\tno test", "@ ", "@ name",
    ])
  func damagedFigure(line: String) {
    let read = TestVerdicts(text: "martlet.verdicts/1 1 a\n\n\n\(line)\np 1 A.B/c\n")
    #expect(read?.measured.isEmpty == true)
    #expect(read?.circumstances == nil)
    #expect(read?.verdicts.count == 1)
  }

  @Test(
    "Other text is refused, and lines that cannot be read are passed over",
    arguments: [
      ("", nil), ("martlet.verdicts/2 1 a\n\n\n", nil), ("martlet.verdicts/1 x a\n\n\n", nil),
      ("martlet.verdicts/1 1 a\n\n\np 1 A.b\nq 1 A.c\np x A.d\np 1\n\np 1 \u{0}", 1),
    ] as [(String, Int?)])
  func damaged(text: String, count: Int?) {
    #expect(TestVerdicts(text: text)?.verdicts.count == count)
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
