import Comparing
import Git
import Model
import Syntax

/// The coverage of a run in comparison with that of earlier integrations.
///
/// Each integration is read once and each comparison made once, however many gates use them.
final class ComparedCoverage {
  let coverage: Coverage
  let integrations: MeasuredIntegrations
  /// The files that count here although the package's own `.martlet.yml` leaves them out; nil if its exclusions apply.
  let addedPaths: [String]?
  private let run: IntegrationRun
  /// The integration as far as it has progressed; others like it can show what runs by chance.
  private let document: IntegrationRecord
  private var judges: [[String]: ComparedCoverage] = [:]
  private var differences: [CommitID?: (paths: Set<String>, difference: SourceDifference)] = [:]
  private var comparisons: [Int: Answer<CoverageComparison>] = [:]
  private lazy var witnessesNow =
    run.target.includesWorkingTree
    ? []
    : integrations.witnesses(among: run.past, besides: [run.number], scope: run.scope, like: document)

  init(
    _ coverage: Coverage, of run: IntegrationRun, _ integrations: MeasuredIntegrations,
    like document: IntegrationRecord, adding added: [String]? = nil
  ) {
    self.coverage = coverage
    self.run = run
    self.integrations = integrations
    self.document = document
    addedPaths = added
  }

  /// Returns the coverage as gates count it: with what only the package's own file leaves out.
  ///
  /// - Parameter earlier: the integration to judge against. A file that it left out entirely without keeping figures,
  ///   because a bot asked for that or an older Martlet wrote it, is left out on both sides.
  func judging(beside earlier: MeasuredIntegration?) -> ComparedCoverage {
    let kept = Set(earlier?.coverage.setAside.map(\.path) ?? [])
    let unknown = Set(earlier?.coverage.exclusions.filter { $0.firstLine == nil }.map(\.path) ?? []).subtracting(kept)
    var whole = coverage
    whole.setAside.removeAll { unknown.contains($0.path) }
    let added = whole.setAside.map(\.path)
    // A file that is no longer set aside, but was before, has to be on both sides, too.
    guard !added.isEmpty || !kept.isEmpty else { return self }
    if let known = judges[added] { return known }
    let made = ComparedCoverage(whole.judged, of: run, integrations, like: document, adding: added)
    judges[added] = made
    return made
  }

  /// Compares every line and region with those of an earlier integration.
  func comparison(with earlier: MeasuredIntegration) -> Answer<CoverageComparison> {
    if let known = comparisons[earlier.number] { return known }
    let comparison = compare(with: earlier)
    comparisons[earlier.number] = comparison
    return comparison
  }

  /// Returns the coverage of the lines that were touched since a commit.
  func patch(since base: GateResult.Base) -> Answer<PatchCoverage> {
    let earlier: MeasuredIntegration? =
      if case .commit(let commit, let number?) = base { integrations.integration(number, of: commit) } else { nil }
    let origin: PatchCoverage.Origin =
      switch base {
      case .nothing: .nothing
      case .commit(_, let number): number.map { .integration($0) } ?? .parent
      }
    return Answer {
      PatchCoverage(
        of: coverage, touchedBy: try difference(since: base.commit, beside: earlier), origin: origin
      ) { run.silent($1, of: $0) }
    }
  }

  /// Returns how the sources changed since a commit.
  /// - Parameter earlier: the integration of the commit, whose coverage may have other files.
  func difference(since commit: CommitID?, beside earlier: MeasuredIntegration?) throws(GitError) -> SourceDifference {
    let uncounted = (coverage.uncounted.ofRepository + coverage.uncounted.tests).map(\.coverage.path)
    let paths = coverage.sourcePaths.union((earlier?.coverage.judged.files ?? []).map(\.path))
      .union(uncounted).union(coverage.unmeasured.sources.map(\.path))
    if let known = differences[commit], paths.isSubset(of: known.paths) { return known.difference }
    let difference = try run.difference(from: commit, of: paths)
    differences[commit] = (paths, difference)
    return difference
  }

  private func compare(with earlier: MeasuredIntegration) -> Answer<CoverageComparison> {
    guard coverage.isComplete else {
      return .unknown(reason: "The coverage is incomplete. \(coverage.reason ?? "A process left no coverage data.")")
    }
    return Answer {
      CoverageComparison(
        of: coverage, with: addedPaths == nil ? earlier.coverage : earlier.coverage.judged,
        baseline: earlier.number, difference: try difference(since: earlier.commit, beside: earlier)
      ) { evidence(beside: earlier) }
    }
  }

  private func evidence(beside earlier: MeasuredIntegration) -> CoverageEvidence {
    let map = try? integrations.stored(earlier.number)?.testMap(beneath: run.target.package)
    let witnesses = integrations.witnesses(
      among: run.past, besides: [earlier.number, run.number], scope: run.scope, like: earlier.document)
    return CoverageEvidence(
      of: CoverageEvidence.Side(
        document, coverage, coverage.testMap?.value, witnesses: witnessesNow.filter { $0.number != earlier.number }),
      beside: CoverageEvidence.Side(earlier.document, earlier.coverage, map, witnesses: witnesses)
    ) { run.claimed.repository.haveSameCode($0, $1) }
  }
}

extension Repository {
  /// Whether two commits differ in nothing but comments and blanks of Swift sources; false if that is not known.
  ///
  /// A manifest begins with a comment that means something.
  func haveSameCode(_ one: CommitID, _ other: CommitID) -> Bool {
    guard let paths = try? contents(of: other, withPaths: true, since: one).paths else { return false }
    return paths.allSatisfy { path in
      let name = path.split(separator: "/").last ?? ""
      guard path.hasSuffix(".swift"), !PackageManifests.isManifest(name), let old = try? contents(of: path, in: one),
        let new = try? contents(of: path, in: other),
        case .bodies([], moved: _) = SourceEdit(from: SourceCode(old, path: path), to: SourceCode(new, path: path))
      else { return false }
      return true
    }
  }
}
