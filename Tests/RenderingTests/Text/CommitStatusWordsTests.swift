import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("The words beside a commit")
struct CommitStatusWordsTests {
  private func words(_ outcome: Outcome, _ change: (inout IntegrationRecord) -> Void = { _ in }) -> String {
    var document = ExportSample.document
    document.outcome = outcome
    document.tests.passed = 12
    for key in [\IntegrationRecord.Tests.failed, \.crashed, \.timedOut, \.notRun, \.flaky, \.skipped, \.canceled] {
      document.tests[keyPath: key] = 0
    }
    document.tests.expectedFailures = 0
    (document.warnings, document.analyzerWarnings, document.onlyGatesFailed) = (0, nil, nil)
    document.issues = []
    document.coverage.changes = nil
    change(&document)
    return Announcement.Matter.finished(outcome).description(document: document)
  }

  private func touch(_ document: inout IntegrationRecord, _ lines: LineTally, since: String = "parent") {
    let text = """
      {"patch": {"since": "\(since)", "lines": {"total": \(lines.total), "covered": \(lines.covered), "partial": 0}}}
      """
    document.coverage.changes = try? JSONDecoder().decode(
      IntegrationRecord.ChangesSection.self, from: Data(text.utf8))
  }

  @Test("Where tests were left out it says how many ran, and so do badges")
  func onlyAffected() {
    func leaveOut(_ document: inout IntegrationRecord) {
      document.tests.passed = 4
      document.tests.skipped = 208
      document.tests.listed = 212
      document.tests.only = OnlyAffected(since: 3, ran: 4, listed: 212, everything: nil)
    }
    #expect(words(.succeeded, leaveOut) == "4 of 212 tests, those that reach the change: 4 passed")
    var document = ExportSample.document
    for key in [\IntegrationRecord.Tests.failed, \.crashed, \.timedOut, \.notRun, \.canceled, \.expectedFailures] {
      document.tests[keyPath: key] = 0
    }
    document.tests.cases = []
    document.outcome = .succeeded
    leaveOut(&document)
    let outcome = Badge.standing(of: "Shop", document, .outcome)
    #expect(outcome.contains("succeeded (4 of 212 tests)</title>"))
    #expect(Badge.standing(of: "Shop", document, .tests).contains("3 passed, 1 flaky, 208 left out</title>"))
    document.tests.canceled = 2
    #expect(
      Badge.standing(of: "Shop", document, .tests).contains("3 passed, 1 flaky, 208 left out, 2 canceled</title>"))
  }

  @Test("Red tests that are silenced are not counted beside a commit")
  func silenced() {
    func silence(_ document: inout IntegrationRecord) {
      document.tests.failed = 2
      document.tests.silenced = 1
      document.tests.cases = Array(document.tests.cases.prefix(2))
      let test = document.tests.cases[0].id
      let issue = Model.Issue(id: "t-1", kind: .testFailure, status: .silenced, message: "no", test: test)
      document.issues = [IntegrationRecord.FlatIssue(issue)]
      document.tests.cases[0].silenced = "t-1"
    }
    #expect(words(.testFailures, silence) == "1 red")
    #expect(
      words(.testFailures) {
        silence(&$0)
        $0.tests.failed = 1
        $0.onlyGatesFailed = true
      } == "Gate failed")
  }

  @Test("Why everything ran is said in a sentence, and how many red tests would have been left out")
  func everything() {
    func words(_ everything: OnlyAffected.Everything, since: Int? = 7) -> String {
      OnlyAffected(since: since, ran: 1, listed: 2, everything: everything).sentences.joined(separator: " ")
    }
    let place = SourceLocation(file: "Sources/Shop/Cart.swift", line: 7)
    let expected: [(OnlyAffected.Everything, String)] = [
      (.incompleteMap, "not every test's lines are known"),
      (.toolchain, "the toolchain changed since integration 7"),
      (.dependencies, "dependencies changed since integration 7"),
      (.circumstance("environment.API"), "environment.API changed since integration 7"),
      (
        .file("Sources/Shop/words.txt"),
        "Sources/Shop/words.txt changed since integration 7, which may affect any test"
      ),
      (
        .declarations(place),
        "a declaration changed since integration 7: Sources/Shop/Cart.swift:7"
      ),
      (
        .unreached(place), "no test is known to run Sources/Shop/Cart.swift:7, which changed since integration 7"
      ),
      (
        .shared(place),
        "Sources/Shop/Cart.swift:7 changed since integration 7, and its value is shared between tests"
      ),
      (.localDependency("/srv/Dep"), "/srv/Dep may have changed since integration 7, and has no version"),
      (.gates, "a gate is failing"),
      (.outsideTests, "the last run failed outside of its tests"),
      (.asked, "started by hand"),
      (.turn(every: 10), "one in 10 integrations runs everything"),
      (.age, "the last full run is over a week old"),
      (.nothing, "no test is known to reach what changed since integration 7"),
      (.all, "every test reaches what changed since integration 7"),
    ]
    for (everything, reason) in expected {
      #expect(words(everything) == "Everything ran: \(reason).")
    }
    #expect(
      words(.unknown, since: nil)
        == "Everything ran: no earlier integration of this branch tells what each test runs.")
    var only = OnlyAffected(since: 7, ran: 1, listed: 2, everything: .asked)
    only.misses = OnlyAffected.Misses(integrations: 14, red: 9, missed: 0)
    #expect(only.sentences.last == "In 14 full runs, 0 of 9 red tests would have been left out.")
    only.misses = OnlyAffected.Misses(integrations: 1, red: 1, missed: 1)
    #expect(only.sentences.last == "In 1 full run, 1 of 1 red test would have been left out.")
    for (everything, _) in expected {
      let only = OnlyAffected(since: 7, ran: 1, listed: 2, everything: everything)
      let again = try? JSONDecoder().decode(OnlyAffected.self, from: JSONEncoder().encode(only))
      #expect(again?.everything == everything && again?.isPartial == false)
    }
  }

  @Test("Before the end it says how far it is")
  func before() {
    #expect(Announcement.Matter.waiting.description(document: nil) == "Waiting")
    #expect(Announcement.Matter.running.description(document: nil) == "Running")
    #expect(Announcement.Matter.dropped.description(document: nil) == "Not integrated")
    let commit = CommitID(rawValue: "0123456789abcdef0123456789abcdef01234567")
    #expect(
      Announcement.Matter.covered(by: commit).description(document: nil)
        == "Not integrated on its own: part of \(commit.short)")
  }

  @Test("Red tests are counted, with the changed lines that never ran")
  func red() {
    #expect(
      words(.testFailures) {
        $0.tests.failed = 1
        $0.tests.crashed = 1
        touch(&$0, LineTally(total: 7, covered: 2))
      } == "2 red, 5 of 7 changed lines never ran")
    #expect(words(.testFailures) { $0.onlyGatesFailed = true } == "Gate failed")
    #expect(words(.testFailures) == "Test failures")
  }

  @Test("What is well is not said")
  func green() {
    #expect(words(.succeeded) { touch(&$0, LineTally(total: 7, covered: 7)) } == "12 passed")
    #expect(words(.succeeded) { touch(&$0, LineTally(total: 7), since: "nothing") } == "12 passed")
    #expect(words(.succeeded) { $0.tests.passed = 0 } == "Builds")
    #expect(
      words(.warnings) {
        $0.tests.flaky = 1
        $0.warnings = 2
      } == "1 flaky: flaky(), 11 passed, 2 warnings")
  }

  @Test("Without a verdict on the tests it says why")
  func others() {
    #expect(words(.buildErrors) == "Does not build")
    #expect(
      words(.incomplete) { $0.tests.notRun = 3 } == "3 of 15 tests did not run")
    func quit(_ count: Int, notRun: Int) -> String {
      words(.incomplete) { ($0.tests.notRun, $0.tests.quit) = (notRun, count) }
    }
    #expect(quit(1, notRun: 1) == "1 of 13 tests ended the process")
    #expect(quit(1, notRun: 3) == "1 of 15 tests ended the process and 2 did not run")
    #expect(words(.canceled) == "Canceled")
    #expect(words(.checkoutError) == "Checkout error")
    #expect(Announcement.Matter.finished(.internalError).description(document: nil) == "Internal error")
  }
}
