import Testing

@testable import Model
@testable import Rendering

@Suite("The heading of the page of a test or of its issue")
struct TestHeadlineTests {
  private static let id = TestID(module: "M", suite: "S", name: "evening()")

  private func test(_ state: TestState) -> TestResult {
    TestResult(id: Self.id, library: .swiftTesting, state: state, duration: 1)
  }

  private func issue(_ kind: Model.Issue.Kind, _ status: Model.Issue.Status, since number: Int = 5) -> Model.Issue {
    var issue = Model.Issue(id: "t", kind: kind, status: status, message: "m", test: Self.id)
    issue.life = IssueLife(firstSeen: number, streakStart: number, streakAge: status == .new ? 0 : 1)
    return issue
  }

  @Test("Says what became of the test, and since when it is red")
  func red() {
    #expect(TestHeadline.of(test(.failed), nil) == "evening() failed")
    #expect(TestHeadline.of(test(.failed), issue(.testFailure, .new)) == "evening() failed")
    #expect(TestHeadline.of(test(.failed), issue(.testFailure, .unresolved)) == "evening() has failed since 5")
    #expect(TestHeadline.of(test(.timedOut), issue(.timeOut, .unresolved)) == "evening() has timed out since 5")
    var first = issue(.testFailure, .unresolved)
    first.life = IssueLife(firstSeen: 1, streakStart: 1, predates: true)
    #expect(TestHeadline.of(test(.failed), first) == "evening() failed", "Nothing is known of its past.")
    var back = issue(.testFailure, .new)
    back.life?.cameBackFrom = 3
    #expect(TestHeadline.of(test(.failed), back) == "evening() failed again")
    back.status = .unresolved
    #expect(TestHeadline.of(test(.failed), back) == "evening() has failed again since 5")
    #expect(
      TestHeadline.of(test(.crashed), issue(.testFailure, .unresolved)) == "evening() crashed",
      "Since when it failed is not since when it crashes.")
  }

  @Test("Says how a test passed or why not, and quotes the author's name for it")
  func others() {
    var flaky = test(.passed)
    flaky.isFlaky = true
    flaky.attempts = [TestAttempt(state: .failed, duration: 1), TestAttempt(state: .passed, duration: 1)]
    #expect(TestHeadline.of(flaky, nil) == "evening() failed, then passed alone on retry")
    var named = test(.skipped)
    named.displayName = "Evening comes"
    #expect(TestHeadline.of(named, nil) == "“Evening comes” was skipped")
    var quit = test(.notRun)
    quit.quit = ProcessQuit(call: "exit(0)")
    #expect(TestHeadline.of(quit, nil) == "evening() ended the process: exit(0)")
  }

  @Test("A failed gate is told as a red test is")
  func gate() {
    func told(_ status: Model.Issue.Status, cameBackFrom last: Int? = nil) -> String? {
      var issue = issue(.gate, status)
      (issue.subject, issue.ending) = (.gate("patch=80"), status == .resolved ? .fixed : nil)
      issue.life?.cameBackFrom = last
      return TestHeadline.of(issue, named: "80% patch gate", end: IssueWords.end(of: issue, closed: 9))
    }
    #expect(told(.new) == "80% patch gate failed")
    #expect(told(.new, cameBackFrom: 3) == "80% patch gate failed", "That it came back stands below.")
    #expect(told(.unresolved) == "80% patch gate failed", "So does since when.")
    #expect(told(.resolved) == "80% patch gate passed in 9")
    #expect(told(.resolved, cameBackFrom: 3) == "80% patch gate passed again in 9")
  }

  @Test("A test that quits is told as a red test is")
  func quit() {
    #expect(TestHeadline.of(issue(.quit, .new), named: "evening()", end: nil) == "evening() ended the process")
    #expect(
      TestHeadline.of(issue(.quit, .unresolved), named: "evening()", end: nil)
        == "evening() ended the process")
    var gone = issue(.quit, .resolved)
    gone.ending = .testDeleted
    #expect(
      TestHeadline.of(gone, named: "evening()", end: "test deleted in 9")
        == "evening() ended the process, test deleted in 9")
  }

  @Test("Of a resolved issue it says what ended it, and of another one than of a red test nothing")
  func resolved() {
    var issue = issue(.timeOut, .resolved)
    issue.ending = .testDeleted
    #expect(TestHeadline.of(issue, named: "hang()", end: "test deleted in 9") == "hang() timed out, test deleted in 9")
    #expect(TestHeadline.of(self.issue(.warning, .new), named: "hang()", end: nil) == nil)
  }
}
