@testable import Model
import Rendering
import Testing

@testable import Comparing

@Suite("Two integrations of which one lacks tests")
struct MissingTestsComparisonTests {
  @Test("Where tests did not run in either, what never ran is compared with nothing", arguments: [true, false])
  func notRun(isNow: Bool) {
    var old = Documents.integration(1, tests: [Documents.test("t", .passed)])
    old.coverage = Documents.coverage([("A.swift", 1, 10)])
    var new = old
    new.coverage = Documents.coverage([("A.swift", 9, 10)])
    #expect(Documents.comparison(old, new).coverage.files.count == 1)
    if isNow { new.tests.results[0].state = .notRun } else { old.tests.results[0].state = .notRun }
    let comparison = Documents.comparison(old, new)
    #expect(comparison.coverage.files.isEmpty && comparison.coverage.sameFiles == 0)
    #expect(comparison.count(.uncoveredLines)?.change == nil)
    let least =
      isNow ? "at most 9 of 10 lines never ran, 1 of 10 in 1" : "9 of 10 lines never ran, at most 1 of 10 in 1"
    #expect(ComparisonWords(comparison).coverageSummary == least)
  }
}
