package import Model

/// The reader of `martlet.yml`, the settings of the whole server.
package enum SettingsFile {
  /// The text that explains the file's fields, with the defaults as comments, for help.
  package static let explanation = """
    # martlet.yml lies in the configuration folder, MARTLET_CONFIG or ~/.config/martlet, and applies to all bots.
    # Lines such as '#disk-share: 75' show the defaults. A running watcher reads the file again when it changes;
    # 'martlet check' says whether it is right.

    # How many integrations run at once on this machine; without it, as many as cores and memory allow. With 'machines'
    # it may be 0: then this machine only hands out work.
    # Example: jobs: 2

    # Other machines to integrate on, by name, over ssh without a password. They need Swift and what
    # script/install-packages installs; Martlet copies itself there. 'slots' is how many integrations run there at
    # once, 'home' the folder there. Bots ask for 'labels' with 'where'. 'key' and 'known-hosts' are files for ssh;
    # 'environment' has variables for what runs there.
    # Example: machines: {big: {ssh: "ci@big.example.org:22", slots: 2, labels: [arm64], home: /srv/martlet}}
    # With 'slurm', integrations are jobs of Slurm instead, each with these arguments for sbatch; 'slots' is how many are
    # submitted at once. 'home' is then a folder that all nodes share with the machine that submits, under the same path
    # and for the same user: this one, or the one that 'ssh' names. What a node lacks shows when a job starts on it.
    # Example: machines: {cluster: {slurm: ["--partition=ci", "--cpus-per-task=8"], slots: 8, home: /shared/martlet}}

    # What to do when no other machine that a bot asks for can be used: wait, or integrate on this one (local).
    #when-down: wait

    # The share of the disk, in per cent, above which old integrations and workspaces are removed. If removing the
    # integrations would not be enough, they stay until 95 per cent are in use.
    #disk-share: 75

    # How many reports of 'martlet run' are kept for each package, and for how many days. The newest twelve, and of
    # each branch the newest one, the last good one, the first bad one after it and those that its gates compare with,
    # are always kept.
    #keep-runs: {integrations: 50, days: 90}

    # The address at which a web server shows the pages, for links in mails, webhooks and notes.
    # Example: address: https://ci.example.org/

    # How mail is sent: by a server or a program. 'user' and 'password' are names in secrets.env beside this file
    # (mode 600); 'ca' is a file of certificates to trust instead of the machine's.
    # Example: mail: {smtp: "smtps://mail.example.org", from: martlet@example.org, user: SMTP_USER, password: SMTP_PASSWORD}
    # Example: mail: {sendmail: /usr/sbin/sendmail, from: martlet@example.org}

    # The people who commit, with the addresses in their commits. Only they, and those in a trigger's 'allowed-domains',
    # get mail as suspects.
    # Example: people: {ada: ada@example.org, bob: {mail: bob@example.org, commits-as: [bob@home.example]}}

    # Names that stand for several people or addresses.
    # Example: aliases: {team: [list@example.org, carol@example.org]}

    # Toolchains by the names that bots use.
    # Example: toolchains: {"6.2": /usr/local/swift-6.2}

    # Defaults for all bots: any field of a bot's file but 'repository' ('martlet help bot-file').
    # Example: defaults: {clean: daily, tests: {timeout: 5m}}

    """

  /// Reads the valid parts, so that bots can be checked even if something else here is wrong. The settings in
  /// `surroundings` are ignored.
  ///
  /// - Parameter file: The file's path as shown in messages.
  package static func readWhatIsRight(_ bytes: [UInt8], file: String, in surroundings: Surroundings)
    -> (ServerSettings, BotFileError?)
  {
    var settings = ServerSettings()
    let document = Document(bytes, file: file)
    let findings = document.findings
    if let fields = document.root?.fields("jobs: 2") {
      readMachines(fields, into: &settings, in: surroundings)
      fields.take("disk-share", into: &settings.diskShare) { $0.share() }
      fields.update("keep-runs", &settings.keepRuns) { $0.keep($1) }
      fields.take("address", into: &settings.address) { $0.webAddress().map { SiteAddress($0) } }
      fields.take("mail", into: &settings.mail) { $0.mailServer() }
      fields.take("people", into: &settings.people) { $0.people() }
      fields.take("aliases", into: &settings.aliases) { $0.aliases(people: settings.people) }
      fields.take("toolchains", into: &settings.toolchains) { $0.toolchains(in: surroundings) }
      readDefaults(fields, into: &settings, in: surroundings)
      fields.finish { key in
        BotFileText.keys.contains(key) ? "what all bots begin with goes under 'defaults'" : nil
      }
    }
    return (settings, findings.isEmpty ? nil : BotFileError(findings.problems))
  }

  private static func readMachines(_ fields: Fields, into settings: inout ServerSettings, in surroundings: Surroundings)
  {
    let jobs = fields.field("jobs")
    fields.take("machines", into: &settings.machines) { $0.machines(in: surroundings) }
    fields.take("when-down", into: &settings.whenDown) { $0.choice() }
    guard let jobs, !jobs.reportsMissingValue() else { return }
    settings.jobs = jobs.number(in: (settings.machines.isEmpty ? 1 : 0)...1024)
  }

  private static func readDefaults(_ fields: Fields, into settings: inout ServerSettings, in outer: Surroundings) {
    var surroundings = outer
    surroundings.settings = settings
    let reader = BotReader(surroundings: surroundings)
    fields.take("defaults", into: &settings.defaults) { field in
      guard let inner = field.fields("{clean: daily}") else { return nil }
      var bot = Bot(name: "", repository: "")
      if let repository = inner.field("repository") {
        inner.findings.add(at: repository.keyStart, "'repository' has no default; each bot names its own")
      }
      reader.read(inner, into: &bot)
      return bot
    }
  }
}
