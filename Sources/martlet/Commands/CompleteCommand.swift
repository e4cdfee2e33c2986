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
    case "issues":
      let open = try ids(stored) { $0.status != .resolved }
      for id in open { try context.say(id) }
    case "silenced":
      let silenced = try ids(stored) { $0.status == .silenced }
      for id in silenced { try context.say(id) }
    case "steps":
      for step in steps(of: arguments.operands.dropFirst().first ?? "", stored) { try context.say(step.rawValue) }
    default:
      let kinds = operands.prefix { $0 != " " }.replacing("|", with: ", ")
      throw UsageError("'complete' lists \(kinds). Completions of shells use it.")
    }
    return ExitCode.success
  }

  /// Returns the steps of which an integration has a log, as BOT/N or the newest of BOT; all for any other word.
  private func steps(of word: String, _ stored: StoredIntegrations) -> [Step] {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, let bot = parts.first,
      let number = parts.count == 2 ? Int(parts[1]) : stored.numbers(of: bot).last,
      let log = stored.growingLog(of: bot, number)
    else { return Step.allCases }
    return log.logs.map(\.step)
  }

  private func ids(_ stored: StoredIntegrations, where isOffered: (Issue) -> Bool) throws -> [String] {
    let now = Date()
    let issues = try stored.knownBots.flatMap { try stored.issues(of: $0, at: now).branches.flatMap(\.all) }
    return Set(issues.map(\.issue).filter(isOffered).map(\.id)).sorted()
  }
}
