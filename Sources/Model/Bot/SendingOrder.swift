package import FoundationEssentials

/// What the watcher tells the process that sends scheduled messages and those that could not be delivered earlier.
package struct SendingOrder: Hashable, Sendable, Codable {
  /// The bots that send mail, call webhooks or report commits to a forge.
  package var bots: [Bot]
  /// Nil if the server sends no mail.
  package var mailAccount: MailAccount?
  /// The address of the served site; nil if the site is read from disk.
  package var address: SiteAddress?
  /// The values of the secrets needed for sending, by bot and name.
  package var secrets: [String: [String: String]]

  package init(bots: [Bot], mailAccount: MailAccount?, secrets: [String: [String: String]]) {
    self.bots = bots
    self.mailAccount = mailAccount
    self.secrets = secrets
  }

  /// The bots whose secrets cannot be read now.
  package var lackingSecrets: Set<String> {
    Set(bots.filter { !$0.sendingSecrets.isEmpty && secrets[$0.name] == nil }.map(\.name))
  }
}

/// The result of sending.
package struct SendingResult: Hashable, Sendable, Codable {
  /// Why forges reject what bots report to them, as sentences, by bot.
  package var troubles: [String: String] = [:]
  /// When the first of the messages that wait for their time is due; nil if none does.
  package var nextDue: Date?
  /// The finished integrations that a refused message changed, by bot; nil if there are none.
  package var changed: [String: Set<Int>]?

  package init() {}
}

extension Bot {
  /// Whether the bot sends messages other than by scripts.
  package var sendsMessages: Bool {
    status != nil
      || triggers.contains { trigger in
        if case .script = trigger { false } else { true }
      }
  }

  /// The mails that are due by the clock, with their positions among the triggers, starting at 1.
  package var periodicMails: [(position: Int, mail: Trigger.Mail)] {
    triggers.enumerated().compactMap { offset, trigger in
      guard trigger.isPeriodic, case .mail(let mail) = trigger else { return nil }
      return (offset + 1, mail)
    }
  }
}
