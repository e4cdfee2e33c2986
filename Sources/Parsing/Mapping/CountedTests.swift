import Model

/// What each test of one process counted: whatever changes between the start and the end of a test is its own, so only one
/// may run at a time. What a program counts that it starts is its own as well.
///
/// What runs before the first test or between two, such as what a class does once before its first one, is nobody's.
package struct CountedTests: Sendable {
  /// What a test counted in each part of the counters, by word.
  private var counted: [TestID: [Int: [Int: UInt64]]] = [:]
  private var running: [TestID] = []
  /// What was counted in the same way while no test ran.
  private var outside: [Int: [Int: UInt64]] = [:]
  /// What was counted in the same way while values were made.
  private var made: [ValueMaker: [Int: [Int: UInt64]]] = [:]
  private var making: [ValueMaker] = []
  /// Whether all values are followed that code of the package makes when they are first needed.
  var followsValues: Bool { isToldOfValues && !hasMissedValue }
  private var isToldOfValues = false
  private var hasMissedValue = false
  private var waiting: [CounterChanges.Change] = []
  /// By how much each word of each part grew, as far as it was told.
  private var told: [[UInt64]] = []
  /// In the order in which they began.
  private(set) var tests: [TestID] = []
  /// What the programs counted that the tests started.
  private(set) var programs = CountedPrograms()
  private var programsRun = false
  /// The number of the record that comes next.
  private var due: UInt64 = 0

  package init() {}

  /// Takes a record of what was counted; returns false for a record of another kind.
  package mutating func take(_ record: ObserverRecord) -> Bool {
    due = record.number &+ 1
    switch record.kind {
    case .counted: if let changes = CounterChanges(record) { take(changes) }
    case .valuesFollowed: isToldOfValues = true
    case .valueMissed: hasMissedValue = true
    case .programsRun: programsRun = record.bytes.first != 0
    case .valueStarted:
      give()
      if let maker = ValueMaker(record) { making.append(maker) }
    case .valueFinished:
      give()
      if let index = ValueMaker(record).flatMap(making.lastIndex) { making.remove(at: index) }
    default: return false
    }
    return true
  }

  mutating func take(_ changes: CounterChanges) { waiting += changes.changes }

  /// Takes note of the start or the end of a test, before which everything was taken that was counted.
  package mutating func note(_ progress: TestProgress) {
    give()
    switch progress {
    case .started(let test):
      running.append(test)
      if counted[test] == nil {
        counted[test] = [:]
        tests.append(test)
      }
      programs.note(running, at: due, isBusy: programsRun)
    case .ended(let test, _):
      running.removeAll { $0 == test }
      programs.note(running, at: due, isBusy: nil)
    }
  }

  /// The number of started programs that count for no test.
  package var lostPrograms: Int { programs.lostCount }

  /// Takes note that a started program is let in, after everything was taken that the process had told before.
  package mutating func admitProgram(_ program: Int) { programs.admit(program, at: due) }

  /// Takes a record of a started program.
  package mutating func take(_ record: ObserverRecord, ofProgram program: Int) { programs.take(record, of: program) }

  /// Takes note that a started program has ended.
  ///
  /// - Parameter profiles: all that it counted, as LLVM's runtime would have written it; nil if it may count on.
  package mutating func endProgram(_ program: Int, _ profiles: [[UInt8]]?) { programs.end(program, profiles) }

  /// Takes note that the process has ended. What it had not told any more is what the test counted in which it died.
  ///
  /// - Parameter parts: the counters as they were moved and as they were in the end; only asked for if a test is open. If
  ///   nil, nobody knows what that test ran, and it counts as no test.
  package mutating func finish(_ parts: () -> [(first: [UInt8], last: [UInt8])]?) {
    give()
    programs.finish()
    guard !running.isEmpty else { return }
    guard let parts = parts() else {
      tests.removeAll(where: running.contains)
      for test in running { counted[test] = nil }
      return
    }
    for (part, bytes) in parts.enumerated() {
      let known = part < told.count ? told[part] : []
      for (word, growth) in Self.growth(from: bytes.first, to: bytes.last, known) {
        for test in running { counted[test]?[part, default: [:]][word, default: 0] &+= growth }
      }
    }
    running = []
  }

  /// Returns the words that grew by more than is known.
  private static func growth(
    from first: [UInt8], to last: [UInt8], _ known: [UInt64]
  ) -> [(word: Int, by: UInt64)] {
    first.withUnsafeBytes { first in
      last.withUnsafeBytes { last in
        (0..<min(first.count, last.count) / 8).compactMap { word in
          let before = first.word(word) &+ (word < known.count ? known[word] : 0)
          let after = last.word(word)
          return after > before ? (word, after - before) : nil
        }
      }
    }
  }

  /// What each test counted, by part and word.
  var words: [(test: TestID, parts: [Int: [Int: UInt64]])] { tests.map { ($0, counted[$0] ?? [:]) } }

  /// Gives to the tests that are running, and to the values that are made, what was counted since the last time.
  private mutating func give() {
    for change in waiting {
      note(change)
      if running.isEmpty { outside[change.part, default: [:]][change.word, default: 0] &+= change.growth }
      for test in running { counted[test]?[change.part, default: [:]][change.word, default: 0] &+= change.growth }
      for maker in making {
        made[maker, default: [:]][change.part, default: [:]][change.word, default: 0] &+= change.growth
      }
    }
    waiting = []
  }

  private mutating func note(_ change: CounterChanges.Change) {
    while told.count <= change.part { told.append([]) }
    let missing = change.word + 1 - told[change.part].count
    if missing > 0 { told[change.part] += Array(repeating: 0, count: missing) }
    told[change.part][change.word] &+= change.growth
  }

  /// What each test counted of each function.
  ///
  /// - Parameter parts: the counters of the process, as they were moved.
  func counts(in parts: [RawProfile]) -> [(test: TestID, counts: [CoverageMapping.Identity: [Int: UInt64]])] {
    words.map { ($0, Self.counts(of: $1, in: parts)) }
  }

  /// What was counted of each function while no test ran.
  func countsOutside(in parts: [RawProfile]) -> [CoverageMapping.Identity: [Int: UInt64]] {
    Self.counts(of: outside, in: parts)
  }

  /// The functions of which anything ran to make each value.
  func functions(in parts: [RawProfile]) -> [ValueMaker: Set<CoverageMapping.Identity>] {
    made.mapValues { Set(Self.counts(of: $0, in: parts).keys) }
  }

  private static func counts(
    of found: [Int: [Int: UInt64]], in parts: [RawProfile]
  ) -> [CoverageMapping.Identity: [Int: UInt64]] {
    var counts: [CoverageMapping.Identity: [Int: UInt64]] = [:]
    for (part, words) in found where part < parts.count {
      let changes = words.sorted { $0.key < $1.key }.map { (word: $0.key, by: $0.value) }
      counts.merge(parts[part].counts(changes)) { $0.merging($1) { $0 &+ $1 } }
    }
    return counts
  }
}
