import Glibc
import Integrating

/// The `martlet serve` process that `martlet watch --serve` starts alongside itself.
///
/// It has no keeper: it continues if the watcher is killed, and the watcher continues if the server is killed.
struct ServerProcess: ~Copyable {
  private let pid: pid_t

  /// Starts the program with the given arguments; it shares this process's output.
  init(program: String, _ words: [String], environment: [String: String]) throws(IntegratingError) {
    var signals = sigset_t()
    sigemptyset(&signals)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The watcher blocks signals and takes them from its own queue.
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let arguments = ([program] + words).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid = pid_t()
    let code = posix_spawn(&pid, program, nil, &attributes, arguments, variables)
    guard code == 0 else {
      throw IntegratingError(
        .service, "cannot start \(program) serve: \(String(cString: strerror(code))). Start it by itself: martlet serve"
      )
    }
    self.pid = pid
  }

  /// Ends the process and waits until it is gone.
  consuming func end() {
    kill(pid, SIGTERM)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
  }
}
