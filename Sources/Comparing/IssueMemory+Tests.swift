package import Model

extension IssueMemory {
  /// Gives issues the names that their tests have now, where these changed although the tests are the same: the file of
  /// a test belongs to another target, the place of its declaration came into its name or went, or it was renamed and
  /// fails as before.
  ///
  /// - Parameters:
  ///   - results: the selected tests.
  ///   - before: the tests that were listed then; without them, renamed tests are not looked for.
  ///   - filteredOut: the tests that exist and were not selected.
  ///   - change: the changes since the files that the memory refers to; nil if unknown.
  package mutating func followTests(
    to results: [TestResult], from before: Set<TestID> = [], filteredOut: Set<TestID> = [],
    after change: SourceDifference? = nil
  ) {
    let listed = filteredOut.union(results.map(\.id))
    guard records.contains(where: { $0.test.map(listed.contains) == false }) else { return }
    let files = Dictionary(results.map { ($0.id, $0.location?.file) }) { first, _ in first }
    let alike = Dictionary(grouping: listed) { $0.inAnyModule }
    for index in records.indices {
      guard let test = records[index].test, !listed.contains(test) else { continue }
      let file = records[index].location.map { change?.file(from: $0.file)?.newPath ?? $0.file }
      let same = alike[test.inAnyModule, default: []].filter { other in
        other.module == test.module || file != nil && files[other] == file
      }
      if same.count == 1 { records[index].test = same[0] }
    }
    followRenamedTests(to: results, from: before, filteredOut: filteredOut)
  }

  /// A test under a similar name may be another one unless it fails for the same reasons.
  private mutating func followRenamedTests(
    to results: [TestResult], from before: Set<TestID>, filteredOut: Set<TestID>
  ) {
    let listed = Set(results.map(\.id))
    let gone = records.filter { record in
      record.isOpen && record.kind.isOfRedTest
        && record.test.map { before.contains($0) && !listed.contains($0) && !filteredOut.contains($0) } == true
    }
    guard !gone.isEmpty else { return }
    let renamed = TestListChanges(from: before, to: listed, filteredOut: filteredOut).renamed
    let red = Dictionary(results.filter(\.state.isRed).map { ($0.id, $0) }) { first, _ in first }
    for pair in renamed {
      guard let result = red[pair.to],
        gone.contains(where: { record in
          record.test == pair.from && record.kind == result.state.issueKind
            && record.findings.map(Set.init) == Set(result.findings)
        })
      else { continue }
      for index in records.indices where records[index].test == pair.from { records[index].test = pair.to }
    }
  }
}

extension TestID {
  /// What remains of the name if the test's file moves to another target.
  fileprivate var inAnyModule: TestID { TestID(module: "", suite: suite, name: withoutPlace.name) }
}
