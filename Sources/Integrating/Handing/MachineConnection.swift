import FoundationEssentials
import Glibc
import Model
import Processes

/// The way to another machine: commands of this program that run there over ssh, or on this one to reach Slurm.
struct MachineConnection: Sendable {
  let machine: MachineSettings
  let home: Home
  let program: MachineProgram
  let environment: [String: String]

  /// The variables that ssh needs to find keys and hosts, and Slurm's programs to find their controller.
  private static let passed: Set<String> = ["PATH", "HOME", "USER", "LOGNAME", "SSH_AUTH_SOCK", "SLURM_CONF"]
  /// The folder there, from the login's home, unless martlet.yml names one.
  private static let usualHome = ".local/state/martlet-machine"
  /// The status with which ssh reports that it did not get there, or lost the way (https://man.openbsd.org/ssh).
  private static let unreachable: Int32 = 255
  /// The status of programs that are not there, or cannot be executed.
  private static let notInstalled: Set<Int32> = [126, 127]
  private static let mostAnswer = 1 << 28

  enum Failure: Error, CustomStringConvertible {
    /// The machine did not answer, or no longer does; the reason is the end of a sentence.
    case unreachable(String)
    /// The machine answered that it cannot; the reason is the end of a sentence.
    case refused(String)

    var description: String {
      switch self {
      case .unreachable(let reason): "it cannot be reached: \(reason)"
      case .refused(let reason): reason
      }
    }
  }

  /// The folder of what is remembered of other machines.
  static func folder(in home: Home) -> Folder { Folder(home.folder.file("machines"), isPrivate: true) }

  private var place: String { machine.home ?? Self.usualHome }

  /// Runs a command of this program there, and returns its output; installs the program first if it is not there.
  func ask(_ words: [String], cancellation: Cancellation) throws -> [UInt8] {
    let key = try program.key()
    var output = try call(words, key: key, cancellation: cancellation)
    if Self.isNotInstalled(output.result.end) {
      try install(key, cancellation: cancellation)
      output = try call(words, key: key, cancellation: cancellation)
    }
    if output.result.succeeded { return output.standardOutput }
    throw failure(output.result.end, output.standardError)
  }

  private func call(_ words: [String], key: String, cancellation: Cancellation) throws -> CollectedOutput {
    try command(words, key: key).collect(limits: Limits(), cancellation: cancellation, limit: Self.mostAnswer)
  }

  func session(_ key: String) -> Command { command(["session"], key: key) }

  /// Whether a command ended because the program is not there, or cannot be executed.
  static func isNotInstalled(_ end: ProcessEnd) -> Bool {
    if case .exited(let code) = end { notInstalled.contains(code) } else { false }
  }

  /// Returns why a command ended that should not have.
  ///
  /// - Parameter errors: what it wrote to its standard error.
  func failure(_ end: ProcessEnd, _ errors: [UInt8]) -> Failure {
    let words = Self.lastWords(errors)
    switch end {
    case .exited(let code) where Self.notInstalled.contains(code):
      return .refused("this program cannot be executed there: \(words)")
    case .exited(let code) where code != 0 && code != Self.unreachable:
      return .refused(words.isEmpty ? "its martlet ended with status \(code)" : words)
    case .exited, .signaled, .notStarted:
      return .unreachable(words.isEmpty ? "the command ended without a word" : words)
    }
  }

  /// Copies the program there.
  func install(_ key: String, cancellation: Cancellation) throws {
    let archive = try program.archive(
      key, in: Self.folder(in: home), environment: environment, cancellation: cancellation)
    // Several may do so at once; the last one wins, and all are the same. What was not used for a month goes.
    let script = """
      umask 077 && mkdir -p \(quoted(place))/program && cd \(quoted(place))/program && rm -rf \(key).$$ && mkdir \(key).$$ \
      && tar -C \(key).$$ -xf - && rm -rf \(key) && mv \(key).$$ \(key) \
      && find . -mindepth 1 -maxdepth 1 -mtime +30 ! -name \(key) -exec rm -rf {} +
      """
    let output = try shell(script, input: archive).collect(
      limits: Limits(), cancellation: cancellation, limit: 1 << 16)
    guard output.result.succeeded else {
      switch failure(output.result.end, output.standardError) {
      case .unreachable(let reason): throw Failure.unreachable(reason)
      case .refused(let reason): throw Failure.refused("this program cannot be copied there: \(reason)")
      }
    }
  }

  private func command(_ words: [String], key: String) -> Command {
    let variables = machine.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let override = program.override == nil ? [] : ["--templates", "\(root(of: key))/\(MachineProgram.overriding)"]
    let slurm = machine.slurm.map { ["--slurm", (["sbatch"] + $0).joined(separator: " ")] } ?? []
    let all =
      ["env"] + variables + ["\(root(of: key))/bin/martlet", "handed"] + words + ["--home", place] + slurm + override
    return shell("exec \(all.map(quoted).joined(separator: " "))")
  }

  private func root(of key: String) -> String { "\(place.hasPrefix("/") ? "" : "./")\(place)/program/\(key)" }

  private func shell(_ script: String, input: String? = nil) -> Command {
    let login = machine.login(socket: Self.folder(in: home).file(machine.name))
    return Command(
      login == nil ? "sh" : "ssh", login.map { $0 + ["exec sh -c \(quoted("cd && \(script)"))"] } ?? ["-c", script],
      environment: environment.filter { Self.passed.contains($0.key) }, workingDirectory: "/", standardInput: input)
  }

  private func quoted(_ word: String) -> String { RepeatCommand.quoted(word) }

  private static func lastWords(_ errors: [UInt8]) -> String {
    let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.last.map { line in String(line.trimmingPrefix("error: ")) } ?? ""
  }
}
