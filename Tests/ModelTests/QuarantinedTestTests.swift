import Testing

@testable import Model

@Suite("What an integration finds about tests in quarantine")
struct QuarantinedTestTests {
  private static let test = TestID(module: "M", suite: "C", name: "testLuck")
  private let entry = QuarantinedTest(test: test, reason: "luck", lastDay: "2026-12-24")

  /// - Parameter ends: how the test ended, newest first; `f` for flaky.
  private func finding(_ ends: String, isOver: Bool = false) -> QuarantinedTest.Finding? {
    QuarantinedTest.findings(of: [entry], isOver: { _ in isOver }, [[Self.test: history(ends)]]).first
  }

  private func history(_ ends: String) -> TestHistory {
    let moments = ends.enumerated().map { index, end in
      TestHistory.Moment(
        number: 100 - index, commit: CommitID(rawValue: "c\(index)"), branch: "main", toolchain: "6.3",
        verdict: .init(state: end == "r" ? .failed : end == "-" ? .notRun : .passed, duration: 1, isFlaky: end == "f"))
    }
    return TestHistory(moments)
  }

  @Test("is since when it has passed at once; integrations in which it did not run do not matter")
  func passed() {
    #expect(finding("r")?.passed == nil)
    #expect(finding("pp-pr")?.passed == 3)
    #expect(finding("pfp")?.passed == 1)
    #expect(finding("fp")?.passed == nil)
  }

  @Test("is that it can leave after ten integrations in which it passed")
  func done() {
    #expect(finding("ppppppppprp")?.isDone == false)
    #expect(finding("pppppppppprp")?.isDone == true)
    #expect(finding("pppppppppprp", isOver: true)?.isDone == false)
  }

  @Test("is also that a quarantine is over, or that there is no such test")
  func states() {
    #expect(finding("r", isOver: true)?.state == .ended)
    #expect(finding("r")?.state == .holds)
    let other = TestHistory([])
    let key = TestID(module: "M", suite: "C", name: "testOther")
    #expect(QuarantinedTest.findings(of: [entry], isOver: { _ in false }, [[key: other]]).map(\.state) == [.unlisted])
    #expect(QuarantinedTest.findings(of: [entry], isOver: { _ in false }, [[:]]).isEmpty)
  }

  @Test("is that one ended its process, which counts")
  func quit() {
    let histories = [[Self.test: history("-")]]
    let found = QuarantinedTest.findings(of: [entry], isOver: { _ in false }, histories, quitters: [Self.test])
    #expect(found.map(\.state) == [.holds] && found.map(\.quit) == [true])
    #expect(finding("-")?.quit == nil)
  }

  @Test("holds for each required destination: a test has passed where all that list it say so")
  func destinations() {
    func findings(_ histories: [[TestID: TestHistory]]) -> [QuarantinedTest.Finding] {
      QuarantinedTest.findings(of: [entry], isOver: { _ in false }, histories)
    }
    let other = [TestID(module: "M", suite: "C", name: "testOther"): history("p")]
    #expect(findings([[Self.test: history("pppp")], [Self.test: history("rrrr")]]).map(\.passed) == [nil])
    #expect(findings([[Self.test: history("pppp")], [Self.test: history("ppr")]]).map(\.passed) == [2])
    // One destination alone may have the test.
    #expect(findings([other, [Self.test: history("pp")]]).map(\.state) == [.holds])
    #expect(findings([other, [Self.test: history("pp")]]).map(\.passed) == [2])
    #expect(findings([other, other]).map(\.state) == [.unlisted])
    // What waits for idle time may list it.
    #expect(findings([other, [:]]).isEmpty)
  }
}
