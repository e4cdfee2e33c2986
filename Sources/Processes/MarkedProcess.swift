import Glibc

/// A live process that was started with a certain environment variable, and so belongs to whatever set it.
///
/// A process ID alone would not suffice: after a while it is reused for another process.
package struct MarkedProcess: Hashable, Sendable {
  package let pid: Int32
  /// The start time in ticks since boot. Together with the ID it is unique until the next boot.
  package let startTime: UInt64

  /// Returns all of this user's processes, except this one, that were started with `name` set to `value`.
  package static func all(where name: String, is value: String) -> [MarkedProcess] {
    let mark = Array("\(name)=\(value)".utf8)
    let pids = KernelFile.names(in: "/proc").compactMap { Int32($0) }
    return pids.filter { $0 != getpid() }.compactMap { pid in
      guard let process = MarkedProcess(pid), isMarked(pid, mark) else { return nil }
      return process
    }
  }

  /// Kills the process if the ID still refers to it.
  package func kill() {
    if isAlive { Glibc.kill(pid, SIGKILL) }
  }

  package var isAlive: Bool { MarkedProcess(pid) == self }

  /// Reads the process with an ID; nil if there is none, or if it has ended and is waiting to be reaped.
  private init?(_ pid: Int32) {
    let text = KernelFile.text("/proc/\(pid)/stat")
    // The name is enclosed in brackets and may contain anything, including brackets (proc_pid_stat(5)).
    guard let bracket = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: bracket)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X", let start = UInt64(fields[19]) else { return nil }
    self.pid = pid
    startTime = start
  }

  private static func isMarked(_ pid: Int32, _ mark: [UInt8]) -> Bool {
    KernelFile.bytes("/proc/\(pid)/environ").split(separator: 0).contains { $0.elementsEqual(mark) }
  }
}
