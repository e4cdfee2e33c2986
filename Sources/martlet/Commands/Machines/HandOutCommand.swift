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
    let input = try OrderInput<HandOutOrder>(for: self, instead: "Use 'martlet integrate'.", arguments, context)
    let program = try TemplateLocation.program(arguments, context)
    input.leaveAtItsEnd()
    let handOut = HandOut(
      input.order, home: input.home, program: program, environment: context.environment, clock: .system,
      cancellation: input.cancellation, tell: { CarryOutCommand.tell($0, context) })
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
    let input = try OrderInput<MachineLook>(for: self, instead: "Use 'martlet machines'.", arguments, context)
    let program = try TemplateLocation.program(arguments, context)
    input.cancelAtItsEnd()
    let probe = MachineProbe(
      input.order, home: input.home, program: program, environment: context.environment,
      cancellation: input.cancellation)
    try context.answer(probe.run())
    return ExitCode.success
  }
}
