import Comparing
import Model

extension IntegrationRun {
  /// Judges each gate against the integration that passed it last.
  ///
  /// A failed gate would be green again with the next commit, were it judged against the integration that it failed: so
  /// it keeps its base until it passes, or until somebody has silenced its issue and thereby taken it as it is.
  ///
  /// - Parameters:
  ///   - earlier: the one that the coverage is compared with.
  ///   - compared: nil without coverage.
  func judgeGates(_ earlier: EarlierCoverage, _ compared: ComparedCoverage?) {
    integration.gates = request.gates.flatMap { gate in
      let held = heldBase(of: gate, earlier)
      var (changes, hasEarlier) = (integration.changes, true)
      if case .nothing = earlier { hasEarlier = false }
      if let compared, compared.coverage.isComplete {
        switch gate {
        case .patchFullyCovered, .patch: changes?.patch = patch(judgedBy: held, earlier, compared)
        case .noLostCoverage, .ratchet:
          if let held { changes?.comparison = comparison(heldBy: held, compared) }
        }
      }
      return GateJudgement.results(
        of: [gate], coverage: integration.coverage, changes: changes, hasEarlier: hasEarlier
      ).map { result in
        var result = result
        result.base = held ?? base(of: earlier)
        if let held, result.state == .failed { result.sentence += " \(Self.sentence(of: held))" }
        return result
      }
    }
  }

  /// What a gate was judged against already, which no integration passed since; nil when it begins anew.
  private func heldBase(of gate: CoverageGate, _ earlier: EarlierCoverage) -> GateResult.Base? {
    switch (earlier, gate) {
    case (.measured(let earlier), .patchFullyCovered), (.measured(let earlier), .patch):
      return GateJudgement.heldBase(of: gate, in: earlier.document)
    case (.measured(let earlier), .noLostCoverage), (.measured(let earlier), .ratchet):
      // A commit that was never integrated has no lines to lose.
      let base = GateJudgement.heldBase(of: gate, in: earlier.document)
      return base?.number == nil ? nil : base
    // What was integrated so far was never measured, and so its changes were never judged.
    case (.nothing(let farthest?), .patchFullyCovered), (.nothing(let farthest?), .patch):
      return base(before: farthest.commit).value
    case (.nothing, _), (.unknown, _): return nil
    }
  }

  /// What a gate is judged against for the first time; nil when nobody knows.
  private func base(of earlier: EarlierCoverage) -> GateResult.Base? {
    if case .unknown = earlier { nil } else { patchBase(earlier).value }
  }

  private func patch(
    judgedBy held: GateResult.Base?, _ earlier: EarlierCoverage, _ compared: ComparedCoverage
  ) -> Answer<PatchCoverage> {
    if let held { return compared.patch(since: held) }
    let patch = integration.changes?.patch ?? .unknown(reason: "")
    // The lines since the commit's parent are known then, but not those since the last integration.
    if case .unknown(let reason) = earlier, patch.value != nil { return .unknown(reason: reason) }
    return patch
  }

  private func comparison(
    heldBy base: GateResult.Base, _ compared: ComparedCoverage
  ) -> Answer<CoverageComparison> {
    if case .commit(let commit, let number?) = base, let earlier = compared.integrations.integration(number, of: commit)
    {
      return compared.comparison(with: earlier)
    }
    let name = base.number.map { "Integration \($0)" } ?? "What it is judged against"
    return .unknown(reason: "\(name) was removed or cannot be read. Silence the issue of this gate to begin anew.")
  }

  private static func sentence(of base: GateResult.Base) -> String {
    let since =
      switch base {
      case .nothing: "the first commit on"
      case .commit(_, let number?): "integration \(number)"
      case .commit(_, nil): "the commit before the first integration"
      }
    return "This is told from \(since), because none since then passed the gate."
  }
}
