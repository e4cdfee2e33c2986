import Processes
import Synchronization

/// The turns of destinations that are tested in one go: one goes on, while the others wait or their test processes sleep.
///
/// The thread sanitizer lets each process sleep for a second before it ends, to find races with what is still running
/// (https://github.com/google/sanitizers/wiki/ThreadSanitizerFlags). The next destination goes on meanwhile; but never do
/// the tests of two run at once, since that would change how long they take, and how races end.
final class TestTurns: Sendable {
  private struct State {
    /// The number of the destination that goes on; nil if none does.
    var current: Int?
    /// That of the last one that did.
    var last: Int?
    var waiting: Set<Int> = []
  }

  private let state = Monitor(State())

  fileprivate func join(_ number: Int) {
    state.change { _ = $0.waiting.insert(number) }
  }

  /// Waits until no destination goes on and none before this one waits.
  ///
  /// - Returns: whether another one went on since it last did.
  fileprivate func take(_ number: Int) -> Bool {
    join(number)
    return state.change(once: { $0.current == nil && $0.waiting.min() == number }) { state in
      defer { (state.current, state.last) = (number, number) }
      state.waiting.remove(number)
      return state.last != number
    }
  }

  /// Lets the next one go on.
  fileprivate func pass(_ number: Int) {
    state.change { state in
      state.waiting.remove(number)
      if state.current == number { state.current = nil }
    }
  }
}

/// One destination's turn, for which it waits from the beginning.
final class TestTurn: Sendable {
  private struct State {
    var hasTurn = false
    var hasBegun = false
    /// In seconds.
    var waited = 0.0
  }

  private let turns: TestTurns
  private let number: Int
  private let whole: Clock
  private let resumed: @Sendable () -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - number: that of the destination; of those that wait, the first goes on.
  ///   - resumed: called when it goes on after others did.
  init(
    _ number: Int, of turns: TestTurns, by clock: Clock, resumed: @escaping @Sendable () -> Void
  ) {
    (self.turns, self.number, whole, self.resumed) = (turns, number, clock, resumed)
    turns.join(number)
  }

  /// A clock that stands still while the destination waits for its turn.
  var clock: Clock { Clock(now: whole.now) { [self] in whole.seconds() - state.withLock(\.waited) } }

  /// Waits for the turn, unless the destination has it.
  func take() {
    guard !state.withLock(\.hasTurn) else { return }
    let start = whole.seconds()
    let othersWent = turns.take(number)
    let isResumed = state.withLock { state in
      defer { (state.hasTurn, state.hasBegun) = (true, true) }
      state.waited += whole.seconds() - start
      return othersWent && state.hasBegun
    }
    if isResumed { resumed() }
  }

  /// Lets the others go on, until the turn is taken again.
  func pass() {
    state.withLock { $0.hasTurn = false }
    turns.pass(number)
  }
}
