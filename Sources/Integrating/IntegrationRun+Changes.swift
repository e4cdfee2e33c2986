import Comparing
import Git
import Model
import Rendering

extension IntegrationRun {
  /// Compares the coverage with an earlier one, tells which lines the commits touched, and judges the gates.
  func compareCoverage() {
    let earlier = earlierCoverage()
    if let coverage = integration.coverage.coverage {
      let paths = Set((coverage.files + (earlier?.coverage.files ?? [])).map(\.path))
      var differences = Differences(of: paths)
      let comparison = comparison(of: coverage, with: earlier, &differences)
      let patch = patch(coverage, since: patchBase(earlier), &differences)
      integration.changes = CoverageChanges(comparison: comparison, patch: patch)
      if let earlier, let comparison = comparison.value, let difference = differences.known[earlier.commit] {
        integration.changes?.removed = removedLines(since: earlier.commit, difference, comparison)
      }
      for file in comparison.value?.files ?? [] {
        guard let oldPath = file.oldPath else { continue }
        integration.baseline?.rename(oldPath, to: file.path)
      }
    }
    judgeGates(earlier)
    areGatesJudged = true
  }

  /// What was found out of the same files since commits; the patch and the comparison mostly ask for the same one.
  struct Differences {
    var paths: Set<String>
    var known: [CommitID?: SourceDifference] = [:]

    init(of paths: Set<String>) { self.paths = paths }
  }

  private func difference(since base: CommitID?, _ differences: inout Differences) throws(GitError)
    -> SourceDifference
  {
    if let known = differences.known[base] { return known }
    let difference = try difference(from: base, of: differences.paths)
    differences.known[base] = difference
    return difference
  }

  func comparison(
    of coverage: Coverage, with earlier: MeasuredIntegration?, _ differences: inout Differences
  ) -> Answer<CoverageComparison> {
    guard let earlier else {
      return .unknown(
        reason: integration.baseline == nil
          ? "There is no earlier integration to compare with." : "No earlier integration has complete coverage.")
    }
    guard coverage.isComplete else {
      return .unknown(reason: "The coverage is incomplete. \(coverage.reason ?? "A process left no counters.")")
    }
    do throws(GitError) {
      let difference = try difference(since: earlier.commit, &differences)
      return .known(
        CoverageComparison(
          of: coverage, with: earlier.coverage, baseline: earlier.number, difference: difference
        ) { witnesses(beside: earlier) })
    } catch {
      return .unknown(reason: error.description)
    }
  }

  /// What is gone from the files that are there now; nothing where the earlier text cannot be read.
  private func removedLines(
    since commit: CommitID, _ difference: SourceDifference, _ comparison: CoverageComparison
  ) -> [String: [RemovedLines]] {
    let files = Dictionary(comparison.files.map { ($0.path, $0) }) { first, _ in first }
    // The text of a file that is reached through a link is where the link led.
    let prefix = target.package == "." ? "" : "\(target.package)/"
    let old = Set(difference.files.compactMap { $0.oldPath.map { prefix + $0 } })
    let places = (try? repository.places(of: old, in: commit)) ?? [:]
    var removed: [String: [RemovedLines]] = [:]
    for change in difference.files {
      guard let path = change.newPath, let oldPath = change.oldPath, let lines = change.lines, let file = files[path],
        lines.hunks.contains(where: { !$0.old.isEmpty }), case .file(let place) = places[prefix + oldPath],
        let text = try? repository.contents(of: place, in: commit)
      else { continue }
      removed[path] = RemovedLines.find(by: lines, in: text, deleted: file.deleted)
    }
    return removed
  }

  /// What the touched lines are told from; nil when everything is new.
  ///
  /// That is the integration whose coverage is compared with: what came in between was never judged. Where there is
  /// none, it is the integration before, or the commit's parent.
  func patchBase(_ earlier: MeasuredIntegration?) -> Answer<GateResult.Base?> {
    if let earlier { return .known(GateResult.Base(commit: earlier.commit, number: earlier.number)) }
    if let baseline = integration.baseline {
      return .known(GateResult.Base(commit: baseline.commit, number: baseline.number))
    }
    do throws(GitError) {
      switch try repository.firstParent(of: target.commit) {
      case .none: return .known(nil)
      case .commit(let parent): return .known(GateResult.Base(commit: parent))
      case .leftOut(let parent): return .unknown(reason: Self.shallow(parent))
      }
    } catch {
      return .unknown(reason: error.description)
    }
  }

  /// The lines that were touched since a commit.
  func patch(
    _ coverage: Coverage, since answer: Answer<GateResult.Base?>, _ differences: inout Differences
  ) -> Answer<PatchCoverage> {
    guard case .known(let base) = answer else { return .unknown(reason: answer.reason ?? "") }
    do throws(GitError) {
      let origin = base.map { $0.number.map(PatchCoverage.Origin.integration) ?? .parent } ?? .nothing
      return .known(
        PatchCoverage(
          of: coverage, touchedBy: try difference(since: base?.commit, &differences), origin: origin,
          includesWorkingTree: target.includesWorkingTree
        ) { silent($1, of: $0) })
    } catch {
      return .unknown(reason: error.description)
    }
  }

  /// Those of the lines of a file that hold only comments or blanks; none where its text is not there.
  func silent(_ lines: [Int], of path: String) -> Set<Int> {
    source(path).map { HighlightedSource.silent(lines, in: $0, path: path) } ?? []
  }

  private static func shallow(_ parent: CommitID) -> String {
    "The repository is a shallow clone without the commit's parent \(parent.short), so nobody can say which lines "
      + "the commit changed. Fetch the parent, as with `git fetch --deepen 1`, or clone with a depth of 2 or more."
  }

  /// From a commit to what was integrated, with paths relative to the package.
  func difference(from base: CommitID?, of paths: Set<String>) throws(GitError) -> SourceDifference {
    try repository.difference(
      from: base, to: target.includesWorkingTree ? .workspace(workspace.checkout) : .commit(target.commit), of: paths,
      beneath: target.package)
  }

  /// The complete coverage of the nearest ancestor that has one; usually the baseline's.
  private func earlierCoverage() -> MeasuredIntegration? {
    guard integration.baseline != nil else { return nil }
    var entries = ledger
    // A history that cannot be walked has no ancestor to compare with.
    guard let ancestors = try? repository.ancestors(of: target.commit, limit: 10_000) else { return nil }
    let candidates = Array(target.includesWorkingTree ? ancestors[...] : ancestors.dropFirst())
    for _ in 0..<20 {
      guard let entry = Ledger.baseline(in: entries, along: candidates, scope: scope) else { return nil }
      if let earlier = self.earlier(entry.number, of: entry.commit) { return earlier }
      entries.removeAll { $0.number == entry.number }
    }
    return nil
  }

  /// An integration of this bot, if its coverage is complete and can be read.
  func earlier(_ number: Int, of commit: CommitID) -> MeasuredIntegration? {
    let integrations = integrator.home.integrations(of: integration.bot)
    return MeasuredIntegration(number, of: commit, in: integrations, package: target.package)
  }
}
