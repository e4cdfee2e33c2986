/// A hint about how the tests are written, before it is put into words.
package struct JudgedPractice: Hashable, Sendable {
  /// One thing to look at.
  package struct Entry: Hashable, Sendable {
    package var test: TestID?
    package var location: SourceLocation?
    /// What there is to say about it; nil if the test's name says enough.
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
  /// All entries, not only the first.
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

/// Evidence for or against tests being written well.
package enum PracticeFinding: Hashable, Sendable {
  /// The number of tests that ran and did not time out, their total duration in seconds, the number that took longer
  /// than the limit, the number that timed out, and of those that took longer only because XCTest may have kept them.
  case durations(ran: Int, total: Double, slow: Int, limit: Double, timedOut: Int, kept: Int = 0)
  case notIsolated
  /// The number of tests that ran alone, of those that always ended differently, of those that ended now so, now
  /// otherwise, and of those for which there was no time.
  case isolated(ran: Int, differing: Int, unsteady: Int, left: Int)
  /// The number of tests that are flaky in this integration, and of others that the last integrations together prove
  /// flaky; and the only integration in which these did; nil for several.
  case flaky(now: Int, before: Int, in: Int?)
  case ranTwice(Int)
  case stayedRed(Int)
  case ranOnce
  case noCounters
  /// - Parameter others: the number of passed Swift Testing tests, whose assertions have no counters.
  case assertions(proved: Int, without: Int, unreached: Int, unproved: Int, others: Int)
  case changesUnknown(reason: String?)
  /// - Parameters:
  ///   - lost: how many unchanged lines no longer run.
  ///   - parts: on how many a part did.
  case changes(PatchCoverage, lost: Int, parts: Int)
  case measured(Measured)
  case noPattern(String)
  case names(off: Int, pattern: String)
  case templates(Int)
  case totals([DifferingTotal])
  /// - Parameters:
  ///   - didBuild: whether the baseline did.
  ///   - deleted: the red tests that were deleted.
  case rhythm(
    Rhythm, baseline: Int, didBuild: Bool, commits: Int, bornGreen: Int, redStreak: Int, deleted: [TestID])
  case deadSources(Int, lines: Int)

  /// What there is to say about an entry.
  package enum Fact: Hashable, Sendable {
    case took(Double)
    case differs(IsolationReport.Difference)
    case attempts([TestState])
    case flaky(in: [Int])
    case noAssertion
    case unreachedAssertion
    /// The last line of the stretch; nil for a single line.
    case changedNeverRan(to: Int?)
    case ranBefore(to: Int?)
    case partRanBefore(to: Int?)
    case measured(MeasurementTrend)
    case lines(Int)
  }

  /// Measured values and those of earlier integrations.
  package struct Measured: Hashable, Sendable {
    package var count: Int
    /// The number of values that can be compared, and of those among them that are higher.
    package var compared: Int
    package var higher: Int
    /// Whether all values that are reported are times.
    package var areTimes: Bool
    /// The only integration that they are compared with; nil for several.
    package var since: Int?
    /// Whether anything other than the commits differs.
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

  /// A library whose printed number of tests differs from the number seen.
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
