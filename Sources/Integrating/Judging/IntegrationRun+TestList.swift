import Comparing
import Model
import Syntax

extension IntegrationRun {
  /// Compares the listed tests with those of the integration before; nil if there are none to compare with.
  func testListChanges(of run: TestRun, in reference: BaselineReading) -> TestListChanges? {
    guard let baseline = reference.baseline, !baseline.states.isEmpty else { return nil }
    let results = run.report.results
    let found = reference.document.flatMap { sources(of: results, since: $0) }
    return TestListChanges(
      from: Set(baseline.states.keys), to: Set(results.map(\.id)), filteredOut: run.filteredOut,
      mayLackTests: run.mayLackTests, bodies: found?.bodies ?? .init(), places: found?.places)
  }

  /// Adds to tests that did not run what an earlier integration knew of them.
  func recall(_ earlier: IntegrationRecord, in report: inout TestReport) {
    report.recall(earlier) { file in
      guard earlier.workingTree == nil, let now = text(of: file) else { return false }
      return text(of: file, at: earlier.commit.id) == now
    }
  }

  /// Reads where tests are declared, and the tests in the sources that changed, since an earlier integration; nil where
  /// they cannot be compared.
  private func sources(
    of results: [TestResult], since earlier: IntegrationRecord
  ) -> (places: TestPlaces, bodies: TestListChanges.Bodies)? {
    let before = earlier.tests.cases.compactMap { test in
      test.file.flatMap { file in test.line.map { (test.id, SourceLocation(file: file, line: $0)) } }
    }
    let now = results.compactMap { test in test.location.map { (test.id, $0) } }
    let files = Set((before + now).map(\.1.file))
    guard let difference = try? difference(from: earlier.commit.id, of: files) else { return nil }
    let bodies = TestListChanges.Bodies(
      before: Self.bodies(of: before, in: difference.files.compactMap(\.oldPath)) {
        text(of: $0, at: earlier.commit.id)
      },
      now: Self.bodies(of: now, in: difference.files.compactMap(\.newPath)) { text(of: $0) })
    let places = TestPlaces(
      before: before.keyed(by: \.0, \.1), now: now.keyed(by: \.0, \.1), change: difference)
    return (places, bodies)
  }

  private static func bodies(
    of tests: [(id: TestID, place: SourceLocation)], in files: [String], text: (String) -> [UInt8]?
  ) -> [TestID: String] {
    let files = Set(files)
    var found: [TestID: String] = [:]
    for (file, tests) in Dictionary(grouping: tests, by: \.place.file) where files.contains(file) {
      guard let text = text(file) else { continue }
      let bodies = TestBodies(SourceCode(text, path: file))
      for test in tests { found[test.id] = bodies.text(of: test.id.name, at: test.place.line) }
    }
    return found
  }
}
