import Glibc
import Model
import Processes

/// Slurm's programs. Each is called with a time limit, since they wait for a controller that does not answer.
struct SlurmClient: Sendable {
  /// What every program and every job gets.
  let environment: [String: String]

  enum Trouble: Error, Hashable, CustomStringConvertible {
    case notInstalled(String)
    /// Nobody answered; what the program said.
    case silent(String)
    /// It was refused; what the program said.
    case refused(program: String, String)

    var description: String {
      switch self {
      case .notInstalled(let program):
        "There is no \(program) on the PATH. Run: apt-get install slurm-client, or add its folder to PATH under 'environment' in martlet.yml."
      case .silent(let words): "Slurm's controller does not answer: \(words)".withStop
      case .refused(let program, let words): "Slurm refuses what \(program) asks for: \(words)".withStop
      }
    }
  }

  private static let limit = Duration.seconds(12)
  private static let mostOutput = 1 << 26

  /// Returns the jobs of an integration, those included that ended a short time ago.
  func jobs(of id: String) throws -> [SlurmJob] {
    try all().filter { $0.comment == id }
  }

  private func all() throws -> [SlurmJob] {
    SlurmJob.jobs(in: try call("squeue", ["--me", "--noheader", "--states=all", "--format=\(SlurmJob.format)"]))
  }

  /// - Parameters:
  ///   - arguments: those of the settings, which those of Martlet come after.
  ///   - script: the path of the script, which Slurm copies.
  /// - Returns: The job's number.
  func submit(_ script: String, id: String, name: String, output: String, _ arguments: [String]) throws -> String {
    // Any other export has nodes run the user's login shell first.
    let own = [
      "--parsable", "--no-requeue", "--export=ALL", "--chdir=/", "--open-mode=append", "--comment=\(id)",
      "--job-name=\(name)", "--output=\(output)",
    ]
    return String(decoding: try call("sbatch", arguments + own + [script]), as: UTF8.self).filter { !$0.isWhitespace }
  }

  func cancel(_ jobs: [SlurmJob]) throws {
    _ = try call("scancel", jobs.map(\.id))
  }

  /// Returns why jobs with these arguments cannot be submitted; nil if they can.
  func trouble(of arguments: [String]) -> Trouble? {
    for program in ["sbatch", "squeue", "scancel"]
    where Toolchain.firstExecutable(program, in: environment["PATH"] ?? "") == nil {
      return .notInstalled(program)
    }
    do {
      _ = try all()
      _ = try call("sbatch", arguments + ["--test-only", "--wrap=true"])
      return nil
    } catch let trouble as Trouble {
      return trouble
    } catch {
      return .refused(program: "sbatch", "\(error)")
    }
  }

  private func call(_ program: String, _ arguments: [String]) throws -> [UInt8] {
    let command = Command(program, arguments, environment: environment, workingDirectory: "/")
    let output = try command.collect(
      limits: Limits(wallClock: Self.limit, grace: .zero), cancellation: try Cancellation(), limit: Self.mostOutput)
    if output.result.succeeded { return output.standardOutput }
    let words = Self.words(in: output.standardError)
    if words.contains(Self.noContact) { throw Trouble.silent(words) }
    if case .timedOut = output.result.why {
      throw Trouble.silent("\(program) waited for \(Self.limit.components.seconds) seconds")
    }
    throw Trouble.refused(program: program, words.isEmpty ? "it ended without a word" : words)
  }

  private static let noContact = "Unable to contact slurm controller"
  private static let prefixes = [
    "error: ", "fatal: ", "allocation failure: ", "slurm_load_jobs error: ", "Batch job submission failed: ",
  ]

  /// Returns the last thing that a program of Slurm's complained about, without its own name.
  static func words(in errors: [UInt8]) -> String {
    let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard var line = lines.last(where: { !$0.hasPrefix("Try ") }) else { return "" }
    for program in ["sbatch: ", "squeue: ", "scancel: "] { line = line.trimmingPrefix(program) }
    for prefix in prefixes { line = line.trimmingPrefix(prefix) }
    return String(line)
  }
}
