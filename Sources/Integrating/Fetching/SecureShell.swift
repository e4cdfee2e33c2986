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
