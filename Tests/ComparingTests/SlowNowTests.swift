import Model
import Testing

@testable import Comparing

@Suite("Tests that became slow")
struct SlowNowTests {
  @Test("Only a test that is slow now, was not before, and takes a quarter longer became slow")
  func crossed() throws {
    let names = ["jumps", "creeps", "always", "quick", "skips"]
    func integration(_ number: Int, _ times: [Double]) -> Integration {
      var tests = zip(names, times).map { Documents.test($0, .passed, $1) }
      tests[4].state = .skipped
      return Documents.integration(number, tests: tests)
    }
    let (before, after) = (integration(1, [0, 0.099, 0.2, 0, 0]), integration(2, [0.211, 0.102, 0.4, 0.1, 0.3]))
    let changes = Documents.comparison(before, after).tests
    #expect(changes.slowNow?.mark == 0.1)
    #expect(changes.slowNow?.tests.map(\.id.name) == ["jumps"])
    #expect(changes.same == 4)
    #expect(Documents.comparison(after, before).tests.slowNow == nil)
  }

  @Test("A test of XCTest that takes no more than a tick of its run loop longer than the mark became none")
  func tick() {
    func became(_ library: TestLibrary, from before: Double, to now: Double) -> [String] {
      func integration(_ number: Int, _ time: Double) -> Integration {
        var test = Documents.test("one", .passed, time)
        test.library = library
        return Documents.integration(number, tests: [test])
      }
      let changes = Documents.comparison(integration(1, before), integration(2, now)).tests
      return changes.slowNow?.tests.map(\.id.name) ?? []
    }
    #expect(became(.xctest, from: 0.001, to: 0.101).isEmpty)
    #expect(became(.xctest, from: 0.001, to: 0.2101) == ["one"])
    #expect(became(.swiftTesting, from: 0.001, to: 0.101) == ["one"])
  }

  @Test("The mark is the later one's, and the largest step comes first")
  func marks() {
    func integration(_ number: Int, _ times: [Double]) -> Integration {
      Documents.integration(number, tests: zip(["one", "two"], times).map { Documents.test($0, .passed, $1) })
    }
    var after = integration(2, [2.5, 3])
    after.slowMark = 2
    let changes = Documents.comparison(integration(1, [0.5, 0.5]), after).tests
    #expect(changes.slowNow?.mark == 2)
    #expect(changes.slowNow?.tests.map(\.id.name) == ["two", "one"])
  }
}
