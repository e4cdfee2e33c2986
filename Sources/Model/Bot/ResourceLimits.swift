/// How much of the machine the code under test may take; what takes more is ended, and the report says so.
package struct ResourceLimits: Hashable, Sendable {
  /// Bytes that the processes of a build or test run together may have in memory; nil for three quarters of the machine's.
  package var memory: Int?
  /// How many processes they may be.
  package var processes: Int
  /// Bytes of any one file.
  package var fileSize: Int
  /// Bytes of all files that one program of a step writes; nil for what the disk has free but a reserve for others.
  package var disk: Int?
  /// How long trying one regular expression on the names of the tests may take; ten thousand names take less than a second.
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
