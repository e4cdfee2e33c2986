package import FoundationEssentials
package import Model

/// One mail to one recipient, one call of one address, or what a forge is told of one commit: what is sent as a whole or
/// not at all.
package struct Delivery: Hashable, Sendable, Codable {
  package enum Way: Hashable, Sendable, Codable {
    case mail(from: String, to: String)
    /// - Parameters:
    ///   - secret: the name of the bot's secret that signs the body.
    ///   - event: what happened, for the receiver.
    ///   - authorities: the file of certificates that the receiver's is proved by; nil for the machine's.
    case webhook(url: String, secret: String?, event: String, authorities: String? = nil)
    /// - Parameter secret: the name of the bot's secret that is the forge's token.
    case status(url: String, forge: Forge, secret: String)
  }

  /// That a forge takes no calls for a while.
  package struct Rest: Hashable, Sendable, Codable {
    package var until: Date
    /// The name of the login that it takes none by.
    var login: String
    /// What a person has to do about it, as sentences; nil where it only had too many.
    package var words: String?
  }

  /// Lower-case hexadecimal digits; the same in every attempt, so that a receiver can drop a double.
  package var id: String
  package var bot: String
  /// Where it goes, for sentences: `ada@example.org`, `hooks.example.org`.
  package var place: String
  package var way: Way
  /// The message or the body, byte by byte.
  package var content: Data
  package var queuedAt: Date
  /// How many attempts have begun.
  package var attempts = 0
  /// When the next attempt is due.
  package var dueAt: Date
  /// Why the last attempt failed.
  package var trouble: String?
  /// Until when neither this nor anything else is sent by the same login.
  package var rest: Rest?

  /// - Parameter key: what tells this delivery from every other one, whenever and by whichever process it is made.
  package init(
    key: [String], bot: String, place: String, way: Way, content: [UInt8], queuedAt: Date
  ) {
    id = MessageID.of(key)
    self.bot = bot
    self.place = place
    self.way = way
    self.content = Data(content)
    self.queuedAt = queuedAt
    dueAt = queuedAt
  }
}

/// What became of a delivery.
package enum DeliveryResult: Hashable, Sendable {
  /// The server took it; its words are kept for the log.
  case accepted(words: String)
  /// It could not be delivered yet and stays in the outbox.
  case waiting(reason: String, isReached: Bool)
  /// It will not be tried again.
  case refused(reason: String)
  /// The receiver takes nothing for a while, neither this nor anything else.
  case resting(Delivery.Rest)
  /// Another process is about it.
  case taken
}
