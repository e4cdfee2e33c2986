import Comparing
import Model

extension IntegrationRun {
  /// Judges each gate against the integration that passed it last.
  ///
  /// A failed gate would be green again with the next commit, were it judged against the integration that it failed: so
  /// it keeps its base until it passes, or until somebody has silenced its issue and thereby taken it as it is.
  ///
  /// - Parameter earlier: the one that the coverage is compared with.
  func judgeGates(_ earlier: MeasuredIntegration?) {
    integration.gates = request.gates.flatMap { gate in
      let held = heldBase(of: gate, in: earlier)
      var changes = integration.changes
      if let held, let coverage = integration.coverage.coverage, coverage.isComplete {
        var differences = Differences(of: Set((coverage.files + (held.earlier?.coverage.files ?? [])).map(\.path)))
        changes?.patch = patch(coverage, since: .known(held.base), &differences)
        if let older = held.earlier { changes?.comparison = comparison(of: coverage, with: older, &differences) }
      }
      return GateJudgement.results(
        of: [gate], coverage: integration.coverage, changes: changes, hasEarlier: earlier != nil
      ).map { result in
        var result = result
        result.base = held?.base ?? patchBase(earlier).value ?? nil
        if let held, result.state == .failed { result.sentence += " \(Self.sentence(of: held.base))" }
        return result
      }
    }
  }

  /// What a gate that the earlier integration failed was judged against there; nil when it begins anew.
  private func heldBase(of gate: CoverageGate, in earlier: MeasuredIntegration?) -> (
    base: GateResult.Base, earlier: MeasuredIntegration?
  )? {
    guard let earlier, let base = GateJudgement.heldBase(of: gate, in: earlier.document) else { return nil }
    let older = base.number.flatMap { self.earlier($0, of: base.commit) }
    switch gate {
    case .patchFullyCovered, .patch: return (base, older)
    // Without the lines of that time, in a report that was removed since, nothing can be told lost.
    case .noLostCoverage, .ratchet: return older.map { (base, $0) }
    }
  }

  private static func sentence(of base: GateResult.Base) -> String {
    let since = base.number.map { "integration \($0)" } ?? "the commit before the first integration"
    return "This is told from \(since), because none since then passed the gate."
  }
}
