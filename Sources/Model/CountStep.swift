/// A place in a source file from which on the code ran another number of times, up to the next such place.
package struct CountStep: Hashable, Sendable {
  package var start: SourcePosition
  /// Nil where there is no code from here on.
  package var count: UInt64?
  /// Whether a region begins here; otherwise one ends, and what is around it goes on.
  package var isEntry: Bool

  package init(start: SourcePosition, count: UInt64?, isEntry: Bool) {
    self.start = start
    self.count = count
    self.isEntry = isEntry
  }
}

extension CountStep {
  /// The steps that regions make, ascending, each place once: what is in several regions has the count of the innermost,
  /// and regions of one span, such as a closure that is a side of `?:`, are added up. So does LLVM.
  package static func steps(of regions: some Sequence<CoverageRegion>) -> [CountStep] {
    var steps: [CountStep] = []
    /// The regions that are open, the innermost last.
    var open: [CoverageRegion] = []
    func close(upTo place: SourcePosition?) {
      while let last = open.last, place.map({ last.end <= $0 }) ?? true {
        open.removeLast()
        steps.add(CountStep(start: last.end, count: open.last?.count, isEntry: false))
      }
    }
    for var region in united(regions) {
      close(upTo: region.start)
      // No region reaches out of the one around it.
      if let around = open.last { region.end = min(region.end, around.end) }
      guard region.start < region.end else { continue }
      steps.add(CountStep(start: region.start, count: region.count, isEntry: true))
      open.append(region)
    }
    close(upTo: nil)
    return steps
  }

  /// The regions by place, the outer ones first, those of one span made one.
  private static func united(_ regions: some Sequence<CoverageRegion>) -> [CoverageRegion] {
    var united: [CoverageRegion] = []
    for region in regions.sorted(by: { ($0.start, $1.end) < ($1.start, $0.end) }) {
      guard let last = united.last, last.start == region.start, last.end == region.end else {
        united.append(region)
        continue
      }
      united[united.count - 1].count = last.count.adding(region.count)
    }
    return united
  }
}

extension [CountStep] {
  /// Appends a step, instead of the last one if that is at the same place.
  fileprivate mutating func add(_ step: CountStep) {
    if last?.start == step.start { removeLast() }
    append(step)
  }
}

extension FileCoverage {
  /// The steps that the regions of the file's functions make, ascending.
  package var countSteps: [CountStep] { CountStep.steps(of: functions.lazy.flatMap(\.regions)) }
}

extension UInt64 {
  /// Whether it is what a counter that was driven below zero gives, with which it is not known how often the code ran,
  /// nor whether it did.
  ///
  /// LLVM computes most counts from others, and `llvm-cov` writes what is below zero as the highest signed number.
  package var isUnderflow: Bool { self >= UInt64(Int64.max) }
}
