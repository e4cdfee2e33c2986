import BotFiles
import Integrating

/// The program: finds the command named by the first argument, and returns its exit status.
enum Martlet {
  /// The version in `--version`, help and the manual page; the changelog begins with it.
  static let version = "0.2.0"

  /// The commands by what they are for, in the order in which help lists them.
  static let groups: [(purpose: String, commands: [any Subcommand])] = [
    ("Test", [RunCommand(), WatchCommand()] + AskCommand.ofIntegrations + [HooksCommand()]),
    (
      "Look at results",
      [
        StatusCommand(), ShowCommand(), LogCommand(), CompareCommand(), IssuesCommand(), ExportCommand(),
        ServeCommand(), TokensCommand(),
      ]
    ),
    ("Silence and keep", [SilenceCommand(), UnsilenceCommand()] + AskCommand.ofKeeping),
    (
      "Set up",
      [
        BotsCommand(), CheckCommand(), DoctorCommand(), RepositoriesCommand(), NotifyCommand(), MachinesCommand(),
      ]
    ),
    ("Clean up and repair", [PruneCommand(), PublishCommand(), ReindexCommand()]),
    ("Help", [HelpCommand()]),
  ]

  /// All of them.
  static let commands: [any Subcommand] = groups.flatMap(\.commands)

  /// Commands used by Martlet and shell completions, which help does not list.
  private static let internalCommands: [any Subcommand] = [
    CarryOutCommand(), HandOutCommand(), HandedCommand(), LookAtMachineCommand(), DeliverCommand(),
    FetchMirrorCommand(), CompleteCommand(),
  ]

  static func run(_ words: [String]) -> Int32 {
    let context = Context.ofThisProcess()
    guard !words.isEmpty else {
      context.remark("error: cannot read the command line, because /proc is not mounted. Run: mount -t proc proc /proc")
      return ExitCode.service
    }
    do {
      return try dispatch(Array(words.dropFirst()), context)
    } catch let error as UsageError {
      context.remark("error: \(error)")
      return ExitCode.usage
    } catch let error as BotFileError {
      // In the style of compilers, so that editors find the location in such lines.
      context.remark(error.description)
      return ExitCode.usage
    } catch {
      context.remark("error: \(IntegratingError(error))")
      return ExitCode.of(error)
    }
  }

  private static func dispatch(_ words: [String], _ context: Context) throws -> Int32 {
    guard let first = words.first else {
      context.remark(HelpText.overview)
      return ExitCode.usage
    }
    switch first {
    case "--version", "-V":
      try context.say("martlet \(version)")
      return ExitCode.success
    case "--help", "-h":
      try context.say(HelpText.overview)
      return ExitCode.success
    default:
      break
    }
    guard let command = (commands + internalCommands).first(where: { $0.name == first }) else {
      throw UsageError.unknown("command", first, among: commands.map(\.name), help: "martlet help")
    }
    guard !context.currentFolder.isEmpty || command is HelpCommand else {
      throw UsageError("the current folder is not there any more. Change to another one.")
    }
    let rest = Array(words.dropFirst())
    if rest.contains("--help") || rest.contains("-h") {
      try context.say(HelpText.of(command))
      return ExitCode.success
    }
    return try command.run(ParsedArguments(rest, for: command), context)
  }
}
