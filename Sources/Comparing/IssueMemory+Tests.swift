package import Model

extension IssueMemory {
  /// Gives issues the names that their tests have now, where these changed although the tests are the same: a test was
  /// renamed, its file belongs to another target, or the place of its declaration came into its name or went.
  ///
  /// - Parameters:
  ///   - results: the selected tests.
  ///   - renamed: the tests that bear other names since the memory was written; names may have been exchanged.
  ///   - filteredOut: the tests that exist and were not selected.
  ///   - change: the changes since the files that the memory refers to; nil if unknown.
  package mutating func followTests(
    to results: [TestResult], renamed: [TestListChanges.Renaming] = [], filteredOut: Set<TestID> = [],
    after change: SourceDifference? = nil
  ) {
    let names = renamed.keyed(by: \.from, \.to)
    for index in records.indices {
      if let test = records[index].test { records[index].test = names[test] ?? test }
    }
    let listed = filteredOut.union(results.map(\.id))
    guard records.contains(where: { $0.test.map(listed.contains) == false }) else { return }
    let files = results.keyed(by: \.id) { $0.location?.file }
    let alike = Dictionary(grouping: listed) { $0.inAnyModule }
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
