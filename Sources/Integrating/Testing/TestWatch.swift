import Model
import Parsing
import Synchronization

/// Keeps the time since a test of a process started or ended, while any is running.
///
/// If tests run at once, each may wait long for its turn, so only time without any progress counts.
final class TestWatch: Sendable {
  private struct State {
    var now = Duration.zero
    var changed = Duration.zero
    /// When each of the running tests started.
    var starts: [TestID: Duration] = [:]
  }

  private let state = Mutex(State())

  /// Records the time since the process's start, before the output of that time is read.
  func tick(_ time: Duration) {
    state.withLock { $0.now = time }
  }

  func note(_ progress: TestProgress) {
    state.withLock { state in
      state.changed = state.now
      switch progress {
      case .started(let test):
        state.starts[test] = state.now
      case .ended(let test, _):
        state.starts[test] = nil
      }
    }
  }

  /// Returns, for each test that was still running when the process ended, the seconds that it had taken.
  func elapsed(at end: Duration) -> [TestID: Double] {
    state.withLock { $0.starts.mapValues { max((end - $0).inSeconds, 0) } }
  }

  /// Returns when to stop the process unless something happens; nil while no test is running.
  func deadline(_ limit: Duration) -> Duration? {
    state.withLock { $0.starts.isEmpty ? nil : $0.changed + limit }
  }
}
