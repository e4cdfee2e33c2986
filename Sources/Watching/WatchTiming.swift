/// How long a watch waits for what, in seconds.
package struct WatchTiming: Hashable, Sendable {
  /// The time without news of a repository after which it is read: a push of several branches is one thing.
  package var quiet = 0.004
  /// The longest time between the first news and the reading.
  package var longest = 0.025
  /// The time between two looks at a repository that cannot be watched.
  package var poll = 30.0
  /// The time after which all repositories are looked at, should the kernel have kept something to itself; twice as
  /// long each time that it had not.
  package var reconcileFirst = 30.0
  package var reconcileMost = 1800.0

  package init() {}
}
