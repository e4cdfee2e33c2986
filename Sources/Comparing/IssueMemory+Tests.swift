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
