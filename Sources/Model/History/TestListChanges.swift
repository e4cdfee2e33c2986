/// The tests that are in an integration but not in its baseline, and the reverse.
package struct TestListChanges: Hashable, Sendable, Codable {
  /// A test under two names.
  package struct Renaming: Hashable, Sendable, Codable {
    package var from: TestID
    package var to: TestID

    package init(from: TestID, to: TestID) {
      self.from = from
      self.to = to
    }
  }

  /// Sorted by name, excluding renamed tests.
  package var added: [TestID]
  package var deleted: [TestID]
  package var renamed: [Renaming]

  package init(added: [TestID] = [], deleted: [TestID] = [], renamed: [Renaming] = []) {
    self.added = added
    self.deleted = deleted
    self.renamed = renamed
  }

  package var isEmpty: Bool { added.isEmpty && deleted.isEmpty && renamed.isEmpty }
}
