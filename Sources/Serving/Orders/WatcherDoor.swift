package import Model
import Processes
import Synchronization

/// The watcher's reply to an order.
package enum WatcherReply: Hashable, Sendable {
  case taken(message: String?, [QueuedAnswer])
  /// The order cannot be carried out as given, for this reason.
  case refused(String)
  /// There is no such bot; other people's bots are not disclosed.
  case unknownBot
  /// The subject of the order does not exist, as the text says.
  case unknown(String)
  /// No watcher is running.
  case absent
  /// The watcher could not carry out the order, for this reason.
  case failed(String)

  var isTaken: Bool { if case .taken = self { true } else { false } }
}

/// A door through which orders are passed to the watcher, each on a thread of its own, so that the server never waits.
package final class WatcherDoor: Sendable {
  private let ask: @Sendable (ControlRequest) -> WatcherReply
  private let underWay = Mutex(0)

  /// The largest number of orders to pass on at the same time.
  private static let most = 16

  /// - Parameter ask: asks the watcher, and waits for its reply.
  package init(ask: @escaping @Sendable (ControlRequest) -> WatcherReply) {
    self.ask = ask
  }

  /// Passes an order to the watcher; throws if too many wait for a reply.
  func pass(_ order: ControlRequest) throws(Problem) -> PassedOrder { try pass { [ask] in ask(order) } }

  /// Performs work that may take longer than an answer should; throws if too many orders wait for a reply.
  func pass(_ work: @escaping @Sendable () -> WatcherReply) throws(Problem) -> PassedOrder {
    let isFree = underWay.withLock { count in
      guard count < Self.most else { return false }
      count += 1
      return true
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

final class PassedOrder: Sendable {
  fileprivate let said = Mutex<WatcherReply?>(nil)

  /// The watcher's reply; nil until it arrives.
  var reply: WatcherReply? { said.withLock(\.self) }
}
