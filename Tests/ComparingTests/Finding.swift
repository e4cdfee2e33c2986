import Model

/// The testing library has an `Issue`, too.
typealias Issue = Model.Issue

/// Findings to compare, made in few words.
enum Finding {
  static func diagnostic(
    _ severity: Diagnostic.Severity, _ message: String, in file: String = "Sources/Shop/Cart.swift", line: Int = 1,
    isLinker: Bool = false
  ) -> Diagnostic {
    Diagnostic(
      severity: severity, message: message, location: isLinker ? nil : SourceLocation(file: file, line: line),
      isLinker: isLinker)
  }

  static func test(_ name: String) -> TestID {
    TestID(module: "Shop", suite: "CartTests", name: name)
  }

  static func result(
    _ name: String, _ state: TestState, failures: [TestFailure] = [], isFlaky: Bool = false,
    location: SourceLocation? = nil
  ) -> TestResult {
    TestResult(
      id: test(name), library: .xctest, state: state, location: location, isFlaky: isFlaky, failures: failures)
  }

  static func failure(_ message: String, line: Int? = 7) -> TestFailure {
    TestFailure(
      location: line.map { SourceLocation(file: "Tests/ShopTests/CartTests.swift", line: $0) }, message: message)
  }

  /// A baseline that is remembered for its issues only.
  static func baseline(_ issues: [Issue]) -> Baseline {
    Baseline(
      number: 4, commit: CommitID(rawValue: String(repeating: "a", count: 40)), outcome: .testFailures,
      tests: TestCounts(), totals: nil, files: [:], duration: 1, warnings: 0, states: [:], issues: issues)
  }
}
