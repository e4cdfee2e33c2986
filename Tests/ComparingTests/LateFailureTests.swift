import FoundationEssentials
import Model
import Rendering
import Testing

@testable import Comparing

@Suite("What a trigger fails of after its integration was finished")
struct LateFailureTests {
  private let now = Date(timeIntervalSince1970: 1_795_162_325)
  private let subject = IssueSubject(.afterTrigger, name: "webhook 1 to example.org")

  private func failure(_ sentence: String = "It could not be called.") -> IssueFinder.OwnFinding {
    IssueFinder.OwnFinding(subject, sentence)
  }

  /// An integration with a warning of its own, and one that is carried over.
  private func document(_ outcome: Outcome = .succeeded, triggerErrors: [IssueFinder.OwnFinding] = [])
    -> IntegrationRecord
  {
    var carried = Issue(id: "W1", kind: .warning, status: .unresolved, message: "Never used.")
    carried.isCarriedOver = true
    let comparison = IssueComparison(
      number: 2, commit: CommitID(rawValue: String(repeating: "a", count: 40)), reach: .void, now: now)
    let followed = comparison.compare(
      IssueFinder.issues(diagnostics: [], tests: [], triggerErrors: triggerErrors), with: nil)
    var integration = Documents.integration(2, outcome, issues: followed.issues + [carried])
    integration.issueMemory = followed.memory
    return IntegrationRecord(integration, words: \.sentence)
  }

  @Test("Is a new issue before those that were carried over, and makes a success one with warnings")
  func added() throws {
    var document = document()
    document.add(late: failure(), now: now, words: \.sentence)
    #expect(document.outcome == .warnings)
    #expect(document.reasons == ["It could not be called."])
    #expect(document.reasonCodes?.count == 1)
    #expect(document.issues.map(\.kind) == [.triggerError, .warning])
    let issue = try #require(document.issues.first)
    #expect(issue.status == .new && issue.subject == subject && issue.message == "It could not be called.")
    #expect(document.issueMemory?.records.map(\.id) == [issue.id])
    #expect(document.issueMemory?.records.first?.isOpen == true)
  }

  @Test("Leaves what is red as red as it was", arguments: [Outcome.testFailures, .buildErrors, .warnings])
  func red(outcome: Outcome) {
    var document = document(outcome)
    document.add(late: failure(), now: now, words: \.sentence)
    #expect(document.outcome == outcome)
    #expect(document.reasons.last == "It could not be called.")
  }

  @Test("Is told with the issue that its trigger has already")
  func again() throws {
    var document = document(.warnings, triggerErrors: [failure("It waits.")])
    document.add(late: failure("It was given up."), now: now, words: \.sentence)
    #expect(document.issues.map(\.kind) == [.triggerError, .warning])
    #expect(document.issues.first?.message == "It waits. It was given up.")
    #expect(document.issues.first?.age == 0)
    #expect(document.issueMemory?.records.map(\.message) == ["It waits. It was given up."])
  }

  @Test("Opens again what the integration itself took for gone")
  func reopened() throws {
    var before = document(.warnings, triggerErrors: [failure("It failed.")])
    let id = try #require(before.issues.first?.id)
    before.issues[0].status = .resolved
    before.issueMemory?.records[0].close(in: 2)
    before.add(late: failure(), now: now, words: \.sentence)
    #expect(before.issues.map(\.id) == [id, "W1"])
    #expect(before.issues.first?.status == .new)
    #expect(before.issueMemory?.records.map(\.isOpen) == [true])
  }
}
