extension Bot {
  package var fetchPolicy: FetchPolicy { fetch ?? .usual }

  /// The repository as people are shown it: never the path of a mirror.
  package var shownRepository: String { remote?.text ?? repository }

  /// The name of the folder in which the mirror of its repository lies; nil for a repository of this machine.
  ///
  /// Bots share a mirror that log in alike, and a token is one bot's own: nobody sees by another's login.
  package var mirrorName: String? {
    guard let remote else { return nil }
    var parts = [remote.text]
    if let credentials {
      parts += credentials.token.map { ["token", name, $0, credentials.user ?? ""] } ?? []
      parts += credentials.sshKey.map { ["key", $0] } ?? []
      parts += credentials.sshAgent ? ["agent"] : []
      parts += credentials.knownHosts.map { ["hosts", $0] } ?? []
    }
    return "\(remote.folderName)-\(SHA256.digest(of: parts).prefix(12))"
  }

  /// The bot with the mirror in the place of an address.
  ///
  /// - Parameter mirrors: the folder of all mirrors; absolute.
  package func placed(in mirrors: String) -> Bot {
    guard let mirrorName else { return self }
    var bot = self
    bot.repository = "\(mirrors)/\(mirrorName)"
    return bot
  }
}
