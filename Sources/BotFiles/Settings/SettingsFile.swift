package import Model

/// Reads `martlet.yml`, the settings of the whole server.
package enum SettingsFile {
  /// Reads the file; the settings of `surroundings` are not looked at.
  ///
  /// - Parameter file: the file's path as messages show it.
  /// - Throws: everything that is wrong with the file.
  package static func read(_ bytes: [UInt8], file: String, in surroundings: Surroundings) throws(BotFileError)
    -> ServerSettings
  {
    let (settings, error) = readWhatIsRight(bytes, file: file, in: surroundings)
    if let error { throw error }
    return settings
  }

  /// Reads what can be read, so that bots can be checked although something else is wrong here.
  package static func readWhatIsRight(_ bytes: [UInt8], file: String, in surroundings: Surroundings)
    -> (ServerSettings, BotFileError?)
  {
    var settings = ServerSettings()
    let document = Document(bytes, file: file)
    let findings = document.findings
    if let fields = document.root?.fields("jobs: 2") {
      fields.take("jobs", into: &settings.jobs) { $0.number(in: 1...1024) }
      fields.take("disk-share", into: &settings.diskShare) { $0.share() }
      fields.take("address", into: &settings.address) { $0.webAddress().map { SiteAddress($0) } }
      fields.take("mail", into: &settings.mail) { $0.mailServer() }
      fields.take("people", into: &settings.people) { $0.people() }
      fields.take("aliases", into: &settings.aliases) { $0.aliases(people: settings.people) }
      fields.take("toolchains", into: &settings.toolchains) { $0.toolchains(in: surroundings) }
      readDefaults(fields, into: &settings, in: surroundings)
      fields.finish { key in
        isBotField(key) ? "what all bots begin with goes under 'defaults'" : nil
      }
    }
    return (settings, findings.isEmpty ? nil : BotFileError(findings.problems))
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

  private static func isBotField(_ key: String) -> Bool {
    BotFileText.keys.contains(key)
  }
}
