import FoundationEssentials
import Integrating
import Model

/// The operands that the commands about issues have in common: a bot and an issue.
struct IssueOperand {
  let stored: StoredIntegrations
  private let context: Context
  private let help: String

  init(for command: any Subcommand, _ arguments: ParsedArguments, _ context: Context) throws {
    let home = try context.home(arguments)
    stored = StoredIntegrations(in: home)
    try stored.requireReadable()
    self.context = context
    help = "martlet help \(command.name)"
  }

  /// Returns the bot that a word names; without a word, the bot of the repository in the current folder.
  func bot(_ word: String?) throws -> String {
    guard let word else { return try stored.bot(around: context.currentFolder, otherwise: "a bot", help: help) }
    guard !stored.numbers(of: word).isEmpty else { throw stored.unknown(word, help: help) }
    return word
  }

  /// An issue found by its ID or the beginning of it, with all of its bot's issues.
  struct Found {
    var id: String
    var issues: BotIssues

    var bot: String { issues.bot }
    /// The repository of the first branch that has the issue.
    var repository: String {
      issues.branches.first { $0.all.contains { $0.issue.id == id } }?.document.repository ?? ""
    }
  }

  /// Finds an issue in one bot, or in all.
  func issue(_ word: String, bot: String?, at now: Date) throws -> Found {
    let found = try meant(word, bot: bot) { bot in
      try stored.issues(of: bot, at: now).branches.flatMap(\.all).map(\.issue.id)
    }
    guard let found else {
      let place = bot.map { "the bot \($0)" } ?? "any bot in \(stored.path)"
      throw UsageError("no issue of \(place) has the id '\(word)'. 'martlet issues BOT' lists them.")
    }
    return Found(id: found.id, issues: try stored.issues(of: found.bot, at: now))
  }

  /// Finds a silenced issue, even one that no integration has any longer.
  func silenced(_ word: String, bot: String?) throws -> (bot: String, id: String) {
    let found = try meant(word, bot: bot) { bot in try stored.silences(of: bot).all().map(\.issue) }
    if let found { return found }
    throw UsageError("no silenced issue has the id '\(word)'. 'martlet issues BOT' lists them. See '\(help)'.")
  }

  /// Returns the issue that an id, or the beginning of one, means in one bot or in all; nil if it means none.
  private func meant(
    _ word: String, bot: String?, among known: (_ bot: String) throws -> [String]
  ) throws -> (bot: String, id: String)? {
    let bots = try bot.map { [try self.bot($0)] } ?? stored.bots
    var found = try bots.flatMap { bot in
      Set(try known(bot)).filter { $0.hasPrefix(word) }.map { (bot: bot, id: $0) }
    }
    if found.contains(where: { $0.id == word }) { found.removeAll { $0.id != word } }
    guard found.count > 1 else { return found.first }
    let ids = Set(found.map(\.id)).sorted()
    guard ids.count == 1 else {
      throw UsageError("'\(word)' is the beginning of \(CountText.list(ids)). Write more of it. See '\(help)'.")
    }
    let owners = Set(found.map(\.bot)).sorted()
    throw UsageError(
      "\(ids[0]) is an issue of the bots \(CountText.list(owners)). Say which with --bot. See '\(help)'.")
  }
}
