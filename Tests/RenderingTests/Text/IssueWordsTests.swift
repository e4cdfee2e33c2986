@testable import Model
import Testing

@testable import Rendering

@Suite("What is said of an issue's past")
struct IssueWordsTests {
  private func history(_ life: IssueLife, _ status: Model.Issue.Status = .unresolved) -> [String] {
    var issue = Model.Issue(id: "w", kind: .warning, status: status, message: "m", age: life.streakAge)
    issue.life = life
    return IssueWords.history(of: issue)
  }

  @Test("An issue that was there already says so, and that nothing is known where nothing is")
  func predating() {
    #expect(
      history(IssueLife(firstSeen: 1, streakStart: 1, predates: true)) == ["since 1 or earlier"])
    #expect(
      history(IssueLife(firstSeen: 1, streakStart: 1, streakAge: 6, predates: true))
        == ["since 1 or earlier"])
    #expect(
      history(IssueLife(firstSeen: 3, streakStart: 3, predates: true)) == ["since 3 or earlier"])
    #expect(
      history(IssueLife(firstSeen: 3, streakStart: 3, streakAge: 2, predates: true))
        == ["since 3 or earlier"])
  }

  @Test("An issue that an integration did not come to says when it was seen last")
  func carriedOver() {
    var issue = Model.Issue(id: "e", kind: .error, status: .unresolved, message: "m", age: 2)
    issue.life = IssueLife(firstSeen: 3, streakStart: 3, streakAge: 2)
    issue.isCarriedOver = true
    let record = IssueRecord(
      id: "e", kind: .error, message: "m", location: nil, test: nil, streaks: [.init(opened: 3, lastSeen: 4, age: 2)])
    #expect(
      IssueWords.history(of: issue, record: record)
        == ["since 3", "not checked since 4"])
    #expect(IssueWords.history(of: issue).last == "not checked")
    issue.passedOnRetry = true
    #expect(IssueWords.history(of: issue) == ["since 3", "passed on retry"])
  }

  @Test("An issue of a known past says where it came and went")
  func streaks() {
    #expect(history(IssueLife(firstSeen: 3, streakStart: 3), .new) == ["since 3"])
    #expect(
      history(IssueLife(firstSeen: 3, streakStart: 3, streakAge: 2)) == ["since 3"])
    #expect(
      history(IssueLife(firstSeen: 3, streakStart: 9, cameBackFrom: 5))
        == ["came back in 9", "first in 3, last in 5"])
    #expect(history(IssueLife(firstSeen: 3, streakStart: 3), .resolved) == ["opened in 3, gone"])
  }
}
