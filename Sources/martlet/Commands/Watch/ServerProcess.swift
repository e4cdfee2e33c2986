import Glibc
import Integrating
import Model

/// The `martlet serve` process that `martlet watch --serve` starts alongside itself.
///
/// It has no keeper: it continues if the watcher is killed, and the watcher continues if the server is killed. It holds
/// a lock in the home, which tells the next watcher of it.
struct ServerProcess: ~Copyable {
  private let pid: pid_t
  /// Where it listens, which is what it prints first; nil if it ended before.
  let address: String?

  /// Starts the program with the given arguments, and waits until it listens; it shares this process's standard error.
  /// The server that an earlier watcher of the home left is ended first.
  init(
    program: String, _ words: [String], environment: [String: String], home: String, say: (String) -> Void
  ) throws(IntegratingError) {
    let lock = try Self.lock("\(home)/server.lock", say)
    // From here on only the server holds it; nobody is to end another process by the number of an earlier one.
    defer { close(lock) }
    guard ftruncate(lock, 0) == 0 else {
      throw IntegratingError(
        .service, "cannot write \(home)/server.lock: \(SystemReason.words(of: errno)). Make room on its disk.")
    }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw IntegratingError(
        .service, "cannot make a pipe: \(SystemReason.words(of: errno)). Raise the limit of open files.")
    }
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    // The server is to hold neither.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    do {
      defer { close(writing) }
      pid = try Self.start(program, words, environment, lock: lock, output: writing)
    }
    // Without the number the next watcher leaves this server alone, and says that its address is taken.
    Self.append("\(pid)\n", to: lock)
    address = Self.firstLine(from: reading)
    if let address, address.hasPrefix("http://") { Self.append("\(address)\n", to: lock) }
  }

  /// Starts a program that holds a lock, and whose output another descriptor takes; returns its number.
  private static func start(
    _ program: String, _ words: [String], _ environment: [String: String], lock: Int32, output: Int32
  ) throws(IntegratingError) -> pid_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The watcher blocks signals and takes them from its own queue.
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // A descriptor that is copied to itself is passed on.
    posix_spawn_file_actions_adddup2(&actions, lock, lock)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    let arguments = ([program] + words).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid = pid_t()
    let code = posix_spawn(&pid, program, &actions, &attributes, arguments, variables)
    guard code == 0 else {
      throw IntegratingError(
        .service, "cannot start \(program) serve: \(SystemReason.words(of: code)). Start it by itself: martlet serve"
      )
    }
    return pid
  }

  /// Adds a line to the file of a lock, which nothing else was written to by way of this descriptor.
  private static func append(_ line: String, to lock: Int32) { _ = write(lock, line, line.utf8.count) }

  /// Returns what is written before the first line feed; nil if nothing is.
  private static func firstLine(from descriptor: Int32) -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1, byte != UInt8(ascii: "\n") else { break }
      line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// The most steps of 20 ms to wait for the end of an earlier server.
  private static let mostSteps = 500

  /// Opens and takes a lock, if necessary by ending the server that holds it.
  private static func lock(_ path: String, _ say: (String) -> Void) throws(IntegratingError) -> Int32 {
    let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else {
      throw IntegratingError(.service, "cannot open \(path): \(SystemReason.words(of: errno)). Check its permissions.")
    }
    guard flock(lock, LOCK_EX | LOCK_NB) != 0 else { return lock }
    let owner = owner(of: lock)
    if let owner {
      say("The server of an earlier watcher, process \(owner), is replaced.")
      kill(owner, SIGTERM)
      for _ in 0..<mostSteps {
        if flock(lock, LOCK_EX | LOCK_NB) == 0 { return lock }
        usleep(20_000)
      }
    }
    close(lock)
    let process = owner.map { "process \($0)" } ?? "an unknown process"
    throw IntegratingError(
      .service, "the server of an earlier watcher does not end: \(process) holds \(path). End it, or leave out --serve."
    )
  }

  private static func owner(of lock: Int32) -> pid_t? {
    lines(of: lock).first.flatMap { pid_t($0) }.flatMap { $0 > 1 ? $0 : nil }
  }

  /// Returns where a browser finds the pages of the server that a watcher of the home started; nil if none runs, or if
  /// it has no such address.
  static func address(home: String) -> String? {
    let lock = open("\(home)/server.lock", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard lock >= 0 else { return nil }
    defer { close(lock) }
    // Whoever gets the lock learns that no server has it.
    guard flock(lock, LOCK_SH | LOCK_NB) != 0 else { return nil }
    return lines(of: lock).dropFirst().first.map(String.init)
  }

  /// The number of the process, then its address, if that is known.
  private static func lines(of lock: Int32) -> [Substring] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = pread(lock, &buffer, buffer.count, 0)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
  }

  /// Ends the process and waits until it is gone.
  consuming func end() {
    kill(pid, SIGTERM)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
  }
}
