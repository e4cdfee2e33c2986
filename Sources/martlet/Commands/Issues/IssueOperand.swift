import FoundationEssentials
import Integrating
import Model
import Rendering

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
    /// The repository of the newest branch that has the issue.
    var repository: String {
      issues.branches.first { $0.all.contains { $0.issue.id == id } }?.document.repository ?? ""
    }
  }

  /// Finds an issue in one bot, or in all.
  func issue(_ word: String, bot: String?, at now: Date) throws -> Found {
    var found: [Found] = []
    for bot in try bot.map({ [try self.bot($0)] }) ?? stored.bots {
      let issues = try stored.issues(of: bot, at: now)
      let ids = Set(issues.branches.flatMap(\.all).map(\.issue.id).filter { $0.hasPrefix(word) })
      let meant = ids.contains(word) ? [word] : ids.sorted()
      found += meant.map { Found(id: $0, issues: issues) }
    }
    if found.contains(where: { $0.id == word }) { found.removeAll { $0.id != word } }
    guard let first = found.first else {
      let place = bot.map { "the bot \($0)" } ?? "any bot in \(stored.path)"
      throw UsageError("no issue of \(place) has the id '\(VisibleText.of(word))'. 'martlet issues BOT' lists them.")
    }
    guard found.count == 1 else { throw ambiguity(word, found.map { ($0.bot, $0.id) }) }
    return first
  }

  /// Finds a silenced issue, even one that no integration has any longer.
  func silenced(_ word: String, bot: String?) throws -> (bot: String, id: String) {
    let bots = try bot.map { [try self.bot($0)] } ?? stored.bots
    var found = try bots.flatMap { bot in
      Set(try stored.silences(of: bot).all().map(\.issue)).filter { $0.hasPrefix(word) }.sorted().map { (bot, $0) }
    }
    if found.contains(where: { $0.1 == word }) { found.removeAll { $0.1 != word } }
    guard let first = found.first else {
      throw UsageError(
        "no silenced issue has the id '\(VisibleText.of(word))'. 'martlet issues BOT' lists them. See '\(help)'.")
    }
    guard found.count == 1 else {
      throw ambiguity(word, found)
    }
    return (first.0, first.1)
  }

  private func ambiguity(_ word: String, _ found: [(bot: String, id: String)]) -> UsageError {
    let bots = Set(found.map(\.bot)).sorted()
    let ids = Set(found.map(\.id)).sorted()
    guard ids.count == 1 else {
      return UsageError("'\(word)' is the beginning of \(CountText.list(ids)). Write more of it. See '\(help)'.")
    }
    return UsageError(
      "\(ids[0]) is an issue of the bots \(CountText.list(bots)). Say which with --bot. See '\(help)'.")
  }
}
