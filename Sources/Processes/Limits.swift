/// The limits of a run; nil means no limit. Core dumps are always disabled.
package struct Limits: Hashable, Sendable {
  /// The time from start to end.
  package var wallClock: Duration?
  /// The time without any output.
  package var silence: Duration?
  /// The time between asking a program to terminate and killing it.
  package var grace: Duration
  /// The time for which descendants may hold the output open after the program has ended, before they are killed.
  package var drain: Duration
  /// The address space of each process, in bytes.
  package var addressSpace: UInt64?
  /// The memory of all the run's processes together, in bytes, excluding file mappings and including the files that the
  /// sandbox holds in memory. Checked a few times a second, and again before anything is killed.
  package var memory: Int?
  /// The number of processes in the run, checked as often.
  package var processes: Int?
  /// The number of processes and threads in the run, enforced by the kernel where possible: no more than this can be
  /// created.
  package var tasks: Int?
  /// The size of any single file that a process writes, in bytes.
  package var fileSize: UInt64?
  /// The disk space of the run's files, checked as often as memory.
  package var disk: DiskLimit?

  package init(
    wallClock: Duration? = nil, silence: Duration? = nil, grace: Duration = .seconds(2),
    drain: Duration = .milliseconds(250), addressSpace: UInt64? = nil, memory: Int? = nil, processes: Int? = nil,
    tasks: Int? = nil, fileSize: UInt64? = nil, disk: DiskLimit? = nil
  ) {
    self.wallClock = wallClock
    self.silence = silence
    self.grace = grace
    self.drain = drain
    self.addressSpace = addressSpace
    self.memory = memory
    self.processes = processes
    self.tasks = tasks
    self.fileSize = fileSize
    self.disk = disk
  }
}
