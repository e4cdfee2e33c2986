import Comparing
import Git
package import Model
import Parsing
import Rendering
import Syntax

/// Two finished integrations to be compared.
package struct IntegrationPair {
  let before: StoredIntegration
  let after: StoredIntegration
  /// The home in which other integrations of the two commits are sought.
  private let home: Home

  package init(_ before: StoredIntegration, _ after: StoredIntegration, in home: Home) {
    self.before = before
    self.after = after
    self.home = home
  }

  /// Compares the integrations by their documents, by their line coverage if both have one, and by the repository of
  /// the second if it still exists.
  ///
  /// - Parameter withSources: whether pages of the sources are to be made, which requires reading them.
  /// - Returns: the comparison, and the contents of those pages if the lines could be compared.
  package func comparison(
    withSources: Bool = false
  ) throws(IntegratingError) -> (comparison: IntegrationComparison, sources: Report?) {
    let (one, other) = (before.document, after.document)
    let paces = try paces()
    let repository: Repository
    do throws(GitError) {
      let isPath = other.repository.hasPrefix("/")
      repository = try Repository(at: (isPath ? nil : home.repositoryPath(of: other.bot)) ?? other.repository)
    } catch {
      let reason = "The repository of \(other.bot) \(other.number) could not be read. \(error)"
      let comparison = IntegrationComparison(
        from: one, to: other, coverage: .unknown(reason: reason), earlier: paces,
        commits: CommitsBetween(.unknown, reason: reason))
      return (comparison, nil)
    }
    let lines = try lines(in: repository)
    let files = (lines.value?.new.files ?? []).keyed(by: \.path)
    let silent = silentLines(lines.value?.comparison, in: repository)
    let comparison = IntegrationComparison(
      from: one, to: other, coverage: lines.map(\.comparison), files: { files[$0] },
      silent: { path, _ in silent[path] ?? [] }, earlier: paces,
      commits: repository.commits(between: one.commit.id, and: other.commit.id, limit: 200))
    guard withSources, let known = lines.value else { return (comparison, nil) }
    return (comparison, sources(known, in: repository))
  }

  /// Returns earlier results that show how long the tests usually take; none for a copy of a report from elsewhere.
  private func paces() throws(IntegratingError) -> [TestVerdicts] {
    let (one, other) = (before.document, after.document)
    let index = PastIndex(of: home)
    let newest = one.bot == other.bot ? max(other.number, one.number) : one.number + 1
    return try PastVerdicts(index: index, bot: one.bot)
      .paces(like: one, before: newest, of: try index.integrations(of: one.bot))
  }

  /// The new coverage, its comparison with the old one, and the difference between the sources.
  struct Lines: Hashable, Sendable {
    var new: Coverage
    var comparison: CoverageComparison
    var difference: SourceDifference
  }

  private func lines(in repository: borrowing Repository) throws(IntegratingError) -> Answer<Lines> {
    let (one, other) = (before.document, after.document)
    let old: Coverage
    let new: Coverage
    switch (try before.lines(beneath: other.package), try after.lines(beneath: other.package)) {
    case (.unknown(let reason), _), (_, .unknown(let reason)): return .unknown(reason: reason)
    case (.known(let before), .known(let after)): (old, new) = (before, after)
    }
    for stored in [before, after] {
      let commit = stored.document.commit.id
      guard let absence = repository.absence(of: commit) else { continue }
      if stored.document.repository != other.repository {
        return .unknown(reason: "The repository of \(after.name) does not have the commit of \(stored.name).")
      }
      return .unknown(reason: absence.sentence(about: commit, of: stored.name))
    }
    let index = PastIndex(of: home)
    let (pastOfBefore, pastOfAfter) = (try index.integrations(of: one.bot), try index.integrations(of: other.bot))
    return Answer {
      let difference = try repository.difference(
        from: one.commit.id, to: .commit(other.commit.id), of: Set((old.files + new.files).map(\.path)),
        beneath: other.package)
      let comparison = CoverageComparison(
        of: new, with: old, baseline: one.number, difference: difference
      ) {
        CoverageEvidence(of: side(after, new, pastOfAfter), beside: side(before, old, pastOfBefore)) {
          repository.haveSameCode($0, $1)
        }
      }
      return Lines(new: new, comparison: comparison, difference: difference)
    }
  }

  /// - Parameter past: all integrations of its bot.
  private func side(
    _ stored: StoredIntegration, _ coverage: Coverage, _ past: [IndexedIntegration]
  ) -> CoverageEvidence.Side {
    let (document, package) = (stored.document, after.document.package)
    // A copy of a report from elsewhere is not in an index here.
    let scope = past.last { $0.number == document.number && $0.commit == document.commit.id }?.scope
    let compared = [before.document, after.document].filter { $0.bot == document.bot }.map(\.number)
    let measured = MeasuredIntegrations(in: home.integrations(of: document.bot), package: package)
    return CoverageEvidence.Side(
      document, coverage, try? stored.testMap(beneath: package),
      witnesses: scope.map {
        measured.witnesses(among: past, besides: Set(compared), scope: $0, like: document)
      } ?? [])
  }

}

extension StoredIntegration {
  fileprivate var name: String { "\(document.bot) \(document.number)" }

  /// Returns the coverage by lines that commits have, with paths relative to a package; why it cannot be compared if it
  /// cannot.
  func lines(beneath package: String) throws(IntegratingError) -> Answer<Coverage> {
    if document.workingTree != nil {
      return .unknown(reason: "\(name) had uncommitted changes, whose lines no commit has.")
    }
    guard let coverage = try coverage(beneath: package) else {
      return .unknown(reason: "\(name) has no coverage by lines.")
    }
    guard coverage.isComplete else {
      return .unknown(reason: "The coverage of \(name) is incomplete. \(coverage.reason ?? "")")
    }
    if let lack = MissingTestsWords.lack(of: document.tests.counts, in: name) { return .unknown(reason: lack) }
    return .known(coverage)
  }
}

extension IntegrationPair {
  /// The maximum number of source pages in a folder; more would take long to write.
  private static let mostSources = 300

  /// Returns the coverage of the second integration with the first as its baseline, and the texts of the changed files;
  /// if there are very many, of those with the most lines lost and newly uncovered.
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
    integration.baseline?.follow(lines.comparison)
    let counted = Set(coverage.files.map(\.path))
    let changed = lines.comparison.files.filter { $0.isChanged && counted.contains($0.path) }.sorted {
      ($1.worse, $0.path) < ($0.worse, $1.path)
    }
    var sources: [String: [UInt8]] = [:]
    for file in changed {
      guard sources.count < Self.mostSources else { break }
      // A file that is not in the commit, such as one of a submodule, has no text to show.
      sources[file.path] = try? repository.contents(of: inRepository(file.path), in: other.commit.id)
    }
    let patch = PatchCoverage(of: coverage, touchedBy: lines.difference, origin: .integration(one.number)) {
      path, lines in
      sources[path].map { SourceCode($0, path: path).silent(lines) } ?? []
    }
    integration.changes = CoverageChanges(comparison: .known(lines.comparison), patch: .known(patch))
    integration.changes?.removed = lines.comparison.removedLines(by: lines.difference) { change in
      guard let oldPath = change.oldPath, change.newPath.map({ sources[$0] != nil }) == true else { return nil }
      return try? repository.contents(of: inRepository(oldPath), in: one.commit.id)
    }
    return Report(integration: integration, logs: [], sources: sources)
  }

  /// Returns the new lines that contain only comments or blanks, by path; none if there is no text.
  func silentLines(_ comparison: CoverageComparison?, in repository: borrowing Repository) -> [String: Set<Int>] {
    var silent: [String: Set<Int>] = [:]
    for file in comparison?.files ?? [] {
      let lines = file.newLines.map(\.line)
      guard !lines.isEmpty,
        let text = try? repository.contents(of: inRepository(file.path), in: after.document.commit.id)
      else { continue }
      silent[file.path] = SourceCode(text, path: file.path).silent(lines)
    }
    return silent
  }

  /// Returns the path in the repository for a path in the package.
  private func inRepository(_ path: String) -> String {
    // The path of a file from outside the package is relative to the repository's folder.
    if path.hasPrefix("/") { return String(path.dropFirst()) }
    return PackagePlace(after.document.package).inRepository(path)
  }
}

extension FileComparison {
  /// The number of lines that count against the second integration.
  fileprivate var worse: Int { counts[.lost] + counts[.newNeverRan] + counts[.includedNeverRan] }
}

extension FileCoverage {
  /// The stretches that never ran in lines that did, derived from the regions because documents do not contain them.
  var stretches: [DeadStretch] {
    let states = lines.keyed(by: \.line, \.state)
    return LineWalk(countSteps).deadStretches.filter { stretch in
      switch states[stretch.line] {
      case .partlyRan: true
      // On such a line, a dead part has to come from above; one that begins there is behind the line's text.
      case .ran: stretch.columns.lowerBound == 1
      case .neverRan, nil: false
      }
    }
  }
}
