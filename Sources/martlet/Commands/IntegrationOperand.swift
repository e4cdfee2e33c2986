import Model
import Integrating
import Rendering

/// The operand `[BOT/N|DIR]`, which identifies a finished integration.
struct IntegrationOperand {
  /// The integration to use if only a bot is named.
  enum Choice {
    case newest
    /// The newest integration of a branch.
    case branch(String)
    /// The integration that determines the bot's state.
    case decisive
    /// The newest one that mapped its tests; the newest of all where none did.
    case mapped
  }

  private let word: String?
  private let stored: StoredIntegrations
  private let context: Context
  private let help: String

  init(_ word: String?, in stored: StoredIntegrations, for command: any Subcommand, _ context: Context) {
    self.word = word
    self.stored = stored
    self.context = context
    help = "martlet help \(command.name)"
  }

  /// Reads the integration: from a folder if the word can only be one, else of a bot, or from a folder if there is no
  /// such bot. A colon introduces one of its destinations.
  func read(_ choice: Choice = .newest) throws -> StoredIntegration {
    guard let word else {
      let bot = try stored.bot(around: context.currentFolder, otherwise: "one as BOT/N", help: help)
      return try integration(choice, of: bot)
    }
    guard let colon = word.firstIndex(of: ":"), !StoredIntegration.isHeld(by: context.absolute(word)) else {
      return try read(word, choice)
    }
    return try read(String(word[..<colon]), choice).destination(String(word[word.index(after: colon)...]))
  }

  private func read(_ word: String, _ choice: Choice) throws -> StoredIntegration {
    let path = context.absolute(word)
    if word.hasPrefix("/") || word.hasPrefix(".") || word.hasSuffix("/") {
      return try named(choice) { try folder(path) }
    }
    if let name = IntegrationName(word), !stored.numbers(of: name.bot).isEmpty {
      guard let rest = name.rest else { return try integration(choice, of: name.bot) }
      return try named(choice) { try integration(rest, of: name.bot) }
    }
    if StoredIntegration.isHeld(by: path) { return try named(choice) { try folder(path) } }
    try stored.requireReadable()
    throw stored.unknown(String(word.prefix { $0 != "/" }), help: help)
  }

  /// Reads an integration that the operand names directly, so a branch cannot be chosen.
  private func named(_ choice: Choice, _ read: () throws -> StoredIntegration) throws -> StoredIntegration {
    guard case .branch = choice else { return try read() }
    throw UsageError("'--branch' chooses among the integrations of a bot: name the bot alone. See '\(help)'.")
  }

  private func folder(_ path: String) throws -> StoredIntegration {
    guard StoredIntegration.isHeld(by: path) else {
      throw UsageError(
        "there is no integration.json in \(path). Name a folder that a report was copied to, or BOT/N. See '\(help)'.")
    }
    return try StoredIntegration(in: path)
  }

  /// Returns a remark if a bot's newest integration is of another branch while the default branch is red, otherwise nil.
  func remark(on newest: IntegrationRecord) -> String? {
    // Without a result of the default branch there is nothing to remark.
    guard word == nil || word == newest.bot, let main = try? stored.decisive(of: newest.bot)?.document,
      main.branch != newest.branch, main.outcome.isConclusive, !main.outcome.isGreen
    else { return nil }
    let branch = main.branch ?? "the default branch"
    return "\(branch) is red: \(main.bot)/\(main.number), \(main.toldOutcome)."
  }

  private func integration(_ choice: Choice, of bot: String) throws -> StoredIntegration {
    guard let number = stored.numbers(of: bot).last else { throw stored.unknown(bot, help: help) }
    switch choice {
    case .newest: break
    case .branch(let branch):
      if let found = try stored.newest(of: bot, on: branch) { return found }
      throw UsageError("\(bot) has no finished integration of the branch '\(branch)'. See '\(help)'.")
    case .decisive:
      if let found = try stored.decisive(of: bot) { return found }
    case .mapped:
      if let found = try stored.mapped(of: bot) { return found }
    }
    return try stored.integration(number, of: bot)
  }

  private func integration(_ text: String, of bot: String) throws -> StoredIntegration {
    let numbers = stored.numbers(of: bot)
    guard let number = Int(text), numbers.contains(number) else {
      let newest = CountText.list(numbers.suffix(5).reversed().map { "\(bot)/\($0)" })
      let verb = CountText.agreeing(numbers.count, "is", "are")
      let known = numbers.count > 5 ? "The newest are \(newest)" : "There \(verb) \(newest)"
      if let number = Int(text), let left = try stored.removed(number, of: bot) {
        throw UsageError("\(removal(of: left, from: bot)) \(known). See '\(help)'.")
      }
      throw UsageError("\(bot) has no finished integration '\(text)'. \(known). See '\(help)'.")
    }
    return try stored.integration(number, of: bot)
  }

  /// Says that an integration was removed, by which rule, and what is left of it.
  private func removal(of left: HistoryLine, from bot: String) -> String {
    let rule =
      stored.keep(of: bot).map { "the bot keeps \($0.words)" } ?? "'keep-runs' in martlet.yml says what is kept"
    let outcome = left.outcome.told(isFailedGate: left.isFailedGate)
    return "\(bot)/\(left.number) was removed; \(rule). Its line in the history is left: \(outcome), "
      + "commit \(left.commit.short) \(left.subject)."
  }
}

/// A word such as BOT or BOT/N.
struct IntegrationName {
  let bot: String
  /// What stands behind the bot, which should be a number; nil for the bot alone.
  let rest: String?

  var number: Int? { rest.flatMap { Int($0) } }

  /// Nil if the word has too many parts.
  init?(_ word: String) {
    let parts = word.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2 else { return nil }
    bot = parts[0]
    rest = parts.dropFirst().first
  }
}

extension StoredIntegrations {
  /// Returns the bot of the package around a folder.
  ///
  /// - Parameter otherwise: What can be named instead.
  func bot(around folder: String, otherwise: String, help: String) throws -> String {
    if let bot = try bot(forPackageAround: folder) { return bot }
    try requireReadable()
    throw UsageError(
      "no integration of the package around \(folder) is kept in \(path). Run 'martlet run' first, or name \(otherwise). See '\(help)'."
    )
  }

  /// Returns why nothing is known of a bot.
  func unknown(_ bot: String, help: String) -> UsageError {
    if isWatched(bot) {
      return UsageError(
        "\(bot) has no finished integration yet. 'martlet status' shows what is running and what is waiting.")
    }
    if bots.isEmpty {
      return UsageError("no integration is kept in \(path). Run 'martlet run' first, or use --home DIR.")
    }
    return .unknown("bot", bot, among: bots, help: help)
  }
}
