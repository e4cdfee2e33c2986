import Model
import Testing

@testable import Comparing

/// What proves that an issue is gone, for each kind whose proof is more than that something was built or ran.
@Suite("What an integration can prove")
struct IssueReachTests {
  private let test = Finding.test("a")

  private func record(
    _ kind: Issue.Kind, _ message: String = "no", _ subject: IssueSubject? = nil, test: TestID? = nil
  ) -> IssueRecord {
    var record = IssueRecord(
      id: "x", kind: kind, message: message, location: nil, test: test, streaks: [.init(opened: 1, lastSeen: 1)])
    record.subject = subject
    return record
  }

  private func reach(_ state: TestState?) -> IssueReach {
    IssueReach(built: true, tests: state.map { [test: $0] } ?? [:], listed: true)
  }

  @Test("A test that was filtered out is not fixed, and one that is listed no more was deleted")
  func filteredOut() {
    for kind in [Issue.Kind.testFailure, .crash, .timeOut, .quit, .warning] {
      #expect(reach(nil).fate(of: record(kind, test: test)) == .resolved(.testDeleted), "\(kind)")
      var filtered = reach(nil)
      filtered.filteredOut = [test]
      #expect(filtered.fate(of: record(kind, test: test)) == .open, "\(kind)")
    }
  }

  @Test("A test that is missing where not all could be listed may still exist")
  func unlisted() {
    var reach = reach(nil)
    reach.sanitized = true
    let loose = record(.sanitizer, "leak")
    #expect(reach.fate(of: loose) == .resolved(.fixed))
    reach.mayLackTests = true
    for kind in [Issue.Kind.testFailure, .crash, .timeOut, .quit, .warning, .sanitizer] {
      #expect(reach.fate(of: record(kind, test: test)) == .open, "\(kind)")
    }
    #expect(reach.fate(of: loose) == .open)
    reach.tests[test] = .passed
    #expect(reach.fate(of: record(.testFailure, test: test)) == .resolved(.fixed))
    #expect(reach.stages.contains(.tests))
  }

  @Test("A test no longer depends on the others when it ended alone as it should", arguments: TestState.allCases)
  func orderDependence(state: TestState) {
    let warning = record(.warning, "alone", .orderDependence, test: test)
    var reach = reach(state)
    #expect(reach.fate(of: warning) == .open, "It did not run alone.")
    reach.isolated = true
    let isGood = state == .passed || state == .expectedFailure
    #expect(reach.fate(of: warning) == (isGood ? .resolved(.fixed) : .open))
    reach.unsteady = [test]
    #expect(reach.fate(of: warning) == .open, "Alone it ended now so, now otherwise.")
    (reach.unsteady, reach.flaky) = ([], [test])
    #expect(reach.fate(of: warning) == .open, "It failed at first.")
  }

  @Test("What is no longer asked for proves nothing of what it found, and the rest stays open")
  func dropped() {
    var ofArchive = record(.error)
    ofArchive.step = .archiving
    let found: [(IssueReach.Check, IssueRecord)] = [
      (.analysis, record(.analyzerWarning)), (.sanitizers, record(.sanitizer, "data race", test: test)),
      (.sanitizers, record(.sanitizer, "leak")), (.isolation, record(.warning, "alone", .orderDependence, test: test)),
      (.archive, ofArchive),
    ]
    for (check, issue) in found {
      for dropped in [IssueReach.Check.archive, .analysis, .sanitizers, .isolation] {
        var reach = reach(.failed)
        reach.dropped = [dropped]
        #expect(reach.fate(of: issue) == (dropped == check ? .dropped : .open), "\(issue.kind), \(dropped)")
      }
    }
    var all = reach(.failed)
    all.dropped = [.analysis, .sanitizers, .isolation]
    #expect(all.fate(of: record(.warning, test: test)) == .open)
  }

  @Test("A test that passed only after a failed attempt, or by chance, is not fixed")
  func flaky() {
    var reach = reach(.passed)
    #expect(reach.fate(of: record(.testFailure, test: test)) == .resolved(.fixed))
    reach.unsteady = [test]
    #expect(reach.fate(of: record(.testFailure, test: test)) == .resolved(.passedAgain))
    reach.flaky = [test]
    #expect(reach.fate(of: record(.testFailure, test: test)) == .retried)
  }

  @Test("A test that is marked as a known issue and fails as before is not fixed", arguments: [false, true])
  func knownIssue(isUnsteady: Bool) {
    var reach = reach(.expectedFailure)
    reach.unsteady = isUnsteady ? [test] : []
    for kind in [Issue.Kind.testFailure, .crash, .timeOut] {
      #expect(reach.fate(of: record(kind, test: test)) == .resolved(.knownIssue))
    }
  }

  @Test("What the analyzer found is gone when it is not found again")
  func analyzer() {
    var reach = reach(.passed)
    #expect(reach.fate(of: record(.analyzerWarning)) == .open)
    reach.analyzed = true
    #expect(reach.fate(of: record(.analyzerWarning)) == .resolved(.fixed))
  }

  @Test("A gate is passed only where it was judged, or not asked for any more")
  func gates() {
    let gate = record(.gate, "Gate patch=80: 1 of 2 lines ran.", .gate("patch=80"))
    var reach = reach(.passed)
    #expect(reach.fate(of: gate) == .open)
    for (state, fate) in [(GateResult.State.passed, IssueReach.Fate.resolved(.fixed)), (.notJudged, .open)] {
      reach.gates = ["patch=80": state]
      #expect(reach.fate(of: gate) == fate)
    }
    reach.gates = ["ratchet": .passed]
    #expect(reach.fate(of: gate) == .resolved(nil), "It is not asked for any more, so nothing mended it.")
  }

  @Test("A gate that stays owed is not passed by asking for another")
  func owedGates() {
    let gate = record(.gate, "Gate patch=80: 1 of 2 lines ran.", .gate("patch=80"))
    var reach = reach(.passed)
    reach.gates = ["ratchet": .passed]
    reach.owedGates = ["patch=80"]
    #expect(reach.fate(of: gate) == .open)
    #expect(reach.fate(of: record(.gate, "Gate patch=8: 1 of 2 lines ran.", .gate("patch=8"))) == .resolved(nil))
  }

  @Test("An error is gone when the step that found it came to a good end, and not before")
  func steps() {
    func fate(_ step: Step?, built: Bool, passed: Set<Step>) -> IssueReach.Fate {
      var error = record(.error)
      error.step = step
      var reach = IssueReach(built: built, tests: [:])
      reach.passed = passed
      return reach.fate(of: error)
    }
    // The package's settings were mended, and now its sources do not compile.
    #expect(fate(.checkout, built: false, passed: [.checkout]) == .resolved(.fixed))
    #expect(fate(.checkout, built: false, passed: []) == .open)
    #expect(fate(.resolving, built: false, passed: [.checkout, .resolving]) == .resolved(.fixed))
    for step in [Step.building, nil] {
      #expect(fate(step, built: false, passed: [.checkout, .resolving]) == .open)
      #expect(fate(step, built: true, passed: []) == .resolved(.fixed))
    }
    // The tests failed, and so no release was built.
    #expect(fate(.archiving, built: true, passed: [.checkout, .resolving]) == .open)
    #expect(fate(.archiving, built: true, passed: [.archiving]) == .resolved(.fixed))
  }

  @Test("A sanitizer's report is gone when its test came to its end under a sanitizer", arguments: TestState.allCases)
  func sanitizer(state: TestState) {
    let report = record(.sanitizer, "data race", test: test)
    var reach = reach(state)
    #expect(reach.fate(of: report) == .open)
    reach.sanitized = true
    let hasEnded: Set<TestState> = [.passed, .expectedFailure, .failed]
    #expect(reach.fate(of: report) == (hasEnded.contains(state) ? .resolved(.fixed) : .open))
    let loose = record(.sanitizer, "leak")
    #expect(
      reach.fate(of: loose) == (hasEnded.union([.skipped, .canceled]).contains(state) ? .resolved(.fixed) : .open))
  }

  @Test("An integration that was canceled or failed proves nothing", arguments: Issue.Kind.allCases)
  func void(kind: Issue.Kind) {
    #expect(IssueReach.void.fate(of: record(kind)) == .open)
    #expect(IssueReach.void.fate(of: record(kind, test: test)) == .open)
    #expect(IssueReach.void.stages.isEmpty)
  }
}
