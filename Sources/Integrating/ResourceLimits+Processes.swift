import Glibc
import Model
import Parsing
import Processes
import Rendering

extension ResourceLimits {
  /// The limits of one program.
  ///
  /// - Parameter folders: those on the workspace's disk that it can write.
  func limits(wallClock: Duration? = nil, silence: Duration? = nil, writing folders: [String]) -> Limits {
    Limits(
      wallClock: wallClock, silence: silence, memory: mostMemory, processes: processes, tasks: tasks,
      fileSize: UInt64(fileSize), disk: folders.isEmpty ? nil : DiskLimit(folders: folders, bytes: disk))
  }

  /// Bytes of each folder that a sandbox holds in memory: three quarters of the memory together, and what is in them
  /// counts as memory of the program.
  var temporaryBytes: Int { min(2 << 30, mostMemory / 4) }

  /// Four threads for each process, which is what the `EndReporter` allows of the default number.
  private var tasks: Int {
    let (tasks, isTooMuch) = processes.multipliedReportingOverflow(by: 4)
    return isTooMuch ? .max : tasks
  }

  /// The limits as a person reads them.
  var words: String {
    let threads = KernelBounds.holdProcesses ? " and \(tasks) with their threads" : ""
    return
      "at most \(processes) processes\(threads), \(Self.words(mostMemory)) of memory, \(Self.words(fileSize)) in a file"
  }

  private var mostMemory: Int {
    memory ?? sysconf(Int32(_SC_PHYS_PAGES)) / 4 * 3 * sysconf(Int32(_SC_PAGESIZE))
  }

  /// How a program failed, as the end of a sentence; nil when it did not.
  func failure(_ result: ProcessResult) -> String? {
    if result.succeeded { return nil }
    if let excess = excess(result) { return "was stopped: \(excess)" }
    if case .timedOut(let limit) = result.why { return "was stopped, because it took longer than \(limit.words)" }
    return switch result.end {
    case .exited(let status): "failed with exit status \(status)"
    case .signaled(let number): ProcessEnding(.signaled(number)).sentencePart
    case .notStarted: "was not started"
    }
  }

  /// What a program died of that took more than it may, as the middle of a sentence; nil when it did not.
  func excess(_ result: ProcessResult) -> String? {
    switch result.why {
    case .tooMuchMemory(let limit): "its processes used more than \(Self.words(limit)) of memory together"
    case .tooManyProcesses(let limit): "it had more than \(limit) processes"
    case .tooMuchDisk(let limit): "it wrote more than \(Self.words(limit)) to the disk, which was removed"
    case .byItself where result.end == .signaled(SIGXFSZ):
      "it wrote a file of more than \(Self.words(fileSize))"
    case .byItself where result.end == .signaled(SIGKILL): Self.shortage(result)
    default: nil
    }
  }

  /// Whether a program, or a part of it, was killed or told to end, and not by Martlet: as a kernel or a guard of the
  /// machine's memory does.
  func wasKilledByOthers(_ result: ProcessResult) -> Bool {
    let orders = [SIGKILL, SIGTERM, SIGINT, SIGHUP].map(ProcessEnd.signaled)
    return result.why == .byItself && (orders.contains(result.end) || Self.shortage(result) != nil)
  }

  /// That the kernel made room while a program ran that failed, as the middle of a sentence; nil when it did not.
  ///
  /// What it ended need not have been the program's, so that this is only to be said of what failed without blaming a
  /// source.
  static func shortage(_ result: ProcessResult) -> String? {
    guard result.memoryKills > 0 else { return nil }
    let victims = CountText.counted(result.memoryKills, "process", "processes")
    return "the kernel ended \(victims) for want of memory"
  }

  /// A number of bytes, in the largest decimal unit that keeps two digits.
  private static func words(_ bytes: Int) -> String {
    let units = [(10_000_000_000, 1_000_000_000, "GB"), (10_000_000, 1_000_000, "MB"), (10_000, 1_000, "kB")]
    guard let unit = units.first(where: { bytes >= $0.0 }) else { return "\(bytes) bytes" }
    return "\(bytes / unit.1) \(unit.2)"
  }
}
