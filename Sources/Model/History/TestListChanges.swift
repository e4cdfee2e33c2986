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

  /// The names that tests have by now.
  package struct Names: Sendable {
    private let names: [TestID: TestID]
    /// The names that belong to other tests by now.
    private let taken: Set<TestID>

    /// - Parameter changes: nil if nothing is known, so that tests bear the names that they bore.
    package init(after changes: TestListChanges?) {
      names = changes?.renamed.keyed(by: \.from, \.to) ?? [:]
      taken = Set(changes?.added ?? []).intersection(changes?.deleted ?? []).union(names.values)
    }

    /// Whether each test bears the name that it bore.
    package var areAsBefore: Bool { names.isEmpty && taken.isEmpty }

    /// Returns the name that a test of the baseline has; nil if it is gone and another one has its name.
    package subscript(test: TestID) -> TestID? { names[test] ?? (taken.contains(test) ? nil : test) }
  }
}
