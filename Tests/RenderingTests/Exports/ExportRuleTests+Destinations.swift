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
