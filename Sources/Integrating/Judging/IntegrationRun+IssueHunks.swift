import Comparing
import Git
import Model

extension IntegrationRun {
  /// The maximum number of changed stretches to remember of an issue.
  private static let mostHunks = 3

  /// Remembers of each issue that is gone, or has lost its line, what changed in the lines that its test runs, or which new
  /// tests run those for which its gate failed, and what changed at its own place, which may be gone with its file, and at
  /// the line that spoke for its suspect; and of each that is new, or has a new reason, what changed at that line, or in the
  /// file that speaks for the suspect.
  func remembering(hunksBehind found: FollowedIssues, of cell: Cell, in integration: Integration) -> FollowedIssues {
    guard let before = cell.known?.memory, !target.includesWorkingTree else { return found }
    var found = found
    let records = found.memory.records
    let gone = records.indices.filter { records[$0].streaks.last?.ends(in: number) == true }
    let known = before.records.keyed(by: \.id)
    remember(
      hunksBehind: gone, known: { known[records[$0].id].map { ($0.location, $0.suspects) } }, since: before.commit,
      by: integration.commits, of: &found, in: integration)
    // What could not be shown for a while may have ended since it was seen.
    let late = records.indices.filter { records[$0].streaks.last?.mayHaveEnded(before: number) == true }
    for (seen, late) in Dictionary(grouping: late, by: { records[$0].streaks.last?.lastSeen ?? 0 }) {
      guard let commit = document(of: seen)?.commit.id else { continue }
      remember(
        hunksBehind: late, known: { (records[$0].seenAt, records[$0].suspects) }, since: commit, by: [], of: &found,
        in: integration)
    }
    rememberSuspectedHunks(of: &found, in: integration, since: before.commit)
    return found
  }

  /// Remembers what changed in what issues that are gone are about, and by which commits.
  ///
  /// - Parameters:
  ///   - gone: the indices of their records.
  ///   - known: where an issue was at the earlier commit, and who was suspected.
  ///   - all: the commits among which to tell those apart that did it; empty to keep what is known of them.
  private func remember(
    hunksBehind gone: [Int], known: (Int) -> (location: SourceLocation?, suspects: [Suspect]?)?,
    since commit: CommitID, by all: [Commit], of found: inout FollowedIssues, in integration: Integration
  ) {
    let records = found.memory.records
    let gone = gone.prefix(SuspectEvidence.mostIssues)
    let ran = gone.map { index in
      changedLines(ranBy: records[index].test, in: integration)
        + declarations(running: records[index].failedGate?.lines ?? [], of: commit, in: integration)
    }
    let places = gone.map { index in
      let past = known(index)
      return [past?.location, past?.suspects?.named.first?.place].compactMap(\.self)
    }
    let files = Set((ran + places).joined().map(\.file))
    // Where the two commits cannot be compared, nothing is remembered.
    guard !files.isEmpty, let difference = try? difference(from: commit, of: files) else { return }
    let hunks = zip(ran, places).map { self.hunks(at: $0, replacing: $1, in: difference, since: commit) }
    let changes = hunks.allSatisfy(\.isEmpty) ? [] : changedFiles(by: all)
    for (index, hunks) in zip(gone, hunks) {
      let files = Set(hunks.map(\.file))
      let last = records[index].streaks.count - 1
      found.memory.records[index].streaks[last].remember(
        hunks.isEmpty ? nil : hunks, by: changes.filter { !$0.files.isDisjoint(with: files) }.map(\.commit))
    }
  }

  /// Remembers what changed at the line that speaks for the suspect of each issue that is new, or in the file that
  /// does.
  private func rememberSuspectedHunks(
    of found: inout FollowedIssues, in integration: Integration, since commit: CommitID
  ) {
    let suspects = found.memory.records.indices.compactMap { index -> (index: Int, suspect: Suspect)? in
      let record = found.memory.records[index]
      guard record.life.began == number, let suspect = record.suspects?.named.first, suspect.changedFile != nil else {
        return nil
      }
      return (index, suspect)
    }.prefix(SuspectEvidence.mostIssues)
    let files = Set(suspects.compactMap(\.suspect.changedFile))
    guard !files.isEmpty, let difference = try? difference(from: commit, of: files) else { return }
    let changes = suspects.contains { $0.suspect.place == nil } ? changedFiles(by: integration.commits) : []
    for (index, suspect) in suspects {
      found.memory.records[index].suspectedHunk = hunk(
        of: suspect, among: integration.commits, changes, in: difference, since: commit)
    }
  }

  /// Returns what changed at the line that speaks for a suspect, or in the file that does.
  ///
  /// - Parameter changes: the files that each of several commits changed.
  func hunk(
    of suspect: Suspect, among commits: [Commit], _ changes: [(commit: Commit, files: Set<String>)],
    in difference: SourceDifference, since commit: CommitID
  ) -> SourceHunk? {
    guard let place = suspect.place else {
      return hunk(by: suspect, among: commits, changes, in: difference, since: commit)
    }
    return hunks(at: [place], in: difference, since: commit, around: place.line).first
  }

  /// Returns what changed at some lines, or replaced earlier ones, or was deleted around those.
  private func hunks(
    at lines: [SourceLocation], replacing earlier: [SourceLocation] = [], in difference: SourceDifference,
    since commit: CommitID, around line: Int? = nil
  ) -> [SourceHunk] {
    var changed: [SourceHunk] = []
    for found in difference.hunks(at: lines, replacing: earlier).prefix(Self.mostHunks) {
      // Hunks close to each other are shown as one.
      guard let sides = sides(of: found.file, since: commit) else { continue }
      let hunk = SourceHunk(
        found.hunk, in: sides.map, of: sides.path, from: sides.before, to: sides.after, around: line)
      if !changed.contains(hunk) { changed.append(hunk) }
    }
    for place in earlier where difference.file(from: place.file)?.status == .deleted {
      if let before = text(of: place.file, at: commit),
        let hunk = SourceHunk(deleted: place.file, text: before, around: place.line), !changed.contains(hunk)
      {
        changed.append(hunk)
      }
    }
    return changed
  }

  /// Returns all that changed in the file that speaks for a suspect; nil if that is much, and unless the suspect's commit alone
  /// changed it.
  ///
  /// - Parameter changes: the files that each of several commits changed.
  private func hunk(
    by suspect: Suspect, among commits: [Commit], _ changes: [(commit: Commit, files: Set<String>)],
    in difference: SourceDifference, since commit: CommitID
  ) -> SourceHunk? {
    guard let path = suspect.file, let file = difference.file(at: path),
      let sides = sides(of: file, since: commit)
    else { return nil }
    let makers = commits.count == 1 ? commits : changes.filter { $0.files.contains(path) }.map(\.commit)
    guard makers.count == 1, makers[0].id == suspect.commit else { return nil }
    return SourceHunk(allOf: sides.map, of: sides.path, from: sides.before, to: sides.after)
  }

  /// Takes the line away from each suspect of an earlier issue if the source no longer has it.
  func keepSuspectedLines(of found: inout FollowedIssues) {
    let known = found.memory.records.indices.filter { index in
      let record = found.memory.records[index]
      return record.isOpen && record.suspectedHunk != nil && record.life.began != number
    }
    for index in known.prefix(SuspectEvidence.mostIssues) {
      guard let file = found.memory.records[index].suspectedHunk?.file, let source = text(of: file) else { continue }
      found.memory.records[index].keepSuspectedLine(in: source)
    }
  }

  /// Returns the files that each of several commits changed, without merges, whose changes are those of their parents; none for
  /// a single commit, for very many, and if not all of them can be read.
  func changedFiles(by all: [Commit]) -> [(commit: Commit, files: Set<String>)] {
    let place = PackagePlace(target.package)
    guard all.count > 1, all.count <= SuspectEvidence.mostCommits else { return [] }
    var found: [(commit: Commit, files: Set<String>)] = []
    for commit in all {
      guard let contents = try? claimed.repository.contents(of: commit.id, withPaths: true) else { return [] }
      if contents.parents.count > 1 { continue }
      guard let paths = contents.paths else { return [] }
      found.append((commit, Set(paths.map(place.fromPackage))))
    }
    return found
  }

  /// Returns the changed lines that a test ran; none where nobody knows what it ran.
  private func changedLines(ranBy test: TestID?, in integration: Integration) -> [SourceLocation] {
    guard let test, let map = integration.coverage.coverage?.testMap?.value else { return [] }
    return integration.changes?.patch.value?.lines(ranBy: test, in: map) ?? []
  }

  /// Returns where the tests are declared that ran lines of an earlier commit; none where nobody knows what they ran.
  private func declarations(
    running lines: [SourceLocation], of commit: CommitID, in integration: Integration
  ) -> [SourceLocation] {
    guard !lines.isEmpty, let map = integration.coverage.coverage?.testMap?.value,
      let change = try? difference(from: commit, of: Set(lines.map(\.file)))
    else { return [] }
    let tests = Set(map.tests(ofAny: lines, before: change))
    return integration.tests.results.filter { tests.contains($0.id) }.compactMap(\.location)
  }

  /// Returns both texts of a file; nil where they cannot be read, as in a submodule.
  private func sides(
    of file: FileDifference, since commit: CommitID
  ) -> (path: String, map: LineMap, before: [UInt8], after: [UInt8])? {
    guard let path = file.newPath, let map = file.lines, let after = text(of: path),
      let before = file.oldPath.map({ text(of: $0, at: commit) }) ?? []
    else { return nil }
    return (path, map, before, after)
  }
}

extension IssueRecord.Streak {
  /// Whether the commits of this integration alone ended it, or will have if it turns out to be gone.
  fileprivate func ends(in number: Int) -> Bool {
    if closed == number { return resolution != nil && resolution?.integrations == nil }
    return unchecked?.ending != nil && unchecked?.commits.integrations == number...number
  }

  /// Whether commits of earlier integrations, too, may have ended it in this one, which was the first to show it.
  fileprivate func mayHaveEnded(before number: Int) -> Bool {
    isEndUnsure && closed == number && resolution?.integrations?.upperBound == number
  }

  /// Remembers what those commits changed, and which of them did.
  fileprivate mutating func remember(_ hunks: [SourceHunk]?, by commits: [Commit]) {
    resolution?.hunks = hunks
    resolution?.narrow(to: commits)
    unchecked?.commits.hunks = hunks
    unchecked?.commits.narrow(to: commits)
  }
}
