/// How often the kernel ended a process for want of memory, be it the machine's or that of a control group.
enum MemoryKills {
  /// Since the machine started; nought where the kernel does not count.
  static var now: Int { count(in: KernelFile.text("/proc/vmstat")) }

  /// - Parameter statistics: the words of `/proc/vmstat`
  ///   (https://docs.kernel.org/admin-guide/cgroup-v2.html, `oom_kill`, is the same figure of one group).
  static func count(in statistics: String) -> Int {
    let name = "oom_kill "
    let line = statistics.split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
  }
}
