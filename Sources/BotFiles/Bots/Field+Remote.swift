import Model

extension Field {
  /// The shortest time between two fetches; forges lock out clients that ask more often.
  private static let leastInterval = Duration.seconds(30)

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

  /// Reads credentials as a whole: parts of two logins do not make one.
  func credentials(in surroundings: Surroundings) -> Credentials? {
    merged(into: Credentials(), "{token: FORGE_TOKEN}") { fields, credentials in
      fields.take("token", into: &credentials.token) { $0.variableName() }
      fields.take("user", into: &credentials.user) { $0.loginName() }
      takeSSH(from: fields, into: &credentials, in: surroundings)
    }
  }

  /// Reads the login for dependencies, which is one by ssh.
  func dependencyCredentials(in surroundings: Surroundings) -> Credentials? {
    guard let fields = fields("{ssh-key: ~/.ssh/martlet, known-hosts: ~/.ssh/known_hosts}") else { return nil }
    var credentials = Credentials()
    takeSSH(from: fields, into: &credentials, in: surroundings)
    fields.finish(refusal: {
      ["token", "user"].contains($0) ? "'\($0)' is for https; the login for dependencies is by ssh" : nil
    })
    if credentials.sshKey != nil, credentials.sshAgent { return refuse(Self.keyAndAgent) }
    guard credentials.sshKey != nil || credentials.sshAgent, credentials.knownHosts != nil else {
      return refuse(
        "'\(name)' needs a login and the keys of the hosts, such as {ssh-key: ~/.ssh/martlet, known-hosts: ~/.ssh/known_hosts}"
      )
    }
    return credentials
  }

  private func takeSSH(from fields: Fields, into credentials: inout Credentials, in surroundings: Surroundings) {
    fields.take("ssh-key", into: &credentials.sshKey) { $0.sshPath(in: surroundings, "~/.ssh/martlet") }
    fields.take("ssh-agent", into: &credentials.sshAgent) { $0.flag() }
    fields.take("known-hosts", into: &credentials.knownHosts) { $0.sshPath(in: surroundings, "~/.ssh/known_hosts") }
  }

  fileprivate static let keyAndAgent = "'ssh-key' and 'ssh-agent' exclude each other"

  func statusReporting() -> StatusReporting? {
    guard let fields = fields("{token: FORGE_TOKEN}") else { return nil }
    let token = fields.field("token")
    var status = StatusReporting(token: token?.variableName() ?? "")
    fields.take("forge", into: &status.forge) { $0.forge() }
    fields.take("address", into: &status.address) { $0.forgeAddress() }
    fields.take("context", into: &status.context) { $0.statusContext() }
    fields.finish()
    if token == nil {
      return refuse("'status' needs the name of the secret that is the forge's token: token: FORGE_TOKEN")
    }
    return status.token.isEmpty ? nil : status
  }

  /// The names of forges; Gitea uses the same API as Forgejo.
  static let forges = Forge.allCases.map(\.rawValue) + ["gitea"]

  private func forge() -> Forge? {
    choice(among: Self.forges).flatMap { $0 == "gitea" ? .forgejo : Forge(rawValue: $0) }
  }

  /// Reads the base address of a forge's API. The token must not be sent over a connection that others can read.
  private func forgeAddress() -> String? {
    let expectation = "an address such as https://git.example.org/api/v1"
    guard let text = text(expectation) else { return nil }
    do {
      _ = try RemoteAddress(text)
    } catch {
      return refuse("'address' cannot be where a forge's API begins: \(error.words)")
    }
    return text.hasPrefix("https://") || text.hasPrefix("http://") ? text : expected(expectation)
  }

  /// The longest name of a check; forges truncate or reject longer ones.
  private static let longestContext = 100

  private func statusContext() -> String? {
    guard let text = text("a short name such as martlet") else { return nil }
    guard text.count <= Self.longestContext,
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return refuse("'context' has at most \(Self.longestContext) letters, and no control characters") }
    return text
  }

  /// Reads the name of a login; a colon would end it (https://www.rfc-editor.org/rfc/rfc7617#section-2).
  private func loginName() -> String? {
    guard let text = text("a name such as x-access-token") else { return nil }
    guard !text.contains(":"), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      return refuse("the name of a user holds neither ':' nor control characters")
    }
    return text
  }

  /// Reads the path of a file for ssh, whose options give some characters a special meaning
  /// (https://man.openbsd.org/ssh_config#TOKENS).
  func sshPath(in surroundings: Surroundings, _ example: String) -> String? {
    guard let path = path(in: surroundings, example) else { return nil }
    if let sign = path.first(where: { "%$\"'\\".contains($0) }) {
      return refuse("ssh gives '\(sign)' in a path a meaning of its own; choose a path without it")
    }
    return path
  }
}

extension BotReader {
  /// Checks the address and the credentials for consistency, ignoring defaults meant for other bots.
  func checkRemote(of bot: inout Bot, _ fields: Fields) {
    guard let remote = bot.remote else {
      (bot.fetch, bot.credentials, bot.status) = (nil, nil, nil)
      for key in ["fetch", "credentials", "status"] {
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
    checkStatus(of: &bot, at: remote, fields)
  }

  private func checkStatus(of bot: inout Bot, at remote: RemoteAddress, _ fields: Fields) {
    guard let status = bot.status, bot.statusPlace == nil else { return }
    guard let field = fields.field("status") else { return bot.status = nil }
    let names = Field.forges.joined(separator: ", ")
    fields.findings.add(
      at: field.keyStart,
      status.forge == nil && Forge(host: remote.host) == nil
        ? "nobody knows what kind of forge \(remote.host) is; say it with 'forge', one of \(names)"
        : "the address of the repository has no owner and name, as a forge's has")
  }

  /// Returns the reason a login with some credentials is impossible, as a clause, or nil if they are suitable.
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
    if credentials.sshKey != nil, credentials.sshAgent { return Field.keyAndAgent }
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
