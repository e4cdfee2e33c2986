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
      integration.changes = CoverageChanges(comparison: comparison, patch: patch(coverage, since: patchBase(earlier)))
      if let earlier, let comparison = comparison.value {
        integration.changes?.removed = removedLines(since: earlier.commit, comparison)
      }
      for file in comparison.value?.files ?? [] {
        guard let oldPath = file.oldPath else { continue }
        integration.baseline?.rename(oldPath, to: file.path)
      }
    }
    judgeGates(earlier)
    areGatesJudged = true
  }

  /// Another integration and its coverage.
  struct Earlier {
    var number: Int
    var commit: CommitID
    var coverage: Coverage
    var document: IntegrationDocument
  }

  func comparison(of coverage: Coverage, with earlier: Earlier?) -> Answer<CoverageComparison> {
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

  /// What the touched lines are told from; nil when everything is new.
  ///
  /// That is the integration whose coverage is compared with: what came in between was never judged. Where there is
  /// none, it is the integration before, or the commit's parent.
  func patchBase(_ earlier: Earlier?) -> Answer<GateResult.Base?> {
    if let earlier { return .known(GateResult.Base(commit: earlier.commit, number: earlier.number)) }
    if let baseline = integration.baseline {
      return .known(GateResult.Base(commit: baseline.commit, number: baseline.number))
    }
    do throws(GitError) {
      return .known(try repository.firstParent(of: target.commit).map { GateResult.Base(commit: $0) })
    } catch {
      return .unknown(reason: error.description)
    }
  }

  /// The lines that were touched since a commit.
  func patch(_ coverage: Coverage, since answer: Answer<GateResult.Base?>) -> Answer<PatchCoverage> {
    guard case .known(let base) = answer else { return .unknown(reason: answer.reason ?? "") }
    do throws(GitError) {
      let difference = try difference(from: base?.commit, of: Set(coverage.files.map(\.path)))
      let origin = base.map { $0.number.map(PatchCoverage.Origin.integration) ?? .parent } ?? .nothing
      return .known(
        PatchCoverage(
          of: coverage, touchedBy: difference, origin: origin, includesWorkingTree: target.includesWorkingTree))
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
  func earlier(_ number: Int, of commit: CommitID) -> Earlier? {
    // A document that cannot be read is no better than none.
    guard
      let stored = try? StoredIntegration(
        in: integrator.home.integrations(of: integration.bot).folder(String(number))),
      let coverage = (try? stored.coverage())?.coverage(beneath: target.package), coverage.isComplete,
      stored.document.commit.id == commit
    else { return nil }
    return Earlier(number: number, commit: commit, coverage: coverage, document: stored.document)
  }
}
