/// A test that the sources declare for this platform and that no list of tests has, so that nothing ran it.
package struct UnlistedTest: Hashable, Sendable, Codable {
  /// Why it is in no list.
  package enum Cause: String, Hashable, Sendable, Codable {
    /// The package has a list written by hand, which leaves it out.
    case handWrittenList = "hand-written-list"
    /// Its target was not built.
    case notBuilt = "not-built"
    /// The test program does not tell of it.
    case notListed = "not-listed"
  }

  /// Such as `GreeterTests.GreetingTests/testNoon`; of Swift Testing without the suite.
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
