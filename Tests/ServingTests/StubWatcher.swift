import Glibc
import Model
import Synchronization

@testable import Serving

/// A watcher that notes what it is asked.
final class StubWatcher: Sendable {
  private let state = Mutex<(orders: [ControlRequest], reply: WatcherReply)>(([], .taken(message: "Noted.", [])))
  private let silence = Atomic(false)

  var orders: [ControlRequest] { state.withLock(\.orders) }

  /// What it says from now on.
  func says(_ reply: WatcherReply) { state.withLock { $0.reply = reply } }

  /// Whether it keeps everybody waiting.
  func isSilent(_ isSilent: Bool) { silence.store(isSilent, ordering: .releasing) }

  func take(_ order: ControlRequest) -> WatcherReply {
    while silence.load(ordering: .acquiring) { sched_yield() }
    return state.withLock {
      $0.orders.append(order)
      return $0.reply
    }
  }
}
