import FoundationEssentials
import Model
import Processes

/// The martlet program as a user runs it, beside the test executable.
struct Program {
  /// What a run printed and how it ended.
  struct Run {
    var status: Int32?
    var output: String
    var errors: String
    /// The most bytes that any one process had in memory.
    var peakMemory = 0
  }

  let scratch: ScratchFolder
  /// Variables that replace or add to the usual ones; an empty value removes one.
  var environment: [String: String] = [:]
  /// Whether its home is given what is made once for all; not where a test looks at what a command leaves there.
  var isLentTools = true

  /// Runs the program; its home is a folder of the scratch folder, and nothing of the machine's user is seen.
  func run(_ arguments: String..., in folder: String? = nil) throws -> Run {
    try run(arguments, in: folder)
  }

  func run(_ arguments: [String], in folder: String? = nil) throws -> Run {
    lendTools(for: arguments)
    return try Self.run(
      Self.path, Self.complete(arguments), environment: variables, in: folder ?? scratch.path)
  }

  /// Names the build system to try, where the arguments are those of a run and name none.
  static func complete(_ arguments: [String]) -> [String] {
    guard arguments.first == "run", !arguments.contains("--build-system"), let buildSystem else { return arguments }
    return arguments + ["--build-system", buildSystem.rawValue]
  }

  /// Gives the home what is made once, before a command that would make it.
  func lendTools(for arguments: [String]) {
    if isLentTools, ["run", "watch", "carry-out"].contains(arguments.first) { MadeTools.lend(to: home) }
  }

  /// Suites can be tried with another build system than the toolchain's: `MARTLET_BUILD_SYSTEM` names it.
  static let buildSystem = ProcessInfo.processInfo.environment["MARTLET_BUILD_SYSTEM"].flatMap(BuildSystem.init)

  /// The folder in which a workspace builds, beneath that of the workspace.
  static let buildFolder = buildSystem == .swiftbuild ? "build/root+swiftbuild" : "build/root"

  /// The home that it is given.
  var home: String { scratch.file("home") }

  var variables: [String: String] {
    let base = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": scratch.file("user"),
      "MARTLET_HOME": home,
    ]
    return base.merging(environment) { $1 }.filter { !$0.value.isEmpty }
  }

  /// The folder of build products holds the test executable and the program alike; `MARTLET_PROGRAM` names another one.
  static let path: String = {
    if let path = ProcessInfo.processInfo.environment["MARTLET_PROGRAM"] { return path }
    let me = CommandLine.arguments.first ?? ""
    return String(me.prefix(upTo: me.lastIndex(of: "/") ?? me.endIndex)) + "/martlet"
  }()

  static func run(
    _ program: String, _ arguments: [String], environment: [String: String], in folder: String,
    input: String? = nil
  ) throws -> Run {
    let collected = try Command(
      program, arguments, environment: environment, workingDirectory: folder, standardInput: input
    )
    .collect(limits: Limits(), cancellation: Cancellation(), limit: 100 << 20)
    var status: Int32?
    if case .exited(let code) = collected.result.end { status = code }
    return Run(
      status: status, output: String(decoding: collected.standardOutput, as: UTF8.self),
      errors: String(decoding: collected.standardError, as: UTF8.self), peakMemory: collected.result.peakMemory)
  }
}
