import FoundationEssentials
import Model
import Testing

@testable import Comparing

@Suite("The conditions of triggers")
struct TriggerConditionTests {
  private func integration(_ outcome: Outcome, _ issues: [Issue] = []) -> Integration {
    let commit = Commit(
      id: CommitID(rawValue: String(repeating: "a", count: 40)), summary: "Sell", author: "Ada", date: .distantPast)
    var integration = Integration(
      bot: "shop", number: 1, repository: "/shop", branch: "main", commit: commit, cause: .commit, toolchain: "Swift",
      configuration: "debug", sandbox: "off", queuedAt: .distantPast, repeatCommand: "martlet run")
    integration.outcome = outcome
    integration.issues = issues
    return integration
  }

  /// Which outcomes meet each condition that only the outcome decides.
  private static let table: [(Trigger.Condition, Set<Outcome>)] = [
    (.success, [.succeeded, .warnings, .analyzerWarnings]),
    (.failure, [.internalError, .checkoutError, .triggerError, .buildErrors, .testFailures, .incomplete]),
    (.warnings, [.warnings]),
    (.analyzerWarnings, [.analyzerWarnings]),
    (.testFailures, [.testFailures]),
    (.buildErrors, [.buildErrors]),
    (.allResolved, []),
    (.always, Set(Outcome.allCases)),
  ]

  @Test("Each holds for the outcomes of the table and no others", arguments: Self.table)
  func outcomes(condition: Trigger.Condition, met: Set<Outcome>) {
    for outcome in Outcome.allCases {
      #expect(condition.holds(for: integration(outcome)) == met.contains(outcome), "\(outcome)")
    }
  }

  @Test("The table has every condition")
  func complete() {
    #expect(Set(Self.table.map(\.0)) == Set(Trigger.Condition.allCases))
  }

  @Test(
    "All is resolved when something was and no finding about the code is open",
    arguments: [
      ([], false),
      ([(.warning, .resolved)], true),
      ([(.warning, .resolved), (.error, .new)], false),
      ([(.warning, .resolved), (.testFailure, .unresolved)], false),
      ([(.warning, .resolved), (.quit, .unresolved)], false),
      ([(.quit, .resolved)], true),
      ([(.warning, .resolved), (.testFailure, .silenced)], true),
      ([(.warning, .resolved), (.serviceWarning, .new), (.triggerError, .new)], true),
      ([(.serviceWarning, .resolved)], false),
      ([(.error, .new)], false),
    ] as [([(Issue.Kind, Issue.Status)], Bool)])
  func allResolved(issues: [(Issue.Kind, Issue.Status)], holds: Bool) {
    let issues = issues.map { Issue(id: "x", kind: $0.0, status: $0.1, message: "") }
    #expect(Trigger.Condition.allResolved.holds(for: integration(.succeeded, issues)) == holds)
  }

  @Test("Nothing is all resolved as long as the integration is red", arguments: Outcome.allCases)
  func resolvedWhileRed(outcome: Outcome) {
    let resolved = Issue(id: "x", kind: .testFailure, status: .resolved, message: "")
    #expect(Trigger.Condition.allResolved.holds(for: integration(outcome, [resolved])) == outcome.isGreen)
  }

  @Test("What was red without a finding is resolved as soon as it is green, unless a finding was only silenced")
  func redWithoutFinding() {
    func holds(_ before: Outcome, _ issues: [Issue] = [], now outcome: Outcome = .succeeded) -> Bool {
      var found = integration(outcome)
      found.branch = "main"
      found.baseline = Baseline(
        number: 1, branch: "main", commit: CommitID(rawValue: "a"), outcome: before, tests: TestCounts(),
        totals: nil, files: [:], duration: 1, warnings: 0, states: [:], issues: issues)
      return Trigger.Condition.allResolved.holds(for: found)
    }
    let service = Issue(id: "s", kind: .serviceWarning, status: .unresolved, message: "")
    #expect(holds(.incomplete) && holds(.testFailures) && holds(.incomplete, [service]))
    #expect(!holds(.succeeded) && !holds(.internalError) && !holds(.incomplete, now: .incomplete))
    #expect(!holds(.testFailures, [Issue(id: "x", kind: .testFailure, status: .unresolved, message: "")]))
  }

  @Test("A new branch that lacks what is wrong where it came from has resolved nothing")
  func resolvedElsewhere() {
    let resolved = Issue(id: "x", kind: .error, status: .resolved, message: "")
    var found = integration(.succeeded, [resolved])
    found.branch = "feature"
    for (branch, holds) in [("main", false), ("feature", true)] {
      found.baseline = Baseline(
        number: 1, branch: branch, commit: CommitID(rawValue: "a"), outcome: .buildErrors, tests: TestCounts(),
        totals: nil, files: [:], duration: 1, warnings: 0, states: [:])
      #expect(Trigger.Condition.allResolved.holds(for: found) == holds)
    }
  }

  @Test("A script is due when one of its conditions holds, or it has none; one for before never is")
  func due() {
    func isDue(_ moment: Trigger.Script.Moment, _ when: [Trigger.Condition]) -> Bool {
      Trigger.Script(moment: moment, source: .inline(""), when: when).isDue(after: integration(.warnings))
    }
    #expect(isDue(.after, []))
    #expect(isDue(.after, [.buildErrors, .warnings]))
    #expect(!isDue(.after, [.buildErrors, .failure]))
    #expect(!isDue(.before, []))
  }

  @Test("A failed after-trigger makes success warnings, and leaves every other outcome")
  func verdict() {
    let failure = IssueFinder.OwnFinding(
      IssueSubject(.afterTrigger, name: "after-trigger 1"), "The after-trigger 1 failed with exit status 3.")
    for outcome in Outcome.allCases {
      let verdict = Verdict(outcome, [.stopped("So it is.")]).adding(triggerFailures: [failure])
      #expect(
        verdict.told == ToldVerdict(outcome == .succeeded ? .warnings : outcome, ["So it is.", failure.sentence]))
      #expect(Verdict(outcome).adding(triggerFailures: []) == Verdict(outcome))
    }
  }

  @Test("A failed trigger stays an issue while the trigger waits, and is resolved when it ran or is gone")
  func resolving() throws {
    func failed(_ end: String) -> [Issue] {
      let subject = IssueSubject(.afterTrigger, name: "after-trigger 'deploy.sh'")
      return IssueFinder.issues(
        diagnostics: [], tests: [], triggerErrors: [.init(subject, "The after-trigger 'deploy.sh' \(end).")])
    }
    let found = failed("failed with exit status 3")
    #expect(found.map(\.kind) == [.triggerError])
    let baseline = Finding.memory(found)
    func status(_ waiting: IssueReach.WaitingTriggers) -> [Issue.Status] {
      let reach = IssueReach(built: true, tests: [:], waitingTriggers: waiting)
      return Finding.compare([], with: baseline, reach: reach).map(\.status)
    }
    #expect(status(.named(["after-trigger 'deploy.sh'"])) == [.unresolved])
    #expect(status(.allAfter) == [.unresolved])
    #expect(status(.named(["after-trigger 'other.sh'"])) == [.resolved])
    func numbered(_ number: Int) -> IssueFinder.OwnFinding {
      .init(IssueSubject(.afterTrigger, name: "mail \(number) (integration)"), "The mail \(number) was not sent.")
    }
    let both = IssueFinder.issues(diagnostics: [], tests: [], triggerErrors: [numbered(2), numbered(3)])
    let ids = Finding.named(both).map(\.id)
    let second = Finding.compare([both[1]], with: Finding.memory(both), reach: .void)
    #expect(second.first?.id == ids[1], "a number alone tells them apart")
    let later = failed("was stopped, because it took longer than 2 s")
    #expect(Finding.named(later).map(\.id) == Finding.named(found).map(\.id))
  }
}
