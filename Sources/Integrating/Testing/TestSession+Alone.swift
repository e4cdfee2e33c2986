import Model
import Parsing
import Processes

extension TestSession {
  /// Runs one test in processes that run no other.
  ///
  /// - Parameter keepsTraces: whether the lines that it runs now count as covered, and what it attaches is kept.
  mutating func runAlone(
    _ test: TestResult, of listing: Listing, keepsTraces: Bool, record: inout StepRecord
  ) throws(IntegrationStop) -> TestReportBuilder.Product {
    let before = (progress, self.keepsTraces)
    defer { (progress, self.keepsTraces) = before }
    progress = { _ in }
    self.keepsTraces = keepsTraces
    let isXCTest = test.library == .xctest
    var builder = TestReportBuilder(xctest: isXCTest ? [test.id] : [], swiftTesting: isXCTest ? [] : [test.id])
    try run(
      test.library, [test.id], of: isXCTest ? listing.xctest : listing.swiftTesting, record: &record, into: &builder)
    return builder.build()
  }
}
