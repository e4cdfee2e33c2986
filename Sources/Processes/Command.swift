import Glibc

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
  /// What of the kernel it has in a sandbox.
  var features: Sandbox.Features = []
  /// The process of another sandbox among whose processes it is put; nil for none.
  var companion: Int32?
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

/// The whole output of a program that ran to its end, however it ended.
package struct CollectedOutput: Hashable, Sendable {
  package var result: ProcessResult
  package var standardOutput: [UInt8]
  package var standardError: [UInt8]
}

extension Command {
  /// Runs a program that writes little, and keeps its output.
  ///
  /// - Parameter limit: The bytes that both streams together may have.
  /// - Throws: what `run` throws, and `ProcessError` when there is more output; the program is killed then.
  package func collect(limits: Limits, cancellation: Cancellation, limit: Int) throws -> CollectedOutput {
    var standardOutput: [UInt8] = []
    var standardError: [UInt8] = []
    let result = try run(limits: limits, cancellation: cancellation) { chunk in
      guard standardOutput.count + standardError.count + chunk.bytes.count <= limit else {
        throw ProcessError.tooMuchOutput(executable, limit: limit)
      }
      switch chunk.stream {
      case .standardOutput: standardOutput += chunk.bytes
      case .standardError: standardError += chunk.bytes
      }
    }
    return CollectedOutput(result: result, standardOutput: standardOutput, standardError: standardError)
  }
}

extension Command {
  /// Finds the program's file; whether it can be executed is for the kernel to say.
  package func lookUp() throws(ProcessError) -> String {
    guard !executable.contains("/") else { return executable }
    let path = environment["PATH"] ?? ""
    for folder in path.split(separator: ":") where folder.hasPrefix("/") {
      let candidate = folder + "/" + executable
      if isExecutableFile(String(candidate)) { return String(candidate) }
    }
    throw .notFound(executable, path: path)
  }

  private func isExecutableFile(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// Refuses what would reach the program otherwise than it was written.
  func validate() throws(ProcessError) {
    let texts = [executable, workingDirectory] + arguments + environment.keys + environment.values
    if texts.contains(where: { $0.utf8.contains(0) }) {
      throw .malformed(executable, why: "an argument, variable or path contains a NUL byte")
    }
    if executable.isEmpty { throw .malformed(executable, why: "the name is empty") }
    if let name = environment.keys.first(where: { $0.isEmpty || $0.contains("=") }) {
      throw .malformed(executable, why: "“\(name)” is not the name of an environment variable")
    }
  }
}

extension Command {
  /// Runs the program until nothing of it is left, and gives its output to a closure as it comes.
  ///
  /// The calling thread is blocked meanwhile. When the program has ended and its output is closed, or not closed in time,
  /// its descendants are killed. On cancellation or at a limit its process group gets SIGTERM first. Should
  /// this process die, everything is killed as well.
  ///
  /// - Throws: `ProcessError` when the program could not be started, and whatever the closure throws, after everything
  ///   was killed. A program that fails is a result.
  package func run(
    limits: Limits, cancellation: Cancellation, supervision: Supervision? = nil,
    output: (OutputChunk) throws -> Void
  ) throws -> ProcessResult {
    try validate()
    let file = try lookUp()
    if cancellation.isCanceled { return ProcessResult(end: .notStarted, why: .canceled) }
    var run = try Run(self, file: file, limits: limits, cancellation: cancellation, supervision: supervision)
    return try run.finish(output: output)
  }
}
