import FoundationEssentials
import Git
import Model

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

  /// The bot that integrated the repository around a folder last, one-shot runs included; nil when none has.
  /// - Throws: when the folder lies in no repository.
  package func bot(forRepositoryAt path: String) throws(IntegratingError) -> String? {
    let repository: Repository
    do throws(GitError) {
      repository = try Repository(at: path)
    } catch {
      throw IntegratingError(error)
    }
    let owner = "\(repository.commonPath)\n"
    let mine = bots.filter { bot in
      home.integrations(of: bot).read("repository").map { String(decoding: $0, as: UTF8.self) } == owner
    }
    guard mine.count > 1 else { return mine.first }
    let ends = mine.map { ($0, History(in: home.integrations(of: $0)).newest(1).first?.endedAt ?? .distantPast) }
    return ends.max { $0.1 < $1.1 }?.0
  }

  /// Reads one finished integration.
  package func integration(_ number: Int, of bot: String) throws(IntegratingError) -> StoredIntegration {
    try StoredIntegration(in: home.integrations(of: bot).folder("\(number)"))
  }
}
