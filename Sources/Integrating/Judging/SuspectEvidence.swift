import Comparing
import Git
import Model
import Rendering
import Syntax

/// What the repository was asked in search of suspects, so that it is asked only once.
struct SuspectEvidence {
  /// The maximum numbers of commits, issues and files that are examined; of more issues, where each takes little.
  static let mostCommits = 50
  static let mostIssues = 100
  static let mostFiles = 20
  /// The maximum number of changed lines and files that are looked at for more issues than that.
  static let mostLooks = 100_000
  /// The maximum number of a gate's lines that are blamed.
  static let mostGateLines = 200
  /// The maximum number of stack frames that are blamed.
  static let mostFrames = 3

  var finder: SuspectFinder
  /// What may be the cause.
  var range: SuspectRange
  /// Who last changed the lines of a file, by its path relative to the package; nil if that is unknown.
  var origins: [String: [LineOrigin]?] = [:]
  /// How the sources that count changed since; nil until it is asked for, unknown where they cannot be compared.
  var difference: Answer<SourceDifference>?
  /// What the tests ran of the lines that changed since; nil until it is asked for.
  var patch: Answer<PatchCoverage>?
  /// What commits changed in sources of tests, by commit and path.
  var testEdits: [CommitID: [String: TestSourceEdit]] = [:]
}

/// The commits that may have caused what is new.
struct SuspectRange {
  /// The commit since which they came.
  var origin: CommitID
  /// Newest first.
  var commits: [Commit]
}

extension IntegrationRun {
  /// Names the probable causes of the new issues and reasons, and anew of those for which a commit was suspected that is
  /// no longer part of the branch.
  ///
  /// There are no suspects if nothing was compared; uncommitted changes belong to whoever requested the integration.
  func naming(
    suspectsOf found: FollowedIssues, of cell: Cell, in integration: Integration, _ known: inout SuspectEvidence?
  ) -> FollowedIssues {
    guard let baseline = cell.baseline, !target.includesWorkingTree else { return found }
    var found = found
    let (new, again) = (found.new(in: number), found.redAgain(since: baseline, integration.histories))
    if !new.isEmpty || !again.isEmpty {
      let range = known?.range ?? suspectRange(of: cell, integration, since: baseline)
      if hasFiles(of: range.origin) {
        found = naming(toolchainBefore: baseline.toolchain, of: cell, integration, in: found, new)
      } else {
        var evidence = known ?? self.evidence(of: cell, integration, range)
        found = naming(new, in: found, of: integration, &evidence)
        found = naming(reasonsOf: again, in: found, of: integration, &evidence)
        known = evidence
      }
    }
    found = naming(suspectsOfGatesIn: found, of: cell, integration)
    return naming(suspectsWithinBranchOf: found, of: cell, in: integration)
  }

  /// Names the probable causes of gates that fail for something else than before, among all commits since what they are
  /// judged against.
  private func naming(
    suspectsOfGatesIn found: FollowedIssues, of cell: Cell, _ integration: Integration
  ) -> FollowedIssues {
    var found = found
    let unnamed = Set(found.memory.records.filter { $0.suspects == nil }.map(\.id))
    for index in found.issues.indices where found.issues[index].status == .unresolved {
      let issue = found.issues[index]
      guard unnamed.contains(issue.id), let base = issue.failedGate?.base?.commit, !hasFiles(of: base),
        let commits = try? claimed.repository.commits(from: base, to: target.commit, limit: 500)
      else { continue }
      var evidence = self.evidence(of: cell, integration, SuspectRange(origin: base, commits: commits))
      found = naming([index], in: found, of: integration, &evidence)
    }
    return found
  }

  /// Names the probable causes anew where a commit was suspected that the branch no longer has, as after it was made again.
  private func naming(
    suspectsWithinBranchOf found: FollowedIssues, of cell: Cell, in integration: Integration
  ) -> FollowedIssues {
    var found = found
    let apart = found.memory.forgetSuspects(apartFrom: target.commit, in: claimed.repository)
    // A green integration may have had the same warnings.
    let lasting = found.issues.indices.filter { index in
      apart.contains(found.issues[index].id) && ![.warning, .analyzerWarning].contains(found.issues[index].kind)
    }
    guard !lasting.isEmpty, let green = referenceSearch(inScope: scope).lastGreen(in: claimed.repository),
      !hasFiles(of: green.commit),
      let commits = try? claimed.repository.commits(from: green.commit, to: target.commit, limit: 500)
    else { return found }
    var evidence = self.evidence(of: cell, integration, SuspectRange(origin: green.commit, commits: commits))
    return naming(lasting, in: found, of: integration, &evidence)
  }

  /// Names the probable causes of what tests are red for that are known to fail by chance and passed on retry: where a
  /// line was changed that such a test ran, it is red for a new reason, and otherwise by chance.
  private func naming(
    reasonsOf places: [Int], in found: FollowedIssues, of integration: Integration, _ evidence: inout SuspectEvidence
  ) -> FollowedIssues {
    var found = found
    for index in places.prefix(mostExamined(in: integration)) {
      found.issues[index].isKnownFlaky = true
      guard let suspects = suspects(ofIssueAt: index, in: found, integration, &evidence), !suspects.isEmpty
      else {
        found.issues[index].isKnownFlaky = false
        continue
      }
      found.beginReason(ofIssueAt: index, suspects, in: number)
      let result = integration.tests.results.first { $0.id == found.issues[index].test }
      let history = result.flatMap { integration.histories[$0.id] }
      found.issues[index].isKnownFlaky = history?.suggestsChance(for: result) ?? true
    }
    return found
  }

  /// Names the probable causes of some issues.
  private func naming(
    _ places: [Int], in found: FollowedIssues, of integration: Integration, _ evidence: inout SuspectEvidence
  ) -> FollowedIssues {
    var found = found
    var untouched: Set<Int> = []
    let examined = places.prefix(mostExamined(in: integration))
    for index in examined {
      if found.inheritSuspects(ofIssueAt: index, since: integration.baseline) { continue }
      if let suspects = suspects(ofIssueAt: index, in: found, integration, &evidence) {
        found.issues[index].suspects = suspects
      } else {
        found.issues[index].suspects = [.unchanged]
        untouched.insert(index)
      }
    }
    // Whoever made all commits is suspected without a closer look.
    if evidence.finder.isOnePerson, evidence.range.commits.count <= SuspectEvidence.mostCommits {
      for index in places.dropFirst(examined.count) {
        let issue = found.issues[index]
        let wasFlaky = !integration.flakyIn(issue).isEmpty
        found.issues[index].suspects =
          evidence.finder.suspects(for: issue, lines: [], wasFlaky: wasFlaky).map { Suspect($0) }
      }
    }
    found.rememberSuspects(of: places, untouched: untouched)
    return found
  }

  /// The number of issues that are examined: more the less there is to look at for each.
  private func mostExamined(in integration: Integration) -> Int {
    let lines = (integration.changes?.patch.value?.files ?? []).reduce(0) { $0 + $1.ran.count + $1.partlyRan.count }
    let files = integration.coverage.coverage?.files.count ?? 0
    return max(SuspectEvidence.mostIssues, SuspectEvidence.mostLooks / max(1, lines + files))
  }

  private func suspects(
    ofIssueAt index: Int, in found: FollowedIssues, _ integration: Integration, _ evidence: inout SuspectEvidence
  ) -> [Suspect]? {
    let issue = found.issues[index]
    let past = found.memory.records.first { $0.id == issue.id }?.streaks ?? []
    let wasFixed = past.last { $0.closed != nil }?.ending == .fixed
    return suspects(of: issue, wasFixed: wasFixed, integration, &evidence)
  }

  /// Returns the suspects of an issue; nil if nothing that its test ran changed.
  ///
  /// - Parameter wasFixed: whether it was mended by a change when it was last gone.
  func suspects(
    of issue: Issue, wasFixed: Bool = false, _ integration: Integration, _ evidence: inout SuspectEvidence
  ) -> [Suspect]? {
    let finder = finder(for: issue.test, integration, &evidence)
    if issue.test != nil, finder.isUntouched(by: filesRan(by: issue.test, integration, &evidence)) { return nil }
    let lines = places(of: issue, in: integration).compactMap { place -> SuspectFinder.BlamedLine? in
      blame(place, &evidence).map { SuspectFinder.BlamedLine(place: place, commit: $0) }
    }
    let ran = changedLines(of: issue.test, integration, &evidence)
    let flaky = integration.flakyIn(issue)
    let passedHere = flaky.contains(integration.number)
    let own = integration.tests.results.first { $0.id == issue.test }.map(ownLines) ?? []
    let ownLines = own.compactMap { place in
      blame(place, &evidence).map { SuspectFinder.BlamedLine(place: place, commit: $0) }
    }
    let suspects = finder.suspects(
      for: issue, lines: lines, ran: ran, own: ownLines, passedHere: passedHere, wasFlaky: !flaky.isEmpty,
      wasFixed: wasFixed
    ) { names(in: issue.test, integration) }.map { Suspect($0) }
    guard suspects.isEmpty, issue.kind.isOfCode, !passedHere else { return suspects }
    return finder.outside.prefix(1).map { Suspect($0) }
  }

  /// Returns those of some tests that ran nothing of what changed since the integration compared with.
  func untouched(
    _ tests: Set<TestID>, of cell: Cell, in integration: Integration, _ evidence: inout SuspectEvidence?
  ) -> Set<TestID> {
    guard !tests.isEmpty, let baseline = cell.reference.baseline, !target.includesWorkingTree else { return [] }
    let range = evidence?.range ?? suspectRange(of: cell, integration, since: baseline)
    if hasFiles(of: range.origin) {
      let isAlike = baseline.toolchain == integration.toolchain && hasVersions(of: cell, integration)
      return isAlike && changesOutside(of: cell, in: integration).isEmpty ? tests : []
    }
    var known = evidence ?? self.evidence(of: cell, integration, range)
    defer { evidence = known }
    return tests.filter { test in
      finder(for: test, integration, &known).isUntouched(by: filesRan(by: test, integration, &known))
    }
  }

  func evidence(of cell: Cell, _ integration: Integration, _ range: SuspectRange) -> SuspectEvidence {
    SuspectEvidence(finder: suspectFinder(integration, cell, range), range: range)
  }

  /// Returns the commits since the integration before; if that did not build, and so told of no test, those before it, too.
  func suspectRange(
    of cell: Cell, _ integration: Integration, since baseline: Baseline
  ) -> SuspectRange {
    if baseline.outcome == .buildErrors, let built = lastBuilt(before: cell),
      let commits = try? claimed.repository.commits(from: built, to: target.commit, limit: 500)
    {
      return SuspectRange(origin: built, commits: commits)
    }
    return SuspectRange(origin: cell.reference.origin ?? baseline.commit, commits: integration.commits)
  }

  /// Returns the search for the suspects of a test.
  ///
  /// The map says which sources the test ran, but nothing of test targets. There, whoever changed only other tests did
  /// nothing to it; anything else in a file may concern it. Where the map does not know the test, its file is evidence.
  private func finder(
    for test: TestID?, _ integration: Integration, _ evidence: inout SuspectEvidence
  ) -> SuspectFinder {
    guard let test, integration.coverage.coverage?.testMap?.value?.number(of: test) != nil else {
      return evidence.finder
    }
    let finder = evidence.finder
    return finder.leavingOut { commit, file in
      finder.isTest(file) && file.hasSuffix(".swift") && !testEdit(of: file, in: commit, &evidence).concerns(test.name)
    }
  }

  /// Returns what a commit changed in a source of tests; a file that is not on both sides, or cannot be read, is shared.
  private func testEdit(
    of file: String, in commit: CommitID, _ evidence: inout SuspectEvidence
  ) -> TestSourceEdit {
    if let known = evidence.testEdits[commit]?[file] { return known }
    var edit = TestSourceEdit.shared
    if let parent = (try? claimed.repository.contents(of: commit, withPaths: false))?.parents.first,
      let old = text(of: file, at: parent), let new = text(of: file, at: commit)
    {
      edit = TestSourceEdit(from: SourceCode(old, path: file), to: SourceCode(new, path: file))
    }
    evidence.testEdits[commit, default: [:]][file] = edit
    return edit
  }

  /// Suspects the toolchain if it changed, or else whatever did outside the commits: no file did, so none is to blame.
  private func naming(
    toolchainBefore before: String?, of cell: Cell, _ integration: Integration, in found: FollowedIssues,
    _ new: some Sequence<Int>
  ) -> FollowedIssues {
    let now = integration.toolchain
    let toolchain = before.flatMap { $0 == now ? nil : Suspect(toolchain: now, before: $0) }
    guard let suspect = toolchain ?? changesOutside(of: cell, in: integration).first.map({ Suspect($0) })
    else { return found }
    var found = found
    for index in new where found.issues[index].kind.isOfCode { found.issues[index].suspects = [suspect] }
    found.rememberSuspects(of: new)
    return found
  }

  private func suspectFinder(_ integration: Integration, _ cell: Cell, _ range: SuspectRange) -> SuspectFinder {
    let (place, commits) = (PackagePlace(target.package), range.commits)
    var isComplete = commits.count <= SuspectEvidence.mostCommits && hasVersions(of: cell, integration)
    var lacksCommits = false
    let changes = commits.prefix(SuspectEvidence.mostCommits).compactMap { commit -> SuspectFinder.Change? in
      // Who made the lines of a commit at which a shallow clone ends is unknown, and which commits came before it.
      if case .leftOut = try? claimed.repository.firstParent(of: commit.id) {
        lacksCommits = true
        return nil
      }
      // A commit that cannot be read counts as having changed nothing.
      let contents = try? claimed.repository.contents(of: commit.id, withPaths: true)
      // The changes in a merge are those of its parents.
      let isMerge = contents.map { $0.parents.count > 1 } ?? false
      let paths = isMerge ? [] : contents?.paths
      isComplete = isComplete && paths != nil
      return SuspectFinder.Change(commit: commit, files: Set((paths ?? []).map(place.fromPackage)))
    }
    let mark = integration.baseline?.toolchainMark
    return SuspectFinder(
      changes: changes, since: cell.baseline.flatMap { $0.commit == range.origin ? $0.number : nil },
      toolchainChanged: mark?.differs(from: integration.toolchainMark) == true,
      outside: changesOutside(of: cell, in: integration), lacksCommits: lacksCommits, isComplete: isComplete,
      model: cell.model)
  }

  /// Whether the dependencies have the versions that they had in what is compared with.
  private func hasVersions(of cell: Cell, _ integration: Integration) -> Bool {
    Self.versions(cell.reference.document?.circumstances ?? []) == Self.versions(integration.circumstances)
  }

  /// Returns the counted sources, and those of them in which a test ran something; nil if that is unknown.
  private func filesRan(
    by test: TestID?, _ integration: Integration, _ evidence: inout SuspectEvidence
  ) -> SuspectFinder.FilesRan? {
    guard target.package == ".", let coverage = integration.coverage.coverage, let map = coverage.testMap?.value,
      let number = test.flatMap(map.number), let changed = difference(of: coverage, &evidence).value
    else { return nil }
    return SuspectFinder.FilesRan(by: number, in: map, of: coverage.files, changed: changed) { silent($1, of: $0) }
  }

  /// Returns how the sources that count changed since the commits that are looked at, which may be more than those since
  /// the integration compared with.
  private func difference(of coverage: Coverage, _ evidence: inout SuspectEvidence) -> Answer<SourceDifference> {
    let origin = evidence.range.origin
    let difference =
      evidence.difference ?? Answer { try self.difference(from: origin, of: Set(coverage.files.map(\.path))) }
    evidence.difference = difference
    return difference
  }

  /// Returns what the tests ran of the lines that changed since the commits that are looked at.
  private func patch(of coverage: Coverage, _ evidence: inout SuspectEvidence) -> Answer<PatchCoverage> {
    if let known = evidence.patch { return known }
    let patch = difference(of: coverage, &evidence).map { changed in
      PatchCoverage(of: coverage, touchedBy: changed, origin: .parent) { silent($1, of: $0) }
    }
    evidence.patch = patch
    return patch
  }

  /// Returns the changed lines that a test ran, or if that is unknown, those that ran in the sources that it tests.
  private func changedLines(
    of test: TestID?, _ integration: Integration, _ evidence: inout SuspectEvidence
  ) -> SuspectFinder.RanLines {
    guard let coverage = integration.coverage.coverage, let patch = patch(of: coverage, &evidence).value else {
      return .anyTest([])
    }
    if let map = coverage.testMap?.value, let number = test.flatMap(map.number) {
      return .ownTest(
        firstLines(of: patch, in: coverage, &evidence) { map.tests(ofLine: $1, in: $0).contains(number) })
    }
    // One that imports nothing of the package runs none of its lines.
    guard isImported(evidence.finder.modules, by: test, integration) else { return .ownTest([]) }
    let tested = Set(evidence.finder.sourcesTested(by: test) ?? [])
    let lines = firstLines(of: patch, in: coverage, &evidence) { path, _ in tested.contains(path) }
    return .anyTest(lines.count > 1 ? SuspectFinder.lines(lines, namedBy: names(in: test, integration)) : lines)
  }

  /// Returns the first line of each commit in each function, among the changed lines that ran and fit; what only
  /// declares something comes after what else was changed with it.
  private func firstLines(
    of patch: PatchCoverage, in coverage: Coverage, _ evidence: inout SuspectEvidence,
    where fits: (String, Int) -> Bool
  ) -> [SuspectFinder.BlamedLine] {
    var lines: [SuspectFinder.BlamedLine] = []
    for file in patch.files {
      let changed = (file.ran + file.partlyRan).filter { fits(file.path, $0) }
      let functions = changed.isEmpty ? [] : coverage.files.first { $0.path == file.path }?.functions ?? []
      let hunks = difference(of: coverage, &evidence).value?.file(at: file.path)?.lines?.hunks ?? []
      var known: [CommitID: Set<Int>] = [:]
      for line in functions.withDeclarationsLast(changed, in: hunks) {
        let place = SourceLocation(file: file.path, line: line)
        // The outermost one comes first.
        let function = functions.first { $0.line <= line && line <= $0.lastLine }
        guard let commit = blame(place, &evidence),
          known[commit, default: []].insert(function?.line ?? 0).inserted
        else { continue }
        lines.append(SuspectFinder.BlamedLine(place: place, commit: commit, function: function?.name))
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
      let origins = try? claimed.repository.blame(path, at: target.commit, since: evidence.range.origin)
      evidence.origins[place.file] = .some(origins)
    }
    return evidence.origins[place.file]??.first { $0.lines.contains(place.line) }?.commit
  }
}
