import FoundationEssentials
import Glibc

/// What no test may reach: processes that only wait, and a service of this machine.
final class Bystanders: Sendable {
  private let pids: [pid_t]
  /// The processes end when nobody holds this any more, also when the tests are killed.
  private let leash: Int32
  private let door: Door
  var port: UInt16 { door.port }

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
    door = try Door()
  }

  deinit {
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
  var wasCalled: Bool { door.wasCalled }

  /// How many processes have a word in their environment.
  static func processes(marked marker: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.filter { Int($0) != nil }.count { name in
      guard let data = try? Data(contentsOf: URL(filePath: "/proc/\(name)/environ")) else { return false }
      return String(decoding: data, as: UTF8.self).contains(marker)
    }
  }
}
