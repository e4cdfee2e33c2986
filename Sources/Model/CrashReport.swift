/// Details of the death of a test's process.
package struct CrashReport: Hashable, Sendable {
  /// The cause of death: the process's own words, such as `Fatal error: Index out of range`, or the signal or exit
  /// status.
  package var reason: String
  package var signal: Int32?
  /// The place given in the process's own words, with the file as named there: a path, or `Module/File.swift`.
  package var statedPlace: SourceLocation?
  /// The thread that crashed; nil if the runtime left no report, as after SIGKILL.
  package var thread: ThreadStack?
  /// The number of other threads.
  package var otherThreads: Int
  /// The runtime's own report, relative to the integration's folder.
  package var file: String?
  /// The number of other tests that were running in the same process and were run again.
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

  /// The place of the crash: the innermost call in a source of the package.
  package var location: SourceLocation? { thread?.firstOwn?.location }
}

extension CrashReport {
  /// Returns the failure message of a test that died.
  package static func message(_ reason: String) -> String { "Crashed: \(reason)" }
}
