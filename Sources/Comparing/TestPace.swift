import Model

/// The usual duration of a test, and its variation.
struct TestPace: Hashable {
  /// Seconds.
  var median: Double
  /// The median absolute deviation, in seconds.
  var deviation: Double
  /// The number of integrations in which the test passed.
  var runs: Int

  /// Computes the pace from the durations in earlier integrations; nil if the test never passed.
  init?(of test: TestID, in integrations: [TestVerdicts]) {
    self.init(
      integrations.compactMap { $0.verdicts[test] }.filter { $0.state == .passed && !$0.isFlaky }.compactMap(\.time))
  }

  /// Returns nil if there are no times.
  init?(_ times: [Double]) {
    guard let median = Self.median(of: times),
      let deviation = Self.median(of: times.map { abs($0 - median) })
    else { return nil }
    (self.median, self.deviation, runs) = (median, deviation, times.count)
  }

  private static func median(of values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}

enum PaceChange {
  case slower, faster
}

extension TestChanges.PaceRule {
  /// Returns how a test's duration changed; nil if it is within the usual variation, or if that is unknown.
  ///
  /// - Parameter usual: returns the usual duration; called only if the two times differ by enough.
  func change(from before: Double, to now: Double, usual: () -> TestPace?) -> PaceChange? {
    let change: PaceChange = now > before ? .slower : .faster
    guard isLonger(before, now), let pace = usual(), isKnown(pace), isLonger(pace.median, now),
      (now > pace.median) == (change == .slower), abs(now - pace.median) > deviations * pace.deviation
    else { return nil }
    return change
  }

  /// Whether a test has passed often enough to know how much its duration varies.
  func isKnown(_ usual: TestPace?) -> Bool { usual.map { $0.runs >= runs } ?? false }

  /// Whether a test is slow now and was not before, by more than a time at the mark strays.
  func crosses(_ mark: Double, from before: IntegrationRecord.Case, to now: IntegrationRecord.Case) -> Bool {
    !before.isSlow(beyond: mark) && now.isSlow(beyond: mark, before: before.ownTime)
      && now.ownTime ?? 0 > (before.ownTime ?? 0) * share
  }

  /// Whether the longer of two times exceeds the other by enough to matter.
  private func isLonger(_ one: Double, _ other: Double) -> Bool {
    // Whole microseconds, as in the documents, so that a difference at the mark is exactly at the mark.
    let (short, long) = ((min(one, other) * 1_000_000).rounded(), (max(one, other) * 1_000_000).rounded())
    return long - short >= (seconds * 1_000_000).rounded() && long > short * share
  }
}
