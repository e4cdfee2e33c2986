import Integrating
import Model
import Processes

/// `martlet handed`: what a machine does with integrations that another one hands to it over ssh.
struct HandedCommand: Subcommand {
  let name = "handed"
  let summary = "carry integrations out for another machine, which calls this over ssh"
  let operands = "VERB [ID…]"
  let operandLimit = 10_000
  let options = [
    Option.value("--home", "DIR", "the folder of workspaces, integrations and reports"),
    Option.value("--templates", "DIR", "templates to use before the program's own"),
    Option.value("--slurm", "COMMAND", "carry out by jobs of Slurm: sbatch, with more arguments"),
    Option.value("--logs", "SIZES", "how much of each log is known: name=bytes, separated by commas"),
  ]
  let discussion = "This command is how 'martlet watch' on another machine integrates here; people do not need it."

  private enum Verb: String {
    case have, receive, start, follow, cancel, fetch, release, look
  }

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    guard let verb = arguments.operands.first.flatMap(Verb.init) else {
      throw UsageError("\(name) needs a verb. Use 'martlet machines'.")
    }
    let home = try Home.locate(
      option: arguments.value("--home"), environment: context.environment, currentFolder: context.currentFolder)
    let slurm = arguments.value("--slurm").map { $0.split(separator: " ").dropFirst().map(String.init) }
    let run = MachineRun(home: home, slurm: slurm, environment: context.environment)
    if verb == .look {
      let cancellation = try Cancellation()
      try context.say(
        run.look(
          dropping: Array(arguments.operands.dropFirst()), searchPath: context.environment["PATH"] ?? "",
          cancellation: cancellation))
      return ExitCode.success
    }
    guard arguments.operands.count == 2, let id = arguments.operands.last else {
      throw UsageError("\(name) \(verb.rawValue) needs one ID. Use 'martlet machines'.")
    }
    switch verb {
    case .have: try context.say(run.inventory(of: id))
    case .receive: try run.receive(id)
    case .start:
      let order = try OrderInput.read(IntegrationOrder.self, of: name, instead: "Use 'martlet machines'.")
      let override = TemplateLocation.override(
        arguments.value("--templates"), environment: [:], currentFolder: context.currentFolder)
      let options = ["--home", home.folder.path] + (override.map { ["--templates", $0] } ?? [])
      let program = CarryingProgram(path: context.executable, options: options, environment: context.environment)
      try run.start(id, order, by: program)
      try follow(id, run, arguments, context)
    case .follow: try follow(id, run, arguments, context)
    case .cancel: try run.cancel(id)
    case .fetch: try run.fetch(id) { try context.writeBytes($0) }
    case .release: try run.release(id)
    case .look: break
    }
    return ExitCode.success
  }

  private func follow(_ id: String, _ run: MachineRun, _ arguments: ParsedArguments, _ context: Context) throws {
    let pairs = (arguments.value("--logs") ?? "").split(separator: ",").compactMap { pair in
      let parts = pair.split(separator: "=")
      return parts.count == 2 ? Int(parts[1]).map { (String(parts[0]), $0) } : nil
    }
    let sizes = Dictionary(pairs, uniquingKeysWith: { $1 })
    try run.follow(id, of: sizes) { try context.say($0) }
  }
}
