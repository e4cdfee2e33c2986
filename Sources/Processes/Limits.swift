/// How much a run may take; absent means without limit. A core is never dumped.
package struct Limits: Hashable, Sendable {
  /// The time from start to end.
  package var wallClock: Duration?
  /// The time without any output.
  package var silence: Duration?
  /// The time between asking a program to end and killing it.
  package var grace: Duration
  /// The time that descendants may hold the output after the program's end, before they are killed.
  package var drain: Duration
  /// Bytes of address space, for each process.
  package var addressSpace: UInt64?
  /// Bytes that all processes of the run together may have in memory, without what files lend them and with the files
  /// that their sandbox holds in memory; looked at a few times a second, and again before anything is killed.
  package var memory: Int?
  /// How many processes the run may have, looked at as often.
  package var processes: Int?
  /// How many processes and threads the kernel lets the run have, where it can be told to: beyond that none is made.
  package var tasks: Int?
  /// Bytes of any one file that a process writes.
  package var fileSize: UInt64?
  /// How much of a disk the files of the run may take, looked at as often as memory.
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
