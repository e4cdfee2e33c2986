import Model

/// How long tests that ran side by side had a processor, if those that ran at a time shared the processors evenly.
///
/// Swift Testing starts many more tests than there are processors. From the start of one to its end, most of them only wait
/// for the others.
struct SharedProcessors {
  /// From when to when a test ran, in seconds of one clock.
  struct Span: Hashable {
    var start: Double
    var end: Double
  }

  /// The instants at which a test started or ended, ascending, and how long a test that ran from the first one on had a
  /// processor until then.
  private var instants: [Double] = []
  private var own: [Double] = []

  /// - Parameter spans: finite, each with an end that is not before its start.
  init(_ spans: [Span], count: Int) {
    let changes = (spans.map { ($0.start, 1) } + spans.map { ($0.end, -1) }).sorted { $0.0 < $1.0 }
    var (running, had) = (0, 0.0)
    for (instant, change) in changes {
      if let last = instants.last, running > 0 {
        had += (instant - last) * min(1, Double(max(count, 1)) / Double(running))
      }
      running += change
      instants.append(instant)
      own.append(had)
    }
  }

  /// Returns how long a test that ran in one of the spans waited for others, in seconds.
  func waiting(in span: Span) -> Double {
    guard let first = index(of: span.start), let last = index(of: span.end) else { return 0 }
    return max(span.end - span.start - (own[last] - own[first]), 0)
  }

  /// Returns the place of an instant; of equal ones any will do.
  private func index(of instant: Double) -> Int? {
    let index = instants.partitioningIndex { $0 >= instant }
    return index < instants.count ? index : nil
  }
}
