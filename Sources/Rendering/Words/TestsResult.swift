import Model

/// What became of the tests of one destination, in words and with a glyph.
struct TestsResult {
  private let integration: Integration
  private let counts: TestCounts
  private let silenced: Set<TestID>

  /// - Parameter integration: that of the destination; any others in it do not count.
  init(_ integration: Integration) {
    self.integration = integration.own
    counts = integration.tests.counts
    silenced = Set(integration.silencedTests.keys)
  }

  /// Returns those of the other destinations that count whose tests are the worst, if those of the first one are better.
  static func worse(than integration: Integration) -> [Integration] {
    let all = integration.judged.map { (integration: $0, severity: TestsResult($0).severity) }
    let most = all.map(\.severity).max() ?? 0
    return most > all[0].severity ? all.filter { $0.severity == most }.map(\.integration) : []
  }

  /// Whether they did not come to run, which is no fault of theirs.
  var didNotRun: Bool { counts.listed == 0 && integration.reachedTests == nil }

  /// Without the name of the destination.
  var words: String {
    if integration.isUntested { return "No tests were requested" }
    if counts.listed == 0 { return didNotRun ? "Tests did not run" : "No tests are listed" }
    let all = CountText.counted(counts.listed, "test")
    let aside = [TestSum.silenced(silenced.count)].compactMap(\.self)
    let red = counts.red - silenced.count
    if red > 0 {
      let words = "\(CountText.plain(red)) of \(all) \(CountText.agreeing(red, "is", "are")) red"
      return ([words] + aside).joined(separator: ", ")
    }
    if counts.steady == counts.listed {
      return "\(counts.listed == 1 ? "The test" : "All \(all)") passed"
    }
    let passed = (["\(CountText.plain(counts.steady)) of \(all) passed"] + aside + flaky)
      .joined(separator: ", ")
    let rest = TestSum.withoutResult(in: counts)
    return rest.isEmpty ? passed : "\(passed), \(CountText.list(rest))"
  }

  /// Returns the same behind what became of those of another destination: only the number of red ones if both have as many.
  func words(after other: TestsResult) -> String {
    let isAlike = counts.red > silenced.count && silenced.isEmpty && other.counts.listed == counts.listed
    return isAlike && other.counts.red > other.silenced.count ? CountText.plain(counts.red) : words.lowercasedFirst
  }

  /// Returns the same with the name of a destination behind it.
  func words(for name: String?) -> String { words + (name.map { " for \($0)" } ?? "") }

  var glyph: String {
    if counts.red > silenced.count { return TestTree.glyph(of: integration.tests.results, silenced: silenced) }
    if didNotRun { return "not-run" }
    // Otherwise tests canceled themselves, which is a way to skip them.
    let wasCanceled = integration.outcome == .canceled && counts.canceled > 0
    if counts.notRun > 0 || wasCanceled || counts.listed == 0 { return "incomplete" }
    return counts.flaky > 0 ? "flaky" : "passed"
  }

  private var flaky: [String] { counts.flaky > 0 ? ["\(CountText.plain(counts.flaky)) flaky"] : [] }

  /// Red tests are worse than those without a result, and these worse than all others.
  private var severity: Int {
    if counts.red > silenced.count || integration.isUnbuilt { return 2 }
    return counts.notRun > 0 ? 1 : 0
  }
}
