package import Model

extension IntegrationRequest {
  /// The request as it integrates a commit whose package says this, and for each setting of the package whose value
  /// counts.
  ///
  /// The rules are those of `PackageSettings.applied(to:)`, with what the command line says in the bot's place where
  /// there is none. But a filter of the command line stands alone: who asks for one test gets that one.
  package func applying(_ settings: PackageSettings) -> (request: IntegrationRequest, origins: [SettingOrigin]) {
    var settings = settings
    let overruled = place == nil && settings.filter != nil && !filter.isEmpty
    if overruled { settings.filter = nil }
    var (bot, origins) = settings.applied(to: standIn)
    if overruled {
      let remark = "The command line's filter stands instead of the package's."
      origins.append(SettingOrigin("tests.filter", .commandLine, remark: remark))
    }
    var request = self
    request.actions = bot.actions
    request.filter = bot.tests.filter
    request.skip = bot.tests.skip
    request.limits = bot.tests.limits
    request.coverageExclude = bot.coverage.exclude
    guard place == nil else { return (request, origins) }
    origins = origins.map { origin in
      origin.source == .bot ? SettingOrigin(origin.setting, .commandLine, remark: origin.remark) : origin
    }
    return (request, origins)
  }

  /// A bot that says the same as the request, as far as a package may have a say.
  private var standIn: Bot {
    var bot = Bot(name: place?.bot ?? "", repository: repository)
    bot.actions = actions
    bot.analyze = analyze
    bot.tests.filter = filter
    bot.tests.skip = skip
    bot.tests.limits = limits
    bot.coverage.exclude = coverageExclude
    return bot
  }
}
