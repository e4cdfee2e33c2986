import Glibc
import Processes

/// An ssh agent of Martlet's own that holds one key, so that programs can log in with the key but not read it.
final class KeyAgent {
  private let socket: String
  private let stop: Cancellation
  private let agent: Worker<ProcessResult>

  /// How long an agent may take to start; it takes milliseconds.
  private static let patience = Duration.seconds(10)
  private static let mostOutput = 1 << 16

  /// Starts an agent, and gives it a key without a passphrase.
  ///
  /// - Parameters:
  ///   - key: the path of the private key.
  ///   - socket: where the agent listens; what is left there of an earlier one is removed.
  /// - Throws: an error of kind `service` if there is no ssh-agent, or if it does not take the key.
  init(key: String, socket: String, searchPath: String, cancellation: Cancellation) throws(IntegratingError) {
    guard socket.utf8.count < Self.longestSocket else {
      throw Self.fault(key, "the path \(socket) is too long for a socket. Take a home with a shorter path.")
    }
    unlink(socket)
    self.socket = socket
    let environment = ["PATH": searchPath, "LC_ALL": "C"]
    do {
      let (stop, listening) = (try Cancellation(parent: cancellation), try Cancellation(parent: cancellation))
      self.stop = stop
      agent = try Worker {
        defer { listening.cancel() }
        return try Command("ssh-agent", ["-D", "-a", socket], environment: environment, workingDirectory: "/")
          .run(limits: Limits(), cancellation: stop) { _ in listening.cancel() }
      }
      _ = listening.wait(atMost: Self.patience)
    } catch {
      throw Self.fault(key, "\(error)")
    }
    do {
      try add(key, environment, cancellation)
    } catch {
      close()
      throw error
    }
  }

  private func add(_ key: String, _ environment: [String: String], _ cancellation: Cancellation)
    throws(IntegratingError)
  {
    // The agent did not even start.
    guard access(socket, F_OK) == 0 else {
      stop.cancel()
      let reason = Result { try agent.join() }
      if case .failure(let error) = reason { throw Self.fault(key, "\(error). Run: apt-get install openssh-client") }
      throw Self.fault(key, "ssh-agent did not start.")
    }
    let words = environment.merging(["SSH_AUTH_SOCK": socket, "SSH_ASKPASS_REQUIRE": "never"]) { $1 }
    do {
      let added = try Command("ssh-add", ["-q", "--", key], environment: words, workingDirectory: "/")
        .collect(limits: Limits(wallClock: Self.patience), cancellation: cancellation, limit: Self.mostOutput)
      guard !added.result.succeeded else { return }
    } catch {
      throw Self.fault(key, "\(error)")
    }
    throw Self.fault(key, "ssh-add does not take it. It needs to be a private key without a passphrase.")
  }

  /// Ends the agent, which forgets the key.
  func close() {
    stop.cancel()
    // How it ended makes no difference.
    _ = Result { try agent.join() }
    unlink(socket)
  }

  /// https://man7.org/linux/man-pages/man7/unix.7.html
  private static let longestSocket = 108

  private static func fault(_ key: String, _ reason: String) -> IntegratingError {
    IntegratingError(.service, "cannot use the key \(key) to fetch dependencies: \(reason)")
  }
}

/// How git calls ssh: without the machine's configuration, with one login, and only to hosts that prove to be known.
struct SecureShell {
  /// The path of the private key; nil to log in by the agent whose socket `SSH_AUTH_SOCK` names.
  var key: String?
  /// The file with the keys of the hosts.
  var knownHosts: String

  /// The command for `GIT_SSH_COMMAND` (https://man.openbsd.org/ssh_config).
  var command: String {
    var options = [
      "BatchMode=yes", "StrictHostKeyChecking=yes", "UserKnownHostsFile=\"\(knownHosts)\"", "GlobalKnownHostsFile=none",
      "UpdateHostKeys=no", "ConnectTimeout=30", "ServerAliveInterval=15", "ServerAliveCountMax=4", "ForwardAgent=no",
      "ClearAllForwardings=yes", "PermitLocalCommand=no", "PreferredAuthentications=publickey",
    ]
    if let key {
      options += ["IdentityFile=\"\(key)\"", "IdentitiesOnly=yes", "IdentityAgent=none"]
    } else {
      options += ["IdentityFile=none", "IdentityAgent=SSH_AUTH_SOCK"]
    }
    return (["ssh", "-F", "none"] + options.flatMap { ["-o", $0] }).map(RepeatCommand.quoted).joined(separator: " ")
  }
}
