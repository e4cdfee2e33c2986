package import FoundationEssentials
package import Model

/// A request to integrate a state of a repository; whatever its bot says can be read from the request itself.
@dynamicMemberLookup
package struct IntegrationRequest: Sendable {
  /// The state of the repository to integrate.
  package enum Subject: Sendable, Hashable {
    /// The commit that HEAD points to.
    case head
    /// The tip of a branch.
    case branch(String)
    /// A revision in git's notation, and the branch under which it is reported.
    case revision(String, branch: String?)
    /// A commit by its full name, and the branch under which it is reported; nil for a tag.
    case commit(CommitID, branch: String?)
    /// HEAD's commit with the uncommitted changes.
    case workingTree
  }

  /// What is integrated, how, and whom to inform; the bot of a one-shot run has no name.
  package var bot: Bot
  package var subject: Subject
  package var cause = Cause.person
  /// When the integration was requested.
  package var queuedAt: Date
  /// How much of the machine the integration may take.
  package var resources = ResourceLimits()
  /// The values, not the names, that must not appear in any log or on any page.
  package var secrets: [String] = []
  /// What a bot does before and after the integration.
  package var scripts = Scripts()
  /// The bot and the number of the integration; nil for the repository's name and the next number.
  package var place: Place?
  /// The existing bots, whose names one-shot runs must not take.
  package var bots: Set<String> = []
  /// What people said of the issues of a bot by whose settings a one-shot run goes.
  package var silences: [Silence] = []
  /// The tag to integrate; nil for a branch.
  package var tag: String?
  /// Whether to remove everything built before.
  package var cleans = false
  /// Whether anybody may have written the commit, so that nothing of this machine may be within its reach.
  package var isOfStranger = false
  /// Where the order comes from, if another machine gave it.
  package var origin: IntegrationOrder.Origin?
  /// Whether to do what has to wait until there is nothing else to do: destinations, and functions to try.
  package var includesIdle = false
  /// How the package is built, as far as it is not built as the bot says.
  package var way = Destination()
  /// The name by which its builds are kept apart from those of the first destination; nil for that one.
  var buildName: String?
  /// Whether the coverage of the whole is measured, in whichever destination.
  var wantsCoverage = true
  /// Whether the coverage is judged for this destination by itself.
  var comparesCoverage = true

  package init(_ bot: Bot, _ subject: Subject = .head, queuedAt: Date) {
    (self.bot, self.subject, self.queuedAt) = (bot, subject, queuedAt)
  }

  package subscript<Value>(dynamicMember setting: KeyPath<Bot, Value>) -> Value { bot[keyPath: setting] }
}

extension IntegrationRequest {
  /// The folder of a toolchain; nil for the `swift` on the search path.
  var toolchain: String? { way.toolchain ?? bot.toolchain }
  /// `debug` or `release`.
  var configuration: String { way.configuration ?? bot.configuration }
  /// The build system that SwiftPM uses; nil for the toolchain's default.
  var buildSystem: BuildSystem? { way.buildSystem ?? bot.buildSystem }
  var sanitize: [Bot.Sanitizer] { way.sanitize ?? bot.sanitize }
  /// Additional arguments for `swift build`.
  var arguments: [String] { bot.arguments + way.buildArguments }
  /// The arguments for the configuration: `swift test` makes modules testable in each, but `swift build` only in debug.
  var configurationArguments: [String] {
    guard configuration != "debug" else { return [] }
    return ["--configuration", configuration] + (bot.actions.contains(.test) ? ["-Xswiftc", "-enable-testing"] : [])
  }
  var sanitizerArguments: [String] { sanitize.flatMap { ["--sanitize", $0.rawValue] } }
  /// Variables for builds and tests, which override those of the caller.
  var environment: [String: String] { bot.environment.merging(way.environment) { $1 } }
  /// The sanitizers' options, unless the bot sets them: the Swift runtime and XCTest leak a little themselves, which
  /// would make every run fail.
  var sanitizerEnvironment: [String: String] {
    sanitize.contains(.address) ? ["ASAN_OPTIONS": "detect_leaks=0"] : [:]
  }

  /// Which functions to try without their bodies.
  package var mutants: MutationScope {
    guard buildName == nil else { return .off }
    let scope = bot.coverage.mutants.needed(by: bot.coverage.gates)
    // The report of a commit does not wait for all functions, which are tried in idle time.
    return scope == .all && place != nil && !includesIdle ? .changed : scope
  }
  /// Whether to determine which lines each test runs.
  var mapsTests: Bool {
    bot.coverage.map || mutants != .off || (buildName == nil && bot.tests.only == .affected)
  }
}

extension IntegrationRequest {
  /// The place where an integration is kept.
  package struct Place: Sendable, Hashable {
    package var bot: String
    package var number: Int
  }

  /// Returns the repository as reports name it.
  ///
  /// - Parameter path: its path on this machine.
  func shownRepository(at path: String) -> String { bot.remote?.text ?? origin?.repository ?? path }

  /// Returns the repository for a command that repeats the integration.
  func repeatedRepository(at path: String) -> String { bot.remote?.name ?? origin?.repository ?? path }

  /// The destination that the request itself is for; nil if there is only one way to build.
  var destination: Destination? { bot.destinations == nil ? nil : way }

  /// The destinations after this one.
  var others: [Destination] { buildName == nil ? Array(bot.destinations?.all.dropFirst() ?? []) : [] }

  /// Returns the request with another way to build.
  func going(_ way: Destination) -> IntegrationRequest {
    var request = self
    request.way = way
    return request
  }

  /// The request for the first destination.
  var first: IntegrationRequest {
    guard let destinations = bot.destinations, let first = destinations.all.first else { return self }
    var request = going(first)
    request.wantsCoverage = bot.coverage.isMeasured
    request.bot.coverage.isMeasured = bot.coverage.isMeasured && destinations.measures(first)
    request.comparesCoverage = destinations.coverage == .first
    return request
  }

  /// Returns the request for another destination, which is only built and tested.
  func cell(_ destination: Destination) -> IntegrationRequest {
    var request = going(destination)
    request.buildName = destination.name
    request.bot.actions = bot.actions.filter { [.build, .test].contains($0) }
    request.bot.tests.first = .off
    request.bot.coverage.gates = destination.gates ?? []
    request.bot.coverage.blame = false
    request.comparesCoverage = !request.bot.coverage.gates.isEmpty
    let isPart = bot.destinations?.measures(destination) == true
    request.bot.coverage.isMeasured = wantsCoverage && (isPart || request.comparesCoverage)
    // What is told of lines is told of those of one build.
    let isAlone = destination.name == bot.destinations?.coverage.name
    request.bot.coverage.incidental = bot.coverage.incidental && isAlone
    request.bot.coverage.map = mapsTests && isAlone
    request.scripts = Scripts()
    return request
  }

  /// Creates the request for a bot's order.
  package init(_ order: IntegrationOrder) {
    self.init(order.bot, .commit(order.commit, branch: order.branch), queuedAt: order.queuedAt)
    cause = order.cause
    place = Place(bot: bot.name, number: order.number)
    origin = order.origin
    tag = order.tag
    includesIdle = order.includesIdle ?? false
    isOfStranger = order.isOfStranger ?? false
    cleans = order.cleans
    secrets = Array(order.secrets.values) + [order.mailAccount?.login?.password].compactMap(\.self)
    scripts = Scripts(order)
  }
}

extension IntegrationRequest {
  /// Returns the request with the settings of the commit's package applied, and the origin of each setting of the
  /// package whose value counts.
  ///
  /// The rules are those of `PackageSettings.applied(to:)`, with the command line in the place of the bot if there is
  /// none. But a filter on the command line stands alone: a user who asks for one test gets that one.
  package func applying(_ settings: PackageSettings) -> (request: IntegrationRequest, origins: [SettingOrigin]) {
    var settings = settings
    let overruled = place == nil && settings.filter != nil && !bot.tests.filter.isEmpty
    if overruled { settings.filter = nil }
    var request = self
    var origins: [SettingOrigin]
    (request.bot, origins) = settings.applied(to: bot)
    if overruled {
      let remark = "The command line's filter stands instead of the package's."
      origins.append(SettingOrigin("tests.filter", .commandLine, remark: remark))
    }
    guard place == nil else { return (request, origins) }
    origins = origins.map { origin in
      origin.source == .bot ? SettingOrigin(origin.setting, .commandLine, remark: origin.remark) : origin
    }
    return (request, origins)
  }
}

extension IntegrationRequest {
  /// What a bot does before and after an integration, with the secrets that scripts may see.
  package struct Scripts: Sendable, Hashable {
    /// The scripts to run before, in the bot's order.
    package var before: [Trigger.Script] = []
    /// Scripts, mails and webhooks, in the bot's order; which of them run depends on the integration.
    package var after: [Trigger] = []
    /// The account that mail is sent from; nil if the server sends none.
    package var mailAccount: MailAccount?
    /// The address at which the site is served; nil if it is read from the disk.
    package var address: SiteAddress?
    /// Whether results are written as git notes.
    package var notes = false
    /// The values, by name, that sign calls of webhooks; scripts see those that the bot's 'secrets' name as well.
    package var keys: [String: String] = [:]
    /// The values of secrets, by name.
    package var secrets: [String: String] = [:]
    /// Whether scripts of the package see the secrets, too.
    package var packageSeesSecrets = false
    /// The names of secrets without a value.
    package var missingSecrets: [String] = []

    package init() {}

    init(_ order: IntegrationOrder) {
      for trigger in order.bot.triggers {
        if case .script(let script) = trigger, script.moment == .before {
          before.append(script)
        } else if !trigger.isPeriodic {
          after.append(trigger)
        }
      }
      mailAccount = order.mailAccount
      address = order.address
      notes = order.bot.notes
      keys = order.secrets.filter { order.bot.webhookSecrets.contains($0.key) }
      // No script sees a secret that the bot does not name.
      secrets = order.secrets.filter { order.bot.secrets.contains($0.key) }
      packageSeesSecrets =
        order.branch.map { branch in order.bot.secretBranches.contains { Glob($0).matches(branch) } } ?? false
      missingSecrets = order.bot.secrets.filter { order.secrets[$0] == nil }
    }

    /// Returns the folders of this machine that a script can write to: like secrets, they are for trusted scripts.
    func write(for script: Trigger.Script) -> [String] {
      if case .packageFile = script.source, !packageSeesSecrets { return [] }
      return script.write
    }

    func secrets(for source: Trigger.Script.Source) -> [String: String] {
      if case .packageFile = source, !packageSeesSecrets { return [:] }
      return secrets
    }
  }
}
