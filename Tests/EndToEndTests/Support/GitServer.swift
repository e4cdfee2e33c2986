import Glibc
import Processes
import Testing

/// Serves the repositories of a folder at an address of this machine that is not its loopback.
final class GitServer {
  /// What stands before the name of a repository.
  let address: String
  private let program: ListeningProgram

  /// Returns when the server listens.
  ///
  /// - Parameter place: where it listens, in the network's order.
  init(of scratch: ScratchFolder, at place: in_addr_t) throws {
    let host = withUnsafeBytes(of: place) { $0.map { "\($0)" } }.joined(separator: ".")
    // The number is free again once the door is gone.
    let port = try Door(at: place).port
    address = "git://\(host):\(port)"
    program = try ListeningProgram(
      Command(
        "git",
        [
          "daemon", "--verbose", "--listen=\(host)", "--port=\(port)", "--base-path=\(scratch.path)", "--export-all",
          "--reuseaddr",
        ], environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], workingDirectory: scratch.path),
      until: "Ready to rumble", name: "git daemon")
  }

  func stop() throws { try program.stop() }
}
