import Comparing
import Model
import Testing

@testable import Rendering

@Suite("The headline of a comparison")
struct ComparisonHeadlineTests {
  @Test("Tests that ended otherwise are not said to have ended as they did")
  func changed() {
    var comparison = ComparisonSample.comparison
    let broken = comparison.tests.broken
    comparison.tests = TestChanges()
    comparison.counts = []
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: no test changed")
    comparison.coverage = CoverageSides(before: nil, after: nil, files: [])
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: no test changed")
    comparison.before.outcome = comparison.after.outcome
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: nothing changed")
    comparison.tests.changed = [broken[0]]
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: 1 test changed")
    comparison.tests.changed = Array(broken.prefix(2))
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: 2 tests changed")
    comparison.tests.changed = []
    comparison.tests.slower = [broken[0]]
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: 1 test slower")
  }

  @Test("The headline has the change of the counted lines, as the row does, unless chance alone made it")
  func uncoveredByChance() {
    var comparison = ComparisonSample.comparison
    comparison.tests = TestChanges()
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    comparison.counts = [CountChange(.uncoveredLines, before: 7, after: 9)]
    var chance = CategoryCounts()
    chance[.gained] = 2
    comparison.coverage.byChance = chance
    #expect(
      ComparisonWords(comparison).headline == "Greeter 41 → 42: 2 more uncovered lines (4 more, 2 fewer by chance)")
    chance[.gained] = 0
    chance[.lost] = 1
    comparison.coverage.byChance = chance
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: 2 more uncovered lines (1 by chance)")
    chance[.gained] = 2
    chance[.lost] = 4
    comparison.coverage.byChance = chance
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: no test changed")
  }
}
