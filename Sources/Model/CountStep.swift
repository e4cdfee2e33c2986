/// A place in a source file from which the code ran a different number of times, up to the next such place.
package struct CountStep: Hashable, Sendable {
  package var start: SourcePosition
  /// Nil if there is no code from here on.
  package var count: UInt64?
  /// Whether a region begins here; otherwise one ends, and the enclosing one continues.
  package var isEntry: Bool
}

extension CountStep {
  /// Returns the steps of some regions, ascending and with each place once.
  ///
  /// As in LLVM, code in several regions has the count of the innermost, and the counts of regions with the same span,
  /// such as a closure that is an operand of `?:`, are added up.
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
      // Regions never extend beyond the enclosing one.
      if let around = open.last { region.end = min(region.end, around.end) }
      guard region.start < region.end else { continue }
      steps.add(CountStep(start: region.start, count: region.count, isEntry: true))
      open.append(region)
    }
    close(upTo: nil)
    return steps
  }

  /// Returns the regions by place, outer ones first, with regions of the same span merged.
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
  /// Appends a step, replacing the last one if it is at the same place.
  fileprivate mutating func add(_ step: CountStep) {
    if last?.start == step.start { removeLast() }
    append(step)
  }
}

extension FileCoverage {
  /// The steps of the regions of the file's functions, ascending.
  package var countSteps: [CountStep] { CountStep.steps(of: functions.lazy.flatMap(\.regions)) }
}

extension UInt64 {
  /// Whether the count comes from a counter that fell below zero, so that it is unknown whether and how often the code
  /// ran.
  ///
  /// LLVM computes most counts from others, and `llvm-cov` writes negative ones as the highest signed number.
  package var isUnderflow: Bool { self >= UInt64(Int64.max) }
}
