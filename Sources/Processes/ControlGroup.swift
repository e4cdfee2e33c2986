import Glibc

/// A control group for a single run, in which the kernel limits the number of processes and threads.
///
/// The `EndReporter`'s limit does not apply to root and requires a sandbox; this one applies to every user.
///
/// https://docs.kernel.org/admin-guide/cgroup-v2.html#pid,
/// https://docs.kernel.org/admin-guide/cgroup-v1/pids.html
package struct ControlGroup: ~Copyable {
  /// The folder of the group; nil if there is none.
  private let path: String?

  /// The file through which a single-threaded process joins the group by writing zero; nil to remain in the current
  /// group.
  ///
  /// In version 1 it is `tasks`: there the kernel lets a thread move itself, whereas for `cgroup.procs` it first waits
  /// until no process on the machine is in the middle of forking, which took 12.6 ms at the median instead of 0.06 ms
  /// (https://github.com/torvalds/linux/blob/v6.12/kernel/cgroup/cgroup.c, `cgroup_procs_write_start`).
  var entrance: String? {
    path.map { access("\($0)/tasks", W_OK) == 0 ? "\($0)/tasks" : "\($0)/cgroup.procs" }
  }

  /// Creates a group if there is a limit and this process has permission.
  init(tasks: Int?) {
    path = if let tasks, let place = Self.place { Self.makeGroup(in: place, tasks: tasks) } else { nil }
  }

  deinit {
    guard let path else { return }
    // The last process of the group may not have been removed from the kernel's records yet.
    for _ in 0..<100 {
      guard rmdir(path) != 0, errno == EBUSY else { return }
      usleep(1000)
    }
  }

  /// Whether groups can be created on this machine, so that the number of processes is limited whoever runs Martlet.
  package static var isAvailable: Bool { place != nil }

  /// The folder in which groups can be created, determined once and cleared of groups left behind by killed instances
  /// of Martlet.
  private static let place: String? = {
    let found = candidates(KernelFile.text("/proc/self/cgroup")).first { candidate in
      makeGroup(in: candidate, tasks: 16).map { rmdir($0) == 0 } ?? false
    }
    if let found { removeLeftGroups(in: found) }
    return found
  }()

  /// Returns the folders of this process's own groups, and of the parent group, since the service manager may have
  /// placed this process in a group next to those that it creates.
  ///
  /// - Parameter list: The contents of `/proc/self/cgroup`.
  static func candidates(_ list: String) -> [String] {
    list.split(separator: "\n").flatMap { line -> [String] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      let own = parts[2] == "/" ? "" : parts[2]
      if parts[1].split(separator: ",").contains("pids") { return ["/sys/fs/cgroup/pids\(own)"] }
      guard parts[1].isEmpty else { return [] }
      let around = own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex)
      let isUnit = around.hasSuffix(".service") || around.hasSuffix(".scope")
      return (isUnit ? [own, around] : [own]).map { "/sys/fs/cgroup\($0)" }
    }
  }

  private static let prefix = "martlet-"

  private static func makeGroup(in place: String, tasks: Int) -> String? {
    let path = "\(place)/\(prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))"
    guard mkdir(path, 0o755) == 0 else { return nil }
    // Without the controller this file does not exist.
    guard write("\(tasks)", to: "\(path)/pids.max"), access("\(path)/cgroup.procs", W_OK) == 0,
      access("\(place)/cgroup.procs", W_OK) == 0
    else {
      rmdir(path)
      return nil
    }
    return path
  }

  private static func write(_ text: String, to path: String) -> Bool {
    let number = open(path, O_WRONLY | O_CLOEXEC)
    guard number >= 0 else { return false }
    return Descriptor(owning: number).write(Array(text.utf8)[...]) == 0
  }

  private static func removeLeftGroups(in place: String) {
    for name in KernelFile.names(in: place) {
      guard name.hasPrefix(prefix), let owner = name.dropFirst(prefix.count).split(separator: "-").first,
        ProcessNumber(owner)?.isGone == true
      else { continue }
      rmdir("\(place)/\(name)")
    }
  }
}
