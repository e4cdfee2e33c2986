import BotFiles
import Integrating

struct CompleteCommand: Subcommand {
  let name = "complete"
  let summary = "list names for the completions of shells"
  let operands = "bots|bot-files|integrations"

  /// The number of integrations to offer for each bot.
  private static let mostOffered = 20

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let home = try context.home(arguments)
    let stored = StoredIntegrations(in: home)
    func ownBots() throws -> Set<String> {
      let configuration = try context.configuration()
      return Set(try configuration.botFiles().map(Configuration.name))
    }
    switch arguments.operands.first {
    case "bots": for name in try ownBots().union(stored.knownBots).sorted() { try context.say(name) }
    case "bot-files": for name in try ownBots().sorted() { try context.say(name) }
    case "integrations":
      for bot in stored.knownBots {
        for number in stored.numbers(of: bot).suffix(Self.mostOffered).reversed() {
          try context.say("\(bot)/\(number)")
        }
      }
    default: throw UsageError("'complete' lists bots, bot-files or integrations. Completions of shells use it.")
    }
    return ExitCode.success
  }
}
