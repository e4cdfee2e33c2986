package import Model

extension IssueMemory {
  /// Gives issues the names that their tests have now, where these changed although the tests are the same: a test was
  /// renamed, its file belongs to another target, or the place of its declaration came into its name or went.
  ///
  /// - Parameters:
  ///   - results: the selected tests.
  ///   - changes: which tests are new, deleted or renamed since the memory was written; nil if unknown.
  ///   - filteredOut: the tests that exist and were not selected.
  ///   - change: the changes since the files that the memory refers to; nil if unknown.
  package mutating func followTests(
    to results: [TestResult], changes: TestListChanges? = nil, filteredOut: Set<TestID> = [],
    after change: SourceDifference? = nil
  ) {
    let names = TestListChanges.Names(after: changes)
    for index in records.indices {
      if let test = records[index].test { records[index].test = names[test] ?? test.withoutPlace }
    }
    let listed = filteredOut.union(results.map(\.id))
    guard records.contains(where: { $0.test.map(listed.contains) == false }) else { return }
    let files = results.keyed(by: \.id) { $0.location?.file }
    // A test that was there before is no other one by now.
    let new = changes.map { filteredOut.union($0.added) } ?? listed
    let alike = Dictionary(grouping: new) { $0.inAnyModule }
    for index in records.indices {
      guard let test = records[index].test, !listed.contains(test) else { continue }
      let file = records[index].location.map { change?.file(from: $0.file)?.newPath ?? $0.file }
      let same = alike[test.inAnyModule, default: []].filter { other in
        other.module == test.module || file != nil && files[other] == file
      }
      if same.count == 1 { records[index].test = same[0] }
    }
  }
}

extension TestID {
  /// What remains of the name if the test's file moves to another target.
  fileprivate var inAnyModule: TestID { TestID(module: "", suite: suite, name: withoutPlace.name) }
}

extension IssueMemory {
  /// Takes over how the issues of some checks stand in another memory, where that is newer: an integration that was not
  /// asked for a check does not follow one that was.
  package mutating func takeOver(issuesOf checks: Set<IssueReach.Check>, from other: IssueMemory) {
    let places = records.indices.keyed { records[$0].id }
    for record in other.records where IssueReach.Check(record).map(checks.contains) == true {
      if let place = places[record.id] {
        if record.lastNews > records[place].lastNews { records[place] = record }
      } else {
        records.append(record)
      }
    }
  }
}

extension IssueRecord {
  /// The number of the last integration that found the issue, or proved it gone.
  fileprivate var lastNews: Int { streaks.last.map { $0.closed ?? $0.lastSeen } ?? 0 }
}

extension IssueMemory {
  /// Forgets who is suspected of the open issues for a commit that is no part of a history, as after a branch was made
  /// again; returns the names of these issues.
  ///
  /// - Parameter head: the last commit of the history.
  package mutating func forgetSuspects<History: CommitHistory & ~Copyable>(
    apartFrom head: CommitID, in history: borrowing History
  ) -> Set<String> {
    let suspected = Set(records.filter(\.isOpen).flatMap { $0.suspects ?? [] }.compactMap(\.commit))
    var apart: Set<CommitID> = []
    // What a shallow clone leaves out may well lie behind it.
    for commit in suspected where history.absence(of: commit) != .leftOut && !history.reaches(commit, from: head) {
      apart.insert(commit)
    }
    var forgotten: Set<String> = []
    for index in records.indices where records[index].isOpen {
      let commits = (records[index].suspects ?? []).compactMap(\.commit)
      guard !apart.isDisjoint(with: commits) else { continue }
      records[index].forgetSuspects()
      forgotten.insert(records[index].id)
    }
    return forgotten
  }
}

extension IssueMemory {
  /// Remembers which tests are red by chance: they passed in this very integration when they ran alone or one by one.
  ///
  /// - Parameter alone: how the tests ended then.
  package mutating func noteChance(in results: [TestResult], alone: [TestID: TestState]) {
    let red = Set(results.filter { $0.state.isRed && alone[$0.id]?.isGood == true }.map(\.id))
    for index in records.indices
    where records[index].kind.isOfRedTest && records[index].test.map(red.contains) == true {
      records[index].noteChance()
    }
  }

  /// Returns the tests that were red and pass now, which proves nothing: they are known to be flaky, were red by chance,
  /// end otherwise alone, or pass though nothing changed that they ran.
  ///
  /// - Parameters:
  ///   - alone: how tests ended when they ran alone or one by one, as far as they did.
  ///   - untouched: returns those of some tests that ran nothing of what changed since the memory's integration.
  package func passedByChance(
    in results: [TestResult], alone: [TestID: TestState], _ histories: [TestID: TestHistory],
    untouched: (Set<TestID>) -> Set<TestID>
  ) -> Set<TestID> {
    let good = Set(results.filter(\.state.isGood).map(\.id))
    var passed: Set<TestID> = []
    var unclear: Set<TestID> = []
    for record in records where record.isOpen && record.kind.isOfRedTest {
      guard let test = record.test, good.contains(test), let streak = record.streaks.last else { continue }
      if streak.isByChance == true || alone[test]?.isRed == true || histories[test]?.flakyIn.isEmpty == false {
        passed.insert(test)
      } else if streak.lastSeen == number {
        // What changed before that integration may have ended the failure of an earlier one.
        unclear.insert(test)
      }
    }
    return passed.union(untouched(unclear))
  }
}
