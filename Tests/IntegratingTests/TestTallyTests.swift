import Model
import Testing

@testable import Integrating

@Suite("How far the tests are")
struct TestTallyTests {
  private func test(_ name: String) -> TestID { TestID(module: "M", suite: "S", name: name) }

  @Test("Each test counts once, one that passes when it is run again is red no more, and each step begins anew")
  func counts() {
    var tally = TestTally()
    #expect(tally.news() == nil)
    tally.note(.testStarted(test("a")))
    tally.note(.testStarted(test("b")))
    #expect(tally.news() == RunningTests(ended: 0, red: 0, running: test("b").description))
    #expect(tally.news() == nil)
    tally.note(.testEnded(test("b"), .failed))
    #expect(tally.news() == RunningTests(ended: 1, red: 1, running: test("a").description))
    tally.note(.testEnded(test("a"), .passed))
    tally.note(.testStarted(test("b")))
    tally.note(.testEnded(test("b"), .passed))
    #expect(tally.tests == RunningTests(ended: 2, red: 0, running: nil))
    #expect(tally.news() == tally.tests)
    tally.note(.step(.testing))
    #expect(tally.news() == nil)
  }

  @Test("A destination that goes on after others did keeps its counts, and one that begins has none")
  func destinations() {
    var tally = TestTally()
    tally.note(.destination("thread", nil))
    tally.note(.step(.testing))
    tally.note(.testEnded(test("a"), .failed))
    tally.note(.destination("release", nil))
    tally.note(.step(.testing))
    #expect(tally.tests == RunningTests(ended: 0, red: 0, running: nil))
    tally.note(.testEnded(test("a"), .passed))
    tally.note(.destination("thread", .testing))
    #expect(tally.tests == RunningTests(ended: 1, red: 1, running: nil))
    tally.note(.testEnded(test("b"), .passed))
    tally.note(.destination("release", .testing))
    #expect(tally.tests == RunningTests(ended: 1, red: 0, running: nil))
    tally.note(.destination("thread", nil))
    #expect(tally.tests == RunningTests(ended: 0, red: 0, running: nil))
  }
}
