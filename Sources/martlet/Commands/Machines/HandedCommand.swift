import Integrating
import Model
import Processes

struct HandedCommand: Subcommand {
  let name = "handed"
  let summary = "carry integrations out for another machine, which calls this over ssh"
  let operands = "VERB [ID…]"
  let options = [
    Option.home,
    Option.templates,
    Option.value("--slurm", "COMMAND", "carry out by jobs of Slurm: sbatch, with more arguments"),
  ]
  let discussion = "This command is how 'martlet watch' on another machine integrates here; people do not need it."

  private enum Verb: String {
    /// Answers one request after another from standard input.
    case session
    case cancel, look
  }

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    guard let verb = arguments.operands.first.flatMap(Verb.init) else {
      throw UsageError("\(name) needs a verb. Use 'martlet machines'.")
    }
    let home = try context.home(arguments)
    let slurm = arguments.value("--slurm").map { $0.split(separator: " ").dropFirst().map(String.init) }
    let run = MachineRun(home: home, slurm: slurm, environment: context.environment)
    let ids = Array(arguments.operands.dropFirst())
    switch verb {
    case .session:
      let override = arguments.value("--templates").map(context.absolute)
      let options = ["--home", home.folder.path] + (override.map { ["--templates", $0] } ?? [])
      let program = CarryingProgram(path: context.executable, options: options, environment: context.environment)
      try MachineService(run, program: program, write: context.writeBytes).serve()
    case .cancel: for id in ids { try run.cancel(id) }
    case .look:
      let cancellation = try Cancellation()
      try context.say(
        run.look(dropping: ids, searchPath: context.environment["PATH"] ?? "", cancellation: cancellation))
    }
    return ExitCode.success
  }
}
