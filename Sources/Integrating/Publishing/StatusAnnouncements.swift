package import FoundationEssentials
package import Model
package import Notifying
import Rendering
import Storing

/// The announcements of a bot's integrations to a forge, which go into the outbox.
package struct StatusAnnouncements {
  private let bot: Bot
  private let home: Home
  private let address: SiteAddress?
  private let outbox: Outbox

  /// - Parameter address: the address at which the site is served; nil if it is read from the disk.
  package init(of bot: Bot, in home: Home, address: SiteAddress?, outbox: Outbox) {
    (self.bot, self.home, self.address, self.outbox) = (bot, home, address, outbox)
  }

  /// Puts what is new into the outbox before the store records that it was told. If this is repeated after a crash, the
  /// outbox still has it only once; it is sent only afterwards.
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

  private func hasReport(_ number: Int) -> Bool { home.report(number, of: bot.name).holds("index.html") }

  private func status(_ news: Announcement.News, of entry: QueueEntry) -> CommitStatus {
    let isResult = if case .finished = news.matter { true } else { false }
    let number = isResult ? entry.number : nil
    return CommitStatus(
      commit: news.commit, ref: entry.ref, state: news.matter.state,
      description: news.matter.description(document: number.flatMap(home.results(of: bot.name).document)),
      // Without a report there is the bot's page, which says why.
      link: address?.page(of: bot.name, number.flatMap { hasReport($0) ? $0 : nil }))
  }
}
