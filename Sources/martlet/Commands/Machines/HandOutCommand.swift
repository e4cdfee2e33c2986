import FoundationEssentials
import Integrating
import Model
import Processes

/// `martlet hand-out`: hands an integration that the watcher orders out to another machine, in a separate process.
///
/// The order arrives as one line of JSON on standard input, and news is written in lines of JSON. The end of the input
/// means that the watcher is gone; the integration goes on, and the next watcher follows it.
struct HandOutCommand: Subcommand {
  let name = "hand-out"
  let summary = "hand one integration out to another machine, as the watcher orders on standard input"
  let options = [
    Option.templates,
    Option.home,
  ]
  let discussion = """
    This command is how 'martlet watch' integrates on other machines; 'martlet machines' shows what they do.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let order = try OrderInput.read(HandOutOrder.self, of: name, instead: "Use 'martlet integrate'.")
    let home = try context.home(arguments)
    let program = try TemplateLocation.program(override: arguments.value("--templates"), context)
    let cancellation = try Cancellation()
    try cancellation.cancelOnSignals()
    OrderInput.leaveAtItsEnd()
    let handOut = HandOut(
      order, home: home, program: program, environment: context.environment, clock: .system,
      cancellation: cancellation, tell: { CarryOutCommand.tell($0, context) })
    CarryOutCommand.tell(try handOut.run(), context)
    return ExitCode.success
  }
}

/// `martlet look-at-machine`: looks at another machine for the watcher, in a separate process.
struct LookAtMachineCommand: Subcommand {
  let name = "look-at-machine"
  let summary = "look at another machine, as the watcher orders on standard input"
  let options = [
    Option.templates,
    Option.home,
  ]
  let discussion = "This command is how 'martlet watch' looks at other machines; people use 'martlet machines'."

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let look = try OrderInput.read(MachineLook.self, of: name, instead: "Use 'martlet machines'.")
    let home = try context.home(arguments)
    let program = try TemplateLocation.program(override: arguments.value("--templates"), context)
    let cancellation = try Cancellation()
    try cancellation.cancelOnSignals()
    OrderInput.cancelAtItsEnd(cancellation)
    let probe = MachineProbe(
      look, home: home, program: program, environment: context.environment, cancellation: cancellation)
    try context.say(String(decoding: JSONEncoder().encode(probe.run()), as: UTF8.self))
    return ExitCode.success
  }
}
