import BotFiles
import FoundationEssentials
import Git
import Integrating
import Model

/// A bot by which a run goes: the settings in its file, and what people have silenced of its issues.
struct AdoptedBot {
  let settings: Bot
  let silences: [Silence]

  init(named name: String, in home: Home, _ context: Context) throws {
    settings = try Self.settings(named: name, context)
    let branches = try StoredIntegrations(in: home).issues(of: name, at: Date()).branches
    let silenced = branches.flatMap(\.all).map(\.issue).filter { $0.status == .silenced }
    // The file says itself which tests are in quarantine.
    silences = silenced.compactMap(\.silence).filter { !$0.isQuarantine }.map { $0.adopted(from: name) }
  }

  /// Returns the settings in a bot's file.
  static func settings(named name: String, _ context: Context) throws -> Bot {
    let configuration = try context.configuration()
    let files = try configuration.botFiles()
    guard let file = files.first(where: { Configuration.name(ofBotAt: $0) == name }) else {
      let help = "martlet help bots"
      throw UsageError.unknown("bot", name, among: files.map(Configuration.name), help: help)
    }
    return try configuration.bot(at: file, shownAs: context.shown(file), settings: configuration.settings())
  }

  /// Returns the bots that integrate a package of a repository on this machine; what cannot be read is none of them.
  static func names(for package: String, ofRepositoryAt path: String, _ context: Context) -> [String] {
    guard
      let configuration = try? context.configuration(),
      let settings = try? configuration.settings(), let files = try? configuration.botFiles(),
      let folder = try? Repository(at: path).commonPath
    else { return [] }
    let bots = files.compactMap { try? configuration.bot(at: $0, settings: settings) }
    return bots.filter { bot in
      bot.package == package && bot.remote == nil && (try? Repository(at: bot.repository).commonPath) == folder
    }.map(\.name)
  }
}
