import Model

/// What the programs counted that the tests of one process started.
///
/// A program counts for the tests during which it was started, if it was over before another one began: otherwise it may
/// have served that one. Times are numbers of the process's records, as the record that is due next.
struct CountedPrograms: Sendable {
  typealias Counts = [CoverageMapping.Identity: [Int: UInt64]]

  /// A test that began or ended.
  private struct Step {
    var time: UInt64
    /// The tests that run from then on.
    var running: [TestID]
    /// Whether programs were running when the test began; nil for an end.
    var wasBusy: Bool?
  }

  private struct Program {
    /// When it was let in.
    var admission: UInt64
    /// When it was started, as it inherited it; nil until it tells.
    var moment: UInt64?
  }

  private var steps: [Step] = []
  private var running: [Int: Program] = [:]
  /// Those that are over while the next test has not begun.
  private var waiting: [(tests: [TestID], counts: Counts)] = []
  private(set) var counts: [TestID: Counts] = [:]
  /// The number of programs that count for no test.
  private(set) var lostCount = 0

  /// - Parameters:
  ///   - tests: the tests that run from now on.
  ///   - isBusy: whether programs are running while a test begins; nil if one ends.
  mutating func note(_ tests: [TestID], at time: UInt64, isBusy: Bool?) {
    steps.append(Step(time: time, running: tests, wasBusy: isBusy))
    guard let isBusy else { return }
    for program in waiting { settle(program, isBusy: isBusy) }
    waiting = []
  }

  /// Takes note of a program that is let in after everything was read that its test's process had told before.
  mutating func admit(_ program: Int, at time: UInt64) { running[program] = Program(admission: time) }

  mutating func take(_ record: ObserverRecord, of program: Int) {
    guard record.kind == .startedAt else { return }
    running[program]?.moment = UInt64(record.bytes.text)
  }

  /// Takes note of a program's end.
  ///
  /// - Parameter profiles: all that it counted, as LLVM's runtime would have written it; nil if it may count on.
  mutating func end(_ number: Int, _ profiles: [[UInt8]]?) {
    guard let program = running.removeValue(forKey: number), profiles?.isEmpty != true else { return }
    guard let tests = tests(of: program), let counts = profiles.flatMap(Self.counts) else {
      lostCount += 1
      return
    }
    let later = steps[steps.partitioningIndex { $0.time > program.admission }...]
    if let isBusy = later.lazy.compactMap(\.wasBusy).first {
      settle((tests, counts), isBusy: isBusy)
    } else {
      waiting.append((tests, counts))
    }
  }

  /// Takes note that no more tests begin; what has not ended by now counts for none.
  mutating func finish() {
    for program in waiting { settle(program, isBusy: false) }
    waiting = []
    lostCount += running.count
    running = [:]
  }

  private mutating func settle(_ program: (tests: [TestID], counts: Counts), isBusy: Bool) {
    guard !isBusy else {
      lostCount += 1
      return
    }
    for test in program.tests {
      counts[test, default: [:]].merge(program.counts) { $0.merging($1) { $0 &+ $1 } }
    }
  }

  /// Returns the tests that were running when a program was started; nil if there was none, or if another one began
  /// before the program was let in.
  private func tests(of program: Program) -> [TestID]? {
    guard let moment = program.moment, moment <= program.admission else { return nil }
    let next = steps.partitioningIndex { $0.time > moment }
    let isLate = steps[next...].contains { $0.wasBusy != nil && $0.time <= program.admission }
    guard next > 0, !isLate, !steps[next - 1].running.isEmpty else { return nil }
    return steps[next - 1].running
  }

  /// Returns what a program counted; nil if that cannot be read.
  private static func counts(of profiles: [[UInt8]]) -> Counts? {
    var counts: Counts = [:]
    for bytes in profiles {
      guard let profile = try? RawProfile(bytes) else { return nil }
      counts.merge(profile.counts(in: bytes)) { $0.merging($1) { $0 &+ $1 } }
    }
    return counts
  }
}
