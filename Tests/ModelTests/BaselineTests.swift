import Model
import Testing

@Suite("What is compared with")
struct BaselineTests {
  private func overload(_ line: Int) -> TestID {
    TestID(module: "P", suite: "", name: "over(_:)/B.swift:\(line):2")
  }

  @Test("Has its tests by the names that they have by now, and none that is gone by the name of another")
  func follow() {
    var baseline = Baseline(
      number: 1, commit: CommitID(rawValue: "a"), outcome: .testFailures, tests: TestCounts(), totals: nil, files: [:],
      duration: 1, warnings: 0, states: [overload(3): .crashed, overload(4): .failed, overload(7): .passed],
      issues: [overload(3), overload(4)].map { test in
        Issue(id: "t", kind: .testFailure, status: .silenced, message: "no", test: test)
      })
    baseline.quits = [overload(3), overload(4)]
    baseline.follow(
      TestListChanges(
        added: [overload(4)], deleted: [overload(3)], renamed: [.init(from: overload(4), to: overload(3))]))
    #expect(baseline.states == [overload(3): .failed, overload(7): .passed])
    #expect(baseline.quits == [overload(3)])
    #expect(baseline.issues.map(\.test) == [overload(3).withoutPlace, overload(3)])
  }
}
