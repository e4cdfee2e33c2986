import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("What exports say")
struct ExportRuleTests {
  func junit(_ change: (inout Integration) -> Void) throws -> String {
    var integration = ExportSample.integration
    change(&integration)
    return try IntegrationExport(IntegrationRecord(integration), coverage: nil).text(as: .junit)
  }

  @Test("An integration that failed elsewhere than in a test has an error in JUnit", arguments: Outcome.allCases)
  func outcome(outcome: Outcome) throws {
    let text = try junit { integration in
      integration.outcome = outcome
      integration.reasons = [.stopped("Said why.")]
      integration.tests = TestReport(results: [ExportSample.results[0]])
      integration.issues = []
    }
    let isGood = [.succeeded, .warnings, .analyzerWarnings].contains(outcome)
    #expect(text.contains("<error message=\"Said why.\" type=\"\(outcome.rawValue)\">Said why.</error>") == !isGood)
    #expect(text.contains("tests=\"\(isGood ? 1 : 2)\" failures=\"0\" errors=\"\(isGood ? 0 : 1)\""))
  }

  @Test("JUnit tells the sentence of a failed gate once")
  func gateOnce() throws {
    let text = try junit { integration in
      let gate = GateResult(rule: "ratchet", state: .failed, sentence: "Fewer lines ran.")
      integration.outcome = .buildErrors
      integration.reasons = [.gateFailed(gate)]
      integration.tests = TestReport(results: [ExportSample.results[0]])
      var issue = Model.Issue(id: "g-1", kind: .gate, message: "Fewer lines ran.")
      issue.subject = .gate("ratchet")
      integration.issues = [issue]
    }
    // In the message and once in the body.
    #expect(text.lowercased().ranges(of: "fewer lines ran").count == 2, "\(text)")
  }

  @Test("Markdown says of which destination the figures are, and names the red tests of all, those that count first")
  func destinationsInMarkdown() throws {
    var integration = ExportSample.integration
    integration.outcome = .testFailures
    let red = ExportSample.results.filter { $0.id.name == "testFails" }
    let cells = ["debug", "nightly", "release"].map { name in
      var (cell, destination) = (integration, Destination())
      (destination.name, destination.isRequired) = (name, name != "nightly")
      cell.issues = []
      cell.tests = TestReport(results: name == "debug" ? [ExportSample.results[0]] : red)
      cell.destination = DestinationResult(
        destination, leads: name == "debug", outcome: name == "debug" ? .succeeded : .testFailures)
      return cell
    }
    integration = cells[0]
    integration.cells = Array(cells.dropFirst())
    let text = try IntegrationExport(IntegrationRecord(integration), coverage: nil).text(as: .markdown)
    #expect(text.contains("| Tests for debug |"))
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("- Failed: ") }
    #expect(lines.map { $0.hasSuffix(" for release") } == [true, false], "\(lines)")
    #expect(lines.last?.hasSuffix(" for nightly, which is optional") == true, "\(lines)")
  }

  @Test(
    "What is only carried over from before is in no export",
    arguments: [ExportFormat.github, .sarif, .markdown, .junit])
  func carriedOver(format: ExportFormat) throws {
    func text(_ isCarriedOver: Bool) throws -> String {
      var integration = ExportSample.integration
      integration.outcome = .buildErrors
      integration.tests = TestReport()
      let place = SourceLocation(file: "Sources/Shop/Till.swift", line: 3)
      integration.issues = ["mended long ago", "broken now"].map {
        Issue(id: $0, kind: .error, status: .unresolved, message: $0, location: place)
      }
      integration.issues[0].isCarriedOver = isCarriedOver
      return try IntegrationExport(IntegrationRecord(integration), coverage: nil).text(as: format)
    }
    #expect(try text(false).contains("mended long ago"))
    #expect(try !text(true).contains("mended long ago"))
    #expect(try text(true).contains("broken now"))
  }

  @Test("Of a test that is silenced in part, each issue tells its own failures")
  func silencedInPart() throws {
    var integration = ExportSample.integration
    let test = try #require(ExportSample.results.first { $0.id.name == "testFails" })
    integration.tests = TestReport(results: [test])
    integration.issues = test.failures.enumerated().map { index, failure in
      var issue = Issue(
        id: "t-\(index)", kind: .testFailure, status: index == 0 ? .silenced : .new, message: failure.message,
        test: test.id)
      issue.findings = [Fingerprint.of(failure.message)]
      return issue
    }
    let findings = ExportedFinding.all(of: IntegrationRecord(integration))
    #expect(findings.map(\.message) == ["XCTAssertTrue failed", "threw: nothing"])
    #expect(findings.map(\.issue.id) == ["t-0", "t-1"])
    let text = try IntegrationExport(IntegrationRecord(integration), coverage: nil).text(as: .github)
    #expect(!text.contains("XCTAssertTrue failed"))
    #expect(text.contains("threw: nothing"))
  }

  /// An integration in which a test ended its process, and perhaps another one failed.
  private func quitting(failing: Bool) -> Integration {
    var integration = ExportSample.integration
    var quit = TestResult(
      id: ExportSample.id("Exits", "testQuit"), library: .xctest,
      location: SourceLocation(file: "Tests/ShopTests/Exits.swift", line: 2))
    quit.quit = ProcessQuit(
      call: "exit(0)", location: SourceLocation(file: "Tests/ShopTests/Exits.swift", line: 4))
    let failed = ExportSample.results.filter { $0.id.name == "testFails" }
    integration.outcome = failing ? .testFailures : .incomplete
    integration.reasons = [.gap(.contradiction("testQuit called exit(0) at Exits.swift:4."))]
    integration.tests = TestReport(results: [quit] + (failing ? failed : []))
    let issue = Model.Issue(
      id: "q-1", kind: .quit, message: "Ended the process: exit(0)", location: quit.quit?.location, test: quit.id)
    integration.issues = (failing ? integration.issues.filter { $0.id == "t-1" } : []) + [issue]
    return integration
  }

  @Test(
    "A test that ended its process has an annotation with its place, once, whatever else is red",
    arguments: [true, false])
  func quit(failing: Bool) throws {
    let export = IntegrationExport(IntegrationRecord(quitting(failing: failing)), coverage: nil)
    let github = try export.text(as: .github).split(separator: "\n")
    #expect(
      github.filter { $0.contains("exit(0)") } == [
        "::error file=pkg/Tests/ShopTests/Exits.swift,line=4,title=quit%3A ShopTests.Exits/testQuit::Ended the process: exit(0)"
      ])
    #expect(github.count == (failing ? 3 : 1))
    let sarif = try export.text(as: .sarif)
    #expect(sarif.matches(of: #/"ruleId": ?"quit"/#).count == 1)
    #expect(sarif.contains("ShopTests.Exits/testQuit: Ended the process: exit(0)"))
    #expect(
      sarif.contains(#"{"uri":"pkg/Tests/ShopTests/Exits.swift","uriBaseId":"SRCROOT"},"region":{"startLine":4}"#))
    #expect(
      try export.text(as: .markdown).contains(
        """

        - Quit of `ShopTests.Exits/testQuit` in `pkg/Tests/ShopTests/Exits.swift:4`
          ```text
          Ended the process: exit(0)
          ```

        """))
  }

  @Test("A test that ended its process in several destinations has one annotation, and none if they only inform")
  func quitInDestinations() throws {
    func count(required: [Bool]) throws -> Int {
      // The issues of a whole integration are those of its required destinations.
      var (integration, cells) = (quitting(failing: false), [Integration]())
      for (index, isRequired) in required.enumerated() {
        var destination = Destination()
        (destination.name, destination.isRequired) = ("d\(index)", isRequired)
        var cell = quitting(failing: false)
        if index == 0 {
          integration.destination = DestinationResult(destination, leads: true, outcome: .incomplete)
        } else {
          cell.destination = DestinationResult(destination, leads: false, outcome: .incomplete)
          cells.append(cell)
        }
      }
      integration.cells = cells
      if !required.contains(true) { integration.issues = [] }
      return ExportedFinding.all(of: IntegrationRecord(integration)).count
    }
    #expect(try count(required: [true, true]) == 1)
    #expect(try count(required: [false, true]) == 1)
    #expect(try count(required: [false, false]) == 0)
  }

  @Test("Only passed tests and known issues look passed in JUnit", arguments: TestState.allCases)
  func state(state: TestState) throws {
    let text = try junit { integration in
      integration.outcome = .succeeded
      integration.tests = TestReport(results: [
        TestResult(id: ExportSample.id("A", "b()"), library: .swiftTesting, state: state)
      ])
    }
    let element =
      switch state {
      case .passed, .expectedFailure: ""
      case .failed: "<failure "
      case .skipped: "<skipped></skipped>"
      case .canceled: #"<skipped message="The test was canceled.">"#
      case .crashed, .timedOut, .notRun: "<error "
      }
    for name in ["<failure ", "<error ", "<skipped></skipped>", "<skipped message="] {
      #expect(text.contains(name) == element.hasPrefix(name))
    }
  }

  @Test("A test that canceled itself is skipped in JUnit with its reason, and so is a case that did")
  func canceled() throws {
    let text = try junit { integration in
      integration.outcome = .succeeded
      var test = TestResult(
        id: ExportSample.id("A", "b(_:)"), library: .swiftTesting, state: .canceled, skipReason: "needs a <display>")
      var (plain, broken) = (test, test)
      test.arguments = [TestArgument(display: "1", state: .passed), TestArgument(display: "2", state: .canceled)]
      plain.id = ExportSample.id("A", "plain()")
      // That of an integration that was canceled itself.
      broken.id = ExportSample.id("A", "broken()")
      (broken.skipReason, broken.failures) = (nil, [TestFailure(location: nil, message: "had failed")])
      integration.tests = TestReport(results: [test, plain, broken])
      integration.issues = []
    }
    #expect(text.matches(of: #/<skipped message="needs a &lt;display&gt;">needs a &lt;display&gt;</#).count == 2)
    #expect(text.contains("tests=\"4\" failures=\"0\" errors=\"1\" skipped=\"2\""))
    #expect(text.contains(#"<error message="had failed" type="canceled">"#))
  }

  @Test("A parameterised test that crashed outside its cases has a case of its own")
  func crashedBetweenCases() throws {
    let text = try junit { integration in
      var test = ExportSample.results[1]
      test.state = .crashed
      test.arguments = [TestArgument(display: "1", state: .passed)]
      integration.tests = TestReport(results: [test])
    }
    #expect(text.contains("<testcase name=\"rounds(_:) [1]\""))
    #expect(text.contains("<testcase name=\"rounds(_:)\" classname=\"ShopTests.Till\" time=\"0.020\""))
    #expect(text.contains("tests=\"2\" failures=\"0\" errors=\"1\""))
  }

  @Test("A format that needs coverage refuses an integration without, and says why and what to do")
  func noCoverage() {
    let export = IntegrationExport(IntegrationRecord(ExportSample.buildErrors), coverage: nil)
    for format in [ExportFormat.lcov, .cobertura, .sonar, .codecov, .csv] {
      #expect(
        throws: ExportError(
          "cannot export Shop 7 as \(format.rawValue): it has no coverage. The tests were not reached. Formats without coverage are junit, sarif, markdown, badge and github."
        )
      ) { try export.text(as: format) }
    }
    #expect(throws: Never.self) { try export.text(as: .junit) }
  }

  @Test("Coverage that was not kept by lines is told from coverage that there is none of")
  func noLines() throws {
    let export = IntegrationExport(ExportSample.document, coverage: nil)
    #expect(
      throws: ExportError(
        "cannot export Shop 7 as lcov: there is no coverage.json beside its integration.json, so nobody knows how often its lines ran. Integrate the commit again, or choose a format that needs no lines: junit, sarif, csv, markdown, badge and github."
      )
    ) { try export.text(as: .lcov) }
    #expect(try export.text(as: .csv).contains("pkg/Sources/Shop/Till.swift,Shop,5,3,1,2,60.0,"))
  }

  @Test("The coverage of another integration is refused")
  func foreignCoverage() {
    var other = ExportSample.integration
    other.number = 8
    let export = IntegrationExport(ExportSample.document, coverage: CoverageDocument(other))
    #expect(
      throws: ExportError(
        "cannot export Shop 7 as lcov: the coverage.json beside its integration.json belongs to Shop 8. Copy the two files from one report."
      )
    ) { try export.text(as: .lcov) }
  }

  @Test("JSON without coverage says so, and holds no zeros")
  func unavailable() throws {
    let text = try IntegrationExport(IntegrationRecord(ExportSample.buildErrors), coverage: nil).text(as: .json)
    #expect(text.contains("\"available\": false"))
    #expect(text.contains("\"reason\": \"The tests were not reached.\""))
    #expect(!text.contains("\"lines\""))
  }

  @Test("Shares round neither up to all nor down to nothing")
  func rates() throws {
    func cobertura(_ counts: [Int: UInt64]) throws -> String {
      var integration = ExportSample.integration
      integration.coverage = .available(
        Coverage(files: [ExportSample.file("A.swift", "A", counts: counts, partial: [], functions: [])]))
      let text = try IntegrationExport(IntegrationRecord(integration), coverage: CoverageDocument(integration))
        .text(as: .cobertura)
      return String(text.split(separator: "\n")[2].split(separator: " ")[1])
    }
    var counts = Dictionary(uniqueKeysWithValues: (1...30_000).map { ($0, UInt64(1)) })
    #expect(try cobertura(counts) == "line-rate=\"1\"")
    counts[7] = 0
    #expect(try cobertura(counts) == "line-rate=\"0.9999\"")
    #expect(try cobertura([1: 0]) == "line-rate=\"0\"")
    #expect(try cobertura(counts.mapValues { 1 - $0 }) == "line-rate=\"0.0001\"")
  }

  @Test("The badge of the tests is never green or empty when nothing was tested")
  func badge() throws {
    let export = IntegrationExport(IntegrationRecord(ExportSample.buildErrors), coverage: nil)
    #expect(try export.text(as: .badge, badge: .tests).contains("<title>tests: build errors</title>"))
    #expect(try export.text(as: .badge, badge: .tests).contains(Badge.Colour.red.rawValue))
    #expect(try export.text(as: .badge, badge: .coverage).contains("<title>coverage: unknown</title>"))
  }

  @Test("In the badge of the tests what is silenced is not among the red")
  func silenced() throws {
    var integration = ExportSample.integration
    let ids = ["a", "b", "c"].map { TestID(module: "ShopTests", suite: "TillTests", name: $0) }
    integration.tests = TestReport(
      results: zip(ids, [TestState.failed, .failed, .passed]).map { TestResult(id: $0, library: .xctest, state: $1) })
    func badge(silencing count: Int, _ outcome: Outcome) throws -> String {
      integration.outcome = outcome
      integration.issues = ids.prefix(count).map {
        Issue(id: "t-\($0.name)", kind: .testFailure, status: .silenced, message: "m", test: $0)
      }
      let export = IntegrationExport(IntegrationRecord(integration), coverage: nil)
      return try String(#require(export.text(as: .badge, badge: .tests).firstMatch(of: /<title>(.*?)<\/title>/)).1)
    }
    #expect(try badge(silencing: 0, .testFailures) == "tests: 2 failed")
    #expect(try badge(silencing: 1, .testFailures) == "tests: 1 failed, 1 silenced")
    #expect(try badge(silencing: 2, .succeeded) == "tests: 1 passed, 2 silenced")
    integration.tests.results[2].isFlaky = true
    #expect(try badge(silencing: 2, .warnings) == "tests: 0 passed, 1 flaky, 2 silenced")
  }

  @Test("The lines of the whole package stand apart from those of the change in Markdown")
  func sections() throws {
    var integration = ExportSample.integration
    let file = PatchCoverage.File(
      path: "Sources/Shop/Till.swift", ran: [3], partlyRan: [], neverRan: [5])
    integration.changes = CoverageChanges(
      comparison: .unknown(reason: "It is the first."),
      patch: .known(PatchCoverage(origin: .integration(6), files: [file])))
    let text = try IntegrationExport(IntegrationRecord(integration), coverage: CoverageDocument(integration))
      .text(as: .markdown)
    let sections = text.split(separator: "\n### ").dropFirst()
    #expect(
      sections.map { $0.prefix { $0 != "\n" } }.suffix(3) == [
        "Coverage", "Coverage of the change", "Lines that never ran, of the whole package",
      ])
    let change = sections.first { $0.hasPrefix("Coverage of the change\n") }
    #expect(change?.contains("- `pkg/Sources/Shop/Till.swift:5`") == true)
    #expect(change?.contains("| File |") == false)
    #expect(
      sections.last?.hasPrefix("Lines that never ran, of the whole package\n\n| File | ran | never ran | lines |\n")
        == true)
  }

  @Test("A gate stands in Markdown among the gates, and not among the errors, too")
  func gates() throws {
    var integration = ExportSample.integration
    let gate = GateResult(rule: "ratchet", state: .failed, sentence: "The share fell.")
    integration.gates = [gate]
    integration.issues.append(Issue(id: "g", kind: .gate, message: gate.message))
    func text() throws -> String {
      try IntegrationExport(IntegrationRecord(integration), coverage: nil).text(as: .markdown)
    }
    #expect(try text().contains("\n- Failed: ratchet. The share fell.\n"))
    #expect(try !text().contains("\n- Gate\n"))
    // Documents of an older Martlet have no list of gates.
    integration.gates = []
    #expect(try text().contains("\n- Gate\n  ```text\n  Ratchet gate: the share fell.\n"))
  }

  @Test("A failed gate without a red test is called so, but by the outcome's own word where machines read it")
  func gate() throws {
    var integration = ExportSample.integration
    integration.tests = TestReport(results: [ExportSample.results[0]])
    integration.issues = []
    integration.reasons = [
      .gateFailed(GateResult(rule: "ratchet", state: .failed, sentence: "the share fell."))
    ]
    integration.onlyGatesFailed = true
    let export = IntegrationExport(IntegrationRecord(integration), coverage: nil)
    #expect(try export.text(as: .markdown).hasPrefix("## Shop 7: gate failed\n"))
    #expect(try export.text(as: .badge).contains("<title>Shop: gate failed</title>"))
    #expect(try export.text(as: .badge, badge: .tests).contains("<title>tests: gate failed</title>"))
    #expect(try export.text(as: .github) == "::error title=Shop 7%3A gate failed::Ratchet gate: the share fell.\n")
    #expect(try export.text(as: .sarif).contains(#""exitCodeDescription": "test-failures""#))
    #expect(try export.text(as: .junit).contains("type=\"test-failures\""))
    // A sanitizer's report outside of all tests makes the same outcome.
    integration.reasons = [.stopped("Outside any identifiable test: there was a data race.")]
    integration.onlyGatesFailed = false
    let other = IntegrationExport(IntegrationRecord(integration), coverage: nil)
    #expect(try other.text(as: .markdown).hasPrefix("## Shop 7: test failures\n"))
  }

  @Test("A finding outside the repository keeps its path, and one without place gets the manifest in SARIF")
  func places() throws {
    let export = IntegrationExport(IntegrationRecord(ExportSample.buildErrors), coverage: nil)
    let sarif = try export.text(as: .sarif)
    #expect(sarif.contains(#"{"uri":"file:///usr/include/x%20y.h"}"#))
    #expect(sarif.contains(#"{"uri":"pkg/Package.swift","uriBaseId":"SRCROOT"},"region":{"startLine":1}"#))
    let github = try export.text(as: .github)
    #expect(github.contains("\n::error title=error::/usr/include/x y.h:3: bad header\n"))
    #expect(github.contains("\n::error title=linker error::undefined reference to 'till'\n"))
  }
}
