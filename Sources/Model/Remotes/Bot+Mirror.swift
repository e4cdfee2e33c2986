extension Bot {
  package var fetchPolicy: FetchPolicy { fetch ?? .usual }

  /// The repository as shown to people: never the path of a mirror.
  package var shownRepository: String { remote?.text ?? repository }

  /// The name of the folder containing the mirror of the bot's repository; nil for a repository on this machine.
  ///
  /// Bots with the same login share a mirror, but a token belongs to a single bot, so that none can see what another's
  /// login gives access to.
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

  /// Returns the bot with the mirror's path in place of an address.
  ///
  /// - Parameter mirrors: the absolute path of the folder of all mirrors.
  package func placed(in mirrors: String) -> Bot {
    guard let mirrorName else { return self }
    var bot = self
    bot.repository = "\(mirrors)/\(mirrorName)"
    return bot
  }
}
