/// How much of the machine the code under test may use; whatever exceeds a limit is ended, and the report says so.
package struct ResourceLimits: Hashable, Sendable {
  /// The memory, in bytes, that the processes of a build or test run may use together; nil for three quarters of the
  /// machine's.
  package var memory: Int?
  /// The maximum number of processes.
  package var processes: Int
  /// The maximum size of a single file, in bytes.
  package var fileSize: Int
  /// The bytes that one program of a step may write to all its files; nil for the free disk space minus a reserve for
  /// others.
  package var disk: Int?
  /// How long matching one regular expression against the names of the tests may take; ten thousand names take less
  /// than a second.
  package var matching = Duration.seconds(10)

  package init(
    memory: Int? = nil, processes: Int = 4096, fileSize: Int = 10_000_000_000, disk: Int? = nil
  ) {
    self.memory = memory
    self.processes = processes
    self.fileSize = fileSize
    self.disk = disk
  }
}
