package import FoundationEssentials
package import Model
package import Processes

/// The sender of deliveries, which also schedules further attempts.
package struct Sender: Sendable {
  package var outbox: Outbox
  /// Nil if the server sends no mail.
  package var mailAccount: MailAccount?
  /// The values of the secrets used for sending, by bot and name.
  package var secrets: [String: [String: String]]
  package var timing = DeliveryTiming()
  /// The environment of a program that sends mail.
  package private(set) var environment: [String: String]
  package var now: @Sendable () -> Date
  package var cancellation: Cancellation

  /// The variables that such a program needs to find itself and its settings; the rest, including the server's secrets,
  /// is not its business.
  private static let handedOn: Set<String> = ["PATH", "HOME", "XDG_CONFIG_HOME", "LANG", "USER", "LOGNAME"]

  /// - Parameter environment: The caller's environment, of which a program that sends mail receives only what it needs.
  package init(
    outbox: Outbox, mailAccount: MailAccount?, secrets: [String: [String: String]], environment: [String: String],
    now: @escaping @Sendable () -> Date, cancellation: Cancellation
  ) {
    self.outbox = outbox
    self.mailAccount = mailAccount
    self.secrets = secrets
    self.environment = environment.filter { Self.handedOn.contains($0.key) }
    self.now = now
    self.cancellation = cancellation
  }

  /// Tries to send a delivery from the outbox.
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of attempts, separated by the pauses in `timing`.
  ///   - log: Receives a line for each attempt.
  package func deliver(_ name: String, attempts: Int = 1, log: (String) -> Void) throws(NotifyingError)
    -> DeliveryResult
  {
    guard let claim = try outbox.claim(name) else { return .taken }
    for attempt in 1...max(1, attempts) {
      let isRepeat = claim.delivery.isUnsettled
      try claim.update {
        $0.attempts += 1
        // Until its answer is written down, in case this process ends before.
        $0.mayHaveArrived = true
      }
      let outcome = try attemptDelivery(claim.delivery, isRepeat: isRepeat)
      let delivery = claim.delivery
      switch outcome {
      case .accepted(let words):
        log("\(delivery.place): accepted\(Self.tail(words))")
        try claim.finish()
        return .accepted(words: words)
      case .refused(let reason):
        log("\(delivery.place): refused: \(reason)")
        try claim.finish()
        return .refused(reason: reason)
      case .resting(let rest, let mayHaveArrived):
        log("\(delivery.place): attempt \(delivery.attempts) is to be made later")
        if let end = try giveUp(claim, because: rest.words ?? "it takes no more calls for now") { return end }
        try claim.update { ($0.rest, $0.dueAt, $0.mayHaveArrived) = (rest, rest.until, mayHaveArrived) }
        return .resting(rest)
      case .failed(let reason, let isReached, let mayHaveArrived):
        log("\(delivery.place): attempt \(delivery.attempts) failed: \(reason)")
        if let end = try giveUp(claim, because: reason) { return end }
        let delay = timing.delay(after: delivery.attempts)
        try claim.update {
          $0.dueAt = now().addingTimeInterval(delay)
          $0.mayHaveArrived = mayHaveArrived
        }
        let pause = timing.pauses.dropFirst(attempt - 1).first ?? .zero
        if attempt >= attempts || cancellation.wait(atMost: pause) {
          return .waiting(reason: reason, isReached: isReached)
        }
      }
    }
    return .taken
  }

  /// Abandons a delivery that has been tried for long enough.
  private func giveUp(_ claim: Claim, because reason: String) throws(NotifyingError) -> DeliveryResult? {
    guard now().timeIntervalSince(claim.delivery.queuedAt) > timing.patience else { return nil }
    try claim.finish()
    return .refused(reason: "given up after \(claim.delivery.attempts) attempts: \(reason)")
  }

  enum Attempt: Hashable {
    case accepted(words: String)
    /// Trying again is of no use.
    case refused(reason: String)
    /// - Parameters:
    ///   - isReached: Whether a server answered at all; nil if none was asked.
    ///   - mayHaveArrived: Whether this attempt or one before may have been taken all the same.
    case failed(reason: String, isReached: Bool?, mayHaveArrived: Bool = true)
    /// The receiver wants no calls for a while.
    case resting(Delivery.Rest, mayHaveArrived: Bool)
  }

  /// - Parameter isRepeat: Whether an earlier attempt may have arrived. Mails and webhooks bear a name by which the
  ///   receiver tells a repeated one.
  private func attemptDelivery(_ delivery: Delivery, isRepeat: Bool) throws(NotifyingError) -> Attempt {
    switch delivery.way {
    case .mail(let from, let to):
      guard let mailAccount else {
        return .failed(reason: "martlet.yml has no valid 'mail', which says how mail is sent", isReached: false)
      }
      if mailAccount.lacksLogin {
        return .failed(
          reason: "the login of the mail server cannot be read from secrets.env; 'martlet status' says why",
          isReached: false)
      }
      switch mailAccount.server.way {
      case .smtp(let url): return try smtp(delivery, url, from: from, to: to, by: mailAccount)
      case .sendmail(let path): return try sendmail(delivery, path, from: from, to: to)
      }
    case .webhook(let url, let secret, let event, let authorities):
      guard let secret else { return try post(delivery, url, event: event, key: nil, authorities: authorities) }
      guard let key = secrets[delivery.bot]?[secret] else {
        return .failed(
          reason: "the secret '\(secret)' has no value; write it into secrets/\(delivery.bot).env", isReached: nil)
      }
      return try post(delivery, url, event: event, key: key, authorities: authorities)
    case .status(let url, let forge, _): return try tell(delivery, url, forge, isRepeat: isRepeat)
    }
  }

  static func tail(_ words: String) -> String { words.isEmpty ? "" : ": \(words)" }
}
