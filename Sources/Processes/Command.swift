/// A program to run, with everything that it can see of its surroundings.
///
/// Standard input is empty. No descriptor, environment variable, ignored signal or terminal is inherited.
package struct Command: Hashable, Sendable {
  /// A path, or a name to be looked up in the absolute folders of the environment's PATH.
  package var executable: String
  package var arguments: [String]
  /// The whole environment; nothing is added.
  package var environment: [String: String]
  package var workingDirectory: String

  package init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String], workingDirectory: String
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.workingDirectory = workingDirectory
  }
}
