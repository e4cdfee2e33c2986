import Comparing
import Git
import Model
import Rendering

extension IntegrationRun {
  /// Compares the coverage with an earlier one, tells which lines the commits touched, and judges the gates.
  func compareCoverage() {
    let earlier = earlierCoverage()
    if let coverage = integration.coverage.coverage {
      let comparison = comparison(of: coverage, with: earlier)
      integration.changes = CoverageChanges(comparison: comparison, patch: patch(coverage))
      if let earlier, let comparison = comparison.value {
        integration.changes?.removed = removedLines(since: earlier.commit, comparison)
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

  private func comparison(of coverage: Coverage, with earlier: Earlier?) -> Answer<CoverageComparison> {
    guard let earlier else {
      return .unknown(
        reason: integration.baseline == nil
          ? "There is no earlier integration to compare with." : "No earlier integration has complete coverage.")
    }
    guard coverage.isComplete else {
      return .unknown(reason: "The coverage is incomplete. \(coverage.reason ?? "A process left no counters.")")
    }
    let paths = Set((coverage.files + earlier.coverage.files).map(\.path))
    do throws(GitError) {
      let difference = try difference(from: earlier.commit, of: paths)
      return .known(
        CoverageComparison(
          of: coverage, with: earlier.coverage, baseline: earlier.number, difference: difference))
    } catch {
      return .unknown(reason: error.description)
    }
  }

  /// What is gone from the files that are there now; nothing where the earlier text cannot be read.
  private func removedLines(since commit: CommitID, _ comparison: CoverageComparison) -> [String: [RemovedLines]] {
    let files = Dictionary(comparison.files.map { ($0.path, $0) }) { first, _ in first }
    let paths = Set(comparison.files.flatMap { [$0.path, $0.oldPath ?? $0.path] })
    var removed: [String: [RemovedLines]] = [:]
    for change in (try? difference(from: commit, of: paths))?.files ?? [] {
      guard let path = change.newPath, let oldPath = change.oldPath, let lines = change.lines, let file = files[path],
        lines.hunks.contains(where: { !$0.old.isEmpty }),
        let text = try? repository.contents(of: inRepository(oldPath), in: commit)
      else { continue }
      removed[path] = RemovedLines.find(by: lines, in: text, deleted: file.deleted)
    }
    return removed
  }

  /// A path of the package as the repository knows it.
  private func inRepository(_ path: String) -> String {
    // A file that came from outside the package is told from the repository's folder.
    if path.hasPrefix("/") { return String(path.dropFirst()) }
    return target.package == "." ? path : "\(target.package)/\(path)"
  }

  /// The touched lines: since the commit of the integration before, or since the commit's parent.
  private func patch(_ coverage: Coverage) -> Answer<PatchCoverage> {
    let paths = Set(coverage.files.map(\.path))
    do throws(GitError) {
      var origin = PatchCoverage.Origin.nothing
      var base: CommitID?
      if let baseline = integration.baseline {
        (base, origin) = (baseline.commit, .integration(baseline.number))
      } else if let parent = try repository.firstParent(of: target.commit) {
        (base, origin) = (parent, .parent)
      }
      return .known(
        PatchCoverage(
          of: coverage, touchedBy: try difference(from: base, of: paths), origin: origin,
          includesWorkingTree: target.includesWorkingTree))
    } catch {
      return .unknown(reason: error.description)
    }
  }

  /// From a commit to what was integrated, with paths relative to the package.
  func difference(from base: CommitID?, of paths: Set<String>) throws(GitError) -> SourceDifference {
    let prefix = target.package == "." ? "" : "\(target.package)/"
    func isWanted(_ path: String) -> Bool {
      path.hasPrefix(prefix) && paths.contains(String(path.dropFirst(prefix.count)))
    }
    let difference =
      target.includesWorkingTree
      ? try repository.difference(from: base, toFilesIn: workspace.checkout, where: isWanted)
      : try repository.difference(from: base, to: target.commit, where: isWanted)
    return difference.beneath(target.package)
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
