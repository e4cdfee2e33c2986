package import FoundationEssentials

/// What a watcher is doing, as shown on the site.
package struct WatchState: Hashable, Sendable, Codable {
  /// The file in the home in which a watcher keeps its state.
  package static let fileName = "watch-state.json"

  /// The state of a bot apart from its finished integrations.
  package struct BotState: Hashable, Sendable, Codable {
    package var name: String
    package var repository: String
    /// The globs of the branches that the bot asks for, empty for the one that HEAD points to; nil if the file cannot
    /// be read, and in files written by older versions.
    package var branches: [String]?
    /// The bot's file; nil if it no longer exists.
    package var file: String?
    /// When it integrates, in words, unless on each commit; nil if the file cannot be read, and in files written by older
    /// versions.
    package var schedule: String?
    /// The settings in the file, as labels and words, in the order of the file.
    package var settings: [Setting]
    /// Sentences describing problems with the file or the repository.
    package var problems: [String]
    /// Why no machine can integrate it; nil if one can, and in files written by older versions, which have that among the
    /// problems.
    package var hindrance: Hindrance?
    /// How the watcher learns of the bot's commits; nil in files written by older versions.
    package var source: CommitSource?
    /// The commits that were queued or seen but not integrated, newest first.
    package var passedOver: [PassedOver]
    /// Who may see the bot; nil, meaning members only, if the file cannot be read, and in files written by older
    /// versions.
    package var visibility: Bot.Visibility?
    /// The name of the secret that authenticates calls to the bot's hook; nil for no hook.
    package var hookSecret: String?
    /// How long its integrations are kept; nil if the file cannot be read, and in files written by older versions.
    package var keep: Bot.Keep?

    package init(
      name: String, repository: String, branches: [String]? = nil, file: String? = nil, schedule: String? = nil,
      settings: [Setting] = [],
      problems: [String] = [], hindrance: Hindrance? = nil, source: CommitSource? = nil, passedOver: [PassedOver] = [],
      visibility: Bot.Visibility? = nil,
      hookSecret: String? = nil, keep: Bot.Keep? = nil
    ) {
      self.name = name
      self.repository = repository
      self.branches = branches
      self.file = file
      self.schedule = schedule
      self.settings = settings
      self.problems = problems
      self.hindrance = hindrance
      self.source = source
      self.passedOver = passedOver
      self.visibility = visibility
      self.hookSecret = hookSecret
      self.keep = keep
    }
  }

  /// Why a bot cannot run, and what to do about it, apart because a heading has room only for the first.
  package struct Hindrance: Hashable, Sendable, Codable {
    /// The reason, as a clause in mid-sentence.
    package var reason: String
    /// What there is, and what to do, as sentences.
    package var remedy: String

    package init(reason: String, remedy: String) {
      self.reason = reason
      self.remedy = remedy
    }

    /// Both, as sentences.
    package var words: String { "\(reason.capitalizedFirst). \(remedy)" }
  }

  /// A commit that was not integrated individually.
  package struct PassedOver: Hashable, Sendable, Codable {
    package var branch: String?
    package var commit: CommitID
    /// The reason, as a sentence.
    package var reason: String
    /// When the commit was seen.
    package var date: Date

    package init(branch: String?, commit: CommitID, reason: String, date: Date) {
      self.branch = branch
      self.commit = commit
      self.reason = reason
      self.date = date
    }
  }

  package struct Setting: Hashable, Sendable, Codable {
    package var label: String
    package var words: String

    package init(_ label: String, _ words: String) {
      self.label = label
      self.words = words
    }
  }

  /// A running or waiting integration.
  package struct Entry: Hashable, Sendable, Codable {
    package var bot: String
    /// Nil while the integration is waiting.
    package var number: Int?
    package var branch: String?
    package var commit: CommitID
    package var cause: Cause
    /// The number of commits that the integration covers.
    package var commitCount: Int
    /// When the integration was queued or started.
    package var since: Date
    /// The current step; nil while the integration is waiting.
    package var step: Step?
    /// What the integration is waiting for, as a sentence; nil while it is running.
    package var waitsFor: String?

    package init(
      bot: String, number: Int? = nil, branch: String?, commit: CommitID, cause: Cause, commitCount: Int = 1,
      since: Date, step: Step? = nil, waitsFor: String? = nil
    ) {
      self.bot = bot
      self.number = number
      self.branch = branch
      self.commit = commit
      self.cause = cause
      self.commitCount = commitCount
      self.since = since
      self.step = step
      self.waitsFor = waitsFor
    }
  }

  /// The time of this state.
  package var asOf: Date
  /// Sorted by name.
  package var bots: [BotState]
  package var running: [Entry]
  /// In the order in which they will start; of a bot with very many only the first.
  package var waiting: [Entry]
  /// The number of further ones, by bot; nil if `waiting` has all.
  package var unlisted: [String: Int]?
  /// The maximum number of integrations that run at once.
  package var jobs: Int
  /// Sentences about what troubles the watcher itself; nil if nothing does.
  package var problems: [String]?
  /// The machines to integrate on, that of the watcher first; nil if it is the only one.
  package var machines: [MachineState]?

  package init(
    asOf: Date, bots: [BotState] = [], running: [Entry] = [], waiting: [Entry] = [], unlisted: [String: Int]? = nil,
    jobs: Int = 1, problems: [String]? = nil, machines: [MachineState]? = nil
  ) {
    self.asOf = asOf
    self.bots = bots
    self.running = running
    self.waiting = waiting
    self.unlisted = unlisted
    self.jobs = jobs
    self.problems = problems
    self.machines = machines
  }

  /// The number of all waiting integrations.
  package var waitingCount: Int { waiting.count + (unlisted ?? [:]).values.reduce(0, +) }
}

extension WatchState.BotState {
  /// Returns the name of a bot's file.
  package static func file(of bot: String) -> String { "\(bot).yml" }

  /// Everything that is wrong with the bot, as sentences.
  package var allProblems: [String] { problems + [hindrance?.words].compactMap(\.self) }
}

extension WatchState {
  /// Gives a bot another name wherever it stands.
  package mutating func rename(_ bot: String, to name: String) {
    for index in bots.indices where bots[index].name == bot {
      bots[index].name = name
      bots[index].file = bots[index].file.map { _ in BotState.file(of: name) }
    }
    for index in running.indices where running[index].bot == bot { running[index].bot = name }
    for index in waiting.indices where waiting[index].bot == bot { waiting[index].bot = name }
    if let count = unlisted?.removeValue(forKey: bot) { unlisted?[name] = count }
  }

  /// Removes a bot with what it is doing.
  package mutating func remove(_ bot: String) {
    bots.removeAll { $0.name == bot }
    running.removeAll { $0.bot == bot }
    waiting.removeAll { $0.bot == bot }
    unlisted?[bot] = nil
  }

  /// Returns the state as visible to a person who may see only some bots, without anything that would reveal the
  /// activity of others.
  package func only(_ isSeen: (String) -> Bool) -> WatchState {
    func told(_ entries: [Entry]) -> [Entry] {
      entries.filter { isSeen($0.bot) }.map { entry in
        var entry = entry
        // The integration may be waiting for another bot's.
        entry.waitsFor = nil
        return entry
      }
    }
    return WatchState(
      asOf: .distantPast, bots: bots.filter { isSeen($0.name) }, running: told(running), waiting: told(waiting),
      unlisted: unlisted?.filter { isSeen($0.key) }, jobs: jobs)
  }
}
