import Model

extension Field {
  /// The shortest time between two fetches; forges lock out those who ask more often.
  private static let leastInterval = Duration.seconds(30)

  /// When a repository that lies elsewhere is fetched.
  func fetchPolicy() -> FetchPolicy? {
    if isWord("webhook") { return .webhook }
    if isWord("manual") { return .manual }
    guard case .scalar(let text, _) = node.content, text.first?.isNumber == true else {
      return expected("a duration such as 5m, or one of webhook, manual")
    }
    guard let interval = duration() else { return nil }
    guard interval >= Self.leastInterval else {
      return refuse("'\(name)' should be at least 30s, not '\(text.shortened)'")
    }
    return .every(interval)
  }

  /// They stand for themselves: parts of two logins make none.
  func credentials(in surroundings: Surroundings) -> Credentials? {
    guard let fields = fields("{token: FORGE_TOKEN}") else { return nil }
    var credentials = Credentials()
    fields.take("token", into: &credentials.token) { $0.variableName() }
    fields.take("user", into: &credentials.user) { $0.loginName() }
    fields.take("ssh-key", into: &credentials.sshKey) { $0.sshPath(in: surroundings, "~/.ssh/martlet") }
    fields.take("ssh-agent", into: &credentials.sshAgent) { $0.flag() }
    fields.take("known-hosts", into: &credentials.knownHosts) { $0.sshPath(in: surroundings, "~/.ssh/known_hosts") }
    fields.finish()
    return credentials
  }

  /// Who logs in; a colon would end the name (https://www.rfc-editor.org/rfc/rfc7617#section-2).
  private func loginName() -> String? {
    guard let text = text("a name such as x-access-token") else { return nil }
    guard !text.contains(":"), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      return refuse("the name of a user holds neither ':' nor control characters")
    }
    return text
  }

  /// The path of a file that ssh reads, whose options give some signs another meaning
  /// (https://man.openbsd.org/ssh_config#TOKENS).
  private func sshPath(in surroundings: Surroundings, _ example: String) -> String? {
    guard let path = path(in: surroundings, example) else { return nil }
    if let sign = path.first(where: { "%$\"'\\".contains($0) }) {
      return refuse("ssh gives '\(sign)' in a path a meaning of its own; choose a path without it")
    }
    return path
  }
}

extension BotReader {
  /// Holds address and credentials against each other; what the defaults say for other bots is left out.
  func checkRemote(of bot: inout Bot, _ fields: Fields) {
    guard let remote = bot.remote else {
      (bot.fetch, bot.credentials) = (nil, nil)
      for key in ["fetch", "credentials"] {
        guard let field = fields.field(key) else { continue }
        fields.findings.add(
          at: field.keyStart, "'\(key)' is for a repository that lies elsewhere, and this one is of this machine")
      }
      return
    }
    let field = fields.field("credentials")
    let place = field?.keyStart ?? fields.field("repository")?.keyStart ?? fields.start
    if field == nil, let credentials = bot.credentials, fault(in: credentials, for: remote) != nil {
      bot.credentials = nil
    }
    if let fault = fault(in: bot.credentials ?? Credentials(), for: remote) { fields.findings.add(at: place, fault) }
  }

  /// Why nobody can log in by some credentials, as a clause; nil where they will do.
  private func fault(in credentials: Credentials, for remote: RemoteAddress) -> String? {
    let isSSH = remote.scheme == .ssh
    let hasKey = credentials.sshKey != nil || credentials.sshAgent
    if !isSSH, hasKey || credentials.knownHosts != nil {
      return "'ssh-key', 'ssh-agent' and 'known-hosts' are for an address with ssh; with https it is 'token'"
    }
    if isSSH, credentials.token != nil || credentials.user != nil {
      return "'token' and 'user' are for an address with https; with ssh it is 'ssh-key' or 'ssh-agent'"
    }
    if credentials.user != nil, credentials.token == nil { return "'user' goes with a 'token'" }
    if credentials.sshKey != nil, credentials.sshAgent { return "'ssh-key' and 'ssh-agent' exclude each other" }
    if isSSH, !hasKey {
      return
        "an address with ssh needs credentials, such as credentials: {ssh-key: ~/.ssh/martlet, known-hosts: ~/.ssh/known_hosts}"
    }
    if isSSH, credentials.knownHosts == nil {
      return "an address with ssh needs 'known-hosts', a file with the key by which \(remote.host) proves itself"
    }
    return nil
  }
}
