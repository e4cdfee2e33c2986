import Model

extension TestReport {
  /// The results by test id, for more than one lookup.
  var byID: [TestID: TestResult] {
    Dictionary(results.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
