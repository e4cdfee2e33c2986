import Notifying

/// The mails and webhooks of a bot that are not sent yet: those in the outbox, and those that wait for their integration.
package struct WaitingMessages {
  private let bot: String
  private let home: Home

  package init(of bot: String, in home: Home) {
    (self.bot, self.home) = (bot, home)
  }

  /// Gives them the bot's new name. What already has it, after an interruption, is left alone.
  package func rename(to name: String) throws {
    for number in heldNumbers {
      let (old, new) = (HeldMessages(of: bot, number, in: home), HeldMessages(of: name, number, in: home))
      try old.folder.rename(to: new.folder)
    }
    let renamed = WaitingMessages(of: name, in: home)
    for box in renamed.boxes { try box.rename(bot, to: name) }
  }

  /// Removes them unsent.
  package func remove() throws {
    for number in heldNumbers { try HeldMessages(of: bot, number, in: home).drop() }
    for box in boxes { try box.removeAll(of: bot) }
  }

  private var boxes: [Outbox] {
    [Outbox(home.outbox)] + heldNumbers.map { Outbox(HeldMessages(of: bot, $0, in: home).folder.path) }
  }

  private var heldNumbers: [Int] { HeldMessages.numbers(of: bot, in: home) }
}
