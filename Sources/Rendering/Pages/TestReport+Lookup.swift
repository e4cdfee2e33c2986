import Model

extension TestReport {
  /// The results by the names of their tests, for whoever looks up more than one.
  var byID: [TestID: TestResult] {
    Dictionary(results.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
