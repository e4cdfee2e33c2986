/// What `martlet.yml` says for the whole server.
package struct ServerSettings: Hashable, Sendable {
  /// How many integrations run at once; nil to decide by cores and memory.
  package var jobs: Int?
  /// The share of the disk, in per cent, above which old integrations are removed.
  package var diskShare = 75
  /// How long the reports of one-shot runs are kept, of each package.
  package var keepRuns = Bot.Keep()
  /// Nil when no mail is sent.
  package var mail: MailServer?
  /// Where the site is served; nil when it is read from the disk.
  package var address: SiteAddress?
  /// The people who commit, by name.
  package var people: [String: Person] = [:]
  /// Names that stand for several people or addresses.
  package var aliases: [String: [String]] = [:]
  /// Folders of toolchains by the names that bots use.
  package var toolchains: [String: String] = [:]
  /// What every bot begins with; its name and repository are empty.
  package var defaults = Bot(name: "", repository: "")

  package init() {}
}

extension ServerSettings {
  /// How mail leaves the machine.
  package struct MailServer: Hashable, Sendable, Codable {
    package enum Way: Hashable, Sendable, Codable {
      /// The address of a server, `smtp://` or `smtps://`.
      case smtp(url: String)
      /// The absolute path of a program that takes a mail on its standard input.
      case sendmail(path: String)
    }

    package var way: Way
    /// The address that mail comes from.
    package var from: String
    /// The names of the server's secrets that hold the login; nil for a server without one.
    package var user: String?
    package var password: String?
    /// The absolute path of a file with the certificates (PEM) that a server's is proved by, instead of the machine's;
    /// nil for those.
    package var authorities: String?

    package init(
      way: Way, from: String, user: String? = nil, password: String? = nil, authorities: String? = nil
    ) {
      self.way = way
      self.from = from
      self.user = user
      self.password = password
      self.authorities = authorities
    }
  }

  /// Somebody who commits.
  package struct Person: Hashable, Sendable, Codable {
    package var mail: String
    /// The addresses that stand in their commits, beside the one that mail goes to.
    package var commitsAs: [String]

    package init(mail: String, commitsAs: [String] = []) {
      self.mail = mail
      self.commitsAs = commitsAs
    }
  }
}
