/// How a bot authenticates itself to the host of its repository.
package struct Credentials: Hashable, Sendable, Codable {
  /// The name of the secret that is the password for https; its value is in the bot's secrets file.
  package var token: String?
  /// The user name to log in with, using the token.
  package var user: String?
  /// The absolute path of a private key for ssh.
  package var sshKey: String?
  /// Whether the key is held by the ssh agent of the person who started the watcher.
  package var sshAgent = false
  /// The absolute path of the file with the host's keys, in ssh's format.
  package var knownHosts: String?

  package init() {}

  /// The user name that GitHub documents; forges check only the token.
  package static let usualUser = "x-access-token"
}
