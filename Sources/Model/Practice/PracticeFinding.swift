/// A hint about how the tests are written as it was found, before anybody is told.
package struct JudgedPractice: Hashable, Sendable {
  /// One thing to look at.
  package struct Entry: Hashable, Sendable {
    package var test: TestID?
    package var location: SourceLocation?
    /// What is to be said of it; nil when the test's name says enough.
    package var fact: PracticeFinding.Fact?

    package init(test: TestID? = nil, location: SourceLocation? = nil, _ fact: PracticeFinding.Fact? = nil) {
      self.test = test
      self.location = location
      self.fact = fact
    }
  }

  package var name: PracticeHint.Name
  package var state: PracticeHint.State
  package var finding: PracticeFinding
  /// All of them.
  package var entries: [Entry]

  package init(
    _ name: PracticeHint.Name, _ state: PracticeHint.State, _ finding: PracticeFinding, entries: [Entry] = []
  ) {
    self.name = name
    self.state = state
    self.finding = finding
    self.entries = entries
  }
}

/// What proves or disproves that tests are written well.
package enum PracticeFinding: Hashable, Sendable {
  /// How many tests ran and took how many seconds together, and how many of them took longer than the limit.
  case durations(ran: Int, total: Double, slow: Int, limit: Double)
  case notIsolated
  case isolated(ran: Int, differing: Int, left: Int)
  /// How many tests are flaky in this integration, and how many others the last ones together prove so.
  case flaky(now: Int, before: Int)
  case ranTwice(Int)
  case stayedRed(Int)
  case ranOnce
  case noCounters
  /// - Parameter others: how many passed tests are of Swift Testing, whose assertions have no counters.
  case assertions(proved: Int, without: Int, unreached: Int, unproved: Int, others: Int)
  case changesUnknown(reason: String?)
  /// - Parameters:
  ///   - lost: how many unchanged lines no longer ran.
  ///   - parts: on how many a part did.
  case changes(PatchCoverage, lost: Int, parts: Int)
  case measured(Measured)
  case noPattern(String)
  case names(off: Int, pattern: String)
  case templates(Int)
  case totals([DifferingTotal])
  case rhythm(Rhythm, baseline: Int, commits: Int, bornGreen: Int, redStreak: Int)
  case deadSources(Int, lines: Int)

  /// What is to be said of one entry.
  package enum Fact: Hashable, Sendable {
    case took(Double)
    case differs(IsolationReport.Difference)
    case attempts([TestState])
    case flaky(in: [Int])
    case noAssertion
    case unreachedAssertion
    /// Of lines up to one; nil for a single line.
    case changedNeverRan(to: Int?)
    case ranBefore(to: Int?)
    case partRanBefore(to: Int?)
    case measured(MeasurementTrend)
    case lines(Int)
  }

  /// Measured values beside those of earlier integrations.
  package struct Measured: Hashable, Sendable {
    package var count: Int
    /// How many of them can be compared, and how many of these are higher.
    package var compared: Int
    package var higher: Int
    /// Whether those that are told of are all times.
    package var areTimes: Bool
    /// The only integration that they are compared with; nil for several.
    package var since: Int?
    /// Whether more than the commits differs.
    package var isMoved: Bool

    package init(count: Int, compared: Int, higher: Int, areTimes: Bool, since: Int?, isMoved: Bool) {
      self.count = count
      self.compared = compared
      self.higher = higher
      self.areTimes = areTimes
      self.since = since
      self.isMoved = isMoved
    }
  }

  /// A library that printed another number of tests than were seen.
  package struct DifferingTotal: Hashable, Sendable {
    package var library: TestLibrary
    package var printed: Int
    package var seen: Int

    package init(library: TestLibrary, printed: Int, seen: Int) {
      self.library = library
      self.printed = printed
      self.seen = seen
    }
  }
}
