import Model

/// What became of the tests of all destinations that count, in words and with a glyph.
struct TestsResult {
  /// That of the first destination, without the others.
  private let integration: Integration
  private let tests: JudgedTests

  init(_ integration: Integration) {
    self.integration = integration.own
    tests = JudgedTests(integration)
  }

  /// Returns the destinations that count whose tests did not come to run, where those of another one did and none is red.
  static func missed(in integration: Integration) -> [Integration] {
    let all = integration.judged.map(\.own)
    let missed = all.filter { TestsResult($0).isMissed }
    return missed.count < all.count && JudgedTests(integration).red == 0 ? missed : []
  }

  private var counts: TestCounts { tests.counts }

  /// Whether they did not come to run, which is no fault of theirs.
  var didNotRun: Bool { counts.listed == 0 && integration.reachedTests == nil }

  /// Whether they should have run and did not come to.
  var isMissed: Bool { didNotRun && !integration.isUntested }

  /// Without the name of the destination.
  var words: String {
    if counts.listed == 0 {
      return integration.isUntested
        ? "No tests were requested" : didNotRun ? "Tests did not run" : "No tests are listed"
    }
    let all = CountText.counted(counts.listed, "test")
    let aside = [TestSum.silenced(tests.silenced.count)].compactMap(\.self)
    let red = tests.red
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

  /// The same behind the destinations whose tests did not run.
  var wordsElsewhere: String { "elsewhere \(words.lowercasedFirst)" }

  /// Returns the same with the name of a destination behind it.
  func words(for name: String?) -> String { words + (name.map { " for \($0)" } ?? "") }

  var glyph: String {
    if tests.red > 0 { return TestTree.glyph(of: tests.results, silenced: tests.silenced) }
    if didNotRun { return "not-run" }
    // Otherwise tests canceled themselves, which is a way to skip them.
    let wasCanceled = integration.outcome == .canceled && counts.canceled > 0
    if counts.notRun > 0 || wasCanceled || counts.listed == 0 { return "incomplete" }
    return counts.flaky > 0 ? "flaky" : "passed"
  }

  private var flaky: [String] { counts.flaky > 0 ? ["\(CountText.plain(counts.flaky)) flaky"] : [] }
}
