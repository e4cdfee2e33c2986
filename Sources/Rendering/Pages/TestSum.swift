import Model

/// The states of all listed tests with their counts.
struct TestSum {
  /// Such as `8 passed, 1 failed`; empty if no test is listed.
  let parts: String

  init(_ counts: TestCounts) {
    guard counts.listed > 0 else {
      parts = ""
      return
    }
    parts = StateSum.all(of: counts, baseline: nil).map { "\(CountText.plain($0.count)) \($0.word)" }
      .joined(separator: ", ")
  }

  /// Returns how many tests are red, ended their process and did not run, such as `2 red` and `3 not run`; empty if all is
  /// well.
  ///
  /// - Parameter silenced: how many of the red ones do not count, which are told apart.
  static func bad(in counts: TestCounts, silenced: Int = 0) -> [String] {
    [red(counts.red - silenced)].compactMap(\.self) + missing(in: counts)
  }

  /// Returns how many tests are red, such as `2 red`; nil if none is.
  static func red(_ count: Int) -> String? { count > 0 ? "\(CountText.plain(count)) red" : nil }

  /// Returns how many red tests do not count, such as `1 silenced`; nil for none.
  static func silenced(_ count: Int) -> String? { count > 0 ? "\(CountText.plain(count)) silenced" : nil }

  /// Returns how many tests neither passed nor ended badly, such as `1 known issue` and `2 skipped`; empty if none.
  ///
  /// - Parameter leftOut: how many of the skipped ones are told elsewhere.
  static func aside(in counts: TestCounts, leftOut: Int = 0) -> [String] {
    [
      (counts.expectedFailures, CountText.agreeing(counts.expectedFailures, "known issue", "known issues")),
      (counts.skipped - leftOut, "skipped"), (counts.canceled, "canceled"),
    ].filter { $0.0 > 0 }.map { "\(CountText.plain($0.0)) \($0.1)" }
  }

  /// Returns how many tests ended their process and did not run, such as `3 not run`; empty if none did.
  static func missing(in counts: TestCounts) -> [String] {
    [(counts.quit, "quit"), (counts.unseen, "not run")].filter { $0.0 > 0 }
      .map { "\(CountText.plain($0.0)) \($0.1)" }
  }

  /// Returns what became of the tests without a result, such as `1 ended the process` and `2 did not run`.
  ///
  /// - Parameter all: what follows the first number, such as ` of 9 tests`.
  static func withoutResult(in counts: TestCounts, of all: String = "") -> [String] {
    [(counts.quit, "ended the process"), (counts.unseen, "did not run")].filter { $0.0 > 0 }.enumerated()
      .map { index, part in "\(CountText.plain(part.0))\(index == 0 ? all : "") \(part.1)" }
  }

  /// Returns how many tests ran in an earlier integration; nil if it did not reach them.
  static func ran(in baseline: Baseline) -> [IssueWords.Part]? {
    guard let counts = baseline.reachedTests, counts.listed > 0 else { return nil }
    let all = counts.ran < counts.listed ? " of \(CountText.plain(counts.listed))" : ""
    return [IssueWords.Part(words: "\(CountText.plain(counts.ran))\(all) ran in ", number: baseline.number)]
  }

  /// The word for those that passed, of which some may be flaky.
  static func passed(_ counts: TestCounts) -> String {
    counts.flaky > 0 ? "passed (\(CountText.plain(counts.flaky)) flaky)" : "passed"
  }

  /// - Parameter unlisted: how many declared tests are not among the listed ones.
  static func bar(of counts: TestCounts, unlisted: Int = 0) -> Bar {
    Bar(
      [
        ("red", counts.red), ("amber", counts.notRun + unlisted + counts.flaky), ("violet", counts.expectedFailures),
        ("grey", counts.skipped + counts.canceled), ("green", counts.passed - counts.flaky),
      ],
      label: TestSum(counts).parts)
  }
}

struct StateSum {
  private static let withoutResult = ["quit", "not run"]

  let word: String
  let count: Int
  let delta: Delta?

  /// Whether it counts tests without a result.
  var isWithoutResult: Bool { Self.withoutResult.contains(word) }

  /// Returns the states that occur here or in the baseline, so that changes add up; passed is included even if it has no
  /// tests.
  static func all(of counts: TestCounts, baseline: TestCounts?) -> [StateSum] {
    let states: [(String, Int, Int?, Delta.Direction, Bool)] = [
      (TestSum.passed(counts), counts.passed, baseline?.passed, .moreIsBetter, true),
      ("failed", counts.failed, baseline?.failed, .moreIsWorse, false),
      ("crashed", counts.crashed, baseline?.crashed, .moreIsWorse, false),
      ("timed out", counts.timedOut, baseline?.timedOut, .moreIsWorse, false),
      (
        CountText.agreeing(counts.expectedFailures, "known issue", "known issues"), counts.expectedFailures,
        baseline?.expectedFailures, .neutral, false
      ),
      ("skipped", counts.skipped, baseline?.skipped, .neutral, false),
      ("canceled", counts.canceled, baseline?.canceled, .neutral, false),
      ("quit", counts.quit, baseline?.quit, .moreIsWorse, false),
      ("not run", counts.unseen, baseline?.unseen, .moreIsWorse, false),
    ]
    return states.filter { $0.1 > 0 || $0.2 ?? 0 > 0 || $0.4 }.map { word, count, before, direction, _ in
      let delta = before.flatMap { $0 == count ? nil : Delta(count, from: $0, direction) }
      return StateSum(word: word, count: count, delta: delta)
    }
  }

  var record: TemplateValue {
    .record(["word": .text(word), "count": .text(CountText.plain(count)), "delta": delta.record])
  }
}
