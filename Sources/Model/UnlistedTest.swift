/// A test that the sources declare for this platform but that is in no list of tests, so that nothing ran it.
package struct UnlistedTest: Hashable, Sendable, Codable {
  /// Why the test is in no list.
  package enum Cause: String, Hashable, Sendable, Codable {
    /// The package has a handwritten list, which leaves it out.
    case handWrittenList = "hand-written-list"
    /// Its target was not built.
    case notBuilt = "not-built"
    /// The test program does not list it.
    case notListed = "not-listed"
  }

  /// A name such as `GreeterTests.GreetingTests/testNoon`; without the suite for Swift Testing.
  package var name: String
  package var cause: Cause
  /// Relative to the package.
  package var file: String
  package var line: Int

  package init(name: String, cause: Cause, file: String, line: Int) {
    self.name = name
    self.cause = cause
    self.file = file
    self.line = line
  }
}
