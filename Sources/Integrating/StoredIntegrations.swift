import Git

/// The finished integrations that a home keeps.
package struct StoredIntegrations: Sendable {
  let home: Home

  package init(in home: Home) {
    self.home = home
  }

  /// The path of the home.
  package var path: String { home.folder.path }

  /// The bots that have at least one finished integration, by name.
  package var bots: [String] {
    home.folder.folder("integrations").names().filter { !numbers(of: $0).isEmpty }
  }

  /// The numbers of a bot's finished integrations, ascending; empty when there is no such bot.
  ///
  /// One that is running, or that was cut off, has no summary document yet.
  package func numbers(of bot: String) -> [Int] {
    guard !bot.isEmpty, !bot.contains("/"), bot != ".", bot != ".." else { return [] }
    let all = home.integrations(of: bot)
    return all.names().compactMap(Int.init).filter { all.folder("\($0)").holds(StoredIntegration.fileName) }.sorted()
  }

  /// The bot that integrates the repository around a folder; nil when none does.
  /// - Throws: when the folder lies in no repository.
  package func bot(forRepositoryAt path: String) throws(IntegratingError) -> String? {
    let repository: Repository
    do throws(GitError) {
      repository = try Repository(at: path)
    } catch {
      throw IntegratingError(error)
    }
    let owner = "\(repository.commonPath)\n"
    return bots.first { bot in
      home.integrations(of: bot).read("repository").map { String(decoding: $0, as: UTF8.self) } == owner
    }
  }

  /// Reads one finished integration.
  package func integration(_ number: Int, of bot: String) throws(IntegratingError) -> StoredIntegration {
    try StoredIntegration(in: home.integrations(of: bot).folder("\(number)"))
  }
}
