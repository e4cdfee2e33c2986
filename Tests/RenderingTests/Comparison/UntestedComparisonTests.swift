@testable import Model
import Testing

@testable import Rendering

@Suite("Comparisons of a package without tests")
struct UntestedComparisonTests {
  private static func page(_ comparison: IntegrationComparison) throws -> String {
    let report = ComparisonReport(templates: try PageSite.reportTemplates(), time: LocalTime { _ in 3600 })
    return String(decoding: try report.files(of: comparison).last?.bytes ?? [], as: UTF8.self)
  }

  @Test("Nothing is said of tests or coverage, and the heading says how the second one ended")
  func nothingOfTests() throws {
    var comparison = ComparisonSample.comparison
    (comparison.tests, comparison.after.flakyTests) = (TestChanges(), nil)
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    (comparison.coverage.before, comparison.coverage.after, comparison.coverage.lines) = (nil, nil, nil)
    comparison.coverage.files = []
    comparison.counts = [CountChange(.listed, before: 0, after: 0)]
    #expect(try !Self.page(comparison).contains("0 tests as before"))
    comparison.tests.reason = "The tests of 42 did not run: checkout error."
    (comparison.before.outcome, comparison.after.outcome) = (.succeeded, .checkoutError)
    comparison.counts = [CountChange(.listed, before: 0, after: nil)]
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: checkout error")
    comparison.after.outcome = .triggerError
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: a before-trigger failed")
    let page = try Self.page(comparison)
    #expect(!page.contains(#"<section id="tests""#) && !page.contains(#"<section id="coverage""#))
    comparison.counts = [CountChange(.listed, before: 3, after: nil)]
    #expect(try Self.page(comparison).contains(#"<section id="tests""#))
  }
}
