package import Model

/// The states of all listed tests with their counts.
struct TestSum {
  /// Such as `8 passed, 1 failed`; empty if no test is listed.
  let parts: String

  /// - Parameter silenced: how many of them do not count, which are told apart.
  init(_ counts: TestCounts, silenced: TestCounts = TestCounts()) {
    guard counts.listed > 0 else {
      parts = ""
      return
    }
    parts = StateSum.all(of: counts, silenced: silenced).map { "\(CountText.plain($0.count)) \($0.word)" }
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

  /// - Parameters:
  ///   - unlisted: how many declared tests are not among the listed ones.
  ///   - silenced: how many of them do not count, which are told apart.
  static func bar(of counts: TestCounts, unlisted: Int = 0, silenced: TestCounts) -> Bar {
    Bar(
      [
        ("red", counts.red - silenced.red), ("amber", counts.notRun + unlisted + counts.flaky),
        ("violet", counts.expectedFailures), ("grey", silenced.red + counts.skipped + counts.canceled),
        ("green", counts.steady),
      ],
      label: TestSum(counts, silenced: silenced).parts)
  }
}

struct StateSum {
  let word: String
  let count: Int
  let delta: Delta?
  /// Whether the heading of the tests counts them where none is red: those that are flaky or have no result.
  let isInHeading: Bool

  /// Returns the states that occur here or in the baseline, so that changes add up; passed is included even if it has no
  /// tests. Each test is in one of them: what is flaky is not among the passed, and what does not count not among the red.
  ///
  /// - Parameters:
  ///   - silenced: how many of them do not count.
  ///   - leftOut: how many of the skipped ones were left out, which are told apart.
  ///   - baseline: the counts to compare with, and how many of those did not count; nil if there is nothing to compare with.
  static func all(
    of counts: TestCounts, silenced: TestCounts = TestCounts(), leftOut: Int = 0,
    baseline: (all: TestCounts, silenced: TestCounts)? = nil
  ) -> [StateSum] {
    let states: [(word: String, direction: Delta.Direction)] = [
      ("passed", .moreIsBetter), ("flaky", .moreIsWarning), ("failed", .moreIsWorse), ("crashed", .moreIsWorse),
      ("timed out", .moreIsWorse), ("silenced", .neutral),
      (CountText.agreeing(counts.expectedFailures, "known issue", "known issues"), .neutral),
      ("skipped", .neutral), ("left out", .neutral), ("canceled", .neutral), ("quit", .moreIsWorse),
      ("not run", .moreIsWorse),
    ]
    let (flaky, red, firstWithoutResult) = (1, 2...4, 10)
    let now = numbers(counts, silenced: silenced, leftOut: leftOut)
    let before = baseline.map { numbers($0.all, silenced: $0.silenced, leftOut: 0) }
    let notRun = counts.notRun - (baseline?.all.notRun ?? 0)
    return states.indices.compactMap { index in
      let (count, before) = (now[index], before?[index])
      guard count > 0 || before ?? 0 > 0 || index == 0 else { return nil }
      return StateSum(
        word: states[index].word, count: count,
        delta: before.flatMap {
          red.contains(index)
            ? Delta.ofRed(count, from: $0, notRun: notRun) : Delta(count, from: $0, states[index].direction)
        },
        isInHeading: index == flaky || index >= firstWithoutResult)
    }
  }

  /// Returns the counts in the order of the states.
  private static func numbers(_ all: TestCounts, silenced: TestCounts, leftOut: Int) -> [Int] {
    [
      all.steady, all.flaky, all.failed - silenced.failed, all.crashed - silenced.crashed,
      all.timedOut - silenced.timedOut, silenced.red, all.expectedFailures, all.skipped - leftOut, leftOut,
      all.canceled, all.quit, all.unseen,
    ]
  }

  var record: TemplateValue {
    .record(["word": .text(word), "count": .text(CountText.plain(count)), "delta": delta.record])
  }
}

extension Integration {
  /// How many red tests do not count, by their states.
  var silencedCounts: TestCounts {
    let silenced = silencedTests
    return TestCounts(of: tests.results.filter { silenced[$0.id] != nil })
  }
}

extension IntegrationRecord {
  /// The states of its tests with their counts, such as `8 passed, 1 flaky`; empty if none is listed.
  package var testSum: String {
    StateSum.all(of: tests.counts, silenced: silencedCounts, leftOut: tests.only?.leftOut ?? 0)
      .filter { $0.count > 0 }.map { "\(CountText.plain($0.count)) \($0.word)" }.joined(separator: ", ")
  }

  /// How many red tests do not count, by their states.
  var silencedCounts: TestCounts {
    let silenced = silencedTests
    return TestCounts(of: tests.cases.filter { silenced[$0.id] != nil }.map { TestResult($0.id, $0.state, in: nil) })
  }
}
