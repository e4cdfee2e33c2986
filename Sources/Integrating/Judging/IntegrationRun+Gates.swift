import Comparing
import Git
import Model
import Rendering

extension IntegrationRun {
  /// What each gate is judged by: what changed since the integration that passed it last.
  ///
  /// A failed gate would be green again with the next commit, were it judged against the integration that it failed: so
  /// it keeps its base until it passes, or until somebody has silenced its issue and thereby taken it as it is.
  ///
  /// - Parameter compared: the coverage of `report`, to be compared; nil without any.
  func gateEvidence(
    for report: CoverageReport, _ compared: ComparedCoverage?, _ changes: CoverageChanges?,
    since earlier: CoverageReference
  ) -> [GateEvidence] {
    let coverageBefore = request.coverage.gates.isEmpty ? .comparable : earlierCoverage(beside: earlier)
    return request.coverage.gates.map { gate in
      let reference = gateReference(of: gate, earlier)
      let judged = compared?.judging(beside: gate.isOfPatch ? nil : reference.integration(among: earlier.integrations))
      let comparable = judged.flatMap { $0.coverage.isComplete ? $0 : nil }
      return GateEvidence(
        gate: gate, coverage: judged.map { .available($0.coverage) } ?? report,
        changes: comparable.map { self.changes(changes, of: gate, since: reference, earlier, $0) } ?? changes,
        earlier: coverageBefore, reference: reference, isComparable: comparable != nil,
        counted: judged?.addedPaths ?? [])
    }
  }

  /// What was failed before and is not asked for now: a person may ask for another gate each time, and none pays for
  /// another. What a bot's file asks for no more is forgiven.
  func owedGates(_ earlier: CoverageReference) -> [GateResult] {
    guard request.place == nil else { return [] }
    let rules = Set(request.coverage.gates.map(\.rule))
    let last = [true, false].flatMap { isOfPatch -> [GateResult] in
      let judged = earlier.chosen.judged(ofPatch: isOfPatch)
      guard let document = earlier.integrations.integration(judged)?.document else { return [] }
      return document.owed.filter { CoverageGate(rule: $0.rule)?.isOfPatch == isOfPatch }
    }
    return last.filter { !rules.contains($0.rule) }
  }

  /// What coverage earlier integrations have, where that of this one is compared with none.
  func earlierCoverage(beside reference: CoverageReference) -> GateJudgement.EarlierCoverage {
    let chosen = reference.chosen
    let isUnknown = chosen.doubt != nil && chosen.vanished == nil
    if chosen.compared != nil || isUnknown { return .comparable }
    return past.contains { reference.integrations.coverage(of: $0) != .incomplete } ? .unrelated : .none
  }

  /// What changed since a gate's base.
  private func changes(
    _ told: CoverageChanges?, of gate: CoverageGate, since reference: GateReference, _ earlier: CoverageReference,
    _ compared: ComparedCoverage
  ) -> CoverageChanges? {
    var changes = told
    if compared.addedPaths != nil {
      changes?.patch = patchBase(earlier).flatMap(compared.patch)
      if let earlier = earlier.compared { changes?.comparison = compared.comparison(with: earlier) }
    }
    if gate.isOfPatch {
      let told = changes?.patch
      changes?.patch = patch(told, since: reference, earlier, compared)
    } else if let comparison = comparison(with: reference, compared) {
      changes?.comparison = comparison
    }
    return changes
  }

  /// - Parameter told: what changed since the integration that the coverage is compared with.
  private func patch(
    _ told: Answer<PatchCoverage>?, since reference: GateReference, _ earlier: CoverageReference,
    _ compared: ComparedCoverage
  ) -> Answer<PatchCoverage> {
    if let reason = reason(against: reference) { return .unknown(reason: reason) }
    let patch = told ?? .unknown(reason: "")
    if let base = reference.base, base != patchBase(earlier).value { return compared.patch(since: base) }
    // The lines since the commit's parent are known then, but not those since the last integration.
    if let doubt = earlier.chosen.doubt, patch.value != nil { return .unknown(reason: doubt.sentence) }
    return patch
  }

  /// Nil where the gate is judged by what the pages tell, too.
  private func comparison(
    with reference: GateReference, _ compared: ComparedCoverage
  ) -> Answer<CoverageComparison>? {
    guard case .commit(let commit, let number?) = reference.base else { return nil }
    if let totals = reference.totals {
      return .known(CoverageComparison(baseline: number, before: totals, files: []))
    }
    if let reason = reason(against: reference) { return .unknown(reason: reason) }
    guard reference.isHeld else { return nil }
    if let earlier = compared.integrations.integration(number, of: commit) {
      return compared.comparison(with: earlier)
    }
    return .unknown(
      reason: "Integration \(number) was removed or cannot be read. Silence the issue of this gate to begin anew.")
  }

  /// Why nothing can be compared with a gate's base, and what to do; nil when it can.
  private func reason(against reference: GateReference) -> String? {
    guard let sentence = reference.absenceSentence else { return nil }
    guard reference.absence == .gone else { return sentence }
    return "\(sentence) Look yourself at the lines that never ran, then integrate again: the gate begins anew."
  }
}
