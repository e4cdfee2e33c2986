import Glibc
import Processes
import TestGround

/// A folder of one test's own, which goes with it.
final class Scratch {
  let path: String

  init() throws {
    var template = Array("/tmp/martlet-processes-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemFailure(call: "mkdtemp", code: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { ScratchRemoval.removeAtEnd(path) }

  func file(_ name: String) -> String { path + "/" + name }

  func write(_ text: String, to name: String, mode: mode_t = 0o644) throws -> String {
    let number = open(file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard number >= 0 else { throw SystemFailure(call: "open", code: errno) }
    defer { close(number) }
    let bytes = Array(text.utf8)
    guard Glibc.write(number, bytes, bytes.count) == bytes.count else {
      throw SystemFailure(call: "write", code: errno)
    }
    guard fchmod(number, mode) == 0 else { throw SystemFailure(call: "fchmod", code: errno) }
    return file(name)
  }

  func read(_ name: String) throws -> [UInt8] {
    let number = open(file(name), O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemFailure(call: "open", code: errno) }
    defer { close(number) }
    return try readToEnd(number)
  }
}

/// A named pipe that tells whether any process still holds its other end: processes inherit it at birth and lose it
/// only when they are gone.
final class Tether {
  let path: String
  private let number: Int32

  init(in scratch: Scratch) throws {
    path = scratch.file("tether")
    guard mkfifo(path, 0o600) == 0 else { throw SystemFailure(call: "mkfifo", code: errno) }
    number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw SystemFailure(call: "open", code: errno) }
  }

  deinit {
    close(number)
  }

  /// Waits for bytes, or for the last holder to go; nil when neither comes in time.
  func next(milliseconds: Int32 = 20_000) -> String? {
    var polled = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, milliseconds) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 1000)
    let count = Glibc.read(number, &buffer, buffer.count)
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// Whether something was written and every process that held the pipe is gone, now.
  func isLoose(after text: String) -> Bool {
    next(milliseconds: 0) == text && next(milliseconds: 0) == ""
  }
}

struct SystemFailure: Error {
  var call: String
  var code: Int32
}

func readToEnd(_ number: Int32) throws -> [UInt8] {
  var all: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = Glibc.read(number, &buffer, buffer.count)
    guard count >= 0 else { throw SystemFailure(call: "read", code: errno) }
    guard count > 0 else { return all }
    all += buffer[..<count]
  }
}

/// A command that runs a shell script; the arguments are its `$1`, `$2` and so on.
func shell(_ script: String, _ arguments: [String] = []) -> Command {
  Command(
    "/bin/sh", ["-c", script, "sh"] + arguments, environment: ["PATH": "/usr/bin:/bin"], workingDirectory: "/")
}

extension Command {
  /// Runs to the end without wish or limit, unless a limit is given.
  func output(limits: Limits = Limits()) throws -> CollectedOutput {
    try collect(limits: limits, cancellation: Cancellation(), limit: 100_000_000)
  }
}

extension CollectedOutput {
  var text: String { String(decoding: standardOutput, as: UTF8.self) }
}

/// A sandbox that holds nothing but the system; nil where bubblewrap is missing or refused.
let emptySandbox: Sandbox? = {
  guard let cancellation = try? Cancellation(),
    case .works(let program)? = try? Bubblewrap.find(searchPath: "/usr/bin:/bin", cancellation: cancellation)
  else { return nil }
  return Sandbox(bubblewrap: program)
}()
