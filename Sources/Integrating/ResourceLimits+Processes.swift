import Glibc
import Model
import Parsing
import Processes
import Rendering

extension ResourceLimits {
  /// Returns the limits of one program.
  ///
  /// - Parameter folders: the folders on the workspace's disk that the program can write to.
  func limits(wallClock: Duration? = nil, silence: Duration? = nil, writing folders: [String]) -> Limits {
    Limits(
      wallClock: wallClock, silence: silence, memory: mostMemory, processes: processes, tasks: tasks,
      fileSize: UInt64(fileSize), disk: folders.isEmpty ? nil : DiskLimit(folders: folders, bytes: disk))
  }

  /// The size in bytes of each folder that a sandbox holds in memory: three quarters of the memory in total. The
  /// contents count as memory of the program.
  var temporaryBytes: Int { min(2 << 30, mostMemory / 4) }

  /// Four threads per process, which is what the `EndReporter` allows of the default number.
  private var tasks: Int {
    let (tasks, isTooMuch) = processes.multipliedReportingOverflow(by: 4)
    return isTooMuch ? .max : tasks
  }

  var words: String {
    let threads = ControlGroup.isAvailable ? " and \(tasks) with their threads" : ""
    return
      "at most \(processes) processes\(threads), \(Self.words(mostMemory)) of memory, \(Self.words(fileSize)) in a file"
  }

  private var mostMemory: Int { memory ?? Self.shareOfMemory }

  /// Three quarters of the machine's memory, in bytes.
  private static var shareOfMemory: Int { machineMemory / 4 * 3 }

  /// The machine's memory, in bytes.
  static var machineMemory: Int { max(1, sysconf(Int32(_SC_PHYS_PAGES))) * max(1, sysconf(Int32(_SC_PAGESIZE))) }

  /// What git may take to fetch a repository. The largest public ones take less, and a server may send without an end.
  static let fetching = ResourceLimits(memory: min(4_000_000_000, shareOfMemory), processes: 256)

  /// What git may take to ask where HEAD points: it keeps the names of all refs, of which the largest public
  /// repositories have a few million.
  static let asking = ResourceLimits(memory: min(1_000_000_000, shareOfMemory), processes: 256)

  /// Returns how a program failed, as the end of a sentence; nil if it succeeded.
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

  /// Returns the limit or shortage that ended a program, as the middle of a sentence; nil if there was none.
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

  /// Whether a program, or a part of it, was killed or told to end by something other than Martlet, such as the kernel
  /// or a daemon that guards the machine's memory.
  func wasKilledByOthers(_ result: ProcessResult) -> Bool {
    let orders = [SIGKILL, SIGTERM, SIGINT, SIGHUP].map(ProcessEnd.signaled)
    return result.why == .byItself && (orders.contains(result.end) || Self.shortage(result) != nil)
  }

  /// Returns that the kernel freed memory while a failed program ran, as the middle of a sentence; nil if it did not.
  ///
  /// The processes that it ended need not have belonged to the program, so use this only for failures that blame no
  /// source.
  static func shortage(_ result: ProcessResult) -> String? {
    guard result.memoryKills > 0 else { return nil }
    let victims = CountText.counted(result.memoryKills, "process", "processes")
    return "the kernel ended \(victims) for want of memory"
  }

  /// Returns a number of bytes in the largest decimal unit that keeps two digits.
  private static func words(_ bytes: Int) -> String {
    let units = [(10_000_000_000, 1_000_000_000, "GB"), (10_000_000, 1_000_000, "MB"), (10_000, 1_000, "kB")]
    guard let unit = units.first(where: { bytes >= $0.0 }) else { return "\(bytes) bytes" }
    return "\(bytes / unit.1) \(unit.2)"
  }
}
