/// By what a bot proves itself to the machine that its repository lies on.
package struct Credentials: Hashable, Sendable, Codable {
  /// The name of the secret that is the password for https; its value stands in the bot's file of secrets.
  package var token: String?
  /// Who logs in with the token.
  package var user: String?
  /// The path of a private key for ssh; absolute.
  package var sshKey: String?
  /// Whether the agent of the one who started the watcher has the key.
  package var sshAgent = false
  /// The path of the file with the host's keys, as ssh keeps them; absolute.
  package var knownHosts: String?

  package init() {}

  /// Forges ask for the token only; this is the name that GitHub documents.
  package static let usualUser = "x-access-token"
}
