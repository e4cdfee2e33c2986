package import FoundationEssentials

/// What a watcher is doing, as the site shows it.
package struct WatchState: Hashable, Sendable, Codable {
  /// The file of the home that a watcher keeps up to date with it.
  package static let fileName = "watch-state.json"

  /// One bot and what is known of it besides its finished integrations.
  package struct BotState: Hashable, Sendable, Codable {
    package var name: String
    package var repository: String
    /// The globs of the branches that it asks for, none of them for the one that HEAD points to; nil where the file
    /// cannot be read, and in what an older Martlet wrote.
    package var branches: [String]?
    /// The bot's file; nil when it has none any more.
    package var file: String?
    /// What the file says, as label and words, in the order of the file.
    package var settings: [Setting]
    /// Sentences about what is wrong with the file or the repository.
    package var problems: [String]
    /// What was queued, or seen, and not integrated, newest first.
    package var passedOver: [PassedOver]
    /// Who may see it; nil where the file cannot be read, and in what an older Martlet wrote: then only members may.
    package var visibility: Bot.Visibility?
    /// The name of the secret that proves calls of its hook; nil where it takes none.
    package var hookSecret: String?

    package init(
      name: String, repository: String, branches: [String]? = nil, file: String? = nil, settings: [Setting] = [],
      problems: [String] = [], passedOver: [PassedOver] = [], visibility: Bot.Visibility? = nil,
      hookSecret: String? = nil
    ) {
      self.name = name
      self.repository = repository
      self.branches = branches
      self.file = file
      self.settings = settings
      self.problems = problems
      self.passedOver = passedOver
      self.visibility = visibility
      self.hookSecret = hookSecret
    }
  }

  /// A commit that was not integrated for itself.
  package struct PassedOver: Hashable, Sendable, Codable {
    package var branch: String?
    package var commit: CommitID
    /// Why, as a sentence.
    package var reason: String
    /// When it was seen.
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

  /// An integration that runs or waits.
  package struct Entry: Hashable, Sendable, Codable {
    package var bot: String
    /// Nil while it waits.
    package var number: Int?
    package var branch: String?
    package var commit: CommitID
    package var cause: Cause
    /// How many commits it covers.
    package var commitCount: Int
    /// When it was queued, or started.
    package var since: Date
    /// What it does now; nil while it waits.
    package var step: Step?
    /// Why it waits, as a sentence; nil while it runs.
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

  /// When this was true.
  package var asOf: Date
  /// Sorted by name.
  package var bots: [BotState]
  package var running: [Entry]
  /// In the order in which they start.
  package var waiting: [Entry]
  /// How many integrations may run at once.
  package var jobs: Int
  /// Facts about the machine, as label and words.
  package var machine: [Setting]

  package init(
    asOf: Date, bots: [BotState] = [], running: [Entry] = [], waiting: [Entry] = [], jobs: Int = 1,
    machine: [Setting] = []
  ) {
    self.asOf = asOf
    self.bots = bots
    self.running = running
    self.waiting = waiting
    self.jobs = jobs
    self.machine = machine
  }
}

extension WatchState {
  /// What of it is told to somebody who may see only some bots: nothing by which the work of others could be told.
  package func only(_ isSeen: (String) -> Bool) -> WatchState {
    func told(_ entries: [Entry]) -> [Entry] {
      entries.filter { isSeen($0.bot) }.map { entry in
        var entry = entry
        // What it waits for may be another bot's.
        entry.waitsFor = nil
        return entry
      }
    }
    return WatchState(
      asOf: .distantPast, bots: bots.filter { isSeen($0.name) }, running: told(running), waiting: told(waiting),
      jobs: jobs)
  }
}
