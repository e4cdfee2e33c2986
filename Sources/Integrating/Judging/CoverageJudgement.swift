import Comparing
import Git
import Model
import Rendering
import Syntax

/// The coverage beside an earlier one, what the commits touched, and what became of the gates.
struct CoverageJudgement {
  /// What changed in the coverage; nil without any.
  let changes: CoverageChanges?
  /// The conditions on coverage that were asked for.
  private(set) var gates: [GateResult]
  /// Those that an earlier integration failed and this one was not asked for.
  let owedGates: [GateResult]
  /// The integration that is compared with, with the coverage that was compared.
  let baseline: Baseline?
  private let evidence: [GateEvidence]

  /// - Parameter unjudged: the conditions that are not judged, because tests were left out.
  init(
    changes: CoverageChanges?, evidence: [GateEvidence], unjudged: [CoverageGate] = [], owedGates: [GateResult],
    baseline: Baseline?
  ) {
    var changes = changes
    changes?.counted = evidence.filter(\.gate.isOfPatch).compactMap { $0.changes?.patch.value }
    self.changes = changes
    self.evidence = evidence
    self.owedGates = owedGates
    self.baseline = baseline
    gates = evidence.map { $0.result(nil) } + unjudged.map { GateResult(JudgedGate($0, .notJudged, .testsLeftOut)) }
  }

  /// What commits touched for which functions are to be tried without their bodies.
  var patchesToTry: [PatchCoverage] {
    evidence.filter { $0.gate == .noUncheckedChanges }.compactMap { $0.changes?.patch.value }
  }

  /// Judges the conditions again, with what tests made of functions without their bodies.
  mutating func take(_ mutants: Answer<MutationReport>) {
    gates = evidence.map { $0.result(mutants) }
  }
}

/// What an integration's coverage is compared with, and where to read it.
struct CoverageReference {
  var chosen: Reference
  var integrations: MeasuredIntegrations
  /// The integration that all but the coverage is compared with.
  var baseline: Baseline?

  /// The one that coverage is compared with.
  var compared: MeasuredIntegration? { integrations.integration(chosen.compared) }
}

extension IntegrationRun {
  /// Compares the coverage with an earlier one, tells which lines the commits touched, and judges the gates.
  func judgeCoverage(_ measurement: Measurement, of cell: Cell) -> JudgedCoverage {
    let integrations = MeasuredIntegrations(
      in: context.integrations, package: target.package, of: asked.buildName)
    var reference = CoverageReference(
      chosen: chooseReference(integrations), integrations: integrations, baseline: cell.reference.baseline)
    let report = measurement.report
    let compared = report.coverage.map {
      ComparedCoverage($0, of: self, integrations, like: IntegrationRecord(cell.integration))
    }
    if compared != nil, let earlier = reference.compared {
      reference.baseline?.takeCoverage(of: Baseline(earlier.document))
    }
    let changes = compared.map { self.changes(of: $0, since: reference) }
    if let comparison = changes?.comparison.value { reference.baseline?.follow(comparison) }
    let isPartial = cell.reached.tests?.report.isPartial == true
    let comparison = CoverageJudgement(
      changes: changes,
      evidence: isPartial ? [] : gateEvidence(for: report, compared, changes, since: reference),
      unjudged: isPartial ? request.coverage.gates : [], owedGates: owedGates(reference), baseline: reference.baseline)
    return JudgedCoverage(measurement: measurement, comparison: comparison)
  }

  private func chooseReference(_ integrations: MeasuredIntegrations) -> Reference {
    let search = referenceSearch(inScope: scope)
    let (branch, coverage) = (target.branch, integrations.coverage(of:))
    return request.place == nil
      ? search.reference(elseOn: branch, in: claimed.repository, coverage: coverage)
      : search.reference(on: branch, in: claimed.repository, coverage: coverage)
  }

  private func changes(of compared: ComparedCoverage, since reference: CoverageReference) -> CoverageChanges {
    let comparison = comparison(of: compared, with: reference)
    var changes = CoverageChanges(
      comparison: comparison, patch: patchBase(reference).flatMap(compared.patch))
    if let earlier = reference.compared, let comparison = comparison.value,
      let difference = try? compared.difference(since: earlier.commit, beside: earlier)  // Known, being compared by.
    {
      changes.removed = removedLines(since: earlier.commit, difference, comparison)
    }
    return changes
  }

  private func comparison(
    of compared: ComparedCoverage, with reference: CoverageReference
  ) -> Answer<CoverageComparison> {
    if let earlier = reference.compared { return compared.comparison(with: earlier) }
    let chosen = reference.chosen
    if let vanished = chosen.vanished ?? chosen.vanishedOnBranch {
      let name = "integration \(vanished.number)"
      return .unknown(reason: CommitAbsence.gone.sentence(about: vanished.commit, of: name))
    }
    if let doubt = chosen.doubt { return .unknown(reason: doubt.sentence) }
    return .unknown(
      reason: reference.baseline == nil
        ? noBaselineReason
        : earlierCoverage(beside: reference) == .none
          ? "No earlier integration has complete coverage."
          : "No earlier integration with complete coverage can be compared with this one.")
  }

  /// What is gone from the files that are there now; nothing where the earlier text cannot be read.
  private func removedLines(
    since commit: CommitID, _ difference: SourceDifference, _ comparison: CoverageComparison
  ) -> [String: [RemovedLines]] {
    // The text of a file that is reached through a link is where the link led.
    let place = PackagePlace(target.package)
    let old = Set(difference.files.compactMap { $0.oldPath.map(place.inRepository) })
    let places = (try? claimed.repository.places(of: old, in: commit)) ?? [:]
    return comparison.removedLines(by: difference) { change in
      guard let oldPath = change.oldPath, case .file(let path) = places[place.inRepository(oldPath)] else { return nil }
      return try? claimed.repository.contents(of: path, in: commit)
    }
  }

  /// What the touched lines are told from.
  ///
  /// That is the integration whose coverage is compared with: what came in between was never judged. Where there is
  /// none, or only one that is no ancestor of what a person integrates, it is the integration before, or the commit's
  /// parent.
  func patchBase(_ reference: CoverageReference) -> Answer<GateResult.Base> {
    if let found = reference.chosen.found { return .known(.commit(found.commit, number: found.number)) }
    if let baseline = reference.baseline, baseline.commit != target.commit || target.includesWorkingTree,
      claimed.repository.absence(of: baseline.commit) == nil
    {
      return .known(.commit(baseline.commit, number: baseline.number))
    }
    return base(before: target.commit)
  }

  /// The first parent of a commit, which nobody integrated.
  func base(before commit: CommitID) -> Answer<GateResult.Base> {
    do throws(GitError) {
      switch try claimed.repository.firstParent(of: commit) {
      case .none: return .known(.nothing)
      case .commit(let parent): return .known(.commit(parent, number: nil))
      case .leftOut(let parent): return .unknown(reason: Self.shallow(parent))
      }
    } catch {
      return .unknown(reason: error.description)
    }
  }

  /// Those of the lines of a file that hold only comments or blanks; none where its text is not there.
  func silent(_ lines: [Int], of path: String) -> Set<Int> {
    text(of: path).map { SourceCode($0, path: path).silent(lines) } ?? []
  }

  private static func shallow(_ parent: CommitID) -> String {
    "The repository is a shallow clone without the commit's parent \(parent.short), so it is not known which lines "
      + "the commit changed. Fetch the parent, as with `git fetch --deepen 1`, or clone with a depth of 2 or more."
  }

  /// From a commit to what was integrated, with paths relative to the package.
  func difference(from base: CommitID?, of paths: Set<String>) throws(GitError) -> SourceDifference {
    try claimed.repository.difference(
      from: base, to: target.includesWorkingTree ? .workspace(claimed.workspace.checkout) : .commit(target.commit),
      of: paths,
      beneath: target.package)
  }
}
