import Glibc

/// The descendants of a keeper, as the kernel lists them
/// ([proc(5)](https://man7.org/linux/man-pages/man5/proc_pid_task.5.html)).
package struct ProcessTree: Sendable {
  /// A live process.
  package struct Member: Hashable, Sendable {
    package var pid: Int32
    package var parent: Int32
    /// The process ID in the process's own namespace, if it has one.
    package var innerPID: Int32
    /// The path of the executable; empty if the kernel does not report it.
    package var executable: String
    /// The short name.
    package var name: String
    /// The state letter: `R` running, `S` sleeping, `D` waiting for a device, `T` stopped, `Z` ended.
    package var state: String
  }

  let keeper: Int32

  /// Returns all live processes, parents before their children; at most a thousand.
  package func members() -> [Member] {
    var found: [Member] = []
    var waiting = [(pid: keeper, parent: Int32(0))]
    while let next = waiting.first, found.count < 1000 {
      waiting.removeFirst()
      if next.pid != keeper, let member = Self.member(next.pid, parent: next.parent) { found.append(member) }
      waiting += Self.children(of: next.pid).map { ($0, next.pid) }
    }
    return found
  }

  /// Returns the number of live processes, and the bytes of their private memory and of their sandbox's files in
  /// memory. Counting stops beyond a limit.
  func size(countingTo bound: Int) -> (processes: Int, memory: Int) {
    var (processes, memory) = (0, 0)
    var files: Int?
    var waiting = Self.children(of: keeper)
    while let next = waiting.popLast(), processes <= bound {
      processes += 1
      files = files ?? SandboxMemory.bytes(of: next)
      memory = memory.addingReportingOverflow(Self.memory(of: next)).partialValue
      waiting += Self.children(of: next)
    }
    return (processes, memory.addingReportingOverflow(files ?? 0).partialValue)
  }

  /// Returns the resident memory, excluding pages shared with files and other processes.
  private static func memory(of pid: Int32) -> Int {
    let pages = KernelFile.text("/proc/\(pid)/statm").split(separator: " ").prefix(3).compactMap { Int($0) }
    return pages.count == 3 ? max(0, pages[1] - pages[2]) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }

  private static func children(of pid: Int32) -> [Int32] {
    KernelFile.names(in: "/proc/\(pid)/task").flatMap { thread in
      KernelFile.text("/proc/\(pid)/task/\(thread)/children").split(separator: " ").compactMap { Int32($0) }
    }
  }

  private static func member(_ pid: Int32, parent: Int32) -> Member? {
    var member = Member(
      pid: pid, parent: parent, innerPID: pid, executable: KernelFile.target("/proc/\(pid)/exe") ?? "", name: "",
      state: "")
    for line in KernelFile.text("/proc/\(pid)/status").split(separator: "\n") {
      let words = line.split { $0 == "\t" || $0 == " " }
      switch words.first {
      case "Name:": member.name = words.dropFirst().joined(separator: " ")
      case "State:": member.state = words.count > 1 ? String(words[1]) : ""
      case "NSpid:": member.innerPID = words.last.flatMap { Int32($0) } ?? pid
      default: break
      }
    }
    return member.name.isEmpty ? nil : member
  }
}
