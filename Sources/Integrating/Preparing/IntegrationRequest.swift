package import FoundationEssentials
package import Model

/// A request to integrate a state of a repository.
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

  /// A path inside the repository.
  package var repository: String
  package var subject: Subject
  /// The folder of the package, relative to the repository; `.` for its root.
  package var package: String
  /// Regular expressions for the tests to run and to leave out; empty for all.
  package var filter: [String]
  package var skip: [String]
  /// `debug` or `release`.
  package var configuration: String
  package var sandbox: SandboxPolicy
  package var cause: Cause
  /// The time limits of tests.
  package var limits: TestLimits
  /// How often a red test is run again; a test that then passes is flaky.
  package var retries: Int
  /// Whether each test is also run alone, after all of them have run together.
  package var isolation: Bool
  /// The tests whose failures do not count for a while.
  package var quarantine: [QuarantinedTest] = []
  /// Which tests run before the others.
  package var testsFirst = FirstTests.affected
  /// Which tests run at all, and how often everything does nevertheless.
  package var only = OnlyTests.off
  package var every = 1
  /// The duration above which tests are slow.
  package var slow = Duration.milliseconds(100)
  /// The conditions on coverage that turn the integration red.
  package var gates: [CoverageGate]
  /// How much of the machine the integration may take.
  package var resources = ResourceLimits()
  /// The values that must not appear in any log or on any page.
  package var secrets: [String] = []
  /// What a bot does before and after the integration.
  package var scripts = Scripts()
  /// When the integration was requested.
  package var queuedAt: Date
  /// The bot and the number of the integration; nil for the repository's name and the next number.
  package var place: Place?
  /// The existing bots, whose names one-shot runs must not take.
  package var bots: Set<String> = []
  /// The tag to integrate; nil for a branch.
  package var tag: String?
  package var build = BuildSettings()
  /// Whether anybody may have written the commit, so that nothing of this machine may be within its reach.
  package var isOfStranger = false
  /// The login for dependencies that are fetched over ssh; nil for none.
  package var dependencyCredentials: Credentials?
  /// The paths of this machine from which submodules may come.
  package var submodules: [String] = []
  /// The actions to carry out on the commit.
  package var actions: [Bot.Action] = [.build, .test]
  /// The command of the analyze action; nil if there is none.
  package var analyze: String?
  package var measuresCoverage = true
  /// Whether the coverage of the whole is measured, in whichever destination.
  var wantsCoverage = true
  /// Globs of files, relative to the package, that do not count in the coverage.
  package var coverageExclude: [String] = []
  /// Whether to mark lines that run without any test.
  package var marksIncidental = false
  /// Whether to determine which lines each test runs.
  package var mapsTests = false
  /// Which functions to try without their bodies.
  package var mutants = MutationScope.off
  /// The address of the repository of which the given one is a mirror; nil for a repository of this machine.
  package var address: RemoteAddress?
  /// Where the order comes from, if another machine gave it.
  package var origin: IntegrationOrder.Origin?
  /// Whether source pages show who wrote each line.
  package var showsOrigins = false
  /// Whether the integration is incomplete if the package has no tests.
  package var expectsTests = true
  /// The criteria of the card about the tests' practice.
  package var practice = PracticeSettings()
  /// The ways in which the commit is built and tested; nil for just the one that the request itself describes.
  package var destinations: Destinations?
  /// Whether to build for the destinations that have to wait until there is nothing else to do.
  package var includesIdle = false
  /// The destination that the request itself is for; nil if there is only one way to build.
  var destination: Destination?
  /// The name by which its builds are kept apart from those of the first destination; nil for that one.
  var buildName: String?
  /// Whether the coverage is judged for this destination by itself.
  var comparesCoverage = true
  /// The build settings of the destinations after this one.
  var others: [CellSettings] = []

  package init(
    repository: String, subject: Subject = .head, package: String = ".", filter: [String] = [], skip: [String] = [],
    configuration: String = "debug", sandbox: SandboxPolicy = SandboxPolicy(), cause: Cause = .person,
    limits: TestLimits = TestLimits(), retries: Int = 0, isolation: Bool = false, gates: [CoverageGate] = [],
    queuedAt: Date
  ) {
    self.repository = repository
    self.subject = subject
    self.package = package
    self.filter = filter
    self.skip = skip
    self.configuration = configuration
    self.sandbox = sandbox
    self.cause = cause
    self.limits = limits
    self.retries = retries
    self.isolation = isolation
    self.gates = gates
    self.queuedAt = queuedAt
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
  func shownRepository(at path: String) -> String { address?.text ?? origin?.repository ?? path }

  /// Returns the repository for a command that repeats the integration.
  func repeatedRepository(at path: String) -> String { address?.name ?? origin?.repository ?? path }

  /// How a package is built, apart from its configuration.
  package struct BuildSettings: Sendable, Hashable {
    /// The folder of a toolchain; nil for the `swift` on the search path.
    package var toolchain: String?
    /// The build system that SwiftPM uses; nil for the toolchain's default.
    package var system: BuildSystem?
    package var sanitize: [Bot.Sanitizer] = []
    /// Additional arguments for `swift build`.
    package var arguments: [String] = []
    /// Variables for builds and tests, which override those of the caller.
    package var environment: [String: String] = [:]
    /// The package traits to build with; nil for its defaults.
    package private(set) var traits: [String]?
    /// Whether to remove everything built before.
    package var cleans = false

    package init() {}

    /// Applies the settings of a destination, which override the earlier ones.
    package mutating func take(_ destination: Destination) {
      toolchain = destination.toolchain ?? toolchain
      system = destination.buildSystem ?? system
      sanitize = destination.sanitize ?? sanitize
      traits = destination.traits ?? traits
      arguments += destination.buildArguments
      environment.merge(destination.environment) { $1 }
    }

    /// The sanitizers' options, unless the bot sets them: the Swift runtime and XCTest leak a little themselves, which
    /// would make every run fail.
    var sanitizerEnvironment: [String: String] {
      sanitize.contains(.address) ? ["ASAN_OPTIONS": "detect_leaks=0"] : [:]
    }
  }

  /// How another destination of the same integration is built.
  struct CellSettings: Sendable {
    var destination: Destination
    var configuration: String
    var build: BuildSettings
  }

  /// The request for the first destination, with the build settings of the others.
  var first: IntegrationRequest {
    guard let destinations, let first = destinations.all.first else { return self }
    var request = self
    let settings = self.settings(of: first)
    (request.destination, request.configuration, request.build) = (first, settings.configuration, settings.build)
    request.others = destinations.all.dropFirst().map(self.settings)
    request.wantsCoverage = measuresCoverage
    request.measuresCoverage = measuresCoverage && destinations.measures(first)
    request.comparesCoverage = destinations.coverage == .first
    return request
  }

  private func settings(of destination: Destination) -> CellSettings {
    var build = build
    build.take(destination)
    return CellSettings(
      destination: destination, configuration: destination.configuration ?? configuration, build: build)
  }

  /// Returns the request for another destination, which is only built and tested.
  func cell(_ settings: CellSettings) -> IntegrationRequest {
    var request = self
    request.buildName = settings.destination.name
    (request.destination, request.configuration, request.build) =
      (settings.destination, settings.configuration, settings.build)
    request.build.cleans = build.cleans
    request.others = []
    request.actions = actions.filter { [.build, .test].contains($0) }
    request.gates = settings.destination.gates ?? []
    request.comparesCoverage = !request.gates.isEmpty
    let isPart = destinations?.measures(settings.destination) == true
    request.measuresCoverage = wantsCoverage && (isPart || request.comparesCoverage)
    (request.showsOrigins, request.mutants, request.testsFirst) = (false, .off, .off)
    // What is told of lines is told of those of one build.
    let isAlone = settings.destination.name == destinations?.coverage.name
    request.marksIncidental = marksIncidental && isAlone
    request.mapsTests = mapsTests && isAlone
    request.scripts = Scripts()
    return request
  }

  /// Creates the request for a bot's order.
  package init(_ order: IntegrationOrder) {
    let bot = order.bot
    self.init(
      repository: bot.repository, subject: .commit(order.commit, branch: order.branch), package: bot.package,
      filter: bot.tests.filter, skip: bot.tests.skip, configuration: bot.configuration, sandbox: bot.sandbox,
      cause: order.cause, limits: bot.tests.limits, retries: bot.tests.retries, isolation: bot.tests.isolation,
      gates: bot.coverage.gates, queuedAt: order.queuedAt)
    place = Place(bot: bot.name, number: order.number)
    address = bot.remote
    origin = order.origin
    tag = order.tag
    build.toolchain = bot.toolchain
    build.system = bot.buildSystem
    build.sanitize = bot.sanitize
    destinations = bot.destinations
    includesIdle = order.includesIdle ?? false
    isOfStranger = order.isOfStranger ?? false
    build.arguments = bot.arguments
    build.environment = bot.environment
    build.cleans = order.cleans
    submodules = bot.submodules.allow
    dependencyCredentials = bot.dependencyCredentials
    actions = bot.actions
    analyze = bot.analyze
    measuresCoverage = bot.coverage.isMeasured
    coverageExclude = bot.coverage.exclude
    marksIncidental = bot.coverage.incidental
    mutants = bot.coverage.mutants.needed(by: gates)
    (only, every) = (bot.tests.only, bot.tests.every)
    mapsTests = bot.coverage.map || mutants != .off || only == .affected
    showsOrigins = bot.coverage.blame
    expectsTests = bot.tests.areExpected
    testsFirst = bot.tests.first
    quarantine = bot.quarantine
    slow = bot.tests.slow
    practice = bot.practiceSettings
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

  /// A bot with the same settings as the request, as far as a package can change them.
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
