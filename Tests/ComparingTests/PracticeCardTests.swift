@testable import Model
import Testing

@testable import Comparing

@Suite("The practice card")
struct PracticeCardTests {
  private static func hint(_ name: PracticeHint.Name, _ evidence: PracticeEvidence) -> PracticeHint? {
    PracticeCard(evidence)?.hints.first { $0.name == name }
  }

  private static func evidence(_ tests: [TestResult]) -> PracticeEvidence {
    PracticeEvidence(tests: TestReport(results: tests))
  }

  @Test("Without tests there is no card, and what is switched off is not on it")
  func off() {
    #expect(PracticeCard(Self.evidence([])) == nil)
    var evidence = Self.evidence([Documents.test("t", .passed)])
    #expect(PracticeCard(evidence)?.hints.map(\.name) == [.fast, .isolated, .repeatable, .selfValidating])
    evidence.settings.off = [.fast, .isolated]
    #expect(PracticeCard(evidence)?.hints.map(\.name) == [.repeatable, .selfValidating])
    #expect(PracticeCard(evidence)?.off == [.fast, .isolated])
  }

  /// Evidence for which every hint has something to say.
  private static var rich: PracticeEvidence {
    var evidence = evidence([Documents.test("a", .passed)])
    evidence.baseline = 6
    evidence.rhythm = .madePass
    evidence.changes = CoverageChanges(comparison: .unknown(reason: ""), patch: .unknown(reason: "It is gone."))
    evidence.settings.names = "^a"
    evidence.tests.assertions = AssertionReport()
    evidence.tests.assertions?.templates = [Finding.test("a")]
    evidence.testSources = [Self.source("Tests/B.swift", ran: 0, of: 2)]
    evidence.tests.printedTotals = [PrintedTotal(library: .xctest, tests: 3)]
    evidence.trends = [Finding.test("a"): [Trends.trend([[1]])]]
    return evidence
  }

  @Test("Each hint can be switched off, and then the others are told", arguments: PracticeHint.Name.allCases)
  func eachOff(name: PracticeHint.Name) {
    var evidence = Self.rich
    #expect(PracticeCard(evidence)?.hints.map(\.name) == PracticeHint.Name.allCases)
    evidence.settings.off = [name]
    #expect(PracticeCard(evidence)?.hints.map(\.name) == PracticeHint.Name.allCases.filter { $0 != name })
  }

  private static func source(_ path: String, ran: Int, of total: Int) -> FileCoverage {
    let lines = LineTally(total: total, covered: ran)
    return FileCoverage(
      path: path, target: "ShopTests",
      lines: (0..<total).map {
        LineCoverage(line: 3 + $0, count: $0 < ran ? 1 : 0, state: $0 < ran ? .ran : .neverRan)
      },
      deadStretches: [], functions: [], totals: CoverageTotals(lines: lines), llvmLines: Tally())
  }

  @Test("Test sources of which no line ran are told, unless a listed test is in them or they hold no code")
  func sources() {
    var test = Documents.test("t", .skipped)
    test.location = SourceLocation(file: "Tests/Skipped.swift", line: 4)
    var evidence = Self.evidence([test])
    #expect(Self.hint(.sources, evidence) == nil)
    evidence.testSources = [
      Self.source("Tests/Ran.swift", ran: 1, of: 9), Self.source("Tests/Skipped.swift", ran: 0, of: 9),
      Self.source("Tests/Empty.swift", ran: 0, of: 0),
    ]
    #expect(Self.hint(.sources, evidence) == nil)
    evidence.testSources?.append(Self.source("Tests/Left.swift", ran: 0, of: 5))
    #expect(
      Self.hint(.sources, evidence)
        == PracticeHint(
          .sources, .attention, "1 test file never ran (5 lines).",
          entries: [PracticeHint.Entry(location: SourceLocation(file: "Tests/Left.swift", line: 3), words: "5 lines")]))
    evidence.testSources?.append(Self.source("Tests/Other.swift", ran: 0, of: 1))
    let hint = Self.hint(.sources, evidence)
    #expect(
      hint?.sentence == "2 test files never ran (6 lines).")
    #expect(hint?.entries.last?.words == "its only line")
    evidence.tests.results.append(Documents.test("u", .notRun))
    #expect(Self.hint(.sources, evidence) == nil, "They may be those that did not run.")
  }

  @Test("Slow tests are those above the bot's mark, the slowest first")
  func fast() {
    var evidence = Self.evidence([
      Documents.test("a", .passed, 0.1), Documents.test("b", .passed, 0.2), Documents.test("c", .failed, 3),
      Documents.test("d", .skipped, 9), Documents.test("e", .crashed, 0.1),
    ])
    var hint = Self.hint(.fast, evidence)
    #expect(hint?.sentence == "2 tests take longer than 100 ms; all 4 add up to 3.4 s.")
    #expect(hint?.entries.compactMap(\.test?.name) == ["c", "b"])
    evidence.settings.slow = .seconds(5)
    hint = Self.hint(.fast, evidence)
    #expect(hint?.state == .good)
    #expect(hint?.sentence == "No test takes longer than 5.0 s; all 4 add up to 3.4 s.")
    evidence.tests.results.append(Documents.test("f", .timedOut, 8))
    hint = Self.hint(.fast, evidence)
    #expect(hint?.state == .unknown, "How long it would have taken is not known, and it is red.")
    #expect(hint?.sentence == "1 test timed out; no other takes longer than 5.0 s; the other 4 add up to 3.4 s.")
    #expect(hint?.entries == [])
  }

  @Test("A quick test of XCTest that took a tick of its run loop longer is not slow until it does so again")
  func tick() {
    var sentence: String?
    func slow(_ times: [Double], _ library: TestLibrary = .xctest) -> Int {
      var test = Documents.test("a", .passed, times[0])
      test.library = library
      var evidence = Self.evidence([test])
      evidence.settings.slow = .milliseconds(100)
      evidence.histories[test.id] = TestHistory(
        times.enumerated().map { index, time in
          TestHistory.Moment(
            number: 9 - index, commit: CommitID(rawValue: "\(index)"), toolchain: "",
            verdict: .init(state: .passed, duration: time * 1000, isFlaky: false))
        })
      let hint = Self.hint(.fast, evidence)
      sentence = hint?.sentence
      return hint?.entries.count ?? 0
    }
    #expect(slow([0.1004, 0.0001]) == 0)
    // Lists of tests by duration count it.
    #expect(
      sentence
        == "No test takes longer than 100 ms, not counting 1 that XCTest itself may have delayed by 0.1 s; the only one takes 100 ms."
    )
    #expect(slow([0.1004, 0.1005]) == 1)
    #expect(slow([0.1004]) == 1, "Nobody knows that it was quick.")
    #expect(slow([0.2104, 0.0001]) == 1)
    #expect(slow([0.1004, 0.0001], .swiftTesting) == 1)
  }

  @Test("The list of slow tests leaves out what XCTest itself may have kept, as the card does")
  func tickOfList() {
    func slow(before: Double) -> Int {
      var test = Documents.test("a", .passed, 0.1004)
      test.library = .xctest
      var integration = Documents.integration(9, tests: [test])
      integration.slowMark = 0.1
      integration.histories[test.id] = TestHistory(
        [(9, 0.1004), (8, before)].map { number, time in
          TestHistory.Moment(
            number: number, commit: CommitID(rawValue: "\(number)"), toolchain: "",
            verdict: .init(state: .passed, duration: time * 1000, isFlaky: false))
        })
      return integration.slowTests.count
    }
    #expect(slow(before: 0.0001) == 0)
    #expect(slow(before: 0.1005) == 1)
  }

  @Test("The total of durations is what the tests took, of each of which whole milliseconds are shown")
  func total() {
    let evidence = Self.evidence([
      Documents.test("a", .passed, 0.0024), Documents.test("b", .passed, 0.0024), Documents.test("c", .skipped, 0.1),
    ])
    #expect(
      Self.hint(.fast, evidence)?.sentence == "No test takes longer than 100 ms; all 2 add up to 5 ms.")
  }

  @Test(
    "The duration of a slow test shows that it is over the limit",
    arguments: [
      (0.1, 0.14, "0.14 s"), (0.1, 0.1006, "0.101 s"), (0.1, 0.26, "0.3 s"), (2, 2.049, "2.05 s"),
      (0.1, 0.100_312, "0.1003 s"), (0.01, 0.0103, "10.3 ms"), (0.01, 0.02, "20 ms"), (2, 72, "1 min 12 s"),
    ])
  func overTheLimit(limit: Double, seconds: Double, words: String) {
    var evidence = Self.evidence([Documents.test("a", .passed, seconds)])
    evidence.settings.slow = .seconds(limit)
    #expect(Self.hint(.fast, evidence)?.entries.map(\.words) == [words])
  }

  @Test("A test is slow by any microsecond above the limit, and not at it", arguments: [(0.100_312, 1), (0.1, 0)])
  func aboveTheLimit(seconds: Double, slow: Int) {
    var evidence = Self.evidence([Documents.test("a", .passed, seconds), Documents.test("b", .timedOut, 3.1)])
    evidence.settings.slow = .milliseconds(100)
    let hint = Self.hint(.fast, evidence)
    #expect(hint?.entries.count == slow)
    #expect(hint?.sentence.contains("no other takes longer than 100 ms") == (slow == 0))
    var integration = Documents.integration(1, tests: evidence.tests.results)
    integration.slowMark = 0.1
    #expect(integration.slowTests.count == slow)
  }

  @Test("Isolation and repeatability are good only when they were tried")
  func tried() {
    var evidence = Self.evidence([Documents.test("a", .passed), Documents.test("b", .passed)])
    #expect(Self.hint(.isolated, evidence)?.state == .unknown)
    #expect(
      Self.hint(.repeatable, evidence)?.sentence == "Each test ran once, so flakiness cannot be ruled out.")
    evidence.tests.isolation = IsolationReport(ran: 2, differing: [])
    #expect(Self.hint(.isolated, evidence)?.sentence == "2 tests ran alone, with the same result.")
    #expect(Self.hint(.repeatable, evidence)?.sentence == "2 tests ran twice, with the same result.")
    evidence.tests.isolation = IsolationReport(
      ran: 2, left: 1, differing: [.init(id: Finding.test("b"), together: .passed, alone: .failed)])
    #expect(
      Self.hint(.isolated, evidence)?.sentence
        == "1 of 2 tests ends differently alone. 1 test not tried: time ran out.")
    evidence.tests.results[0].isFlaky = true
    #expect(Self.hint(.repeatable, evidence)?.state == .attention)
  }

  @Test("A test that ended now so, now otherwise alone did not end in the same way, and is flaky here")
  func unsteady() {
    var evidence = Self.evidence([Documents.test("a", .failed), Documents.test("b", .passed)])
    evidence.tests.isolation = IsolationReport(ran: 2, differing: [], unsteady: [Finding.test("a")])
    #expect(Self.hint(.isolated, evidence)?.state == .unknown)
    #expect(Self.hint(.isolated, evidence)?.sentence == "1 of 2 tests ended differently from run to run.")
    #expect(Self.hint(.repeatable, evidence)?.sentence == "1 test failed and then passed on the same commit.")
  }

  @Test("Repeatable is not what ended in two ways on one commit, in this integration or over the last ones")
  func flaky() {
    var test = Documents.test("a", .passed, isFlaky: true)
    test.attempts = [TestAttempt(state: .failed, duration: 0), TestAttempt(state: .passed, duration: 0)]
    var evidence = Self.evidence([test, Documents.test("b", .passed), Documents.test("c", .passed)])
    func moment(_ number: Int, _ commit: String, _ state: TestState) -> TestHistory.Moment {
      TestHistory.Moment(
        number: number, commit: CommitID(rawValue: commit), branch: "main", toolchain: "Swift",
        verdict: .init(state: state, duration: 0, isFlaky: false))
    }
    evidence.histories = [
      Finding.test("b"): TestHistory([moment(3, "c", .passed), moment(2, "b", .failed), moment(1, "b", .passed)]),
      Finding.test("c"): TestHistory([moment(3, "c", .passed), moment(2, "b", .failed)]),
    ]
    let hint = Self.hint(.repeatable, evidence)
    #expect(hint?.state == .attention)
    #expect(
      hint?.sentence
        == "1 test failed and then passed on the same commit. 1 test passed and failed on the same commit in recent integrations."
    )
    #expect(hint?.entries.map(\.words) == ["failed, then passed", "flaky in 1, 2"])
    var retried = moment(2, "b", .passed)
    retried.verdict.isFlaky = true
    evidence.histories = [Finding.test("b"): TestHistory([moment(3, "c", .passed), retried])]
    #expect(
      Self.hint(.repeatable, evidence)?.sentence
        == "1 test failed and then passed on the same commit. 1 test passed and failed on the same commit in 2.")
  }

  @Test("Self-validation says what is proved, and how much is not")
  func selfValidating() {
    var swiftTesting = Documents.test("s", .passed)
    swiftTesting.library = .swiftTesting
    var evidence = Self.evidence([Documents.test("a", .passed), Documents.test("b", .passed), swiftTesting])
    #expect(Self.hint(.selfValidating, evidence)?.state == .unknown)
    var report = AssertionReport()
    report.proved = 2
    evidence.tests.assertions = report
    #expect(
      Self.hint(.selfValidating, evidence)?.sentence
        == "2 tests evaluated all their assertions. 1 Swift Testing test could not be checked.")
    #expect(Self.hint(.selfValidating, evidence)?.state == .unknown)
    evidence.tests.results.removeLast()
    #expect(Self.hint(.selfValidating, evidence)?.sentence == "2 tests evaluated all their assertions.")
    #expect(Self.hint(.selfValidating, evidence)?.state == .good)
    evidence.tests.results.append(swiftTesting)
    report.without = [Finding.test("a")]
    report.unproved = 1
    report.unreached = [.init(test: Finding.test("b"), location: SourceLocation(file: "T.swift", line: 4))]
    evidence.tests.assertions = report
    let hint = Self.hint(.selfValidating, evidence)
    #expect(hint?.state == .attention)
    #expect(
      hint?.sentence
        == "1 test passed without evaluating an assertion; 1 assertion in passed tests never ran. 1 test may assert elsewhere; 1 Swift Testing test could not be checked."
    )
    #expect(hint?.entries.map(\.words) == ["passed without an assertion", "this assertion never ran"])
  }

  @Test("Thorough counts the changed lines that never ran")
  func thorough() {
    var evidence = Self.evidence([Documents.test("a", .passed)])
    let file = PatchCoverage.File(path: "A.swift", ran: [1, 2], partlyRan: [], neverRan: [3])
    evidence.changes = CoverageChanges(
      comparison: .unknown(reason: "none"), patch: .known(PatchCoverage(origin: .parent, files: [file])))
    #expect(Self.hint(.thorough, evidence)?.sentence == "1 of 3 changed lines never ran.")
    #expect(Self.hint(.thorough, evidence)?.entries.map(\.line) == [3])
    // Nothing came before that they could differ from.
    evidence.changes?.patch = .known(PatchCoverage(origin: .nothing, files: [file]))
    #expect(Self.hint(.thorough, evidence)?.sentence == "1 of 3 lines never ran.")
    #expect(Self.hint(.thorough, evidence)?.entries.map(\.words) == ["never ran"])
    // A gate beside it may count them since another integration.
    evidence.changes?.patch = .known(PatchCoverage(origin: .integration(12), files: [file]))
    #expect(Self.hint(.thorough, evidence)?.sentence == "1 of 3 lines changed since 12 never ran.")
    let ran = PatchCoverage.File(path: "A.swift", ran: [1], partlyRan: [], neverRan: [])
    evidence.changes?.patch = .known(PatchCoverage(origin: .integration(12), files: [ran]))
    #expect(Self.hint(.thorough, evidence) == PracticeHint(.thorough, .good, "The line changed since 12 ran."))
    let hidden = UnmappedFile(path: "B.swift", obstacle: .content)
    evidence.changes?.patch = .known(PatchCoverage(origin: .parent, files: [], unmapped: [hidden]))
    #expect(
      Self.hint(.thorough, evidence)
        == PracticeHint(
          .thorough, .unknown,
          "No other counted line changed. Which lines changed is not known in B.swift, because the diff does not say how the lines moved."
        ))
    var leftOut = PatchCoverage(origin: .parent, files: [])
    leftOut.leftOut = ["C.swift"]
    evidence.changes?.patch = .known(leftOut)
    // Nothing that counts was done well.
    #expect(
      Self.hint(.thorough, evidence)
        == PracticeHint(
          .thorough, .unknown, "No counted line changed. Changed lines of C.swift are left out."))
    leftOut.leftOut = []
    leftOut.touchesTests = true
    evidence.changes?.patch = .known(leftOut)
    #expect(Self.hint(.thorough, evidence) == PracticeHint(.thorough, .unknown, "No counted line changed."))
    leftOut.leftOut = ["C.swift"]
    leftOut.files = [file]
    evidence.changes?.patch = .known(leftOut)
    #expect(
      Self.hint(.thorough, evidence)?.sentence
        == "1 of 3 changed lines never ran. Changed lines of C.swift are left out.")
    evidence.changes?.patch = .known(PatchCoverage(origin: .parent, files: []))
    #expect(Self.hint(.thorough, evidence) == nil)
    evidence.changes?.patch = .unknown(reason: "The commit is gone.")
    #expect(Self.hint(.thorough, evidence) == PracticeHint(.thorough, .unknown, "The commit is gone."))
    let lost = CoverageText(["1| a", "0| b"]).compared(with: CoverageText(["1| a", "3| b"]))
    evidence.changes = CoverageChanges(
      comparison: .known(lost), patch: .known(PatchCoverage(origin: .parent, files: [])))
    #expect(
      Self.hint(.thorough, evidence)?.sentence == "No counted line changed. 1 unchanged line no longer runs.")
  }

  @Test("Names are looked at only where the bot has a pattern")
  func names() {
    var evidence = Self.evidence([Documents.test("test_a", .passed), Documents.test("oops()", .passed)])
    #expect(Self.hint(.names, evidence) == nil)
    evidence.settings.names = "^test_[a-z]+$"
    #expect(Self.hint(.names, evidence)?.sentence == "1 name does not match ^test_[a-z]+$")
    #expect(Self.hint(.names, evidence)?.entries.compactMap(\.test?.name) == ["oops()"])
    evidence.settings.names = "^(test_|oops$)"
    #expect(Self.hint(.names, evidence)?.state == .good)
    evidence.settings.names = "("
    #expect(Self.hint(.names, evidence)?.state == .unknown)
  }

  @Test("Printed totals are told only when they disagree with the tests that were seen")
  func totals() {
    var evidence = Self.evidence([Documents.test("a", .passed), Documents.test("b", .notRun)])
    evidence.tests.printedTotals = [PrintedTotal(library: .xctest, tests: 1)]
    #expect(Self.hint(.totals, evidence) == nil)
    evidence.tests.printedTotals = [PrintedTotal(library: .xctest, tests: 3)]
    #expect(Self.hint(.totals, evidence)?.sentence == "XCTest printed 3 tests, 1 were seen.")
  }

  @Test(
    "A measured value is higher only beyond what it varies, and beyond a tenth",
    arguments: [
      ([1.0, 1.0], nil, PracticeHint.State.unknown, "Time 1 s"),
      ([1.05, 1.05], [1.0, 1.0], .good, "Time 1.05 s, was 1 s in 7 (+5%)"),
      ([1.2, 1.2], [1.0, 1.0], .attention, "Time 1.2 s, was 1 s in 7 (20% slower)"),
      ([1.2, 1.2], [0.7, 1.3], .good, "Time 1.2 s, was 1 s in 7 (+20%)"),
      ([0.5, 0.5], [1.0, 1.0], .good, "Time 500 ms, was 1 s in 7 (50% faster)"),
      ([0.000_02, 0.000_02], [0.000_012, 0.000_012], .good, "Time 20 µs, was 12 µs in 7 (+67%)"),
    ] as [([Double], [Double]?, PracticeHint.State, String)])
  func measured(now: [Double], before: [Double]?, state: PracticeHint.State, words: String) {
    var test = Documents.test("a", .passed)
    test.measurements = [TestMeasurement(metric: "Time", unit: "seconds", values: now)]
    var evidence = Self.evidence([test])
    evidence.trends = [test.id: [Trends.trend([now, before])]]
    let hint = Self.hint(.measurements, evidence)
    #expect(hint?.state == state)
    #expect(hint?.entries.map(\.words) == [words])
  }

  @Test("What was measured is told in one sentence, what is slower first, and what else differs")
  func measuredSentence() {
    func hint(_ trends: [String: MeasurementTrend]) -> PracticeHint? {
      var evidence = Self.evidence(trends.keys.sorted().map { Documents.test($0, .passed) })
      evidence.trends = Dictionary(
        uniqueKeysWithValues: trends.map { (Documents.test($0.key, .passed).id, [$0.value]) })
      return Self.hint(.measurements, evidence)
    }
    let (same, slow) = (Trends.trend([[1], [1]]), Trends.trend([[2], [1]]))
    #expect(hint([:]) == nil)
    #expect(hint(["a": Trends.trend([[1]])])?.sentence == "1 measured value has no earlier one to compare with.")
    #expect(hint(["a": same])?.sentence == "1 measured value is no slower than in 7, within the usual variation.")
    #expect(
      hint(["a": same, "b": slow])?.sentence
        == "1 of 2 measured values is slower than in 7 by more than the usual variation.")
    #expect(hint(["a": same, "b": slow])?.entries.map(\.test?.name) == ["b", "a"])
    #expect(
      hint(["a": same, "b": Trends.trend([[1], nil, [1]])])?.sentence
        == "2 measured values are no slower than when they were last measured, within the usual variation.")
    let moved = Trends.trend([[2], [1]], unit: "kB", differing: ["toolchain"])
    #expect(
      hint(["a": moved])?.sentence
        == "1 of 1 measured value is higher than in 7 by more than the usual variation. Not only the commits differ; see the entries."
    )
    #expect(
      hint(["a": moved])?.entries.first?.words
        == "Time 2 kB, was 1 kB in 7 (100% higher); not the same: toolchain")
  }
}
