extension MachineSettings {
  /// The longest path of the socket of a shared connection: ssh appends to it while it connects, and the kernel allows
  /// 107 bytes (https://man7.org/linux/man-pages/man7/unix.7.html).
  private static let longestSocket = 85

  /// Returns ssh's arguments up to the login, which never ask for anything (https://man.openbsd.org/ssh_config); nil
  /// without a login.
  ///
  /// - Parameters:
  ///   - socket: The path of the socket of the connection that commands share; without it, each makes its own.
  ///   - isMaster: Whether this is the command that keeps the connection.
  package func login(socket: String, isMaster: Bool = false) -> [String]? {
    guard let host else { return nil }
    var options = [
      "BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=5", "ServerAliveCountMax=3", "ForwardAgent=no",
      "ForwardX11=no", "PermitLocalCommand=no", "UpdateHostKeys=no", "LogLevel=ERROR",
      "ControlMaster=\(isMaster ? "yes" : "no")", "ControlPersist=no",
      "ControlPath=\(socket.utf8.count <= Self.longestSocket ? socket : "none")",
    ]
    if let port { options.append("Port=\(port)") }
    if let key { options += ["IdentityFile=\"\(key)\"", "IdentitiesOnly=yes"] }
    if let knownHosts {
      options += ["UserKnownHostsFile=\"\(knownHosts)\"", "GlobalKnownHostsFile=none", "StrictHostKeyChecking=yes"]
    }
    return ["-T"] + options.flatMap { ["-o", $0] } + ["--", host]
  }

  /// Returns whether commands can share a connection through a socket.
  package static func canShare(_ socket: String) -> Bool { socket.utf8.count <= longestSocket }
}
