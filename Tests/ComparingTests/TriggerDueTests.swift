import FoundationEssentials
@testable import Model
import Testing

@testable import Comparing

@Suite("When mails and webhooks are due")
struct TriggerDueTests {
  private static let author = "ada@example.org"
  private static let test = TestID(module: "ShopTests", suite: "CartTests", name: "testAdd")

  private static func integration(_ outcome: Outcome, _ issues: [Issue] = [], before: Outcome? = nil) -> Integration {
    let commit = Commit(
      id: CommitID(rawValue: String(repeating: "a", count: 40)), summary: "Sell", author: "Ada", email: author,
      date: .distantPast)
    var integration = Integration(
      bot: "shop", number: 2, repository: "/shop", branch: "main", commit: commit, cause: .commit, toolchain: "Swift",
      configuration: "debug", sandbox: "off", queuedAt: .distantPast, repeatCommand: "martlet run")
    integration.outcome = outcome
    integration.issues = issues
    if outcome == .testFailures {
      integration.tests = TestReport(results: [TestResult(id: test, library: .xctest, state: .failed, duration: 1)])
    }
    integration.baseline = before.map {
      Baseline(
        number: 1, commit: commit.id, outcome: $0, tests: TestCounts(), totals: nil, files: [:], duration: 1,
        warnings: 0, states: [:])
    }
    return integration
  }

  private static func issue(_ kind: Issue.Kind, _ status: Issue.Status, _ suspects: [Suspect] = []) -> Issue {
    var issue = Issue(id: "\(kind)", kind: kind, status: status, message: "m")
    issue.suspects = suspects
    if kind.isOfRedTest { issue.test = test }
    return issue
  }

  private static func mail(_ report: Trigger.Mail.Report) -> Trigger {
    .mail(Trigger.Mail(to: ["team@example.org"], report: report))
  }

  @Test("What one destination came to before makes no news of what all of them came to again")
  func combinedOutcome() {
    var integration = Self.integration(.incomplete, before: .succeeded)
    #expect(Self.mail(.newIssues).isDue(after: integration))
    integration.baseline?.combinedOutcome = .incomplete
    #expect(!Self.mail(.newIssues).isDue(after: integration))
  }

  @Test("A webhook without a condition is called after every outcome but a cancellation", arguments: Outcome.allCases)
  func webhookAlways(outcome: Outcome) {
    let webhook = Trigger.webhook(Trigger.Webhook(url: "https://example.org"))
    #expect(webhook.isDue(after: Self.integration(outcome)) == (outcome != .canceled))
  }

  @Test(
    "A webhook with a condition is called when the condition holds, and never after a cancellation",
    arguments: Trigger.Condition.allCases)
  func webhookConditions(condition: Trigger.Condition) {
    let webhook = Trigger.webhook(Trigger.Webhook(url: "https://example.org", when: [condition]))
    for outcome in Outcome.allCases {
      for issues in [[], [Self.issue(.error, .resolved)]] {
        let integration = Self.integration(outcome, issues)
        #expect(
          webhook.isDue(after: integration) == (outcome != .canceled && condition.holds(for: integration)),
          "\(condition), \(outcome)")
      }
    }
  }

  @Test("Webhooks with two conditions are called when either holds")
  func webhookEither() {
    let webhook = Trigger.webhook(Trigger.Webhook(url: "https://example.org", when: [.buildErrors, .success]))
    #expect(webhook.isDue(after: Self.integration(.succeeded)))
    #expect(webhook.isDue(after: Self.integration(.buildErrors)))
    #expect(!webhook.isDue(after: Self.integration(.testFailures)))
  }

  @Test("Which mail follows which outcome when nothing is known about issues", arguments: Outcome.allCases)
  func mailOutcomes(outcome: Outcome) {
    let isRed = ![.succeeded, .warnings, .analyzerWarnings, .canceled].contains(outcome)
    let table: [Trigger.Mail.Report: Bool] = [
      .integration: outcome != .canceled, .newIssues: isRed, .allResolved: false, .daily: false, .weekly: false,
    ]
    #expect(Set(table.keys) == Set(Trigger.Mail.Report.allCases))
    for (report, isDue) in table {
      #expect(Self.mail(report).isDue(after: Self.integration(outcome)) == isDue, "\(report), \(outcome)")
    }
  }

  @Test(
    "News are new issues, and a red outcome that the baseline did not have and no open issue explains",
    arguments: [
      (.testFailures, [(.testFailure, .new)], .succeeded, true),
      (.testFailures, [(.testFailure, .unresolved)], .testFailures, false),
      (.testFailures, [(.testFailure, .unresolved), (.warning, .new)], .testFailures, true),
      (.warnings, [(.warning, .new)], .succeeded, true),
      (.warnings, [(.warning, .silenced)], .succeeded, false),
      (.warnings, [(.serviceWarning, .new)], .succeeded, false),
      (.warnings, [(.triggerError, .new)], .succeeded, true),
      (.succeeded, [(.testFailure, .resolved)], .testFailures, false),
      (.incomplete, [], .succeeded, true),
      (.incomplete, [], .incomplete, false),
      // A test ends the process, for the first time or as before.
      (.testFailures, [(.quit, .new), (.testFailure, .unresolved)], .testFailures, true),
      (.incomplete, [(.quit, .unresolved), (.testFailure, .resolved)], .testFailures, false),
      (.internalError, [], nil, true),
      (.incomplete, [(.warning, .unresolved)], .warnings, true),
      (.incomplete, [(.testFailure, .unresolved)], .testFailures, true),
      (.checkoutError, [(.warning, .unresolved)], .warnings, true),
      (.checkoutError, [(.testFailure, .unresolved)], .testFailures, true),
      (.internalError, [(.analyzerWarning, .unresolved)], .analyzerWarnings, true),
      (.buildErrors, [(.warning, .unresolved)], .warnings, true),
      (.testFailures, [(.analyzerWarning, .unresolved)], .analyzerWarnings, true),
      (.testFailures, [(.testFailure, .unresolved), (.warning, .unresolved)], .incomplete, false),
      (.buildErrors, [(.error, .unresolved)], .incomplete, false),
      (.triggerError, [(.triggerError, .unresolved)], .succeeded, false),
      // The compiler died without an error, and the tests that were red before were not reached.
      (.buildErrors, [(.testFailure, .unresolved)], .testFailures, true),
      // Something failed outside every test, and a trigger has failed for long.
      (.testFailures, [(.triggerError, .unresolved)], .warnings, true),
      (.triggerError, [(.testFailure, .unresolved)], .testFailures, true),
      (.canceled, [(.error, .new)], .succeeded, false),
    ] as [(Outcome, [(Issue.Kind, Issue.Status)], Outcome?, Bool)])
  func news(outcome: Outcome, issues: [(Issue.Kind, Issue.Status)], before: Outcome?, isDue: Bool) {
    let integration = Self.integration(outcome, issues.map { Self.issue($0.0, $0.1) }, before: before)
    #expect(Self.mail(.newIssues).isDue(after: integration) == isDue)
  }

  @Test("A red test that was not reached does not account for what fails elsewhere")
  func elsewhere() {
    var integration = Self.integration(.testFailures, [Self.issue(.testFailure, .unresolved)], before: .warnings)
    #expect(!Self.mail(.newIssues).isDue(after: integration))
    integration.tests = TestReport(results: [])
    #expect(Self.mail(.newIssues).isDue(after: integration))
  }

  @Test("An issue that counts again because its silence or quarantine has ended is news, once")
  func countingAgain() {
    func isDue(_ before: Issue.Status, _ now: Issue.Status, after outcome: Outcome = .succeeded) -> Bool {
      let color: Outcome = now == .silenced ? .succeeded : .testFailures
      var integration = Self.integration(color, [Self.issue(.testFailure, now)], before: outcome)
      integration.baseline?.issues = [Self.issue(.testFailure, before)]
      return Self.mail(.newIssues).isDue(after: integration)
    }
    #expect(isDue(.silenced, .unresolved))
    #expect(isDue(.silenced, .unresolved, after: .testFailures))
    #expect(!isDue(.silenced, .silenced))
    #expect(!isDue(.silenced, .resolved, after: .testFailures))
    #expect(!isDue(.unresolved, .unresolved, after: .testFailures))
  }

  @Test("A red test that fails for a new reason is news, once, and who is suspected of it hears of it")
  func newReason() {
    func integration(since reason: Int?) -> Integration {
      let suspect = Suspect(name: "Mira", email: "mira@example.org", confidence: .high, reason: "changed it")
      var issue = Self.issue(.testFailure, .unresolved, [suspect])
      issue.life = IssueLife(firstSeen: 1, streakStart: 1, streakAge: 1)
      issue.life?.reasonSince = reason
      return Self.integration(.testFailures, [issue], before: .testFailures)
    }
    #expect(Self.mail(.newIssues).isDue(after: integration(since: 2)))
    #expect(integration(since: 2).suspectAddresses == ["mira@example.org"])
    #expect(!Self.mail(.newIssues).isDue(after: integration(since: 1)))
    #expect(integration(since: 1).suspectAddresses == [])
    #expect(!Self.mail(.newIssues).isDue(after: integration(since: nil)))
  }

  @Test("A test that is red for another destination accounts for the outcome")
  func otherDestination() {
    var integration = Self.integration(.testFailures, [Self.issue(.testFailure, .unresolved)], before: .incomplete)
    var cell = integration
    cell.issues = []
    integration.tests = TestReport(results: [])
    integration.cells = [cell]
    #expect(!Self.mail(.newIssues).isDue(after: integration))
  }

  @Test("All is resolved when the last open issue has gone")
  func resolved() {
    #expect(Self.mail(.allResolved).isDue(after: Self.integration(.succeeded, [Self.issue(.error, .resolved)])))
    let open = [Self.issue(.error, .resolved), Self.issue(.warning, .unresolved)]
    #expect(!Self.mail(.allResolved).isDue(after: Self.integration(.warnings, open)))
    #expect(
      !Self.mail(.allResolved).isDue(after: Self.integration(.succeeded, [Self.issue(.sanitizer, .dropped)])),
      "Nobody looked for it any more.")
  }

  @Test("The most likely suspects of new issues are told, each once")
  func suspects() {
    func suspect(_ name: String, _ confidence: Suspect.Confidence) -> Suspect {
      Suspect(name: name, email: "\(name)@example.org", confidence: confidence, reason: "wrote it")
    }
    let issues = [
      Self.issue(.error, .new, [suspect("mira", .high), suspect("jon", .high), suspect("eve", .low)]),
      Self.issue(.crash, .new, [suspect("jon", .medium)]),
      Self.issue(.warning, .unresolved, [suspect("old", .high)]),
    ]
    #expect(
      Self.integration(.buildErrors, issues).suspectAddresses == ["mira@example.org", "jon@example.org"])
  }

  @Test("Without suspects the author of all commits is told, when it is one")
  func onlyAuthor() {
    var integration = Self.integration(.buildErrors, [Self.issue(.error, .new)])
    #expect(integration.suspectAddresses == [Self.author])
    var other = integration.commit
    other.email = "bob@example.org"
    integration.commits = [integration.commit, other]
    #expect(integration.suspectAddresses == [])
    integration.commits = [integration.commit]
    integration.issues = []
    #expect(integration.suspectAddresses == [])
  }
}
