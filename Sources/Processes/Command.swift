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
  /// The program that leads out of a network of the command's own; nil to stay in this process's.
  var router: String?
  /// The views of folders that are laid over them for this command only.
  var overlays: [FolderView] = []
  /// How many of the last arguments are the command itself; nil when it is not in a sandbox.
  var containedCount: Int?
  /// Whether the sandbox runs it through an `EndReporter`.
  var isReported = false

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

extension Command {
  /// Whether it runs in a sandbox, through a process that reports how it ended.
  package var isContained: Bool { containedCount != nil }

  /// The program and its arguments, without the sandbox.
  package var words: [String] {
    guard let containedCount else { return [executable] + arguments }
    return Array(arguments.suffix(containedCount))
  }
}
