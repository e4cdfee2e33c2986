/// A condition on coverage as it was judged, before anybody is told.
package struct JudgedGate: Hashable, Sendable {
  package var gate: CoverageGate
  package var state: GateResult.State
  package var finding: GateFinding
  /// The lines that it failed for.
  package var lines: [SourceLocation]
  /// Of the lines that are judged, and of those that they are held against.
  package var share: Tally?
  package var shareBefore: Tally?
  /// Files that count here although the package's own `.martlet.yml` leaves them out.
  package var counted: [String] = []
  /// What an earlier integration failed it against, and what it is told from again.
  package var held: GateResult.Base?
  /// That the commit of its base is not there, as a sentence; nil where that says nothing about it.
  package var absence: String?

  package init(
    _ gate: CoverageGate, _ state: GateResult.State, _ finding: GateFinding, lines: [SourceLocation] = [],
    share: Tally? = nil, shareBefore: Tally? = nil
  ) {
    self.gate = gate
    self.state = state
    self.finding = finding
    self.lines = lines
    self.share = share
    self.shareBefore = shareBefore
  }
}

/// What a condition on coverage was judged by, or why it could not be judged.
package enum GateFinding: Hashable, Sendable {
  case noCoverage(reason: String)
  case incompleteCoverage(reason: String?)
  case changesUnknown
  case unknown(reason: String?)
  /// No earlier integration has complete coverage.
  case noEarlier
  /// Those with complete coverage are of other branches, or of commits that are gone, or ran other tests.
  case unrelatedEarlier
  case patch(PatchCoverage)
  case lost(LostCoverage)
  case ratchet(CoverageShare)
  case unchecked(UncheckedChanges)
  /// No function was tried without its body.
  case notTried
}

/// Functions that the commits touched, tried without their bodies.
package struct UncheckedChanges: Hashable, Sendable {
  /// How many could be judged, how many of these nothing checks, and for how many there was no time.
  package var judged: Int
  package var unchecked: Int
  package var untried: Int
  /// Files of which it is not known which lines changed.
  package var unmapped: [UnmappedFile]

  package init(judged: Int, unchecked: Int, untried: Int, unmapped: [UnmappedFile]) {
    self.judged = judged
    self.unchecked = unchecked
    self.untried = untried
    self.unmapped = unmapped
  }
}

/// Unchanged lines that ran before, and what became of them.
package struct LostCoverage: Hashable, Sendable {
  /// The number of the integration in which they ran.
  package var baseline: Int
  /// Those that do not run any more, and those of which a part does not.
  package var lines: [SourceLocation]
  package var parts: [SourceLocation]
  package var unmapped: [UnmappedFile]
  /// Those that are left out now on request.
  package var leftOut: [SourceLocation]
  /// Those that are no code any more, or belong to no counted target, though nobody asked to leave them out.
  package var gone: [SourceLocation]
  /// How many run by chance.
  package var byChance: Int
  /// What was replaced by lines that are left out.
  package var replaced: LeftOutLines

  package init(
    baseline: Int, lines: [SourceLocation], parts: [SourceLocation], unmapped: [UnmappedFile],
    leftOut: [SourceLocation], gone: [SourceLocation], byChance: Int, replaced: LeftOutLines
  ) {
    self.baseline = baseline
    self.lines = lines
    self.parts = parts
    self.unmapped = unmapped
    self.leftOut = leftOut
    self.gone = gone
    self.byChance = byChance
    self.replaced = replaced
  }
}

/// The share of lines that ran, beside an earlier one.
package struct CoverageShare: Hashable, Sendable {
  package enum Course: Hashable, Sendable {
    /// There is no code, now or before.
    case noCode
    case kept
    /// It fell by no more than so many lines that run by chance.
    case byChance(Int)
    case fell(Causes)
  }

  /// What a falling share comes from.
  package struct Causes: Hashable, Sendable {
    /// Lines of code that are lost, or new and never ran.
    package var uncovered: [SourceLocation]
    /// Those that count only now, and never ran.
    package var included: [SourceLocation]
    /// How many lines that ran were removed, or are no longer counted, by file.
    package var removed: [FileCount]
    package var excluded: [FileCount]
    package var unmapped: [UnmappedFile]

    package init(
      uncovered: [SourceLocation], included: [SourceLocation], removed: [FileCount], excluded: [FileCount],
      unmapped: [UnmappedFile]
    ) {
      self.uncovered = uncovered
      self.included = included
      self.removed = removed
      self.excluded = excluded
      self.unmapped = unmapped
    }
  }

  package struct FileCount: Hashable, Sendable {
    package var path: String
    package var count: Int

    package init(path: String, count: Int) {
      self.path = path
      self.count = count
    }
  }

  /// What leaving out lines did to the share.
  package struct Hiding: Hashable, Sendable {
    /// Whether it is known which lines are left out now and counted before.
    package var isKnown: Bool
    package var lines: LeftOutLines
    /// Files of which nobody can tell.
    package var unmapped: [UnmappedFile]
    /// Whether the share would have fallen had they counted; nil for no, false where it only may have.
    package var wouldFall: Bool?

    package init(isKnown: Bool, lines: LeftOutLines, unmapped: [UnmappedFile], wouldFall: Bool?) {
      self.isKnown = isKnown
      self.lines = lines
      self.unmapped = unmapped
      self.wouldFall = wouldFall
    }
  }

  package var now: LineTally
  package var before: LineTally
  /// The number of the earlier integration.
  package var baseline: Int
  package var hiding: Hiding
  package var course: Course

  package init(now: LineTally, before: LineTally, baseline: Int, hiding: Hiding, course: Course) {
    self.now = now
    self.before = before
    self.baseline = baseline
    self.hiding = hiding
    self.course = course
  }
}
