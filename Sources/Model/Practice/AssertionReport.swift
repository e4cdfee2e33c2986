/// What the counters of the test sources prove about the assertions in them.
///
/// The arguments of XCTest's assertions are autoclosures, which the compiler counts like functions; so an assertion that
/// was never evaluated is known for certain.
package struct AssertionReport: Hashable, Sendable, Codable {
  /// An assertion that never ran, in a test that ran to a good end.
  package struct Unreached: Hashable, Sendable, Codable {
    package var test: TestID
    package var location: SourceLocation

    package init(test: TestID, location: SourceLocation) {
      self.test = test
      self.location = location
    }
  }

  /// How many tests of XCTest evaluated an assertion of their own.
  package var proved = 0
  /// Tests of XCTest that passed and evaluated none, with nothing else in them that could fail.
  package var without: [TestID] = []
  /// How many tests of XCTest passed and are in neither of the two: others assert for them, or nothing can be proved.
  package var unproved = 0
  package var unreached: [Unreached] = []
  /// Tests that passed although their functions were never called, as where something around them leaves that out.
  package var uncalled: [TestID] = []
  /// Tests that still are what a template for a new package or file makes: its name, and nothing in it.
  package var templates: [TestID] = []

  package init() {}
}

/// How many tests a library's process said it ran, in its last line.
package struct PrintedTotal: Hashable, Sendable, Codable {
  package var library: TestLibrary
  package var tests: Int

  package init(library: TestLibrary, tests: Int) {
    self.library = library
    self.tests = tests
  }
}
