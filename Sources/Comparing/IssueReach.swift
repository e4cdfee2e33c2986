package import Model

/// How far an integration got: only what was reached can prove that an issue is gone.
package struct IssueReach: Sendable {
  /// Whether every module was compiled and linked.
  package var built: Bool
  /// The other error-finding steps that succeeded or no longer have anything to do.
  package var passed: Set<Step> = []
  /// The state of every listed test.
  package var tests: [TestID: TestState]
  /// Whether the tests were listed, so that a missing test must have been deleted, unless some could not be listed.
  package var listed: Bool
  /// Whether there may be tests that could not be listed, so that one that is missing may still exist.
  package var mayLackTests = false
  /// The tests that exist and were not selected.
  package var filteredOut: Set<TestID>
  /// Tests that passed only on retry.
  package var flaky: Set<TestID>
  /// Tests that end by chance as far as is known, so that passing does not prove them fixed.
  package var unsteady: Set<TestID> = []
  /// Whether each test was run alone.
  package var isolated: Bool
  /// The triggers that the bot still has and that did not run.
  package var waitingTriggers: WaitingTriggers
  /// Whether the analyze action completed.
  package var analyzed: Bool
  /// What nobody asks for any more, so that nothing looks for what it found.
  package var dropped: Set<Check> = []
  /// Whether the tests ran with a sanitizer.
  package var sanitized: Bool
  /// The result of each condition on coverage, by its rule; nil if none could be judged.
  package var gates: [String: GateResult.State]?
  /// The rules of the conditions on coverage that were not checked and remain owed.
  package var owedGates: Set<String> = []
  /// Whether the integration proves nothing, because it was canceled or Martlet failed.
  package var isVoid = false

  package init(
    built: Bool, tests: [TestID: TestState], listed: Bool = false, filteredOut: Set<TestID> = [],
    flaky: Set<TestID> = [], isolated: Bool = false, waitingTriggers: WaitingTriggers = .named([]),
    analyzed: Bool = false,
    sanitized: Bool = false, gates: [String: GateResult.State]? = nil
  ) {
    self.built = built
    self.tests = tests
    self.listed = listed
    self.filteredOut = filteredOut
    self.flaky = flaky
    self.isolated = isolated
    self.waitingTriggers = waitingTriggers
    self.analyzed = analyzed
    self.sanitized = sanitized
    self.gates = gates
  }

  /// The reach of an integration that resolves nothing, whatever it found.
  package static var void: IssueReach {
    var reach = IssueReach(built: false, tests: [:])
    reach.isVoid = true
    return reach
  }
}

extension IssueReach {
  /// What finds issues only where it is asked for.
  package enum Check: Sendable {
    case archive, analysis, sanitizers, isolation

    /// The check that finds an issue; nil for one that is found without asking.
    init?(_ issue: IssueRecord) {
      switch issue.kind {
      case .analyzerWarning: self = .analysis
      case .sanitizer: self = .sanitizers
      case _ where issue.step == .archiving: self = .archive
      case .warning where issue.subject == .orderDependence: self = .isolation
      default: return nil
      }
    }
  }

  /// Triggers that may have something left to do.
  package enum WaitingTriggers: Hashable, Sendable {
    /// The triggers with these names.
    case named(Set<String>)
    /// All triggers that run after an integration, if it is unknown which of them ran.
    case allAfter

    func contains(_ subject: IssueSubject?) -> Bool {
      switch self {
      case .named(let names): subject?.name.map(names.contains) ?? false
      case .allAfter: subject?.code == .afterTrigger
      }
    }
  }

  /// What an integration says about an issue of its baseline that it did not find itself.
  enum Fate: Equatable {
    /// Something that would have shown the issue was reached, and did not show it; with how it ended, unless commits
    /// need have no part in that.
    case resolved(IssueRecord.Ending?)
    /// Nothing that would have shown the issue was reached.
    case open
    /// The issue's test failed again and passed on retry, which proves nothing.
    case retried
    /// Another finding about the same test replaces the issue.
    case replaced
    /// Nobody asks any more for what found the issue.
    case dropped
  }

  func fate(of issue: IssueRecord) -> Fate {
    if isVoid { return .open }
    if let check = Check(issue), dropped.contains(check) { return .dropped }
    switch issue.kind {
    case .warning where issue.test != nil:
      return fateOfTestWarning(issue)
    case .error, .linkerError, .warning:
      return hasPassed(issue.step) ? .resolved(.fixed) : .open
    case .gate:
      return fateOfGate(issue)
    case .testFailure, .crash, .timeOut, .quit:
      guard let state = state(of: issue.test) else { return fateWithoutTest(issue) }
      if state.isRed { return .replaced }
      if issue.test.map(flaky.contains) == true { return .retried }
      guard state.isGood else { return .open }
      if state == .expectedFailure { return .resolved(.knownIssue) }
      return .resolved(issue.test.map(unsteady.contains) == true ? .passedAgain : .fixed)
    case .serviceError, .serviceWarning:
      return listed ? .resolved(nil) : .open
    case .triggerError:
      return waitingTriggers.contains(issue.subject) ? .open : .resolved(nil)
    case .analyzerWarning:
      return analyzed ? .resolved(.fixed) : .open
    case .sanitizer:
      return fateOfSanitizerReport(issue)
    }
  }

  /// Whether a step would have found its issue again; an unknown step is treated as part of the build.
  private func hasPassed(_ step: Step?) -> Bool {
    guard let step else { return built }
    // Building the release for the archive comes after the build.
    return passed.contains(step) || built && step != .archiving
  }

  /// The stages whose findings such an integration can be the first to see.
  var stages: Set<IssueMemory.Stage> {
    guard !isVoid else { return [] }
    var stages: Set<IssueMemory.Stage> = built ? [.build] : []
    if analyzed { stages.insert(.analysis) }
    if listed { stages.insert(.tests) }
    return stages
  }

  private func state(of test: TestID?) -> TestState? { test.flatMap { tests[$0] } }

  /// Decides about an issue whose test is not among the listed ones.
  private func fateWithoutTest(_ issue: IssueRecord) -> Fate {
    listed && !mayLackTests && issue.test.map(filteredOut.contains) != true ? .resolved(.testDeleted) : .open
  }

  /// Decides about a test's warning, which is gone if the test completed without it. That it depends on the others is
  /// gone only if it ended alone as it should, and not now so, now otherwise.
  private func fateOfTestWarning(_ issue: IssueRecord) -> Fate {
    guard let state = state(of: issue.test) else { return fateWithoutTest(issue) }
    if issue.subject == .orderDependence, !isolated || issue.test.map(flaky.union(unsteady).contains) == true {
      return .open
    }
    return state.isGood ? .resolved(.fixed) : .open
  }

  private func fateOfGate(_ issue: IssueRecord) -> Fate {
    guard let gates else { return .open }
    let rule = issue.subject?.name ?? ""
    if owedGates.contains(rule) { return .open }
    // A rule that is no longer set has nothing left to prove.
    return gates[rule].map { $0 == .passed ? .resolved(.fixed) : .open } ?? .resolved(nil)
  }

  /// Decides about a sanitizer report, which is gone if its test, or every test if it has none, completed without it.
  private func fateOfSanitizerReport(_ issue: IssueRecord) -> Fate {
    guard sanitized, listed else { return .open }
    func hasEnded(_ state: TestState) -> Bool { state.isGood || state == .failed }
    guard issue.test != nil else {
      return !mayLackTests && tests.values.allSatisfy { hasEnded($0) || $0 == .skipped || $0 == .canceled }
        ? .resolved(.fixed) : .open
    }
    guard let state = state(of: issue.test) else { return fateWithoutTest(issue) }
    return hasEnded(state) ? .resolved(.fixed) : .open
  }
}
