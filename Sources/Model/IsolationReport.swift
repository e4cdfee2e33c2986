/// The result of running each test alone after all of them had run together.
package struct IsolationReport: Hashable, Sendable, Codable {
  /// A test that ends differently alone than with the others.
  package struct Difference: Hashable, Sendable, Codable {
    package var id: TestID
    /// The state with the others, including retries.
    package var together: TestState
    /// The state alone, in a process of its own.
    package var alone: TestState
    /// The first failure message of the run alone.
    package var message: String?

    package init(id: TestID, together: TestState, alone: TestState, message: String? = nil) {
      self.id = id
      self.together = together
      self.alone = alone
      self.message = message
    }
  }

  /// The number of tests that were run alone.
  package var ran: Int
  /// The number of tests that should have been run alone, but for which there was no time left.
  package var left: Int
  /// The tests whose result depends on the others; sorted by name.
  package var differing: [Difference]
  /// The tests that ended now so, now otherwise while they ran alone; sorted by name. Nil in older documents.
  package var unsteady: [TestID]?

  package init(ran: Int, left: Int = 0, differing: [Difference], unsteady: [TestID] = []) {
    self.ran = ran
    self.left = left
    self.differing = differing.sorted { $0.id < $1.id }
    self.unsteady = unsteady.isEmpty ? nil : unsteady.sorted()
  }
}
