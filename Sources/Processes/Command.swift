import Glibc

/// A program to run, and everything it can see of its surroundings.
///
/// No descriptors, environment variables, ignored signals or terminal are inherited.
package struct Command: Hashable, Sendable {
  /// A path, or a name to look up in the absolute folders of the environment's PATH.
  package var executable: String
  package var arguments: [String]
  /// The complete environment; nothing is added.
  package var environment: [String: String]
  package var workingDirectory: String
  /// The absolute path of a regular file to use as standard input; nil for empty input.
  package var standardInput: String?
  /// The program that connects the command's own network to the outside; nil to use this process's network.
  var router: String?
  /// Views laid over their folders for this command only.
  var overlays: [FolderView] = []
  /// The kernel features available in a sandbox.
  var features: Sandbox.Features = []
  /// A process in another sandbox whose process namespace the command joins; nil for none.
  var companion: Int32?
  /// The number of trailing arguments that form the command itself; nil outside a sandbox.
  var containedCount: Int?
  /// Whether the sandbox runs the command through an `EndReporter`.
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
  /// Whether the command runs in a sandbox, through a process that reports how it ended.
  package var isContained: Bool { containedCount != nil }

  /// The program and its arguments, without the sandbox.
  package var words: [String] {
    guard let containedCount else { return [executable] + arguments }
    return Array(arguments.suffix(containedCount))
  }
}

/// The complete output of a program that has ended, whatever its outcome.
package struct CollectedOutput: Hashable, Sendable {
  package var result: ProcessResult
  package var standardOutput: [UInt8]
  package var standardError: [UInt8]

  /// The first line of the standard error.
  var complaint: String {
    String(decoding: standardError.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}

extension Command {
  /// Runs a program that produces little output, and collects it.
  ///
  /// - Parameter limit: The most bytes allowed in both streams together.
  /// - Throws: Any error from `run`, or a `ProcessError` if there is more output, in which case the program is killed.
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
  /// Returns the program's file. Whether it is executable is left to the kernel.
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

  /// Throws if a string would reach the program in altered form.
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
  /// Runs the program until none of its processes is left, passing its output to a closure as it arrives.
  ///
  /// Blocks the calling thread. When the program has ended and its output is closed, or not closed in time, its
  /// descendants are killed. On cancellation or at a limit, its process group first receives SIGTERM. If this process
  /// dies, everything is killed as well.
  ///
  /// - Throws: A `ProcessError` if the program could not be started, or any error from the closure, after everything
  ///   was killed. A failing program is a result, not an error.
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
