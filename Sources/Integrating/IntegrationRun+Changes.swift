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
      integration.changes = CoverageChanges(comparison: comparison, patch: patch(coverage, &differences))
      if let earlier, let comparison = comparison.value, let difference = differences.known[earlier.commit] {
        integration.changes?.removed = removedLines(since: earlier.commit, difference, comparison)
      }
      for file in comparison.value?.files ?? [] {
        guard let oldPath = file.oldPath else { continue }
        integration.baseline?.rename(oldPath, to: file.path)
      }
    }
    integration.gates = GateJudgement.results(
      of: request.gates, coverage: integration.coverage, changes: integration.changes, hasEarlier: earlier != nil)
    areGatesJudged = true
  }

  /// The coverage of another integration.
  private struct Earlier {
    var number: Int
    var commit: CommitID
    var coverage: Coverage
  }

  /// What was found out of the same files since commits; the patch and the comparison mostly ask for the same one.
  private struct Differences {
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

  private func comparison(
    of coverage: Coverage, with earlier: Earlier?, _ differences: inout Differences
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
      return .known(
        CoverageComparison(
          of: coverage, with: earlier.coverage, baseline: earlier.number,
          difference: try difference(since: earlier.commit, &differences)))
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

  /// The touched lines: since the commit of the integration before, or since the commit's parent.
  private func patch(_ coverage: Coverage, _ differences: inout Differences) -> Answer<PatchCoverage> {
    do throws(GitError) {
      let origin: PatchCoverage.Origin
      let base: CommitID?
      if let baseline = integration.baseline {
        (base, origin) = (baseline.commit, .integration(baseline.number))
      } else {
        switch try repository.firstParent(of: target.commit) {
        case .none: (base, origin) = (nil, .nothing)
        case .commit(let parent): (base, origin) = (parent, .parent)
        case .leftOut(let parent): return .unknown(reason: Self.shallow(parent))
        }
      }
      return .known(
        PatchCoverage(
          of: coverage, touchedBy: try difference(since: base, &differences), origin: origin,
          includesWorkingTree: target.includesWorkingTree))
    } catch {
      return .unknown(reason: error.description)
    }
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
  private func earlierCoverage() -> Earlier? {
    guard integration.baseline != nil else { return nil }
    let bot = integrator.home.integrations(of: integration.bot)
    var entries = ledger
    // A history that cannot be walked has no ancestor to compare with.
    guard let ancestors = try? repository.ancestors(of: target.commit, limit: 10_000) else { return nil }
    let candidates = Array(target.includesWorkingTree ? ancestors[...] : ancestors.dropFirst())
    for _ in 0..<20 {
      guard let entry = Ledger.baseline(in: entries, along: candidates, scope: scope) else { return nil }
      // A document that cannot be read is no better than none.
      if let document = try? StoredIntegration(in: bot.folder(String(entry.number))).coverage(),
        let coverage = document.coverage(beneath: target.package), coverage.isComplete
      {
        return Earlier(number: entry.number, commit: entry.commit, coverage: coverage)
      }
      entries.removeAll { $0.number == entry.number }
    }
    return nil
  }
}
