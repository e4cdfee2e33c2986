/// Who added a test, and in which integration.
package struct TestAddition: Hashable, Sendable {
  package var author: String
  package var number: Int

  package init(author: String, number: Int) {
    self.author = author
    self.number = number
  }
}

extension IntegrationRecord {
  /// Returns who added a test in this integration; nil if it is not new, or if one of several commits added it.
  package func addition(of test: TestID) -> TestAddition? {
    guard commits.count == 1, tests.changes?.added.contains(test) == true else { return nil }
    return TestAddition(author: commit.author, number: number)
  }
}
