import Processes
import Synchronization

/// What somebody asks of the watcher by way of the server.
package struct WatcherOrder: Hashable, Sendable {
  package enum Verb: String, CaseIterable, Sendable {
    case integrate, rerun, cancel, pin, unpin
    /// Look at the repository now.
    case notify
  }

  package let verb: Verb
  package let bot: String
  /// The integration that it is about; nil where it is about the bot.
  package let number: Int?
  /// The revision to integrate; nil for what the bot's branches hold.
  package let commit: String?
  /// Where the repository lies that is to be looked at.
  package let repository: String?

  init(_ verb: Verb, bot: String, number: Int? = nil, commit: String? = nil, repository: String? = nil) {
    (self.verb, self.bot, self.number, self.commit, self.repository) = (verb, bot, number, commit, repository)
  }
}

/// What the watcher says to an order.
package enum WatcherReply: Hashable, Sendable {
  case taken(message: String?, [QueuedAnswer])
  /// It cannot be done as it was asked, for this reason.
  case refused(String)
  /// There is no such bot; whom the others belong to is nobody's business.
  case unknownBot
  /// There is nothing of what it is about, as this says.
  case unknown(String)
  /// No watcher runs.
  case absent
  /// The watcher could not do it, for this reason.
  case failed(String)

  var isTaken: Bool { if case .taken = self { true } else { false } }
}

/// Passes orders on to the watcher, each from a thread of its own: the server waits for nobody.
package final class WatcherDoor: Sendable {
  private let ask: @Sendable (WatcherOrder) -> WatcherReply
  private let underWay = Mutex(0)

  /// More are not passed on at once.
  private static let most = 16

  /// - Parameter ask: asks the watcher, and waits for what it says.
  package init(ask: @escaping @Sendable (WatcherOrder) -> WatcherReply) {
    self.ask = ask
  }

  /// Passes an order on.
  ///
  /// - Throws: when too many wait for an answer.
  func pass(_ order: WatcherOrder) throws(Problem) -> PassedOrder { try pass { [ask] in ask(order) } }

  /// Has something done that may take longer than an answer should.
  ///
  /// - Throws: when too many wait for an answer.
  func pass(_ work: @escaping @Sendable () -> WatcherReply) throws(Problem) -> PassedOrder {
    let isFree = underWay.withLock { count in
      if count < Self.most { count += 1 }
      return count <= Self.most
    }
    guard isFree else { throw Self.busy }
    let passed = PassedOrder()
    do {
      _ = try Worker { [self] in
        let reply = work()
        underWay.withLock { $0 -= 1 }
        passed.said.withLock { $0 = reply }
      }
    } catch {
      underWay.withLock { $0 -= 1 }
      throw Self.busy
    }
    return passed
  }

  private static let busy = Problem(503, "The watcher has not answered what it was asked before. Ask again later.")
}

/// An order that the watcher was told.
final class PassedOrder: Sendable {
  fileprivate let said = Mutex<WatcherReply?>(nil)

  /// What the watcher said; nil before it did.
  var reply: WatcherReply? { said.withLock(\.self) }
}
