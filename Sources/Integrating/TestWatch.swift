import Parsing
import Synchronization

/// Keeps the time since a test of a process started or ended, while any is running.
///
/// Where tests run at once, each may wait long for its turn; so the time counts that passes without any progress.
final class TestWatch: Sendable {
  private struct State {
    var running = 0
    var now = Duration.zero
    var changed = Duration.zero
  }

  private let state = Mutex(State())

  /// Takes note of the time since the process's start, before the output of that time is read.
  func tick(_ time: Duration) {
    state.withLock { $0.now = time }
  }

  func note(_ progress: TestProgress) {
    state.withLock { state in
      state.changed = state.now
      switch progress {
      case .started: state.running += 1
      case .ended: state.running -= 1
      }
    }
  }

  /// When the process is to be stopped unless something happens; nil while no test is running.
  func deadline(_ limit: Duration) -> Duration? {
    state.withLock { $0.running > 0 ? $0.changed + limit : nil }
  }
}
