import Comparing
import Git
import Model
import Processes
import Rendering

struct GateReference {
  /// Nil when nobody knows.
  var base: GateResult.Base?
  /// Whether the gate was judged against it already, and not passed since.
  var isHeld = false
  /// Why its commit is not there to be compared with; nil when it is.
  var absence: CommitAbsence?

  /// How much ran then, where that is enough to judge by although the commit is not there.
  var totals: CoverageTotals?

  /// The integration that it is, where there is one.
  func integration(among integrations: MeasuredIntegrations) -> MeasuredIntegration? {
    guard case .commit(let commit, let number?) = base else { return nil }
    return integrations.integration(number, of: commit)
  }

  /// Whether nothing can be judged by it, now or later.
  var isVoid: Bool { absence == .gone && totals == nil }
  /// The base, when it was kept and is kept on.
  var held: GateResult.Base? { isHeld && !isVoid ? base : nil }

  /// That the commit is not there; nil when it is.
  var absenceSentence: String? {
    base?.commit.flatMap { absence?.sentence(about: $0, of: base?.number.map { "integration \($0)" }) }
  }
}

struct GateEvidence {
  let gate: CoverageGate
  let coverage: CoverageReport
  /// What changed since its reference; nil when the coverage was not compared at all.
  let changes: CoverageChanges?
  let earlier: GateJudgement.EarlierCoverage
  let reference: GateReference
  /// Whether the coverage is complete, and so can be compared.
  let isComparable: Bool
  /// Files that count although the package's own `.martlet.yml` leaves them out.
  let counted: [String]

  /// - Parameter mutants: what tests made of functions without their bodies; nil where none was tried.
  func result(_ mutants: Answer<MutationReport>?) -> GateResult {
    let isFound = reference.isHeld || reference.absence != nil
    var judged = GateJudgement.result(
      of: gate, coverage: coverage, changes: changes, mutants: mutants, earlier: isFound ? .comparable : earlier,
      held: reference.held, counted: counted)
    judged.absence = reference.totals == nil ? nil : reference.absenceSentence
    var result = GateResult(judged)
    // Kept, one that is void would fail whatever is integrated.
    result.base = reference.isVoid && isComparable ? nil : reference.base
    return result
  }
}

extension IntegrationRun {
  /// Chooses what a gate is judged against: what it was judged against before as long as none passed it, or else the
  /// integration that the coverage is compared with.
  ///
  /// A commit that is gone is nothing to judge by. The integration that finds it gone tells so, and after that the gate
  /// begins anew.
  func gateReference(
    of gate: CoverageGate, _ since: CoverageReference
  ) -> GateReference {
    let (chosen, integrations) = (since.chosen, since.integrations)
    if chosen.doubt != nil, chosen.vanished == nil { return GateReference() }
    var reference = firstReference(of: gate, since)
    if gate == .ratchet, reference.absence != nil, case .commit(let commit, let number?) = reference.base {
      reference.totals = integrations.integration(number, of: commit)?.coverage.judged.totals
    }
    guard reference.isVoid, let base = reference.base else { return reference }
    // All that changed since an earlier commit is what changed since the one that is gone, and more.
    let isCovered = gate.isOfPatch && !reference.isHeld && chosen.found != nil
    guard isCovered || isToldGone(base, for: gate, among: integrations) else { return reference }
    return GateReference(base: freshBase(of: gate, since))
  }

  private func firstReference(of gate: CoverageGate, _ since: CoverageReference) -> GateReference {
    func reference(_ base: GateResult.Base?, isHeld: Bool) -> GateReference {
      GateReference(base: base, isHeld: isHeld, absence: base?.commit.flatMap { claimed.repository.absence(of: $0) })
    }
    if let last = since.integrations.integration(since.chosen.judged(ofPatch: gate.isOfPatch)) {
      // Where these cannot be read, the integration comes to no verdict, and says why.
      let silences = (try? silencesSaid()) ?? []
      let held = GateJudgement.heldBase(of: gate, in: last.document, silences, at: integrator.clock.now())
      // A commit that was never integrated has no lines to lose.
      if let held, gate.isOfPatch || held.number != nil { return reference(held, isHeld: true) }
      return reference(.commit(last.commit, number: last.number), isHeld: false)
    }
    // What was integrated so far was never measured, and so its changes were never judged.
    if gate.isOfPatch, case .none(let unjudged?) = since.chosen.nearest, let base = base(before: unjudged.commit).value
    {
      return reference(base, isHeld: true)
    }
    return reference(freshBase(of: gate, since), isHeld: false)
  }

  /// What a gate is judged against when there is nothing that it has to make up for.
  private func freshBase(of gate: CoverageGate, _ since: CoverageReference) -> GateResult.Base? {
    if !gate.isOfPatch, let last = since.chosen.onBranch { return .commit(last.commit, number: last.number) }
    return patchBase(since).value
  }

  /// Whether an integration of this commit told already that the gate's base is gone, and so did not keep it.
  private func isToldGone(
    _ base: GateResult.Base, for gate: CoverageGate, among integrations: MeasuredIntegrations
  ) -> Bool {
    past.contains { entry in
      // One that cannot be read told nobody anything.
      guard entry.commit == target.commit, entry.scope == scope, let stored = integrations.stored(entry.number) else {
        return false
      }
      let results = stored.document.gates ?? []
      return results.contains { $0.rule == gate.rule && $0.base?.commit != base.commit }
    }
  }
}
