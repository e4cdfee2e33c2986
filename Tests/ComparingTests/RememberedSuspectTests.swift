import Comparing
@testable import Model
import Rendering
import Testing

@Suite("Who is remembered to have caused what two integrations have")
struct RememberedSuspectTests {
  @Test("A test that is red in both names whom the first integration suspected, and a new suspect comes first")
  func both() throws {
    let test = Documents.test("a", .failed)
    func integration(_ number: Int, suspecting suspects: [Suspect]) -> Integration {
      var issue = Issue(id: "t-1", kind: .testFailure, message: "late", test: test.id)
      issue.status = number == 1 ? .new : .unresolved
      issue.life = IssueLife(firstSeen: 1, streakStart: 1, streakAge: number - 1)
      issue.suspects = suspects
      var record = IssueRecord(
        id: "t-1", kind: .testFailure, message: "late", location: nil, test: test.id,
        streaks: [.init(opened: 1, lastSeen: number, age: number - 1)])
      record.suspects = [Suspect(name: "Ada", email: "", confidence: .high, reason: "She changed it.")]
      var integration = Documents.integration(number, .testFailures, tests: [test], issues: [issue])
      integration.issueMemory = IssueMemory(
        number: number, commit: integration.commit.id, reached: [], records: [record])
      return integration
    }
    func named(_ suspects: [Suspect]) throws -> String? {
      let comparison = Documents.comparison(integration(1, suspecting: []), integration(2, suspecting: suspects))
      let words = ComparisonWords(comparison)
      let group = try #require(words.testGroups.first)
      return words.issue(of: try #require(group.tests.first), in: group)?.suspects.first?.name
    }
    #expect(try named([]) == "Ada")
    #expect(try named([Suspect(name: "Bob", email: "", confidence: .high, reason: "He did.")]) == "Bob")
  }
}
