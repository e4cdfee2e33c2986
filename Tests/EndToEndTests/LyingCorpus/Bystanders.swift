import FoundationEssentials
import Glibc

/// What no test may reach: processes that only wait, and a service of this machine.
final class Bystanders: Sendable {
  private let pids: [pid_t]
  /// The processes end when nobody holds this any more, also when the tests are killed.
  private let leash: Int32
  private let door: Int32
  let port: UInt16

  /// - Parameter folder: where programs of other names are put.
  init(in folder: String) throws {
    var ends: [Int32] = [0, 0]
    try check(pipe(&ends))
    for end in ends { try check(fcntl(end, F_SETFD, FD_CLOEXEC)) }
    leash = ends[1]
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    for descriptor in Int32(1)...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var pids: [pid_t] = []
    for name in ["sleep", "LiesPackageTests.xctest"] {
      let program = "\(folder)/\(name)"
      try FileManager.default.copyItem(atPath: "/bin/cat", toPath: program)
      var pid = pid_t()
      var words: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
      defer { for word in words { free(word) } }
      let code = posix_spawn(&pid, program, &actions, nil, &words, [nil])
      guard code == 0 else { throw SystemFailure(code: code) }
      pids.append(pid)
    }
    self.pids = pids
    door = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    try check(door)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let door = door
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(door, $0, length) == 0 && listen(door, 16) == 0 ? getsockname(door, $0, &length) : -1
      }
    }
    try check(code)
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit {
    close(door)
    close(leash)
    for pid in pids { waitpid(pid, nil, 0) }
  }

  /// How many of the processes are gone; one that has ended waits for this process to collect it.
  var touched: Int {
    pids.count { pid in
      var information = siginfo_t()
      return waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) != 0 || information.si_signo != 0
    }
  }

  /// Whether somebody called the service.
  var wasCalled: Bool { accept(door, nil, nil) >= 0 }

  /// How many processes have a word in their environment.
  static func processes(marked marker: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.filter { Int($0) != nil }.count { name in
      guard let data = try? Data(contentsOf: URL(filePath: "/proc/\(name)/environ")) else { return false }
      return String(decoding: data, as: UTF8.self).contains(marker)
    }
  }
}
