import Model
import Testing

@testable import Rendering

@Suite("The tests by target")
struct TargetsSectionTests {
  @Test("Where tests turned red, the column of those that passed has its change, too")
  func changedTargets() throws {
    let index = try PageSite.sample("red").text("index.html")
    #expect(index.contains(#"data-l="passed">26 <span class=d>−2</span>"#))
  }

  @Test("A suite whose tests all turned red does not say that 0 passed")
  func nonePassed() {
    func summary(_ states: TestState...) -> TemplateValue {
      var before = TestCounts()
      before.passed = states.count
      let tests = states.enumerated().map { index, state in
        TestResult(id: TestID(module: "M", suite: "S", name: "t\(index)()"), library: .swiftTesting, state: state)
      }
      return TestTree.summary(tests, before: before)
    }
    let red = SummaryPart(words: "1 red", delta: Delta(1, from: 0, .moreIsWorse))
    #expect(summary(.failed) == SummaryPart.line([red]))
    #expect(summary(.failed, .passed) == SummaryPart.line([red, SummaryPart(words: "1 passed")]))
    // Without red tests, only its change says what became of those that passed.
    let skipped = SummaryPart(words: "1 skipped", delta: Delta(1, from: 0, .neutral))
    let passed = SummaryPart(words: "0 passed", delta: Delta(0, from: 1, .moreIsBetter))
    #expect(summary(.skipped) == SummaryPart.line([passed, skipped]))
  }
}
