import Glibc
import Integrating

/// The process of `martlet serve` that `martlet watch --serve` starts beside itself.
///
/// It is no child under a keeper: it goes on when the watcher is killed, as the watcher does when it is.
struct ServerProcess: ~Copyable {
  private let pid: pid_t

  /// Starts the program with these words; it prints where this process does.
  init(program: String, _ words: [String], environment: [String: String]) throws(IntegratingError) {
    var signals = sigset_t()
    sigemptyset(&signals)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The watcher holds signals back, and takes them from a queue of its own.
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

  /// Ends it, and waits until it has gone.
  consuming func end() {
    kill(pid, SIGTERM)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
  }
}
