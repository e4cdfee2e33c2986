import Glibc
import Processes
import Testing

/// A server that runs beside a test, and ends with its owner.
final class ListeningProgram {
  /// What it had written, on both streams, when it was taken to listen.
  let said: String
  private let cancellation: Cancellation
  private let worker: Worker<ProcessResult>

  /// Starts it; returns when it listens.
  ///
  /// - Parameters:
  ///   - words: what it writes then.
  ///   - name: what it is called where it ends before.
  init(_ command: Command, until words: String, name: String) throws {
    let cancellation = try Cancellation()
    self.cancellation = cancellation
    var pipes: [Int32] = [0, 0]
    try check(pipe(&pipes))
    for end in pipes { try check(fcntl(end, F_SETFD, FD_CLOEXEC)) }
    defer { close(pipes[0]) }
    let ready = pipes[1]
    worker = try Worker {
      var said: [UInt8] = []
      var isOpen = true
      defer { if isOpen { close(ready) } }
      return try command.run(limits: Limits(), cancellation: cancellation) { chunk in
        guard isOpen else { return }
        said += chunk.bytes
        guard String(decoding: said, as: UTF8.self).contains(words) else { return }
        _ = write(ready, said, said.count)
        close(ready)
        isOpen = false
      }
    }
    var said: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = read(pipes[0], &buffer, buffer.count), count > 0 { said += buffer[..<count] }
    // Where it ends before it listens, the other end is closed without a word.
    try #require(!said.isEmpty, "\(name) listens")
    self.said = String(decoding: said, as: UTF8.self)
  }

  func stop() throws {
    cancellation.cancel()
    _ = try worker.join()
  }

  deinit {
    cancellation.cancel()
  }
}
