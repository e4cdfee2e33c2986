import BotFiles
import Integrating

/// `martlet complete`: prints names for shell completions, one per line.
struct CompleteCommand: Subcommand {
  let name = "complete"
  let summary = "list names for the completions of shells"
  let operands = "bots|integrations"
  let operandLimit = 1
  let options: [Option] = []
  let discussion = ""

  /// The number of integrations to offer for each bot.
  private static let mostOffered = 20

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let home = try Home.locate(option: nil, environment: context.environment, currentFolder: context.currentFolder)
    let stored = StoredIntegrations(in: home)
    switch arguments.operands.first {
    case "bots":
      let files = try Configuration.locate(environment: context.environment, currentFolder: context.currentFolder)
        .botFiles()
      for name in Set(files.map(Configuration.name)).union(stored.knownBots).sorted() { try context.say(name) }
    case "integrations":
      for bot in stored.knownBots {
        for number in stored.numbers(of: bot).suffix(Self.mostOffered).reversed() {
          try context.say("\(bot)/\(number)")
        }
      }
    default: throw UsageError("'complete' lists bots or integrations. Completions of shells use it.")
    }
    return ExitCode.success
  }
}
