/// A condition on coverage and its judgement, before it is put into words.
package struct JudgedGate: Hashable, Sendable {
  package var gate: CoverageGate
  package var state: GateResult.State
  package var finding: GateFinding
  /// The lines that the gate failed for.
  package var lines: [SourceLocation]
  /// The shares of the judged lines, and of the lines they are compared with.
  package var share: LineTally?
  package var shareBefore: LineTally?
  /// Files that count here although the package's own `.martlet.yml` leaves them out.
  package var counted: [String] = []
  /// The base against which an earlier integration failed the gate, and against which it is judged again.
  package var held: GateResult.Base?
  /// A sentence saying that the commit of the gate's base is missing; nil if that does not concern the gate.
  package var absence: String?

  package init(
    _ gate: CoverageGate, _ state: GateResult.State, _ finding: GateFinding, lines: [SourceLocation] = [],
    share: LineTally? = nil, shareBefore: LineTally? = nil
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
  /// The integrations with complete coverage are of other branches or of commits that are gone, or ran other tests.
  case unrelatedEarlier
  case patch(PatchCoverage)
  case lost(LostCoverage)
  case ratchet(CoverageShare)
  case unchecked(UncheckedChanges)
  /// No function was tried without its body.
  case notTried
  /// Tests were left out because they reach nothing of what changed.
  case testsLeftOut
}

/// Functions that the commits touched, tried without their bodies.
package struct UncheckedChanges: Hashable, Sendable {
  /// The numbers of functions that could be judged, that nothing checks among them, and that were left untried for lack
  /// of time.
  package var judged: Int
  package var unchecked: Int
  package var untried: Int
  /// Files whose changed lines are unknown.
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
  /// The lines that no longer run, and those of which a part no longer runs.
  package var lines: [SourceLocation]
  package var parts: [SourceLocation]
  package var unmapped: [UnmappedFile]
  /// The lines that are now left out on request.
  package var leftOut: [SourceLocation]
  /// The lines that are no longer code, or no longer in a counted target, without having been left out on request.
  package var gone: [SourceLocation]
  /// The number of lines that run by chance.
  package var byChance: Int
  /// The code that was replaced by lines that are left out.
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

/// The share of lines that ran, and an earlier one for comparison.
package struct CoverageShare: Hashable, Sendable {
  package enum Course: Hashable, Sendable {
    /// There is no code, either now or before.
    case noCode
    case kept
    /// The share fell by no more than this number of lines that run by chance.
    case byChance(Int)
    case fell(Causes)
  }

  /// What caused a share to fall.
  package struct Causes: Hashable, Sendable {
    /// Lines of code that are lost, or new and never ran.
    package var uncovered: [SourceLocation]
    /// Lines that count only now, and never ran.
    package var included: [SourceLocation]
    /// The number of lines that ran and were removed, or are no longer counted, by file.
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

  /// The effect of left-out lines on the share.
  package struct Hiding: Hashable, Sendable {
    /// Whether it is known which lines are left out now but counted before.
    package var isKnown: Bool
    package var lines: LeftOutLines
    /// Files for which this is unknown.
    package var unmapped: [UnmappedFile]
    /// Whether the share would have fallen if the lines had counted: nil means no, false that it may have.
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
