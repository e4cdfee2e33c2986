/// The delays and intervals of a watch, in seconds.
package struct WatchTiming: Hashable, Sendable {
  /// The time without further news after which a repository is read, so that pushing several branches is handled once.
  package var quiet = 0.004
  /// The longest time between the first news and the reading.
  package var longest = 0.025
  /// The interval between readings of a repository that cannot be watched.
  package var poll = 30.0
  /// The time after which all repositories are read in case the kernel missed a change. It doubles each time, up to
  /// `reconcileMost`, until the kernel misses a change.
  package var reconcileFirst = 30.0
  package var reconcileMost = 1800.0

  package init() {}
}
