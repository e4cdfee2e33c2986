package import FoundationEssentials
package import Model

/// Judges the conditions on coverage that a bot or a person set.
///
/// What cannot be judged because something went wrong fails; what cannot be judged because there is nothing earlier to
/// compare with does not.
package enum GateJudgement {
  /// Judges one condition.
  ///
  /// - Parameters:
  ///   - changes: nil when the coverage was not compared at all.
  ///   - mutants: what tests made of functions without their bodies; nil when none was tried.
  ///   - held: what earlier integrations failed the conditions against, and what the changes are told from for that.
  ///   - counted: files that count here although the package's own `.martlet.yml` leaves them out.
  package static func result(
    of gate: CoverageGate, coverage: CoverageReport, changes: CoverageChanges?,
    mutants: Answer<MutationReport>? = nil, earlier: EarlierCoverage = .comparable, held: GateResult.Base? = nil,
    counted: [String] = []
  ) -> JudgedGate {
    var judged = judge(gate, coverage, changes, mutants, earlier)
    if judged.state != .notJudged { judged.counted = counted }
    judged.held = held
    return judged
  }

  private static func judge(
    _ gate: CoverageGate, _ report: CoverageReport, _ changes: CoverageChanges?, _ mutants: Answer<MutationReport>?,
    _ earlier: EarlierCoverage
  ) -> JudgedGate {
    switch report {
    case .unavailable(let reason, _): return JudgedGate(gate, .failed, .noCoverage(reason: reason))
    case .available(let coverage):
      if !coverage.isComplete { return JudgedGate(gate, .failed, .incompleteCoverage(reason: coverage.reason)) }
      guard let changes else { return JudgedGate(gate, .failed, .changesUnknown) }
      switch (gate, changes.patch, changes.comparison) {
      case (.patchFullyCovered, .known(let patch), _): return judge(patch, gate, atLeast: 100)
      case (.patch(let share), .known(let patch), _): return judge(patch, gate, atLeast: share)
      case (.noUncheckedChanges, .known(let patch), _): return judge(mutants, gate, touchedBy: patch)
      case (.patchFullyCovered, .unknown(let reason), _), (.patch, .unknown(let reason), _),
        (.noUncheckedChanges, .unknown(let reason), _):
        return JudgedGate(gate, .failed, .unknown(reason: reason))
      case (.noLostCoverage, _, .known(let comparison)): return judge(LostCoverage(comparison), gate)
      case (.ratchet, _, .known(let comparison)): return judge(CoverageShare(comparison, now: coverage), gate)
      case (.noLostCoverage, _, .unknown(let reason)), (.ratchet, _, .unknown(let reason)):
        return switch earlier {
        case .comparable: JudgedGate(gate, .failed, .unknown(reason: reason))
        case .none: JudgedGate(gate, .notJudged, .noEarlier)
        case .unrelated: JudgedGate(gate, .notJudged, .unrelatedEarlier)
        }
      }
    }
  }

  private static func judge(_ patch: PatchCoverage, _ gate: CoverageGate, atLeast share: Double) -> JudgedGate {
    let tally = patch.tally
    // A quotient is rounded as the number in the bot's file was, so that what meets it exactly is equal to it.
    let isEnough = tally.total == 0 || Double(tally.covered * 100) / Double(tally.total) >= share
    let finding = GateFinding.patch(patch)
    guard isEnough else {
      return JudgedGate(gate, .failed, finding, lines: patch.neverRan, share: tally)
    }
    guard patch.unmapped.isEmpty else { return JudgedGate(gate, .failed, finding) }
    return JudgedGate(gate, .passed, finding, share: tally)
  }

  private static func judge(
    _ mutants: Answer<MutationReport>?, _ gate: CoverageGate, touchedBy patch: PatchCoverage
  ) -> JudgedGate {
    switch mutants {
    case nil: return JudgedGate(gate, .failed, .notTried)
    case .unknown(let reason): return JudgedGate(gate, .failed, .unknown(reason: reason))
    case .known(let report):
      let lines = patch.touchedLinesThatRan
      let changed = report.functions.filter { function in
        lines[function.path]?.contains { (function.start.line...function.end.line).contains($0) } == true
      }
      let unchecked = changed.filter { $0.unnoticed != nil }
      let untried = changed.count { $0.verdict == .notJudged(.time) }
      let finding = UncheckedChanges(
        judged: changed.count { $0.isJudged }, unchecked: unchecked.count, untried: untried, unmapped: patch.unmapped)
      return JudgedGate(
        gate, unchecked.isEmpty && untried == 0 && patch.unmapped.isEmpty ? .passed : .failed, .unchecked(finding),
        lines: unchecked.map { SourceLocation(file: $0.path, line: $0.start.line) })
    }
  }

  private static func judge(_ lost: LostCoverage, _ gate: CoverageGate) -> JudgedGate {
    let lines = lost.lines + lost.parts
    return JudgedGate(gate, lines.isEmpty && lost.unmapped.isEmpty ? .passed : .failed, .lost(lost), lines: lines)
  }

  private static func judge(_ share: CoverageShare, _ gate: CoverageGate) -> JudgedGate {
    guard case .fell(let causes) = share.course else { return JudgedGate(gate, .passed, .ratchet(share)) }
    return JudgedGate(
      gate, .failed, .ratchet(share), lines: causes.uncovered + causes.included,
      share: share.now, shareBefore: share.before)
  }
}

extension GateJudgement {
  /// The coverage of earlier integrations, for the conditions that compare with it.
  package enum EarlierCoverage: Sendable {
    /// There is some to compare with, or there may be.
    case comparable
    /// No earlier integration has complete coverage.
    case none
    /// Those with complete coverage are of other branches, or of commits that are gone, or ran other tests.
    case unrelated
  }

  /// What a gate is judged against once more, because an earlier integration failed it; nil when it begins anew.
  ///
  /// It begins anew from an integration that passed it, that was not asked for it, or whose failure somebody silenced and
  /// thereby took as it is.
  ///
  /// - Parameters:
  ///   - document: the integration that would be the base otherwise.
  ///   - silences: what people have said, also since that integration.
  package static func heldBase(
    of gate: CoverageGate, in document: IntegrationRecord, _ silences: [Silence] = [], at now: Date
  ) -> GateResult.Base? {
    let issue = document.issues.first { $0.knownSubject == .gate(gate.rule) && $0.status != .resolved }
    let isTaken = silences.contains { silence in
      guard let issue, let life = issue.life, silence.scope != .integration else { return false }
      let effect = silence.effect(
        onIssue: issue.id, found: issue.findings ?? [], streakStart: life.streakStart, commit: document.commit.id,
        at: now)
      return effect == .holds
    }
    return isTaken ? nil : document.owed.first { $0.rule == gate.rule }?.base
  }
}
