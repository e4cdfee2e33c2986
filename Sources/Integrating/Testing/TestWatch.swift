import Model
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
    /// When each of the tests that are running was started.
    var starts: [TestID: Duration] = [:]
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
      case .started(let test):
        state.running += 1
        state.starts[test] = state.now
      case .ended(let test, _):
        state.running -= 1
        state.starts[test] = nil
      }
    }
  }

  /// The seconds that each test had taken that was running when the process ended.
  func elapsed(at end: Duration) -> [TestID: Double] {
    state.withLock { $0.starts.mapValues { max((end - $0).inSeconds, 0) } }
  }

  /// When the process is to be stopped unless something happens; nil while no test is running.
  func deadline(_ limit: Duration) -> Duration? {
    state.withLock { $0.running > 0 ? $0.changed + limit : nil }
  }
}
