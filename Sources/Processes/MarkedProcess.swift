import Glibc

/// A living process that was started with a certain variable in its environment, and so belongs to whoever set it.
///
/// A process id alone would not do: after a while it is another process's.
package struct MarkedProcess: Hashable, Sendable {
  package let pid: Int32
  /// When it started, in ticks since the machine did; with the id it is unique until the machine starts again.
  package let startTime: UInt64

  /// All processes of this user, but this one, that were started with `name` set to `value`.
  package static func all(where name: String, is value: String) -> [MarkedProcess] {
    let mark = Array("\(name)=\(value)".utf8)
    return pids().filter { $0 != getpid() }.compactMap { pid in
      guard let process = MarkedProcess(pid), isMarked(pid, mark) else { return nil }
      return process
    }
  }

  /// Kills it, if it is still the same one.
  package func kill() {
    if isAlive { Glibc.kill(pid, SIGKILL) }
  }

  package var isAlive: Bool { MarkedProcess(pid) == self }

  /// Reads the process of an id; nil when there is none or it has ended and only waits to be collected.
  private init?(_ pid: Int32) {
    let text = KernelFile.text("/proc/\(pid)/stat")
    // The name stands in brackets and may hold anything, brackets too (proc_pid_stat(5)).
    guard let bracket = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: bracket)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X", let start = UInt64(fields[19]) else { return nil }
    self.pid = pid
    startTime = start
  }

  private static func isMarked(_ pid: Int32, _ mark: [UInt8]) -> Bool {
    KernelFile.bytes("/proc/\(pid)/environ").split(separator: 0).contains { $0.elementsEqual(mark) }
  }

  private static func pids() -> [Int32] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var pids: [Int32] = []
    while let entry = readdir(folder) {
      // In place: the record ends with the name, so a copy of the whole array would read past it.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if let pid = Int32(name) { pids.append(pid) }
    }
    return pids
  }
}
