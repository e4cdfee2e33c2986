/// The server-wide settings in `martlet.yml`.
package struct ServerSettings: Hashable, Sendable {
  /// How many integrations run at once; nil to decide by cores and memory.
  package var jobs: Int?
  /// The share of the disk in use, in per cent, above which old integrations are removed.
  package var diskShare = 75
  /// How long the reports of one-shot runs are kept, per package.
  package var keepRuns = Bot.Keep()
  /// Nil if no mail is sent.
  package var mail: MailServer?
  /// The address of the served site; nil if the site is read from disk.
  package var address: SiteAddress?
  /// The people who commit, by name.
  package var people: [String: Person] = [:]
  /// Names that stand for several people or addresses.
  package var aliases: [String: [String]] = [:]
  /// The folders of toolchains, by the names that bots use.
  package var toolchains: [String: String] = [:]
  /// The other machines that integrations can run on, in the order of the file.
  package var machines: [MachineSettings] = []
  /// What happens to integrations when no other machine that would do can be used.
  package var whenDown = WhenDown.wait
  /// The settings that every bot starts from; its name and repository are empty.
  package var defaults = Bot(name: "", repository: "")

  package init() {}
}

extension ServerSettings {
  /// How mail leaves the machine.
  package struct MailServer: Hashable, Sendable, Codable {
    package enum Way: Hashable, Sendable, Codable {
      /// The URL of a server, `smtp://` or `smtps://`.
      case smtp(url: String)
      /// The absolute path of a program that reads a mail from its standard input.
      case sendmail(path: String)
    }

    package var way: Way
    /// The sender's address.
    package var from: String
    /// The names of the server's secrets that hold the login; nil for a server without one.
    package var user: String?
    package var password: String?
    /// The absolute path of a PEM file with the certificates used to verify the mail server, instead of the machine's;
    /// nil for the machine's.
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

  /// A person who commits.
  package struct Person: Hashable, Sendable, Codable {
    package var mail: String
    /// The addresses used in the person's commits, in addition to the one that mail goes to.
    package var commitsAs: [String]

    package init(mail: String, commitsAs: [String] = []) {
      self.mail = mail
      self.commitsAs = commitsAs
    }
  }
}
