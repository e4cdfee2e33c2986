/// What came of running each test alone after all of them had run together.
package struct IsolationReport: Hashable, Sendable, Codable {
  /// A test that does not end alone as it ends with the others.
  package struct Difference: Hashable, Sendable, Codable {
    package var id: TestID
    /// Its state with the others, retries included.
    package var together: TestState
    /// Its state alone in a process of its own.
    package var alone: TestState
    /// The first of its failure messages alone.
    package var message: String?

    package init(id: TestID, together: TestState, alone: TestState, message: String? = nil) {
      self.id = id
      self.together = together
      self.alone = alone
      self.message = message
    }
  }

  /// How many tests were run alone.
  package var ran: Int
  /// How many tests should have been run alone, but the time was up.
  package var left: Int
  /// The tests whose result depends on the others, or on chance; sorted by name.
  package var differing: [Difference]

  package init(ran: Int, left: Int = 0, differing: [Difference]) {
    self.ran = ran
    self.left = left
    self.differing = differing.sorted { $0.id < $1.id }
  }
}
