/// A program to run, with everything that it can see of its surroundings.
///
/// No descriptor, environment variable, ignored signal or terminal is inherited.
package struct Command: Hashable, Sendable {
  /// A path, or a name to be looked up in the absolute folders of the environment's PATH.
  package var executable: String
  package var arguments: [String]
  /// The whole environment; nothing is added.
  package var environment: [String: String]
  package var workingDirectory: String
  /// The absolute path of a regular file that is its standard input; nil for an empty one.
  package var standardInput: String?

  package init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String], workingDirectory: String,
    standardInput: String? = nil
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.standardInput = standardInput
  }
}
