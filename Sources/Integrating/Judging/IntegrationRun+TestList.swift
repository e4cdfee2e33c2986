import Comparing
import Model
import Syntax

extension IntegrationRun {
  /// Compares the listed tests with those of the integration before; nil if there are none to compare with.
  func testListChanges(
    of results: [TestResult], filteredOut: Set<TestID>, in reference: BaselineReading
  ) -> TestListChanges? {
    guard let baseline = reference.baseline, !baseline.states.isEmpty else { return nil }
    return TestListChanges(
      from: Set(baseline.states.keys), to: Set(results.map(\.id)), filteredOut: filteredOut,
      bodies: reference.document.map { bodies(of: results, since: $0) } ?? .init())
  }

  /// Reads the tests in the sources that changed since an earlier integration; none where they cannot be compared.
  private func bodies(of results: [TestResult], since earlier: IntegrationRecord) -> TestListChanges.Bodies {
    let before = earlier.tests.cases.compactMap { test in
      test.file.map { (test.id, SourceLocation(file: $0, line: test.line ?? 0)) }
    }
    let now = results.compactMap { test in test.location.map { (test.id, $0) } }
    let files = Set((before + now).map(\.1.file))
    guard let changed = try? difference(from: earlier.commit.id, of: files).files else { return .init() }
    return TestListChanges.Bodies(
      before: Self.bodies(of: before, in: changed.compactMap(\.oldPath)) { text(of: $0, at: earlier.commit.id) },
      now: Self.bodies(of: now, in: changed.compactMap(\.newPath)) { text(of: $0) })
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
