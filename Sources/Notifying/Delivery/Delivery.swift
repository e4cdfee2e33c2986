package import FoundationEssentials
package import Model

/// A mail to one recipient, a call to one address, or a forge's status for one commit: sent as a whole or not at all.
package struct Delivery: Hashable, Sendable, Codable {
  package enum Way: Hashable, Sendable, Codable {
    case mail(from: String, to: String)
    /// - Parameters:
    ///   - secret: The name of the bot's secret that signs the body.
    ///   - event: The kind of event, for the receiver.
    ///   - authorities: The file of certificates that verify the receiver's; nil for the machine's.
    case webhook(url: String, secret: String?, event: String, authorities: String? = nil)
    /// - Parameter secret: The name of the bot's secret that contains the forge's token.
    case status(url: String, forge: Forge, secret: String)
  }

  /// A period during which a forge accepts no calls.
  package struct Rest: Hashable, Sendable, Codable {
    package var until: Date
    /// The name of the login to which this applies.
    var login: String
    /// The action required from a person, as sentences; nil if there were merely too many calls.
    package var words: String?
  }

  /// The trigger of an integration that a message comes from.
  package struct Source: Hashable, Sendable, Codable {
    package var number: Int
    /// The name of the trigger.
    package var trigger: String

    package init(number: Int, trigger: String) {
      (self.number, self.trigger) = (number, trigger)
    }
  }

  /// Lowercase hexadecimal digits, the same in every attempt, so that a receiver can discard duplicates.
  package var id: String
  package var bot: String
  /// The destination, for use in sentences: `ada@example.org`, `hooks.example.org`.
  package var place: String
  package var way: Way
  /// The message or the body, byte for byte.
  package var content: Data
  package var queuedAt: Date
  /// The number of attempts that have begun.
  package var attempts = 0
  /// The time at which the next attempt is due.
  package var dueAt: Date
  /// The period during which nothing is sent with the same login, including this delivery.
  package var rest: Rest?
  /// Nil for daily and weekly mails and statuses, and if it was written by a version without this.
  package var source: Source?
  /// Whether an attempt may have arrived though it was not answered; nil if it was written by a version without this.
  var mayHaveArrived: Bool?

  /// - Parameter key: Identifies this delivery among all others, whenever and by whichever process it is created.
  package init(
    key: [String], bot: String, place: String, way: Way, content: [UInt8], queuedAt: Date, source: Source? = nil
  ) {
    id = MessageID.of(key)
    self.bot = bot
    self.place = place
    self.way = way
    self.content = Data(content)
    self.queuedAt = queuedAt
    self.source = source
    dueAt = queuedAt
  }

  /// Whether the receiver may have this already, or what this one replaced.
  var isUnsettled: Bool { mayHaveArrived ?? (attempts > 0) }
}

/// The result of a delivery.
package enum DeliveryResult: Hashable, Sendable {
  /// The server accepted it; its response is kept for the log.
  case accepted(words: String)
  /// It could not be delivered yet and remains in the outbox.
  ///
  /// - Parameter isReached: Whether the server answered at all; nil if it was not asked.
  case waiting(reason: String, isReached: Bool?)
  /// It will not be tried again.
  case refused(reason: String)
  /// The receiver accepts nothing for a while, including this delivery.
  case resting(Delivery.Rest)
  /// Another process is handling it.
  case taken
}

/// Names that are the same whenever and by whichever process they are created.
package enum MessageID {
  /// Returns 32 lowercase hexadecimal digits for some words.
  package static func of(_ key: [String]) -> String {
    // The lengths distinguish ["ab", "c"] from ["a", "bc"].
    let text = key.map { "\($0.utf8.count):\($0)" }.joined(separator: "/")
    return String(SHA256.hash(Array(text.utf8)).hexadecimal.prefix(32))
  }
}

/// The time limits of a delivery, and the schedule of its retries.
package struct DeliveryTiming: Hashable, Sendable {
  /// The time limit for reaching the server.
  package var connecting = Duration.seconds(10)
  /// The time limit for a whole attempt.
  package var whole = Duration.seconds(30)
  /// The pauses between the attempts that are made immediately, one after the other.
  package var pauses: [Duration] = [.seconds(1), .seconds(3)]
  /// The seconds until the first later attempt; each further one waits twice as long.
  package var firstDelay = 60.0
  package var longestDelay = 3600.0
  /// The seconds after which a delivery is abandoned.
  package var patience = 3 * 86_400.0

  package init() {}

  /// Returns the seconds to wait after a number of attempts.
  func delay(after attempts: Int) -> Double {
    let doublings = max(0, attempts - pauses.count - 1)
    return doublings > 16 ? longestDelay : min(longestDelay, firstDelay * Double(1 << doublings))
  }
}

extension SendingOrder {
  /// Returns whether a delivery waits, because a secret that it cannot be made without cannot be read now.
  package func holdsBack(_ delivery: Delivery) -> Bool {
    switch delivery.way {
    case .mail: mailAccount?.lacksLogin == true
    case .webhook(_, nil, _, _): false
    case .webhook, .status: lackingSecrets.contains(delivery.bot)
    }
  }
}
