import Comparing
import Git
import Model
import Parsing
import Rendering
import Syntax

extension IntegrationPair {
  /// A folder with more pages of sources than this would take long to write.
  private static let mostSources = 300

  /// The coverage of the second with the first as its baseline, and the texts of the files in which something changed;
  /// of very many those with the most lines lost and newly uncovered.
  func sources(_ lines: Lines, in repository: borrowing Repository) -> Report {
    let (one, other) = (before.document, after.document)
    let commit = Commit(
      id: other.commit.id, summary: other.commit.summary, author: other.commit.author, date: other.commit.date)
    var integration = Integration(
      bot: other.bot, number: other.number, repository: other.repository, packagePath: other.package,
      branch: other.branch, commit: commit, cause: other.cause, toolchain: other.toolchain,
      configuration: other.configuration, sandbox: other.sandbox, queuedAt: other.queuedAt, repeatCommand: "")
    var coverage = lines.new
    for index in coverage.files.indices { coverage.files[index].deadStretches = coverage.files[index].stretches }
    integration.coverage = .available(coverage)
    integration.baseline = Baseline(one)
    for file in lines.comparison.files {
      if let oldPath = file.oldPath { integration.baseline?.rename(oldPath, to: file.path) }
    }
    let counted = Set(coverage.files.map(\.path))
    let changed = lines.comparison.files.filter { $0.isChanged && counted.contains($0.path) }.sorted {
      ($1.worse, $0.path) < ($0.worse, $1.path)
    }
    var sources: [String: [UInt8]] = [:]
    var removed: [String: [RemovedLines]] = [:]
    for file in changed {
      guard sources.count < Self.mostSources else { break }
      // A file that the commit does not have, such as one of a submodule, has no text to show.
      guard let text = try? repository.contents(of: inRepository(file.path), in: other.commit.id) else { continue }
      sources[file.path] = text
      guard let change = lines.difference.file(at: file.path), let oldPath = change.oldPath, let map = change.lines,
        map.hunks.contains(where: { !$0.old.isEmpty }),
        let earlier = try? repository.contents(of: inRepository(oldPath), in: one.commit.id)
      else { continue }
      removed[file.path] = RemovedLines.find(by: map, in: earlier, deleted: file.deleted)
    }
    let patch = PatchCoverage(of: coverage, touchedBy: lines.difference, origin: .integration(one.number)) {
      path, lines in
      sources[path].map { SourceCode($0, path: path).silent(lines) } ?? []
    }
    integration.changes = CoverageChanges(comparison: .known(lines.comparison), patch: .known(patch))
    integration.changes?.removed = removed
    return Report(integration: integration, logs: [], sources: sources)
  }

  /// The new lines that never ran and hold only comments or blanks, by path; none where the text is not there.
  func silentLines(_ comparison: CoverageComparison?, in repository: borrowing Repository) -> [String: Set<Int>] {
    var silent: [String: Set<Int>] = [:]
    for file in comparison?.files ?? [] {
      let lines = file.lines(.newNeverRan).map(\.line)
      guard !lines.isEmpty,
        let text = try? repository.contents(of: inRepository(file.path), in: after.document.commit.id)
      else { continue }
      silent[file.path] = SourceCode(text, path: file.path).silent(lines)
    }
    return silent
  }

  /// A path of the package as the repository knows it.
  private func inRepository(_ path: String) -> String {
    // A file that came from outside the package is told from the repository's folder.
    if path.hasPrefix("/") { return String(path.dropFirst()) }
    return after.document.package == "." ? path : "\(after.document.package)/\(path)"
  }
}

extension FileComparison {
  /// The lines that speak against the second integration.
  fileprivate var worse: Int { counts[.lost] + counts[.newNeverRan] + counts[.includedNeverRan] }
}

extension FileCoverage {
  /// What never ran inside of lines that did, told from the regions, as a document does not hold it.
  var stretches: [DeadStretch] {
    let states = Dictionary(lines.lazy.map { ($0.line, $0.state) }) { first, _ in first }
    return LineWalk(countSteps).deadStretches.filter { stretch in
      switch states[stretch.line] {
      case .partlyRan: true
      // On such a line, what is dead came from above; what begins there stands behind its text.
      case .ran: stretch.columns.lowerBound == 1
      case .neverRan, nil: false
      }
    }
  }
}
