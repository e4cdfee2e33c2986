import Model
import TestGround
import Testing

@Suite("Counts of tests")
struct TestCountsTests {
  private func results(_ states: [TestState], flaky: Int = 0) -> [TestResult] {
    states.enumerated().map { number, state in
      TestResult(
        id: TestID(module: "M", suite: "S", name: "t\(number)"), library: .xctest, state: state,
        isFlaky: number < flaky)
    }
  }

  @Test("Listed is the sum of the states, for any results")
  func sum() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      let states = (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
        TestState.allCases.randomElement(using: &generator)
      }
      let report = TestReport(results: results(states), filteredOut: Int.random(in: 0...9, using: &generator))
      let counts = report.counts
      #expect(counts.listed == states.count)
      #expect(
        counts.passed + counts.failed + counts.expectedFailures + counts.skipped + counts.crashed + counts.timedOut
          + counts.canceled + counts.notRun == states.count)
      #expect(counts.red == states.count(where: \.isRed))
      #expect(counts.filteredOut == report.filteredOut)
    }
  }

  @Test("Each state has a count of its own", arguments: TestState.allCases)
  func states(state: TestState) {
    let counts = TestCounts(of: results([state, state]))
    let fields = [
      TestState.crashed: counts.crashed, .timedOut: counts.timedOut, .canceled: counts.canceled,
      .failed: counts.failed, .expectedFailure: counts.expectedFailures, .skipped: counts.skipped,
      .passed: counts.passed, .notRun: counts.notRun,
    ]
    #expect(fields.count == TestState.allCases.count)
    for (other, count) in fields { #expect(count == (other == state ? 2 : 0), "\(other)") }
  }

  @Test("A flaky test is counted with those that passed, and apart")
  func flaky() {
    let counts = TestCounts(of: results([.passed, .passed], flaky: 1))
    #expect(counts.passed == 2)
    #expect(counts.flaky == 1)
    #expect(counts.listed == 2)
  }

  @Test("A report sorts its results by name")
  func sorted() {
    let report = TestReport(results: results([.passed, .failed, .skipped]).reversed())
    #expect(report.results.map(\.id.name) == ["t0", "t1", "t2"])
  }

  @Test("Changes are signed, by the names of the summary document, and red ones add up")
  func deltas() {
    let old = TestCounts(of: results([.passed, .passed, .failed]))
    let new = TestCounts(of: results([.passed, .crashed, .timedOut, .notRun]))
    let deltas = Deltas.Tests(from: old, to: new)
    #expect(
      deltas.byName == [
        "listed": 1, "passed": -1, "failed": -1, "expectedFailures": 0, "skipped": 0, "crashed": 1, "timedOut": 1,
        "canceled": 0, "notRun": 1, "filteredOut": 0, "flaky": 0,
      ])
    #expect(deltas.red == 1)
    #expect(deltas.listed == 1)
  }
}

@Suite("Coverage figures")
struct CoverageFiguresTests {
  private func file(_ path: String, covered: Int, total: Int, partial: Int = 0) -> FileCoverage {
    FileCoverage(
      path: path, target: "T", lines: [], deadStretches: [], functions: [],
      totals: CoverageTotals(
        lines: LineTally(total: total, covered: covered, partial: partial), regions: Tally(total: 4, covered: 1),
        functions: Tally(total: 2, covered: 2)), llvmLines: Tally())
  }

  @Test("Totals are sums of lines, never averages of shares")
  func totals() {
    let coverage = Coverage(files: [
      file("b.swift", covered: 9, total: 14, partial: 1), file("c.swift", covered: 0, total: 30),
      file("d.swift", covered: 14, total: 29), file("a.swift", covered: 4, total: 4),
    ])
    #expect(coverage.totals.lines == LineTally(total: 77, covered: 27, partial: 1))
    #expect(coverage.totals.lines.uncovered == 50)
    #expect(coverage.totals.regions == Tally(total: 16, covered: 4))
    #expect(coverage.totals.functions == Tally(total: 8, covered: 8))
    #expect(coverage.totals.regions.uncovered == 12)
    #expect(coverage.files.map(\.path) == ["a.swift", "b.swift", "c.swift", "d.swift"])
  }

  @Test("Sums do not depend on the order and nothing is the sum of nothing")
  func addition() {
    let one = CoverageTotals(lines: LineTally(total: 3, covered: 2, partial: 1), regions: Tally(total: 5, covered: 4))
    let other = CoverageTotals(lines: LineTally(total: 1, covered: 0), functions: Tally(total: 2, covered: 1))
    #expect(one + other == other + one)
    #expect(one + CoverageTotals() == one)
    #expect(Coverage(files: []).totals == CoverageTotals())
  }

  @Test("A change is new minus old in every figure")
  func change() {
    let old = CoverageTotals(
      lines: LineTally(total: 10, covered: 8, partial: 2), regions: Tally(total: 6, covered: 6),
      functions: Tally(total: 3, covered: 3))
    let new = CoverageTotals(
      lines: LineTally(total: 12, covered: 7, partial: 0), regions: Tally(total: 9, covered: 5),
      functions: Tally(total: 3, covered: 2))
    #expect(
      new - old
        == CoverageTotals(
          lines: LineTally(total: 2, covered: -1, partial: -2), regions: Tally(total: 3, covered: -1),
          functions: Tally(total: 0, covered: -1)))
    #expect(old + (new - old) == new)
  }

  @Test("A function begins on its first region's line; without regions on none")
  func functionLine() {
    let region = { (line: Int) in
      CoverageRegion(start: SourcePosition(line: line, column: 1), end: SourcePosition(line: line, column: 9), count: 1)
    }
    #expect(FunctionCoverage(name: "f", symbol: "$f", count: 1, regions: [region(9), region(4)]).line == 4)
    #expect(FunctionCoverage(name: "f", symbol: "$f", count: 1, regions: []).line == 0)
  }

  @Test("Of what changed together, signatures and stored properties come after the lines that do something")
  func declarationsLast() {
    func function(_ lines: ClosedRange<Int>, _ symbol: String = "$f") -> FunctionCoverage {
      let region = CoverageRegion(
        start: SourcePosition(line: lines.lowerBound, column: 30),
        end: SourcePosition(line: lines.upperBound, column: 40), count: 1)
      return FunctionCoverage(name: "f", symbol: symbol, count: 1, regions: [region])
    }
    let functions = [function(5...5, "$s4Shop4ListV7entriesSaySiGvpfi"), function(7...9), function(12...12)]
    let together = LineMap.Hunk(old: 1..<1, new: 1..<20)
    #expect(functions.withDeclarationsLast([12, 9, 5, 7, 8], in: [together]) == [8, 9, 12, 5, 7])
    let apart = [LineMap.Hunk(old: 5..<6, new: 5..<6), LineMap.Hunk(old: 8..<9, new: 8..<9)]
    #expect(functions.withDeclarationsLast([8, 5], in: apart) == [5, 8], "They may be for different reasons.")
  }
}

@Suite("Outcomes and states")
struct OutcomeTests {
  @Test(
    "Each outcome has its exit status",
    arguments: [
      (Outcome.succeeded, Int32(0), true), (.warnings, 0, true), (.analyzerWarnings, 0, true), (.testFailures, 1, true),
      (.buildErrors, 1, true), (.incomplete, 1, true), (.triggerError, 1, false), (.checkoutError, 3, false),
      (.internalError, 3, false), (.canceled, 130, false),
    ])
  func exitCodes(outcome: Outcome, code: Int32, isConclusive: Bool) {
    #expect(outcome.exitCode == code)
    #expect(outcome.isConclusive == isConclusive)
  }

  @Test("Outcomes and states have the words and the order of the documents")
  func words() {
    #expect(
      Outcome.allCases.map(\.rawValue) == [
        "internal-error", "canceled", "checkout-error", "trigger-error", "build-errors", "test-failures", "incomplete",
        "analyzer-warnings", "warnings", "succeeded",
      ])
    #expect(
      TestState.allCases.map(\.rawValue) == [
        "crashed", "timed-out", "canceled", "failed", "expected-failure", "skipped", "passed", "not-run",
      ])
    #expect(TestState.allCases.filter(\.isRed) == [.crashed, .timedOut, .failed])
  }

  @Test("A commit shows its first seven digits, a place its line and column, a file its last part")
  func shortForms() {
    #expect(CommitID(rawValue: "0123456789abcdef0123456789abcdef01234567").short == "0123456")
    #expect(SourceLocation(file: "Sources/A/b.swift", line: 3, column: 9).description == "Sources/A/b.swift:3:9")
    #expect(SourceLocation(file: "Sources/A/b.swift", line: 3).description == "Sources/A/b.swift:3")
    #expect(SourceLocation(file: "Sources/A/b.swift", line: 3).fileName == "b.swift")
    #expect(SourceLocation(file: "a", line: 2) < SourceLocation(file: "a", line: 2, column: 1))
  }

  @Test("A target's sources are relative to the package, also when the target is the package's folder")
  func sourcePaths() {
    let target = PackageModel.Target(name: "A", type: "library", path: "Sources/A", sources: ["a.swift", "b/c.swift"])
    #expect(target.sourcePaths == ["Sources/A/a.swift", "Sources/A/b/c.swift"])
    for root in ["", "."] {
      let target = PackageModel.Target(name: "A", type: "test", path: root, sources: ["a.swift"])
      #expect(target.sourcePaths == ["a.swift"])
      #expect(PackageModel(name: "P", targets: [target]).hasTestTargets)
    }
    #expect(!PackageModel(name: "P", targets: [target]).hasTestTargets)
  }

  @Test("What a test waited for others counts in no sum, and does not make it slow")
  func sideBySide() {
    func test(_ name: String, _ start: Double?, _ duration: Double, waited: Double = 0) -> TestResult {
      var test = TestResult(
        id: TestID(module: "M", suite: "", name: name), library: .swiftTesting, state: .passed, duration: duration)
      (test.start, test.waited) = (start, waited)
      return test
    }
    let tests = [
      test("a", 10, 2, waited: 1.5), test("b", 11, 0.5, waited: 0.25), test("c", 11, 2), test("d", 20, 1),
      test("old", nil, 0.5),
    ]
    #expect(tests.ownTime == 4.25 && tests.dropLast().map(\.self).ownTime == 3.75)
    #expect(tests.map { $0.isSlow(beyond: 0.5) } == [false, false, true, true, false])
    #expect([TestResult(id: tests[0].id, library: .xctest, state: .skipped)].ownTime == nil)
  }
}
