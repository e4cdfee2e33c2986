import Model
import Parsing
import Processes

extension TestSession {
  /// Runs one test in processes that run no other.
  ///
  /// - Parameter countsCoverage: whether the lines that it runs now count as covered.
  mutating func runAlone(
    _ test: TestResult, of listing: Listing, countsCoverage: Bool, record: inout StepRecord
  ) throws(IntegrationStop) -> TestReportBuilder.Product {
    let before = (progress, keepsCounters)
    defer { (progress, keepsCounters) = before }
    progress = { _ in }
    keepsCounters = countsCoverage
    let isXCTest = test.library == .xctest
    var builder = TestReportBuilder(xctest: isXCTest ? [test.id] : [], swiftTesting: isXCTest ? [] : [test.id])
    try run(
      test.library, [test.id], of: isXCTest ? listing.xctest : listing.swiftTesting, record: &record, into: &builder)
    return builder.build()
  }
}
