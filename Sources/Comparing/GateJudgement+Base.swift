package import Model

extension GateJudgement {
  /// What a gate is judged against once more, because an earlier integration failed it; nil when it begins anew.
  ///
  /// It begins anew from an integration that passed it, that was not asked for it, or whose failure somebody silenced and
  /// thereby took as it is.
  ///
  /// - Parameter document: the integration that would be the base otherwise.
  package static func heldBase(of gate: CoverageGate, in document: IntegrationDocument) -> GateResult.Base? {
    guard let result = document.gates?.first(where: { $0.rule == gate.rule }), result.state == .failed,
      let base = result.base, base.number != document.number
    else { return nil }
    let isAccepted = document.issues.contains { issue in
      issue.kind == .gate && issue.status == .silenced && GateResult.isMessage(issue.message, of: gate.rule)
    }
    return isAccepted ? nil : base
  }
}
