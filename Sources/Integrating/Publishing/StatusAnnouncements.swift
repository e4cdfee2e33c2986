package import FoundationEssentials
package import Model
package import Notifying
import Rendering
import Storing

/// Puts into the outbox what a forge is to be told of a bot's integrations.
package struct StatusAnnouncements {
  private let bot: Bot
  private let home: Home
  private let address: SiteAddress?
  private let outbox: Outbox

  /// - Parameter address: where the site is served; nil when it is read from the disk.
  package init(of bot: Bot, in home: Home, address: SiteAddress?, outbox: Outbox) {
    (self.bot, self.home, self.address, self.outbox) = (bot, home, address, outbox)
  }

  /// The outbox has what is new before the store says that it is told, and has it only once should this be done again
  /// after a crash; it is sent only afterwards.
  package func write(now: Date) throws {
    guard let place = bot.statusPlace else { return }
    var store = try Store(at: home.folder.file(Store.fileName))
    for announcement in try store.announcements(of: bot.name) {
      var isWhole = true
      for news in announcement.news {
        let delivery = try Delivery.status(
          status(news, of: announcement.entry), at: place, of: bot.name, now: now)
        isWhole = try outbox.replace(with: delivery) && isWhole
      }
      if isWhole { try store.noteTold(announcement) }
    }
  }

  private func status(_ news: Announcement.News, of entry: QueueEntry) -> CommitStatus {
    let isResult = if case .finished = news.matter { true } else { false }
    let number = isResult ? entry.number : nil
    return CommitStatus(
      commit: news.commit, ref: entry.ref, state: news.matter.state,
      description: news.matter.description(document: number.flatMap(document)),
      link: address?.page(of: bot.name, number))
  }

  /// What was found; nil where its files are gone already, or were never written.
  private func document(_ number: Int) -> IntegrationRecord? {
    try? StoredIntegrations(in: home).integration(number, of: bot.name).document
  }
}
