/// What the watcher tells the process that sends what is due by the clock, and what could not be delivered before.
package struct SendingOrder: Hashable, Sendable, Codable {
  /// The bots that send mail, call webhooks or tell a forge of commits.
  package var bots: [Bot]
  /// Nil when the server sends no mail.
  package var mailAccount: MailAccount?
  /// Where the site is served; nil when it is read from the disk.
  package var address: SiteAddress?
  /// The values of the secrets with which something is sent, by bot and name.
  package var secrets: [String: [String: String]]

  package init(bots: [Bot], mailAccount: MailAccount?, secrets: [String: [String: String]]) {
    self.bots = bots
    self.mailAccount = mailAccount
    self.secrets = secrets
  }
}

/// What came of sending.
package struct SendingResult: Hashable, Sendable, Codable {
  /// Why forges do not take what bots tell them, as sentences, by bot.
  package var troubles: [String: String] = [:]

  package init() {}
}

extension Bot {
  /// Whether the bot tells anybody anything but by scripts.
  package var sendsMessages: Bool {
    status != nil
      || triggers.contains { trigger in
        if case .script = trigger { false } else { true }
      }
  }

  /// The mails that the clock decides about, with their positions among the triggers, from 1.
  package var periodicMails: [(position: Int, mail: Trigger.Mail)] {
    triggers.enumerated().compactMap { offset, trigger in
      guard trigger.isPeriodic, case .mail(let mail) = trigger else { return nil }
      return (offset + 1, mail)
    }
  }
}
