/// Another machine that integrations can run on, as `martlet.yml` describes it.
package struct MachineSettings: Hashable, Sendable, Codable {
  /// The name chosen by a person; also one of its labels.
  package var name: String
  /// The login for ssh: a host, or a user and a host; nil for this very machine.
  package var host: String?
  /// Nil for the port that ssh uses by itself.
  package var port: Int?
  /// The absolute path of the private key; nil for the keys that ssh finds by itself.
  package var key: String?
  /// The absolute path of the file with the machine's host key; nil for the files that ssh reads by itself.
  package var knownHosts: String?
  /// The folder of workspaces there, relative to the login's home unless absolute; nil for the default.
  package var home: String?
  /// The arguments for sbatch, if integrations are jobs of Slurm; nil where they run on the machine itself.
  package var slurm: [String]?
  /// How many integrations run there at once.
  package var slots = 1
  package var labels: [String] = []
  /// Variables for everything that runs there, such as PATH.
  package var environment: [String: String] = [:]

  package init(name: String, host: String?) {
    (self.name, self.host) = (name, host)
  }

  /// The name of the machine that Martlet itself runs on, which is also its label.
  package static let ownName = "local"

  /// The labels that a bot can ask for.
  package var allLabels: Set<String> { Set(labels + [name]) }
}

extension MachineSettings {
  /// The options of sbatch that Martlet gives itself, or that would have a job run otherwise than once
  /// (https://slurm.schedmd.com/sbatch.html).
  package static let ownSlurmOptions: Set<String> = [
    "--array", "--chdir", "--comment", "--error", "--export", "--export-file", "--input", "--job-name", "--no-requeue",
    "--open-mode", "--output", "--parsable", "--requeue", "--test-only", "--wait", "--wrap",
  ]
}

/// What happens to integrations when no other machine that would do can be used.
package enum WhenDown: String, CaseIterable, Sendable, Codable {
  /// They wait.
  case wait
  /// They run on this machine.
  case local
}

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
      "ControlPath=\(Self.canShare(socket) ? socket : "none")",
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
