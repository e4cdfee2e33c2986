import Glibc
import Processes
import Testing

/// Serves the repositories of a folder at an address of this machine that is not its loopback.
final class GitServer {
  /// What stands before the name of a repository.
  let address: String
  private let cancellation: Cancellation
  private let worker: Worker<ProcessResult>

  /// Returns when the server listens.
  ///
  /// - Parameter place: where it listens, in the network's order.
  init(of scratch: ScratchFolder, at place: in_addr_t) throws {
    let host = withUnsafeBytes(of: place) { $0.map { "\($0)" } }.joined(separator: ".")
    // The number is free again once the door is gone.
    let port = try Door(at: place).port
    address = "git://\(host):\(port)"
    let cancellation = try Cancellation()
    self.cancellation = cancellation
    let command = Command(
      "git",
      [
        "daemon", "--verbose", "--listen=\(host)", "--port=\(port)", "--base-path=\(scratch.path)", "--export-all",
        "--reuseaddr",
      ], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], workingDirectory: scratch.path)
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
        said += chunk.bytes
        guard isOpen, String(decoding: said, as: UTF8.self).contains("Ready to rumble") else { return }
        _ = write(ready, "x", 1)
        close(ready)
        isOpen = false
      }
    }
    var byte: UInt8 = 0
    // Where it ends before it listens, the other end is closed without a word.
    try #require(read(pipes[0], &byte, 1) == 1, "git daemon listens")
  }

  func stop() throws {
    cancellation.cancel()
    _ = try worker.join()
  }

  deinit {
    cancellation.cancel()
  }
}
