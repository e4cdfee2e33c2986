import Foundation
import Model
import Rendering
import Testing

@testable import Comparing

@Suite("What else a silenced test fails on")
struct SilencedFindingsTests {
  private let id = Finding.test("a")

  /// What became of an integration in which one test failed on some messages.
  private struct Compared {
    var issues: [Issue]
    var memory: IssueMemory
    var outcome: Outcome
  }

  private func integrate(
    _ number: Int, _ messages: [String], after memory: IssueMemory?, _ silences: [Silence] = [],
    state: TestState = .failed, leftOut: Int = 0
  ) -> Compared {
    var result = Finding.result("a", messages.isEmpty ? .passed : state, failures: messages.map { Finding.failure($0) })
    result.leftOut = LeftOutCounts(failures: leftOut)
    let comparison = IssueComparison(
      number: number, commit: Finding.commit,
      reach: IssueReach(built: true, tests: [id: result.state], listed: true), silences: silences,
      now: Date(timeIntervalSince1970: 0))
    let found = IssueFinder.issues(
      diagnostics: [], tests: [result], silenced: comparison.silencedFindings(in: memory))
    let compared = comparison.compare(found, with: memory)
    var evidence = Verdict.Evidence(built: true, diagnostics: [], tests: TestReport(results: [result]))
    evidence.silenced = compared.silenced
    return Compared(issues: compared.issues, memory: compared.memory, outcome: Verdict.of(evidence).outcome)
  }

  @Test("Failures that were left out are silenced by nobody, so that the test stays red")
  func leftOut() throws {
    let first = integrate(1, ["the total is 3"], after: nil)
    let silence = silence(first.issues[0], on: ["the total is 3"])
    let silenced = integrate(2, ["the total is 4"], after: first.memory, [silence])
    #expect(silenced.outcome == .succeeded)
    let more = integrate(3, ["the total is 5"], after: silenced.memory, [silence], leftOut: 12)
    #expect(more.outcome == .testFailures)
    #expect(more.issues.map(\.status) == [.silenced, .new])
    #expect(
      more.issues.map(\.message)
        == ["the total is 5", "Failures were left out, and nobody knows whether they are silenced."])
    // Nor by a silence of exactly this.
    var other = more.issues[1]
    other.id = more.issues[1].id
    let unknown = self.silence(other, on: nil)
    var exact = unknown
    exact.findings = [TestResult.unknownFindings]
    #expect(
      integrate(4, ["the total is 5"], after: more.memory, [silence, exact], leftOut: 1).outcome == .testFailures)
  }

  /// - Parameter messages: what the test failed on when it was silenced; nil for a silence of an older Martlet.
  private func silence(_ issue: Issue, _ scope: Silence.Scope = .ever, on messages: [String]?) -> Silence {
    Silence(
      issue: issue.id, scope: scope, reason: "known", author: "Mira", since: Date(timeIntervalSince1970: 0),
      number: issue.life?.streakStart ?? 1, message: "no", findings: messages?.map(Fingerprint.of))
  }

  @Test("Another failure of a silenced test is a new issue that counts", arguments: Silence.Scope.allCases)
  func another(scope: Silence.Scope) throws {
    let first = integrate(1, ["the total is 3"], after: nil)
    var silence = silence(first.issues[0], scope, on: ["the total is 3"])
    silence.commit = Finding.commit
    let silenced = integrate(2, ["the total is 4"], after: first.memory, [silence])
    #expect(silenced.issues.map(\.status) == [.silenced])
    #expect(silenced.outcome == .succeeded)

    let other = integrate(3, ["the drawer is open"], after: silenced.memory, [silence])
    #expect(other.issues.map(\.status) == [.new])
    #expect(other.issues[0].id != first.issues[0].id)
    #expect(other.outcome == .testFailures)

    let both = integrate(3, ["the total is 5", "the drawer is open"], after: silenced.memory, [silence])
    #expect(both.issues.map(\.status) == [.silenced, .new])
    #expect(both.issues.map(\.message) == ["the total is 5", "the drawer is open"])
    #expect(both.issues[0].id == first.issues[0].id)
    #expect(both.outcome == .testFailures)
    let still = integrate(4, ["the total is 6", "the drawer is open"], after: both.memory, [silence])
    #expect(still.issues.map(\.status) == [.silenced, .unresolved])
    #expect(still.issues.map(\.id) == both.issues.map(\.id))
    let gone = integrate(5, [], after: still.memory, [silence])
    #expect(gone.issues.map(\.status) == [.resolved, .resolved])
  }

  @Test("What is silenced later is silenced beside what was silenced first")
  func both() {
    let first = integrate(1, ["one"], after: nil)
    let one = silence(first.issues[0], on: ["one"])
    let second = integrate(2, ["one", "two"], after: first.memory, [one])
    let two = silence(second.issues[1], on: ["two"])
    let third = integrate(3, ["two", "one"], after: second.memory, [one, two])
    #expect(third.issues.map(\.status) == [.silenced, .silenced])
    #expect(third.outcome == .succeeded)
    #expect(integrate(4, ["two"], after: third.memory, [one, two]).issues.map(\.id) == [second.issues[1].id])
  }

  @Test("A crash is none of a silenced failure, whatever it says")
  func crash() {
    let first = integrate(1, ["one"], after: nil)
    let crashed = integrate(
      2, ["one"], after: first.memory, [silence(first.issues[0], on: ["one"])], state: .crashed)
    #expect(crashed.issues.map(\.status) == [.new])
    #expect(crashed.outcome == .testFailures)
  }

  @Test("A silence of an older Martlet is about what the test failed on then, as far as that is known")
  func older() {
    let first = integrate(1, ["one", "two"], after: nil)
    let silence = silence(first.issues[0], on: nil)
    // Fewer are no reason to forget the others.
    let fewer = integrate(2, ["one"], after: first.memory, [silence])
    #expect(fewer.issues.map(\.status) == [.silenced])
    #expect(integrate(3, ["two", "one"], after: fewer.memory, [silence]).outcome == .succeeded)
    #expect(integrate(3, ["one", "three"], after: fewer.memory, [silence]).issues.map(\.status) == [.silenced, .new])
  }

  @Test("Where an older memory does not say what the test failed on, it is what is seen first")
  func unknown() {
    let first = integrate(1, ["one"], after: nil)
    var memory = first.memory
    memory.records[0].findings = nil
    let silence = silence(first.issues[0], on: nil)
    let seen = integrate(2, ["two"], after: memory, [silence])
    #expect(seen.issues.map(\.status) == [.silenced])
    #expect(integrate(3, ["one"], after: seen.memory, [silence]).issues.map(\.status) == [.new])
    #expect(integrate(3, ["two"], after: seen.memory, [silence]).issues.map(\.status) == [.silenced])
  }

  @Test("What a test failed on is taken from the document where an older memory does not say it")
  func document() {
    let result = Finding.result("a", .failed, failures: [Finding.failure("one"), Finding.failure("2 two")])
    let document = IntegrationRecord(Documents.integration(1, tests: [result]))
    var memory = integrate(1, ["one"], after: nil).memory
    memory.records[0].findings = nil
    var other = memory
    other.number = 2
    memory.addFindings(of: document)
    #expect(memory.records[0].findings == ["one", "3 two"].map(Fingerprint.of).sorted())
    other.addFindings(of: document)
    #expect(other.records[0].findings == nil)
  }

  @Test("Silences, memories and issues that an older Martlet wrote can be read")
  func olderFiles() throws {
    let silence = silence(integrate(1, ["one"], after: nil).issues[0], on: ["one"])
    func withoutKey<T: Codable>(_ key: String, _ value: T) throws -> T {
      var members = try #require(
        try JSONSerialization.jsonObject(with: try JSONEncoder().encode(value)) as? [String: Any])
      #expect(members.removeValue(forKey: key) != nil)
      return try JSONDecoder().decode(T.self, from: try JSONSerialization.data(withJSONObject: members))
    }
    #expect(try withoutKey("findings", silence).findings == nil)
    #expect(try withoutKey("findings", integrate(1, ["one"], after: nil).memory.records[0]).findings == nil)
    let issue = IntegrationRecord.FlatIssue(integrate(1, ["one"], after: nil).issues[0])
    #expect(try withoutKey("findings", issue).carriedOver == nil)
  }

  @Test("A silence that is over, or taken back, leaves one issue for the test")
  func over() {
    let first = integrate(1, ["one"], after: nil)
    let silence = silence(first.issues[0], on: ["one"])
    let both = integrate(2, ["one", "two"], after: first.memory, [silence])
    #expect(both.issues.count == 2)
    let counted = integrate(3, ["one", "two"], after: both.memory)
    #expect(counted.issues.map(\.status) == [.unresolved])
    #expect(counted.outcome == .testFailures)
  }

  @Test("A silence says nothing of the same test on a branch where it fails on something else")
  func otherBranch() {
    let here = integrate(1, ["one"], after: nil)
    let there = integrate(2, ["two"], after: nil)
    #expect(here.issues[0].id == there.issues[0].id)
    let next = integrate(3, ["two"], after: there.memory, [silence(here.issues[0], on: ["one"])])
    #expect(next.issues.map(\.status) == [.unresolved])
    #expect(next.outcome == .testFailures)
  }
}
