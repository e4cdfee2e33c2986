import FoundationEssentials
import Model
import Testing

@testable import Rendering

extension ExportRuleTests {
  @Test("Tests of a destination that is not required are told in JUnit, and count against nothing")
  func optionalDestination() throws {
    let text = try junit { integration in
      var (first, nightly) = (Destination(), Destination())
      (first.name, nightly.name, nightly.isRequired) = ("first", "nightly", false)
      integration.outcome = .succeeded
      integration.tests = TestReport(results: [ExportSample.results[0]])
      integration.issues = []
      var cell = integration
      integration.destination = DestinationResult(first, leads: true, outcome: .succeeded)
      cell.outcome = .testFailures
      cell.destination = DestinationResult(nightly, leads: false, outcome: .testFailures)
      cell.tests = TestReport(results: ExportSample.results.filter { $0.id.name == "testFails" })
      integration.cells = [cell]
    }
    #expect(text.contains("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\""))
    #expect(
      text.contains(
        "<property name=\"destination\" value=\"nightly\"/>\n      <property name=\"required\" value=\"false\"/>"))
    #expect(text.contains("The test is red, and its destination is not required"))
    #expect(text.contains("Not required: failed: "))
  }

  /// An integration with a test that passed on retry for the leading destination, and failed for the other one.
  private static func flakyAndRed(_ change: (inout Model.Issue) -> Void) throws -> IntegrationRecord {
    var integration = ExportSample.integration
    let test = try #require(ExportSample.results.first { $0.id.name == "testFails" })
    var again = test
    (again.state, again.failures) = (.passed, [])
    var issue = Model.Issue(id: "t-1", kind: .testFailure, message: "broken for release", test: test.id)
    issue.destinations = ["release"]
    change(&issue)
    integration.issues = [issue]
    var cell = integration
    integration.tests = TestReport(results: [test.retried([again])])
    var red = test
    let place = SourceLocation(file: "Tests/ShopTests/OldTests.swift", line: 9)
    red.failures = [TestFailure(location: place, message: "broken for release")]
    cell.tests = TestReport(results: [red])
    let destinations = ["debug", "release"].map { name in
      var destination = Destination()
      destination.name = name
      return destination
    }
    integration.destination = DestinationResult(destinations[0], leads: true, outcome: .warnings)
    cell.destination = DestinationResult(destinations[1], leads: false, outcome: .testFailures)
    integration.cells = [cell]
    return IntegrationRecord(integration)
  }

  @Test("A finding tells the failure of a destination that has it, not that of a test that passed on retry elsewhere")
  func failureOfRed() throws {
    let line =
      "::error file=pkg/Tests/ShopTests/OldTests.swift,line=9,"
      + "title=test failure%3A ShopTests.OldTests/testFails::broken for release\n"
    let one = try Self.flakyAndRed { _ in }
    #expect(GitHubExport.text(one).hasPrefix(line))
    #expect(SARIFExport.text(one).contains("ShopTests.OldTests/testFails: broken for release"))
    let all = try Self.flakyAndRed { $0.destinations = [] }
    #expect(GitHubExport.text(all).hasPrefix(line))
    let older = try Self.flakyAndRed { issue in
      issue.elsewhere = [issue]
      issue.destinations = ["debug"]
    }
    #expect(GitHubExport.text(older).hasPrefix(line))
  }

  @Test("A badge and the line beside a commit count what is red for any destination")
  func redOfAny() throws {
    var document = try Self.flakyAndRed { _ in }
    let badge = try IntegrationExport(document, coverage: nil).text(as: .badge, badge: .tests)
    #expect(badge.contains("<title>tests: 1 red</title>"), "\(badge)")
    var thread = try #require(document.cells?[0])
    let other = try #require(ExportSample.document.tests.cases.first { $0.state.isRed && $0.id.name != "testFails" })
    thread.destination?.name = "thread"
    thread.tests.cases = [other]
    document.cells?.append(thread)
    document.outcome = .testFailures
    for index in [0, 1] { document.cells?[index].outcome = .testFailures }
    let line = Announcement.Matter.finished(.testFailures).description(document: document)
    #expect(line.hasPrefix("release and thread: 2 red"), "\(line)")
  }

  @Test("Markdown lists the flaky tests of all destinations, each with its destination")
  func flakyOfAll() throws {
    var document = try Self.flakyAndRed { _ in }
    document.cells?[0].tests = document.tests
    let test = "- `ShopTests.OldTests/testFails`"
    let block = "\n  ```text\n  XCTAssertTrue failed\n  ```\n"
    #expect(
      MarkdownExport(document, lines: nil).text.contains(
        "### Flaky tests\n\n\(test) for debug\(block)\(test) for release\(block)"))
  }

  /// An integration whose first destination is green, and whose other one did not build.
  private static func unbuilt(required: Bool) -> Integration {
    var integration = ExportSample.integration
    var (first, other) = (Destination(), Destination())
    (first.name, other.name, other.isRequired) = ("first", "other", required)
    (integration.outcome, integration.issues) = (.succeeded, [])
    integration.tests = TestReport(results: [ExportSample.results[0]])
    var cell = integration
    let error = Model.Issue(
      id: "e-1", kind: .error, message: "no such module", location: SourceLocation(file: "Sources/A.swift", line: 3))
    (cell.outcome, cell.tests, cell.issues) = (.buildErrors, TestReport(results: []), [error])
    cell.reasons = [.buildFailed(.package, errors: 1)]
    cell.destination = DestinationResult(other, leads: false, outcome: .buildErrors)
    integration.destination = DestinationResult(first, leads: true, outcome: .succeeded)
    integration.cells = [cell]
    if required { (integration.outcome, integration.issues) = (.buildErrors, [error]) }
    return integration
  }

  @Test(
    "A destination that did not build has a suite in JUnit, and counts if it is required", arguments: [true, false])
  func unbuiltInJUnit(required: Bool) throws {
    let text = try junit { $0 = Self.unbuilt(required: required) }
    #expect(text.contains("<testsuite name=\"martlet (other)\" tests=\"1\""))
    #expect(text.contains("tests=\"2\" failures=\"0\" errors=\"\(required ? 1 : 0)\" skipped=\"\(required ? 0 : 1)\""))
    #expect(text.contains("no such module") && !text.contains("The test is red"))
  }

  @Test("The build error of an optional destination is a warning beside its line")
  func unbuiltInAnnotations() throws {
    func text(_ required: Bool, _ format: ExportFormat) throws -> String {
      let integration = Self.unbuilt(required: required)
      return try IntegrationExport(IntegrationRecord(integration), coverage: nil).text(as: format)
    }
    let optional = try text(false, .github)
    #expect(optional.contains(/line=3,title=[A-Za-z ]+ for other \(optional\)::no such module/), "\(optional)")
    #expect(try text(false, .github).contains("::warning file="))
    let required = try text(true, .github)
    #expect(required.contains(/line=3,title=[A-Za-z]+( error)?::no such module/), "\(required)")
    #expect(try text(false, .sarif).contains("other: no such module"))
    #expect(try text(true, .sarif).ranges(of: "no such module").count == 1)
  }
}
