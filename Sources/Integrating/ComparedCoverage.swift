import Comparing
import Git
import Model

/// The coverage of a run beside that of earlier integrations.
///
/// Each integration is read once and each comparison made once, however many gates are judged by it.
final class ComparedCoverage {
  let coverage: Coverage
  let integrations: MeasuredIntegrations
  private let run: IntegrationRun
  private var differences: [CommitID?: (paths: Set<String>, difference: SourceDifference)] = [:]
  private var comparisons: [Int: Answer<CoverageComparison>] = [:]
  private var witnessesNow: [Set<Int>: [CoverageWitnesses.Witness]] = [:]

  init(_ coverage: Coverage, of run: IntegrationRun, _ integrations: MeasuredIntegrations) {
    self.coverage = coverage
    self.run = run
    self.integrations = integrations
  }

  /// Every line and region against those of an earlier integration.
  func comparison(with earlier: MeasuredIntegration) -> Answer<CoverageComparison> {
    if let known = comparisons[earlier.number] { return known }
    let comparison = compare(with: earlier)
    comparisons[earlier.number] = comparison
    return comparison
  }

  /// The lines that were touched since a commit.
  func patch(since base: GateResult.Base) -> Answer<PatchCoverage> {
    let earlier: MeasuredIntegration? =
      if case .commit(let commit, let number?) = base { integrations.integration(number, of: commit) } else { nil }
    let origin: PatchCoverage.Origin =
      switch base {
      case .nothing: .nothing
      case .commit(_, let number): number.map { .integration($0) } ?? .parent
      }
    do throws(GitError) {
      return .known(
        PatchCoverage(
          of: coverage, touchedBy: try difference(since: base.commit, beside: earlier), origin: origin,
          includesWorkingTree: run.target.includesWorkingTree
        ) { run.silent($1, of: $0) })
    } catch {
      return .unknown(reason: error.description)
    }
  }

  /// How the sources changed since a commit.
  /// - Parameter earlier: the integration of the commit, in whose coverage there may be other files.
  func difference(since commit: CommitID?, beside earlier: MeasuredIntegration?) throws(GitError) -> SourceDifference {
    let paths = coverage.sourcePaths.union((earlier?.coverage.files ?? []).map(\.path))
      .union(coverage.uncounted.ofRepository.map(\.coverage.path)).union(coverage.unmeasured.sources.map(\.path))
    if let known = differences[commit], paths.isSubset(of: known.paths) { return known.difference }
    let difference = try run.difference(from: commit, of: paths)
    differences[commit] = (paths, difference)
    return difference
  }

  private func compare(with earlier: MeasuredIntegration) -> Answer<CoverageComparison> {
    guard coverage.isComplete else {
      return .unknown(reason: "The coverage is incomplete. \(coverage.reason ?? "A process left no counters.")")
    }
    do throws(GitError) {
      let difference = try difference(since: earlier.commit, beside: earlier)
      return .known(
        CoverageComparison(
          of: coverage, with: earlier.coverage, baseline: earlier.number, difference: difference
        ) { witnesses(beside: earlier) })
    } catch {
      return .unknown(reason: error.description)
    }
  }

  private func witnesses(beside earlier: MeasuredIntegration) -> CoverageWitnesses {
    let compared: Set = [earlier.number, run.integration.number]
    // Of another commit, the earlier one is no witness anyway.
    let besides = earlier.commit == run.target.commit ? compared : [run.integration.number]
    let now = witnessesNow[besides] ?? run.witnessesNow(besides: besides)
    witnessesNow[besides] = now
    return CoverageWitnesses(now: now, before: run.witnesses(of: earlier, besides: compared))
  }
}
