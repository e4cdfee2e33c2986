/// Everything that a process needs to send mail: the server's settings and the login itself.
package struct MailAccount: Hashable, Sendable, Codable {
  /// The values of the two secrets named in the server's settings.
  package struct Login: Hashable, Sendable, Codable {
    package var user: String
    package var password: String
  }

  package var server: ServerSettings.MailServer
  /// Nil if the server wants none, or where it is not known.
  package var login: Login?
  package var people: [String: ServerSettings.Person]
  package var aliases: [String: [String]]

  package init(
    server: ServerSettings.MailServer, login: Login? = nil, people: [String: ServerSettings.Person] = [:],
    aliases: [String: [String]] = [:]
  ) {
    self.server = server
    self.login = login
    self.people = people
    self.aliases = aliases
  }

  /// Creates an account from the settings of a server; nil if the server sends no mail.
  ///
  /// - Parameter secrets: the server's secrets, by name; nil if they cannot be read. A login whose values are missing
  ///   will be refused.
  package init?(_ settings: ServerSettings, secrets: [String: String]?) {
    guard let server = settings.mail else { return nil }
    var login: Login?
    if let user = server.user, let password = server.password, let secrets {
      login = Login(user: secrets[user] ?? "", password: secrets[password] ?? "")
    }
    self.init(server: server, login: login, people: settings.people, aliases: settings.aliases)
  }

  /// Whether the server wants a login that is not known now, so that mail waits.
  package var lacksLogin: Bool { server.user != nil && login == nil }
}
