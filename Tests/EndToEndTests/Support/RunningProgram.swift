import FoundationEssentials
import Glibc

/// The program while it runs in a process group of its own, so that a test can send it signals.
final class RunningProgram {
  private let pid: pid_t
  private let errors: Int32
  private let output: String
  private var isOver = false
  private(set) var errorText = ""

  /// Starts the program as a terminal would: no signal is ignored.
  init(_ program: Program, _ arguments: [String]) throws {
    program.lendTools(for: arguments)
    output = program.scratch.file("output-\(UInt32.random(in: 0 ... .max))")
    var pipes: [Int32] = [0, 0]
    try check(pipe(&pipes))
    for end in pipes { try check(fcntl(end, F_SETFD, FD_CLOEXEC)) }
    errors = pipes[0]
    defer { close(pipes[1]) }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    var words = ([Program.path] + Program.complete(arguments)).map { strdup($0) } + [nil]
    var environment = program.variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + environment { free(word) } }
    var pid = pid_t()
    let code = posix_spawn(&pid, Program.path, &actions, &attributes, &words, &environment)
    guard code == 0 else { throw SystemFailure(code: code) }
    self.pid = pid
  }

  deinit {
    close(errors)
    // A test that failed leaves nothing running behind it.
    if !isOver {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
  }

  func send(_ signal: Int32) { kill(pid, signal) }

  /// Reads standard error until a line occurs; false when the program ends before.
  func waits(for line: String) throws -> Bool {
    while !errorText.split(separator: "\n").contains(Substring(line)) {
      guard try readOn() else { return false }
    }
    return true
  }

  /// Reads standard error until there are so many lines that begin so, behind the time that the watcher puts before its
  /// own; gives the last of them without it, or nil when the program ends before.
  func line(beginning words: String, count: Int = 1) throws -> String? {
    while true {
      let lines = errorText.split(separator: "\n").map { $0.trimmingPrefix(Self.time) }
      let found = lines.filter { $0.hasPrefix(words) }
      // The last line may still be growing.
      if found.count >= count, errorText.hasSuffix("\n") { return String(found[count - 1]) }
      guard try readOn() else { return nil }
    }
  }

  /// The address that the program prints first on standard output.
  func address() throws -> String {
    while true {
      if let line = try outputText().firstMatch(of: #/(http:\/\/\S+)\n/#) { return String(line.1) }
      poll(nil, 0, 10)
    }
  }

  /// The time of a line, as RFC 3339 has it.
  private static var time: Regex<Substring> { #/[0-9-]{10}T[0-9:]{8}[+-][0-9:]{5} /# }

  /// Whether every line that begins so had its time before it.
  func isTimed(_ words: String) -> Bool {
    errorText.split(separator: "\n").filter { $0.contains(words) }.allSatisfy { $0.prefixMatch(of: Self.time) != nil }
  }

  /// Waits for the end; gives the exit status, or nil when a signal ended it.
  func end() throws -> Program.Run {
    while try readOn() {}
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    isOver = true
    let exited = status & 0x7f == 0 ? (status >> 8) & 0xff : nil
    let text = String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
    return Program.Run(status: exited, output: text, errors: errorText)
  }

  /// What it has written to standard output so far.
  func outputText() throws -> String { String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self) }

  /// Waits until it has died, whoever still holds what it wrote to.
  func waitForDeath() throws {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    isOver = true
  }

  /// Reads what there is; false at the end.
  private func readOn() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var entry = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
    if poll(&entry, 1, Int32(Overdue.limit) * 1000) == 0 {
      throw Overdue(description: "Nothing was written for \(Overdue.limit) s. Written was:\n\(errorText)")
    }
    let count = read(errors, &buffer, buffer.count)
    if count < 0, errno == EINTR { return true }
    try check(Int32(clamping: count))
    errorText += String(decoding: buffer[..<count], as: UTF8.self)
    return count > 0
  }
}

/// A pipe with a name, held open by processes whose end a test waits for.
final class NamedPipe {
  private let descriptor: Int32

  /// Opens the pipe, which is made when it is not there; one that was let go tells nothing new before it is opened again.
  init(_ path: String) throws {
    if mkfifo(path, 0o644) != 0, errno != EEXIST { throw SystemFailure(code: errno) }
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try check(descriptor)
  }

  deinit {
    close(descriptor)
  }

  /// Waits until somebody has written to it.
  func isWrittenTo(within seconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, seconds * 1000) > 0, entry.revents & Int16(POLLIN) != 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 64)
    return read(descriptor, &buffer, buffer.count) > 0
  }

  /// Waits until nobody holds it open any more; to be asked after somebody wrote to it.
  func isLetGo(within seconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&entry, 1, seconds * 1000) > 0 && entry.revents & Int16(POLLHUP) != 0
  }
}

/// The processes of this machine.
enum ProcessList {
  /// The command lines of the processes that name a path; another look is taken until there is none, for ten seconds.
  static func remaining(naming path: String) -> [String] {
    let end = ContinuousClock.now + .seconds(10)
    while true {
      let found = naming(path)
      if found.isEmpty || ContinuousClock.now > end { return found }
      poll(nil, 0, 10)
    }
  }

  /// Waits until there is a process whose command line names a program and a path; false when that takes a minute.
  static func shows(_ program: String, naming path: String) -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
      if naming(path).contains(where: { $0.contains(program) }) { return true }
      poll(nil, 0, 10)
    }
    return false
  }

  /// Kills the processes whose command lines name a word and a path, and waits until they have gone; false where there are
  /// none, or they do not go.
  static func end(_ word: String, naming path: String) -> Bool {
    let found = numbers(naming: path).filter { $0.line.contains(" \(word) ") }
    for (number, _) in found { kill(number, SIGKILL) }
    let end = ContinuousClock.now + .seconds(10)
    while numbers(naming: path).contains(where: { $0.line.contains(" \(word) ") }), ContinuousClock.now < end {
      poll(nil, 0, 10)
    }
    return !found.isEmpty && ContinuousClock.now < end
  }

  private static func naming(_ path: String) -> [String] { numbers(naming: path).map(\.line) }

  private static func numbers(naming path: String) -> [(number: pid_t, line: String)] {
    let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
    return numbers.filter { $0 != getpid() }.compactMap { number in
      guard let bytes = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") else { return nil }
      let line = String(decoding: bytes, as: UTF8.self).replacing("\0", with: " ")
      return line.contains(path) ? (number, line) : nil
    }
  }
}

/// A system call that a test needs failed.
struct SystemFailure: Error {
  var code: Int32
}

func check(_ result: Int32) throws {
  if result < 0 { throw SystemFailure(code: errno) }
}
