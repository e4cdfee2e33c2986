import Model

/// How long a test usually takes, and how much that varies.
struct TestPace: Hashable {
  /// Seconds.
  var median: Double
  /// The median absolute deviation, in seconds.
  var deviation: Double
  /// In how many integrations it passed.
  var runs: Int

  /// From what integrations tell of it; nil where it never passed.
  init?(of test: TestID, in integrations: [TestVerdicts]) {
    self.init(
      integrations.compactMap { $0.verdicts[test] }.filter { $0.state == .passed && !$0.isFlaky }.compactMap(\.time))
  }

  /// Nil without any time.
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

/// What became of how long a test takes.
enum PaceChange {
  case slower, faster
}

extension TestChanges.PaceRule {
  /// Nil where it takes as long as it did, as far as that varies, and where nobody knows how much it varies.
  ///
  /// - Parameter usual: how long it usually takes; asked only where the two times differ by enough.
  func change(from before: Double, to now: Double, usual: () -> TestPace?) -> PaceChange? {
    let change: PaceChange = now > before ? .slower : .faster
    guard isLonger(before, now), let pace = usual(), pace.runs >= runs, isLonger(pace.median, now),
      (now > pace.median) == (change == .slower), abs(now - pace.median) > deviations * pace.deviation
    else { return nil }
    return change
  }

  /// Whether the longer of two times is so much longer that it matters.
  private func isLonger(_ one: Double, _ other: Double) -> Bool {
    // In whole milliseconds, as documents have them, so that a difference at the mark is at the mark.
    let (short, long) = ((min(one, other) * 1000).rounded(), (max(one, other) * 1000).rounded())
    return long - short > seconds * 1000 && long > short * share
  }
}
