import Foundation
import Model
import Testing

@Suite("The summary document")
struct IntegrationRecordTests {
  private var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }

  private func encoded(_ document: IntegrationRecord) throws -> Data {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys]
    return try encoder.encode(document)
  }

  /// A document as version 1 of the format was first written; it must stay readable for ever.
  private func stored() throws -> IntegrationRecord {
    let url = try #require(
      Bundle.module.url(forResource: "integration-1", withExtension: "json", subdirectory: "Fixtures"))
    return try decoder.decode(IntegrationRecord.self, from: Data(contentsOf: url))
  }

  @Test("A stored document of version 1 is read, keys of later versions are passed over")
  func storedDocument() throws {
    let document = try stored()
    #expect(document.schema == "martlet.integration/1")
    #expect(document.outcome == .testFailures)
    #expect(document.tests.counts.listed == document.tests.listed)
    #expect(document.tests.cases.map(\.state) == [.failed, .crashed, .passed, .skipped])
    #expect(document.tests.cases[2].arguments?.count == 2)
    #expect(document.tests.cases[2].attempts?.map(\.state) == [.failed, .passed])
    #expect(document.tests.cases[3].id.name == "`dotted.name`()")
    #expect(document.issues.map(\.status) == [.new, .unresolved, .resolved])
    #expect(document.steps.map(\.name) == [.checkout, .building, .testing])
    #expect(document.steps[2].signal == 4)
    #expect(document.coverage.totals?.lines == LineTally(total: 21, covered: 17, partial: 2))
    #expect(document.deltas?.lines?.covered == -2)
    #expect(document.workingTree?.count == 2)
    #expect(document.workingTree?.added == ["notes.txt"])
  }

  @Test("A tag is kept where a branch would be, in the document and in the history")
  func tag() throws {
    var integration = Integration(
      bot: "Shop", number: 2, repository: "/srv/git/Shop.git", branch: nil,
      commit: Commit(id: CommitID(rawValue: "2dbc891"), summary: "Sell", author: "mira", date: .distantPast),
      cause: .commit, toolchain: "", configuration: "debug", sandbox: "off", queuedAt: .distantPast, repeatCommand: "")
    integration.tag = "1.2.0"
    let document = IntegrationRecord(integration)
    #expect(document.tag == "1.2.0" && document.branch == nil)
    #expect(HistoryLine(of: document).tag == "1.2.0")
    #expect(String(decoding: try encoded(document), as: UTF8.self).contains(#""tag":"1.2.0""#))
    #expect(try stored().tag == nil)
  }

  @Test("What is read and written again is the same")
  func roundTrip() throws {
    let document = try stored()
    let bytes = try encoded(document)
    #expect(try decoder.decode(IntegrationRecord.self, from: bytes) == document)
    #expect(try encoded(decoder.decode(IntegrationRecord.self, from: bytes)) == bytes)
  }

  @Test(
    "How a test ended its process, how a build began and what a gate failed for are kept; older documents lack them")
  func newKeys() throws {
    var document = try stored()
    #expect(document.tests.quit == nil && document.tests.counts.quit == 0)
    #expect(Baseline(document).isWarm == nil && Baseline(document).quits.isEmpty)
    let place = SourceLocation(file: "Tests/T.swift", line: 4)
    document.tests.cases[3].quit = ProcessQuit(call: "exit(0)", location: place)
    document.tests.quit = 1
    document.steps[1].warm = true
    var gate = GateResult(rule: "patch=80", state: .failed, sentence: "2 of 7 never ran.")
    (gate.lines, gate.share, gate.shareBefore) = ([place], Tally(total: 7, covered: 5), Tally(total: 3, covered: 3))
    gate.partial = 2
    document.gates = [gate]
    let read = try decoder.decode(IntegrationRecord.self, from: encoded(document))
    #expect(read == document)
    #expect(read.tests.counts.quit == 1)
    #expect(Baseline(read).isWarm == true)
    #expect(Baseline(read).quits == [document.tests.cases[3].id])
    let old = try decoder.decode(
      GateResult.self, from: Data(#"{"rule":"ratchet","state":"failed","sentence":"s"}"#.utf8))
    #expect(old == GateResult(rule: "ratchet", state: .failed, sentence: "s"))
    // What an older Martlet counted.
    let counts = #"{"passed":1,"failed":0,"expectedFailures":0,"skipped":0,"crashed":0,"timedOut":0,"canceled":0,"#
    let rest = #""notRun":2,"filteredOut":0,"flaky":0}"#
    let known = try decoder.decode(TestCounts.self, from: Data((counts + rest).utf8))
    #expect(known.unseen == 2 && known.listed == 3)
  }

  @Test("Nobody is named whom an older document suspects a little")
  func lowSuspects() throws {
    var flat = try #require(stored().issues.first)
    flat.suspects = [
      Suspect(name: "Ada", email: "", confidence: .medium, reason: "r"),
      Suspect(name: "Bob", email: "", confidence: .low, reason: "r"),
    ]
    #expect(Model.Issue(flat).suspects.map(\.name) == ["Ada"])
  }

  @Test("A document that lacks what it needs is refused, not filled up")
  func incomplete() throws {
    let text = String(decoding: try encoded(stored()), as: UTF8.self)
    for key in ["\"outcome\"", "\"tests\"", "\"coverage\"", "\"commit\"", "\"reasons\""] {
      let broken = text.replacing(key, with: "\"gone\"")
      #expect(throws: DecodingError.self) {
        _ = try decoder.decode(IntegrationRecord.self, from: Data(broken.utf8))
      }
    }
    #expect(throws: DecodingError.self) {
      _ = try decoder.decode(IntegrationRecord.self, from: Data(text.utf8.prefix(500)))
    }
  }

  @Test("A baseline without complete coverage takes that of an earlier one, and one with it keeps its own")
  func takenCoverage() throws {
    var document = try stored()
    var broken = Baseline(document)
    document.coverage.complete = true
    document.number = 5
    let measured = Baseline(document)
    broken.takeCoverage(of: measured)
    #expect(broken.number == 7 && broken.coverageNumber == 5)
    #expect(broken.totals == measured.totals && broken.files == measured.files && broken.targets == measured.targets)
    #expect(broken.tests == measured.tests)
    document.number = 3
    document.coverage.files = []
    broken.takeCoverage(of: Baseline(document))
    #expect(broken.coverageNumber == 5 && broken.files == measured.files)
  }

  @Test("A later integration is compared with what the document keeps")
  func baseline() throws {
    var document = try stored()
    // Some of its counters are missing.
    #expect(Baseline(document).totals == nil)
    #expect(Baseline(document).files.isEmpty)
    document.coverage.complete = true
    let baseline = Baseline(document)
    #expect(baseline.number == 7)
    #expect(baseline.outcome == .testFailures)
    #expect(baseline.tests.listed == 4)
    #expect(baseline.warnings == 1)
    #expect(baseline.issues.map(\.id) == ["t-0a1b2c3d", "w-01234567"])
    #expect(baseline.issues[1].age == 3)
    #expect(baseline.issues[1].location == SourceLocation(file: "Sources/Greeter/Greeter.swift", line: 12, column: 9))
    #expect(baseline.states.count == 4)
    #expect(baseline.totals?.functions == Tally(total: 4, covered: 3))
    #expect(baseline.files["Sources/Greeter/Greeter.swift"]?.lines.covered == 17)
    #expect(baseline.targets["Sources/Greeter/Greeter.swift"] == "Greeter")
  }

  @Test("What one destination came to is not taken for what all of them came to, nor the other way round")
  func baselineOfDestination() throws {
    var document = try stored()
    #expect(Baseline(document).wholeOutcome == .testFailures)
    // Another destination did not build.
    document.outcome = .buildErrors
    document.destination = DestinationResult(Destination(), leads: true, outcome: .succeeded)
    let baseline = Baseline(document)
    #expect(baseline.outcome == .succeeded)
    #expect(baseline.wholeOutcome == .buildErrors)
    #expect(baseline.reachedTests?.listed == 4)
    #expect(baseline.builtWarnings == 1)
  }

  @Test("An integration becomes a document whose counts add up and whose times are rounded")
  func fromIntegration() throws {
    var integration = Sample.integration()
    integration.tests = TestReport(
      results: [
        Sample.result("b", .failed, failures: [TestFailure(location: nil, message: "two\nlines")]),
        Sample.result("a", .passed, duration: 0.123_456_7),
      ], filteredOut: 3,
      runs: [LibraryRun(library: .xctest, source: "console", sawTerminalRecord: true, exitStatus: 1)])
    integration.steps = [StepRecord(name: .testing, duration: 1.000_49, exitStatus: 1, cpu: 0.333_333)]
    let document = IntegrationRecord(integration)
    #expect(document.schema == IntegrationRecord.schemaName)
    #expect(document.tests.listed == 2)
    #expect(document.tests.filteredOut == 3)
    #expect(document.tests.source == ["XCTest": "console"])
    #expect(document.tests.cases.map(\.id.name) == ["a", "b"])
    #expect(document.tests.cases[0].duration == 0.123_457)
    #expect(document.tests.cases[1].failures.map(\.message) == ["two\nlines"])
    #expect(document.tests.cases[1].failures[0].file == nil)
    #expect(document.steps[0].duration == 1.0)
    #expect(document.steps[0].cpu == 0.333)
    #expect(document.duration == 5)
    #expect(document.deltas == nil)
    #expect(document.baseline == nil)
    #expect(try decoder.decode(IntegrationRecord.self, from: encoded(document)) == document)
  }

  @Test("Settings of the package stand in the document by name and origin")
  func settings() throws {
    var integration = Sample.integration()
    #expect(!String(decoding: try encoded(IntegrationRecord(integration)), as: UTF8.self).contains("settings"))
    integration.settings = [
      SettingOrigin("tests.skip", .package), SettingOrigin("actions", .commandLine, remark: "Why."),
    ]
    let bytes = try encoded(IntegrationRecord(integration))
    let written =
      #""settings":[{"from":"package","name":"tests.skip"},{"from":"command-line","name":"actions","remark":"Why."}]"#
    #expect(String(decoding: bytes, as: UTF8.self).contains(written))
    #expect(try decoder.decode(IntegrationRecord.self, from: bytes).settings == integration.settings)
  }

  @Test("A document says what each reason is, and of an older one is known which are failed gates")
  func reasonCodes() throws {
    var integration = Sample.integration()
    let gate = GateResult(rule: "patch=80", state: .failed, sentence: "2 of 7 never ran.")
    integration.reasons = [.gateFailed(gate), .gap(.notRun(2)), .closed("The watcher ended.")]
    var document = IntegrationRecord(integration)
    let text = String(decoding: try encoded(document), as: UTF8.self)
    let codes = #"[{"code":"gate-failed","name":"patch=80"},{"code":"tests-not-run"},{"code":"closed"}]"#
    #expect(text.contains("\"reasonCodes\":\(codes)"))
    #expect(document.knownReasonCodes.map { $0?.gate } == ["patch=80", nil, nil])
    document.reasonCodes = nil
    document.reasons = ["Gate patch=80: 2 of 7 never ran.", "2 listed tests did not run."]
    #expect(document.knownReasonCodes == [.gateFailed("patch=80"), nil])
  }

  @Test("A document tells whether more than single tests and gates made it red")
  func failedOutsideTests() {
    func isSo(_ outcome: Outcome, _ reasons: [OutcomeReason]) -> Bool {
      var integration = Sample.integration()
      (integration.outcome, integration.reasons) = (outcome, reasons)
      return IntegrationRecord(integration).failedOutsideTests
    }
    let gate = GateResult(rule: "patch=80", state: .failed, sentence: "2 of 7 never ran.")
    let red = OutcomeReason.testsRed(failed: 1, crashed: 0, timedOut: 0)
    #expect(!isSo(.testFailures, [red, .gateFailed(gate), .testsFlaky(["a"]), .silenced(1)]))
    #expect(!isSo(.incomplete, [.omission(PackageOmission(.testsLeftOut)), .testsUnlisted([], .handWrittenList)]))
    #expect(isSo(.testFailures, [red, .gap(.failureOutside(.xctest, nil, message: "late"))]))
    #expect(isSo(.testFailures, [.gap(.contradiction("It was ended by a signal."))]))
    #expect(isSo(.incomplete, [.testsNotRun(1, listed: 2)]))
    #expect(!isSo(.buildErrors, [.buildFailed(.package, errors: 1)]) && !isSo(.warnings, [.testWarnings(1)]))
  }

  @Test("Coverage that is missing is said to be missing, without figures")
  func missingCoverage() throws {
    let document = IntegrationRecord(Sample.integration())
    #expect(!document.coverage.available)
    #expect(!document.coverage.complete)
    #expect(document.coverage.reason == "No tests ran.")
    #expect(document.coverage.totals == nil)
    let text = String(decoding: try encoded(document), as: UTF8.self)
    #expect(text.contains(#""coverage":{"available":false,"complete":false,"reason":"No tests ran."}"#))
    var stopped = Sample.integration()
    stopped.coverage = .unavailable(reason: "The disk is full.", code: OutcomeReason.Code("stopped"))
    #expect(IntegrationRecord(stopped).coverage.reasonCode == OutcomeReason.Code("stopped"))
  }

  @Test("Changes against a baseline without coverage leave the coverage out")
  func deltasWithoutCoverage() {
    var integration = Sample.integration()
    integration.coverage = .available(Coverage(files: []))
    integration.baseline = Sample.baseline()
    let deltas = integration.deltas
    #expect(deltas?.coverage == nil)
    #expect(deltas?.duration == 3)
    #expect(IntegrationRecord(integration).baseline == 4)
    #expect(IntegrationRecord(integration).deltas?.lines == nil)
  }
}

/// Values that are only there to be filled in.
private enum Sample {
  static let commit = Commit(
    id: CommitID(rawValue: String(repeating: "a", count: 40)), summary: "Begin", author: "Mira",
    date: Date(timeIntervalSince1970: 1_000))

  static func integration() -> Integration {
    var integration = Integration(
      bot: "Shop", number: 5, repository: "Shop", branch: "main", commit: commit, cause: .person,
      toolchain: "Swift version 6.3.1", configuration: "debug", sandbox: "off",
      queuedAt: Date(timeIntervalSince1970: 2_000), repeatCommand: "martlet run Shop")
    integration.endedAt = Date(timeIntervalSince1970: 2_005)
    return integration
  }

  static func result(
    _ name: String, _ state: TestState, duration: Double = 0, failures: [TestFailure] = []
  ) -> TestResult {
    TestResult(
      id: TestID(module: "ShopTests", suite: "CartTests", name: name), library: .xctest, state: state,
      duration: duration, failures: failures)
  }

  static func baseline() -> Baseline {
    Baseline(
      number: 4, commit: commit.id, outcome: .buildErrors, tests: TestCounts(), totals: nil, files: [:], duration: 2,
      warnings: 0, states: [:])
  }
}
