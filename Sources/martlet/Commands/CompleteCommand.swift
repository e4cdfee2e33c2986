import BotFiles
import FoundationEssentials
import Integrating
import Model

struct CompleteCommand: Subcommand {
  let name = "complete"
  let summary = "list names for the completions of shells"
  let operands = "bots|bot-files|integrations|issues|silenced|steps [WORD]"

  /// The number of integrations to offer for each bot.
  private static let mostOffered = 20

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let stored = StoredIntegrations(in: try context.home(arguments))
    for name in try names(arguments, stored, context) { try context.say(name) }
    return ExitCode.success
  }

  private func names(_ arguments: ParsedArguments, _ stored: StoredIntegrations, _ context: Context) throws -> [String]
  {
    func ownBots() throws -> Set<String> { Set(try context.configuration().botFiles().map(Configuration.name)) }
    switch arguments.operands.first {
    case "bots": return try ownBots().union(stored.knownBots).sorted()
    case "bot-files": return try ownBots().sorted()
    case "integrations":
      return stored.knownBots.flatMap { bot in
        stored.numbers(of: bot).suffix(Self.mostOffered).reversed().map { "\(bot)/\($0)" }
      }
    case "issues": return try ids(stored) { !$0.status.isOver }
    case "silenced": return try ids(stored) { $0.status == .silenced }
    case "steps": return steps(of: arguments.operands.dropFirst().first ?? "", stored).map(\.rawValue)
    default:
      let kinds = operands.prefix { $0 != " " }.replacing("|", with: ", ")
      throw UsageError("'complete' lists \(kinds). Completions of shells use it.")
    }
  }

  /// Returns the steps of which an integration has a log, as BOT/N or the newest of BOT; all for any other word.
  private func steps(of word: String, _ stored: StoredIntegrations) -> [Step] {
    guard let named = IntegrationName(word),
      let number = named.rest == nil ? stored.numbers(of: named.bot).last : named.number,
      let log = stored.growingLog(of: named.bot, number)
    else { return Step.allCases }
    return log.logs.map(\.step)
  }

  private func ids(_ stored: StoredIntegrations, where isOffered: (Issue) -> Bool) throws -> [String] {
    let now = Date()
    let issues = try stored.knownBots.flatMap { try stored.issues(of: $0, at: now).branches.flatMap(\.all) }
    return Set(issues.map(\.issue).filter(isOffered).map(\.id)).sorted()
  }
}
