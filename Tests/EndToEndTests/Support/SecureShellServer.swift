import Glibc
import Processes
import Testing

/// An sshd of the test's own, on the loopback unless said, that lets one key in as the user of the test.
final class SecureShellServer {
  /// What it takes, or why it cannot be tried here.
  static let isThere =
    access("/usr/sbin/sshd", X_OK) == 0 && access("/usr/bin/ssh-keygen", X_OK) == 0
    && access("/usr/bin/bwrap", X_OK) == 0

  let port: UInt16
  private let address: String
  private let scratch: ScratchFolder
  private let program: ListeningProgram

  var key: String { scratch.file("ssh/user") }
  var knownHosts: String { scratch.file("ssh/known") }

  /// Returns when the server listens.
  ///
  /// - Parameter smallDisk: the path of a folder that is a disk of a gigabyte to all who log in.
  init(of scratch: ScratchFolder, at address: String = "127.0.0.1", smallDisk: String? = nil) throws {
    (self.scratch, self.address) = (scratch, address)
    // The number is free again once the door is gone.
    port = try Door().port
    try scratch.write("", to: "ssh/known")
    for name in ["host", "user", "other"] { try Self.makeKey(name, in: scratch) }
    try scratch.write(scratch.read("ssh/user.pub"), to: "ssh/authorized")
    try scratch.write(
      """
      Port \(port)
      ListenAddress \(address)
      HostKey \(scratch.file("ssh/host"))
      AuthorizedKeysFile \(scratch.file("ssh/authorized"))
      StrictModes no
      UsePAM no
      PidFile none
      PasswordAuthentication no
      PermitRootLogin yes

      """, to: "ssh/config")
    // The folder that sshd insists on is one of this process alone.
    program = try ListeningProgram(
      Command(
        "bwrap",
        [
          "--dev-bind", "/", "/", "--tmpfs", "/run", "--dir", "/run/sshd", "--die-with-parent",
        ] + (smallDisk.map { ["--size", "1000000000", "--tmpfs", $0] } ?? []) + [
          "/usr/sbin/sshd", "-D", "-e", "-f", scratch.file("ssh/config"),
        ], environment: ["PATH": "/usr/bin:/bin"], workingDirectory: "/"),
      until: "Server listening on", name: "sshd")
    try know("host")
  }

  private static func makeKey(_ name: String, in scratch: ScratchFolder) throws {
    let run = try Program.run(
      "ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", scratch.file("ssh/\(name)")],
      environment: ["PATH": "/usr/bin:/bin"], in: scratch.path)
    try #require(run.status == 0, "\(run.errors)")
  }

  /// Writes down that the host proves itself by this key.
  func know(_ name: String) throws {
    let words = try scratch.read("ssh/\(name).pub").split(separator: " ").prefix(2).joined(separator: " ")
    try scratch.write("[\(address)]:\(port) \(words)\n", to: "ssh/known")
  }
}
