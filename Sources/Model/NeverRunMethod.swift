/// A method that looks like an XCTest test but that XCTest never runs.
package struct NeverRunMethod: Hashable, Sendable, Codable {
  /// Why XCTest skips a method.
  package enum Cause: String, Hashable, Sendable, Codable {
    /// The method, its class or its extension is private or fileprivate.
    case isPrivate = "private"
    case hasParameters = "parameters"
    case returnsValue = "return-value"
    /// It is a type method rather than an instance method.
    case isStatic = "static"
    /// Its name does not begin with `test`, although it asserts something and nothing calls it.
    case misnamed = "name"
  }

  /// The test target.
  package var target: String
  /// The class and the method, such as `GreetingTests/testNoon`.
  package var name: String
  package var cause: Cause
  package var location: SourceLocation

  package init(target: String, name: String, cause: Cause, location: SourceLocation) {
    self.target = target
    self.name = name
    self.cause = cause
    self.location = location
  }
}
