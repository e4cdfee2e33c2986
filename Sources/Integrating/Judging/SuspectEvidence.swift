import Comparing
import Git
import Model
import Rendering

/// What the repository was asked in search of suspects, so that it is asked only once.
struct SuspectEvidence {
  /// The maximum numbers of commits, issues and files that are examined.
  static let mostCommits = 50
  static let mostIssues = 100
  static let mostFiles = 20
  /// The maximum number of stack frames that are blamed.
  static let mostFrames = 3

  var finder: SuspectFinder
  /// The commit that the integration is compared with.
  var baseline: CommitID
  /// Who last changed the lines of a file, by its path relative to the package; nil if that is unknown.
  var origins: [String: [LineOrigin]?] = [:]
  /// How the sources that count changed since; nil until it is asked for, unknown where they cannot be compared.
  var difference: Answer<SourceDifference>?
}

extension FollowedIssues {
  /// Remembers the suspects of new issues for the following integrations.
  fileprivate mutating func rememberSuspects(of new: some Sequence<Int>) {
    let suspects = Dictionary(
      new.map { (issues[$0].id, issues[$0].suspects) }, uniquingKeysWith: { first, _ in first })
    for index in memory.records.indices {
      guard let known = suspects[memory.records[index].id], !known.isEmpty else { continue }
      memory.records[index].suspects = known
    }
  }
}

extension IntegrationRun {
  /// Names the probable causes of the new issues.
  ///
  /// There are no suspects if nothing was compared; uncommitted changes belong to whoever requested the integration.
  func naming(suspectsOf found: FollowedIssues, of cell: Cell, in integration: Integration) -> FollowedIssues {
    var found = found
    guard let baseline = cell.reference.baseline, !target.includesWorkingTree else { return found }
    let new = found.issues.indices.filter { found.issues[$0].status == .new }.prefix(SuspectEvidence.mostIssues)
    guard !new.isEmpty else { return found }
    if hasFiles(of: baseline.commit) {
      return naming(toolchainBefore: baseline.toolchain, of: integration, in: found, new)
    }
    var evidence =
      found.evidence
      ?? SuspectEvidence(finder: suspectFinder(integration, cell.model), baseline: baseline.commit)
    for index in new {
      let issue = found.issues[index]
      if evidence.finder.isUntouched(issue, by: filesRan(by: issue.test, integration, &evidence)) {
        found.issues[index].suspects = [.unchanged]
        continue
      }
      let lines = places(of: issue, in: integration.tests).compactMap { place -> SuspectFinder.BlamedLine? in
        blame(place, &evidence).map { SuspectFinder.BlamedLine(place: place, commit: $0) }
      }
      let ran = changedLines(of: issue.test, integration, &evidence)
      found.issues[index].suspects =
        evidence.finder.suspects(for: issue, lines: lines, ran: ran).map { Suspect($0) }
    }
    found.evidence = evidence
    found.rememberSuspects(of: new)
    return found
  }

  /// Suspects the toolchain if it changed: no file did, so no commit is to blame.
  private func naming(
    toolchainBefore before: String?, of integration: Integration, in found: FollowedIssues, _ new: some Sequence<Int>
  ) -> FollowedIssues {
    guard let before, before != integration.toolchain else { return found }
    var found = found
    let suspect = Suspect(toolchain: integration.toolchain, before: before)
    for index in new where found.issues[index].kind.isOfCode { found.issues[index].suspects = [suspect] }
    found.rememberSuspects(of: new)
    return found
  }

  private func suspectFinder(_ integration: Integration, _ model: PackageModel?) -> SuspectFinder {
    let place = PackagePlace(target.package)
    let changes = integration.commits.prefix(SuspectEvidence.mostCommits).map { commit in
      // A commit that cannot be read counts as having changed nothing.
      let contents = try? context.claimed.repository.contents(of: commit.id, withPaths: true)
      // The changes in a merge are those of its parents.
      let paths = contents.flatMap { $0.parents.count < 2 ? $0.paths : nil } ?? []
      return SuspectFinder.Change(commit: commit, files: Set(paths.map(place.fromPackage)))
    }
    let before = integration.baseline?.toolchain
    return SuspectFinder(
      changes: changes, toolchainChanged: before != nil && before != integration.toolchain, model: model)
  }

  /// Returns the places in the package that an issue names: its own, and the stack frames in the package.
  private func places(of issue: Issue, in tests: TestReport) -> [SourceLocation] {
    let result = issue.test.flatMap { test in tests.results.first { $0.id == test } }
    let frames = (result?.stacks ?? []).flatMap(\.frames).filter(\.isOwn).compactMap(\.location)
    var places: [SourceLocation] = []
    for place in [issue.location].compactMap(\.self) + frames.prefix(SuspectEvidence.mostFrames)
    where !places.contains(where: { $0.file == place.file && $0.line == place.line }) && !place.file.hasPrefix("/") {
      places.append(place)
    }
    return places
  }

  /// Returns the counted sources, and those of them in which a test ran something; nil if that is unknown.
  private func filesRan(
    by test: TestID?, _ integration: Integration, _ evidence: inout SuspectEvidence
  ) -> SuspectFinder.FilesRan? {
    guard target.package == ".", let coverage = integration.coverage.coverage, let map = coverage.testMap?.value,
      let number = test.flatMap(map.number)
    else { return nil }
    let difference = evidence.difference ?? self.difference(of: coverage, since: evidence.baseline)
    evidence.difference = difference
    guard let changed = difference.value else { return nil }
    return SuspectFinder.FilesRan(by: number, in: map, of: coverage.files, changed: changed) { silent($1, of: $0) }
  }

  private func difference(of coverage: Coverage, since baseline: CommitID) -> Answer<SourceDifference> {
    do throws(GitError) {
      return .known(try difference(from: baseline, of: Set(coverage.files.map(\.path))))
    } catch {
      return .unknown(reason: error.description)
    }
  }

  /// Returns the changed lines that a test ran, or if that is unknown, those that ran in the sources that it tests.
  private func changedLines(
    of test: TestID?, _ integration: Integration, _ evidence: inout SuspectEvidence
  ) -> SuspectFinder.RanLines {
    guard let patch = integration.changes?.patch.value else { return .anyTest([]) }
    if let map = integration.coverage.coverage?.testMap?.value, let number = test.flatMap(map.number) {
      return .ownTest(
        firstLines(of: patch, &evidence) { map.tests(ofLine: $1, in: $0).contains(number) })
    }
    let tested = Set(evidence.finder.sourcesTested(by: test) ?? [])
    return .anyTest(firstLines(of: patch, &evidence) { path, _ in tested.contains(path) })
  }

  /// Returns the first line of each commit in each file, among the changed lines that ran and fit.
  private func firstLines(
    of patch: PatchCoverage, _ evidence: inout SuspectEvidence, where fits: (String, Int) -> Bool
  ) -> [SuspectFinder.BlamedLine] {
    var lines: [SuspectFinder.BlamedLine] = []
    for file in patch.files {
      var known: Set<CommitID> = []
      for line in (file.ran + file.partlyRan).sorted() where fits(file.path, line) {
        let place = SourceLocation(file: file.path, line: line)
        guard let commit = blame(place, &evidence), known.insert(commit).inserted else { continue }
        lines.append(SuspectFinder.BlamedLine(place: place, commit: commit))
      }
    }
    return lines
  }

  /// Returns the commit that last changed a line.
  private func blame(_ place: SourceLocation, _ evidence: inout SuspectEvidence) -> CommitID? {
    if evidence.origins[place.file] == nil {
      guard evidence.origins.count < SuspectEvidence.mostFiles else { return nil }
      let path = PackagePlace(target.package).inRepository(place.file)
      // A file that cannot be blamed, such as a generated one, belongs to nobody.
      let origins = try? context.claimed.repository.blame(path, at: target.commit, since: evidence.baseline)
      evidence.origins[place.file] = .some(origins)
    }
    return evidence.origins[place.file]??.first { $0.lines.contains(place.line) }?.commit
  }
}
