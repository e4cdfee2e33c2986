/// A standing order: which commits of a repository to integrate, how, and whom to inform.
///
/// Everything but the repository has a default, which is the value of the property here.
package struct Bot: Hashable, Sendable, Codable {
  /// The name of the bot's file without the extension.
  package var name: String
  /// The absolute path of a local repository, bare or not. For a remote repository, this is the address until the bot
  /// is `placed`, then the path of the mirror.
  package var repository: String
  /// The address of the mirrored repository; nil for one on this machine.
  package var remote: RemoteAddress?
  /// When to fetch the repository; nil for the default.
  package var fetch: FetchPolicy?
  package var credentials: Credentials?
  /// The login for dependencies that are fetched over ssh; nil for none.
  package var dependencyCredentials: Credentials?
  /// How the results of commits are reported to a forge; nil if they are not.
  package var status: StatusReporting?
  /// The folder of the package, relative to the repository.
  package var package = "."
  /// Globs of branch names; empty for the branch that HEAD points to.
  package var branches: [String] = []
  /// Globs of the tags to integrate.
  package var tags: [String] = []
  package var schedule = Schedule()
  package var commits = CommitPolicy.latest
  /// Whether a newer commit of a branch cancels the running integration of an older one.
  package var cancelSuperseded = false
  /// Globs of paths; commits that touch none of them are skipped. Empty for all paths.
  package var paths: [String] {
    get { wantedPaths ?? [] }
    set { wantedPaths = newValue.nonEmpty }
  }
  /// Nil in orders from a watcher that does not know this setting.
  private var wantedPaths: [String]?
  package var ignore = Ignore()
  package var clean = CleanPolicy.never
  /// The actions to carry out for a commit, in the order of `Action.allCases`.
  package var actions: [Action] = [.build, .test]
  /// The shell command of the analyze action.
  package var analyze: String?
  /// `debug` or `release`.
  package var configuration = "debug"
  /// The folder of a toolchain; nil for the `swift` on the search path.
  package var toolchain: String?
  /// The build system for SwiftPM to use; nil for the toolchain's default.
  package var buildSystem: BuildSystem?
  package var sanitize: [Sanitizer] = []
  /// The ways to build and test each commit; nil for a single way, which the bot itself describes.
  package var destinations: Destinations?
  /// Additional arguments for `swift build`.
  package var arguments: [String] = []
  package var tests = TestSettings()
  /// The tests whose failures do not count for a while.
  package var quarantine: [QuarantinedTest] {
    get { saidQuarantine ?? [] }
    set { saidQuarantine = newValue.nonEmpty }
  }
  /// Nil in orders from a watcher that does not know this setting.
  private var saidQuarantine: [QuarantinedTest]?
  package var coverage = CoverageSettings()
  package var practice = Practice()
  package var sandbox = SandboxPolicy()
  package var submodules = Submodules()
  /// Variables visible to builds, tests and triggers.
  package var environment: [String: String] = [:]
  /// The names of the secrets available to scripts.
  package var secrets: [String] = []
  /// Globs of the branches on which scripts of the package have access to secrets.
  package var secretBranches: [String] = []
  /// In the order of the file.
  package var triggers: [Trigger] = []
  /// Whether results are written as git notes.
  package var notes = false
  package var keep = Keep()
  /// Who may see what the server shows of the bot.
  package var visibility: Visibility {
    get { saidVisibility ?? .members }
    set { saidVisibility = newValue == .members ? nil : newValue }
  }
  /// Nil in orders from a watcher that does not know this setting.
  private var saidVisibility: Visibility?
  /// Whose change requests are integrated, if `branches` asks for any.
  package var trust: Trust {
    get { saidTrust ?? .members }
    set { saidTrust = newValue == .members ? nil : newValue }
  }
  /// Nil in orders from a watcher that does not know this setting.
  private var saidTrust: Trust?
  /// The labels that a machine needs to integrate for the bot; empty for any machine.
  package var labels: [String] {
    get { wantedLabels ?? [] }
    set { wantedLabels = newValue.nonEmpty }
  }
  /// Nil in orders from a watcher that does not know this setting.
  private var wantedLabels: [String]?
  /// The name of the secret by which a forge authenticates its calls to the bot's hook; nil for no hook.
  package var hookSecret: String?

  package init(name: String, repository: String) {
    self.name = name
    self.repository = repository
  }
}

extension Bot {
  /// The toolchains that the bot builds with, without duplicates; nil stands for the `swift` on the search path.
  package var toolchains: [String?] {
    let all = destinations?.all.map { $0.toolchain ?? toolchain } ?? [toolchain]
    return all.enumerated().filter { index, one in !all[..<index].contains(one) }.map(\.element)
  }

  /// The names of the secrets that sign webhook calls.
  package var webhookSecrets: Set<String> {
    Set(
      triggers.compactMap { trigger in
        if case .webhook(let webhook) = trigger { webhook.secret } else { nil }
      })
  }

  /// The names of the secrets needed for sending anything.
  package var sendingSecrets: Set<String> { webhookSecrets.union([status?.token].compactMap(\.self)) }

  /// Which commits of a branch are integrated when several are waiting.
  package enum CommitPolicy: String, CaseIterable, Sendable, Codable {
    /// The newest, which covers the others.
    case latest
    /// Each of them, in order.
    case every
  }

  /// When all earlier build products are discarded first.
  package enum CleanPolicy: String, CaseIterable, Sendable, Codable {
    case never, always
    /// Before the first integration of a calendar day, or of a week starting on Monday, in the bot's time zone.
    case daily, weekly
  }

  /// A part of an integration that a bot can request.
  package enum Action: String, CaseIterable, Sendable, Codable {
    case build, analyze, test, archive
  }

  /// Who may see what the server shows of a bot.
  package enum Visibility: String, CaseIterable, Sendable, Codable {
    /// Anyone who can reach the server.
    case `public`
    /// Anyone known to the server by a token or through the proxy in front of it.
    case members
  }

  package enum Sanitizer: String, CaseIterable, Sendable, Codable {
    case address, thread
  }

  /// Commits to skip.
  package struct Ignore: Hashable, Sendable, Codable {
    /// Globs; a commit that touches nothing else is skipped.
    package var paths: [String] = []
    /// Texts; a commit whose message contains one of them is skipped.
    package var messages: [String] = []

    package init() {}
  }

  /// What the reports say about how tests are written.
  package struct Practice: Hashable, Sendable, Codable {
    /// The hints that are switched off.
    package var off: [PracticeHint.Name] = []

    package init() {}
  }

  /// The settings by which the practice card of an integration is judged.
  package var practiceSettings: PracticeSettings {
    var settings = PracticeSettings()
    settings.slow = tests.slow
    settings.names = tests.names
    settings.off = practice.off
    return settings
  }

  /// Where submodules come from.
  package struct Submodules: Hashable, Sendable, Codable {
    /// Absolute paths of repositories on this machine, and of folders of repositories, that commits may use as a
    /// submodule's URL.
    package var allow: [String] = []

    package init() {}
  }

  /// How long integrations are kept.
  package struct Keep: Hashable, Sendable, Codable {
    /// The number of a bot's newest integrations that are always kept, however old.
    package static let floor = 12

    package var integrations = 50
    package var days = 90

    package init() {}

    /// The number of the newest integrations that are kept, if they are not too old.
    package var newest: Int { max(Self.floor, integrations) }

    /// The rule in words, such as `50 integrations, 90 days`.
    package var words: String {
      let count = CountText.counted(newest, "integration")
      return newest == Self.floor ? count : "\(count), \(CountText.counted(days, "day"))"
    }
  }
}

extension Bot {
  /// Whether some of what it does with a commit waits until nothing else does.
  package var hasIdleWork: Bool {
    destinations?.all.contains { $0.when == .idle } == true || coverage.isMeasured && coverage.mutants == .all
  }
}
