/// A function that looks like a test but that no testing library ever runs.
package struct NeverRunMethod: Hashable, Sendable, Codable {
  /// Why it is not run.
  package enum Cause: String, Hashable, Sendable, Codable {
    /// The method, its class or its extension is private or fileprivate.
    case isPrivate = "private"
    case hasParameters = "parameters"
    case returnsValue = "return-value"
    /// It is a type method rather than an instance method.
    case isStatic = "static"
    /// Its name does not begin with `test`, although it asserts something and nothing calls it.
    case misnamed = "name"
    /// It lacks the `@Test` of Swift Testing, although it expects something and nothing calls it.
    case unmarked = "attribute"
  }

  /// The test target.
  package var target: String
  /// The type and the method, such as `GreetingTests/testNoon`, or a function alone.
  package var name: String
  package var cause: Cause
  package var file: String
  package var line: Int

  package init(target: String, name: String, cause: Cause, location: SourceLocation) {
    self.target = target
    self.name = name
    self.cause = cause
    (file, line) = (location.file, location.line)
  }

  /// Where it is declared.
  package var location: SourceLocation { SourceLocation(file: file, line: line) }
}
