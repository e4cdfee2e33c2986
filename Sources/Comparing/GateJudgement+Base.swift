package import Model

extension GateJudgement {
  /// What came before an integration, for the conditions that compare it with an earlier one.
  package enum Reference: Sendable {
    /// There is one to compare with, or there may be one.
    case found
    /// No earlier integration has complete coverage.
    case none
    /// Those with complete coverage are of other branches, or of commits that are gone, or ran other tests.
    case unrelated

    /// Why there is nothing to judge by; nil when there is, or should be.
    var sentence: String? {
      switch self {
      case .found: nil
      case .none: "No earlier integration has complete coverage, so there was nothing to lose."
      case .unrelated: "No earlier integration with complete coverage can be compared with this one."
      }
    }
  }

  /// What a gate is judged against once more, because an earlier integration failed it; nil when it begins anew.
  ///
  /// It begins anew from an integration that passed it, that was not asked for it, or whose failure somebody silenced and
  /// thereby took as it is.
  ///
  /// - Parameter document: the integration that would be the base otherwise.
  package static func heldBase(of gate: CoverageGate, in document: IntegrationDocument) -> GateResult.Base? {
    owed(after: document).first { $0.rule == gate.rule }?.base
  }

  /// What an integration leaves owed: the conditions that it failed, and those that an earlier one failed and that it was
  /// not asked for.
  package static func owed(after document: IntegrationDocument) -> [GateResult] {
    let failed = (document.gates ?? []).filter { $0.state == .failed }
    return (failed + (document.owedGates ?? [])).filter { result in
      guard let base = result.base, base.number != document.number else { return false }
      return !document.issues.contains { issue in
        issue.status == .silenced && issue.knownSubject == .gate(result.rule)
      }
    }
  }

  /// Why a failed condition tells of lines that were told before.
  static func sentence(of held: GateResult.Base) -> String {
    let since = held == .nothing ? "the first commit on" : words(held)
    return "This is told from \(since), because none since then passed the gate."
  }

  /// What a condition is judged against, as a phrase that goes behind `since`.
  static func words(_ base: GateResult.Base) -> String {
    switch base {
    case .nothing: "the beginning"
    case .commit(_, let number?): "integration \(number)"
    case .commit(_, nil): "the commit before the first integration"
    }
  }
}
