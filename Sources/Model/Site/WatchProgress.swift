/// How far the tests are of an integration that runs.
package struct RunningTests: Hashable, Sendable, Codable {
  /// How many tests have ended, each counted once.
  package var ended: Int
  /// How many of them are red.
  package var red: Int
  /// The full name of the one that began last of those that run; nil while none does.
  package var running: String?

  package init(ended: Int, red: Int, running: String?) {
    (self.ended, self.red, self.running) = (ended, red, running)
  }
}

/// How far the tests are of what a watcher runs. It has a file of its own, which is small: it is written twice a second.
package struct WatchProgress: Hashable, Sendable, Codable {
  /// The file of the home that a watcher keeps up to date with it.
  package static let fileName = "watch-progress.json"

  /// One integration that tests.
  package struct Entry: Hashable, Sendable, Codable {
    package var bot: String
    package var number: Int
    package var tests: RunningTests

    package init(bot: String, number: Int, tests: RunningTests) {
      (self.bot, self.number, self.tests) = (bot, number, tests)
    }
  }

  package var entries: [Entry]

  package init(_ entries: [Entry]) { self.entries = entries }

  /// How far the tests of an entry are; nil where it does not test.
  package func tests(of entry: WatchState.Entry) -> RunningTests? {
    guard entry.step == .testing else { return nil }
    return entries.first { $0.bot == entry.bot && $0.number == entry.number }?.tests
  }
}
