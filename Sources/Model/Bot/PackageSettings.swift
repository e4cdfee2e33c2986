/// The contents of a package's `.martlet.yml`, which can do little because it comes from commits that have not been
/// reviewed.
package struct PackageSettings: Hashable, Sendable {
  /// Replaces the bot's.
  package var actions: [Bot.Action]?
  /// Replaces the bot's.
  package var filter: [String]?
  /// Added to the bot's.
  package var skip: [String]?
  /// Counts only if shorter than the bot's.
  package var timeout: Duration?
  /// Counts only if shorter than the bot's.
  package var silence: Duration?
  /// Added to the bot's.
  package var coverageExclude: [String]?

  package init() {}
}

/// A setting of an integration that did not come from the bot alone.
package struct SettingOrigin: Hashable, Sendable, Codable {
  /// Where the value in effect comes from.
  package enum Source: String, Sendable, Codable {
    case bot
    /// For an integration without a bot: the command line, or the program's default.
    case commandLine = "command-line"
    case package
    /// Both the package and the other source.
    case both
  }

  private enum CodingKeys: String, CodingKey {
    case setting = "name"
    case source = "from"
    case remark
  }

  /// The key, such as `tests.timeout`.
  package var setting: String
  package var source: Source
  /// Why the package's value has no effect, or not alone; a full sentence.
  package var remark: String?

  package init(_ setting: String, _ source: Source, remark: String? = nil) {
    self.setting = setting
    self.source = source
    self.remark = remark
  }
}

extension PackageSettings {
  /// Returns the bot with these settings applied, as it integrates a commit, and the origin of each setting that the
  /// package determines or asks for.
  package func applied(to bot: Bot) -> (bot: Bot, origins: [SettingOrigin]) {
    var bot = bot
    var origins: [SettingOrigin] = []
    if let actions { origins.append(apply(actions, to: &bot)) }
    if let filter {
      bot.tests.filter = filter
      origins.append(SettingOrigin("tests.filter", .package))
    }
    if let skip { origins.append(Self.add(skip, to: &bot.tests.skip, "tests.skip")) }
    if let timeout { origins.append(Self.tighten(timeout, &bot.tests.limits.test, "tests.timeout")) }
    if let silence { origins.append(Self.tighten(silence, &bot.tests.limits.silence, "tests.silence")) }
    if let coverageExclude { origins.append(Self.add(coverageExclude, to: &bot.coverage.exclude, "coverage.exclude")) }
    return (bot, origins)
  }

  private func apply(_ actions: [Bot.Action], to bot: inout Bot) -> SettingOrigin {
    guard actions.contains(.analyze), bot.analyze == nil else {
      bot.actions = actions
      return SettingOrigin("actions", .package)
    }
    let remark = "The package asks for analyze, but there is no command for it."
    let others = actions.filter { $0 != .analyze }
    guard !others.isEmpty else { return SettingOrigin("actions", .bot, remark: remark) }
    bot.actions = others
    return SettingOrigin("actions", .package, remark: remark)
  }

  private static func add(_ values: [String], to list: inout [String], _ setting: String) -> SettingOrigin {
    guard !list.isEmpty else {
      list = values
      return SettingOrigin(setting, .package)
    }
    list += values.filter { !list.contains($0) }
    return SettingOrigin(setting, .both, remark: "The package's are added to those that were asked for.")
  }

  private static func tighten(_ value: Duration, _ limit: inout Duration, _ setting: String) -> SettingOrigin {
    guard value != limit else { return SettingOrigin(setting, .both) }
    guard value < limit else {
      return SettingOrigin(setting, .bot, remark: "The package asks for more than is allowed.")
    }
    limit = value
    return SettingOrigin(setting, .package)
  }
}
