/// What is known of the death of a test's process.
package struct CrashReport: Hashable, Sendable, Codable {
  /// What it died of: its own words, such as `Fatal error: Index out of range`, or the signal or exit status.
  package var reason: String
  package var signal: Int32?
  /// Where its own words say that it died, as they name the file: a path, or `Module/File.swift`.
  package var statedPlace: SourceLocation?
  /// The thread that crashed; nil when the runtime left no report, as after SIGKILL.
  package var thread: ThreadStack?
  /// How many threads there were besides.
  package var otherThreads: Int
  /// The runtime's own report, relative to the integration's folder.
  package var file: String?
  /// How many other tests were running in the same process and were run again.
  package var bystanders: Int

  package init(
    reason: String, signal: Int32? = nil, statedPlace: SourceLocation? = nil, thread: ThreadStack? = nil,
    otherThreads: Int = 0,
    file: String? = nil, bystanders: Int = 0
  ) {
    self.reason = reason
    self.signal = signal
    self.statedPlace = statedPlace
    self.thread = thread
    self.otherThreads = otherThreads
    self.file = file
    self.bystanders = bystanders
  }

  /// Where it died: the innermost call in a source of the package.
  package var location: SourceLocation? { thread?.firstOwn?.location }
}

extension CrashReport {
  /// What the failure of a test that died says.
  package static func message(_ reason: String) -> String { "Crashed: \(reason)" }
}
