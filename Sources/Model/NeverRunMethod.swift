/// A method that is named like a test of XCTest and that XCTest never runs.
package struct NeverRunMethod: Hashable, Sendable, Codable {
  /// Why XCTest passes over a method.
  package enum Cause: String, Hashable, Sendable, Codable {
    /// It, its class or its extension is private or file-private.
    case isPrivate = "private"
    case hasParameters = "parameters"
    case returnsValue = "return-value"
    /// It is a method of the class and not of its instances.
    case isStatic = "static"
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
