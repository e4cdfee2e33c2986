package import FoundationEssentials
package import Model
import Processes

/// A single round of sending forges everything that is waiting for them.
///
/// There is one delivery for each commit and check, which newer news replaces. So news arrives in order, and outdated
/// news is not sent.
package struct StatusRound {
  private let sender: Sender

  package init(_ sender: Sender) {
    self.sender = sender
  }

  /// - Returns: The reasons forges reject what bots report, as sentences, by bot.
  package func run() throws(NotifyingError) -> [String: String] {
    var troubles: [String: String] = [:]
    var rests = sender.outbox.statuses().compactMap(\.rest).filter { $0.until > sender.now() }
    // A machine that does not answer delays the others only once.
    var silent: Set<String> = []
    var taking: Set<String> = []
    // Newest first, since the others may concern commits that no longer exist.
    for delivery in sender.outbox.statuses().reversed() where !sender.cancellation.isCanceled {
      let login: Sender.Login
      switch sender.login(for: delivery) {
      case .found(let found): login = found
      case .missing(let words):
        troubles[delivery.bot] = words
        continue
      }
      if let rest = rests.first(where: { $0.login == login.name }) {
        if let words = rest.words { troubles[delivery.bot] = words }
        continue
      }
      // A delivery refused with another token is tried immediately with a new one.
      let isDue = delivery.dueAt <= sender.now() || delivery.rest.map { $0.login != login.name } ?? false
      guard isDue, !silent.contains(delivery.place) else { continue }
      switch try sender.deliver(delivery.id, log: { _ in }) {
      case .accepted: taking.insert(login.name)
      case .taken: break
      case .waiting: silent.insert(delivery.place)
      case .refused(let reason): troubles[delivery.bot] = Self.lost(delivery.place, reason)
      case .resting(let rest):
        guard rest.words != nil, taking.contains(login.name) else {
          rests.append(rest)
          if let words = rest.words { troubles[delivery.bot] = words }
          continue
        }
        // The forge accepts others with the same login, so it is this delivery that it rejects.
        try sender.outbox.claim(delivery.id)?.finish()
      }
    }
    return troubles
  }

  private static func lost(_ place: String, _ reason: String) -> String {
    "\(place) does not take the status of a commit: \(reason.withStop) It is not told of that commit."
  }
}

extension Outbox {
  /// Returns the statuses to send to forges, oldest first.
  fileprivate func statuses() -> [Delivery] {
    names().compactMap { delivery($0) }.filter(\.isStatus).sorted { ($0.queuedAt, $0.id) < ($1.queuedAt, $1.id) }
  }
}

extension Delivery {
  /// Whether it reports a commit's status to a forge.
  package var isStatus: Bool { if case .status = way { true } else { false } }

  /// Returns the delivery of a commit's status. A later one for the same commit and check has the same name.
  package static func status(_ status: CommitStatus, at place: StatusPlace, of bot: String, now: Date)
    throws -> Delivery
  {
    let url = place.address(of: status.commit)
    return Delivery(
      key: ["status", url, place.context], bot: bot, place: place.host,
      way: .status(url: url, forge: place.forge, secret: place.token),
      content: try status.body(for: place.forge, context: place.context), queuedAt: now)
  }
}

extension Sender {
  /// The token used for a forge.
  struct Login {
    var token: String
    /// Distinguishes this login from others, and from the same token for another repository; not the token itself.
    var name: String
  }

  enum FoundLogin {
    case found(Login)
    /// The reason there is none, as sentences.
    case missing(String)
  }

  func login(for delivery: Delivery) -> FoundLogin {
    guard case .status(_, _, let secret) = delivery.way else { return .missing("") }
    let file = "secrets/\(delivery.bot).env"
    guard let secrets = secrets[delivery.bot] else {
      return .missing("\(delivery.place) is not told what became of commits: \(file) cannot be read.")
    }
    guard let token = secrets[secret] else {
      return .missing(
        "\(delivery.place) is not told what became of commits: the secret '\(secret)' has no value. Write it into \(file), or take 'status' out of the bot's file."
      )
    }
    // Otherwise the token could begin a header of its own.
    guard token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return .missing(
        "\(delivery.place) is not told what became of commits: the secret '\(secret)' holds a space, a line break or a letter that no token has. Mend it in \(file)."
      )
    }
    return .found(Login(token: token, name: MessageID.of([delivery.bot, delivery.place, token])))
  }

  /// The seconds after which a forge that accepts nothing with a login is tried again.
  private static let closedRest = 3600.0

  /// - Parameter isRepeat: Whether an earlier report may have arrived.
  func tell(_ delivery: Delivery, _ url: String, _ forge: Forge, isRepeat: Bool) throws(NotifyingError) -> Attempt {
    guard case .found(let login) = login(for: delivery) else {
      return .failed(reason: "its token is missing", isReached: false, mayHaveArrived: isRepeat)
    }
    let call = ForgeCall(forge: forge, token: login.token)
    if isRepeat, let check = StatusCheck(url, forge, content: delivery.content),
      let attempt = try ask(check, of: call, login)
    {
      return attempt
    }
    let answer = try Transfer(
      url: url, kind: .post(headers: call.headers), body: [UInt8](delivery.content), timing: timing
    ).perform(cancellation)
    switch call.judge(answer, now: now().timeIntervalSince1970) {
    case .accepted(let words): return .accepted(words: words)
    case .failed(let reason, let isReached):
      return .failed(reason: reason, isReached: isReached, mayHaveArrived: answer.isSent)
    case .refused(let reason): return .refused(reason: reason)
    case .limited(_, let seconds): return .resting(rest(seconds, login), mayHaveArrived: false)
    case .closed(let reason):
      let words =
        "\(delivery.place) does not take what it is told of commits: \(reason.withStop) Check 'status' in the bot's file and the rights of the token in secrets/\(delivery.bot).env; it is tried again each hour."
      return .resting(rest(Self.closedRest, login, words: words), mayHaveArrived: false)
    }
  }
}
