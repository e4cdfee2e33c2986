import Model

/// What is asked of a running watcher, one line of JSON.
package struct ControlRequest: Hashable, Sendable, Codable {
  package enum Verb: String, Hashable, Sendable, Codable {
    case notify, status, integrate, rerun, cancel, pin, unpin
  }

  package var verb: Verb
  /// The repository of `notify`, absolute.
  package var repository: String?
  package var bot: String?
  package var number: Int?
  /// The revision to integrate, in any of the ways that git understands.
  package var commit: String?
  /// Whether the answer is to wait until everything that was asked for is over.
  package var waits: Bool?
  /// Whether each step on the way to that is told, too.
  package var isTold: Bool?

  package init(
    _ verb: Verb, repository: String? = nil, bot: String? = nil, number: Int? = nil, commit: String? = nil,
    waits: Bool = false, isTold: Bool = false
  ) {
    self.verb = verb
    self.repository = repository
    self.bot = bot
    self.number = number
    self.commit = commit
    self.waits = waits
    self.isTold = isTold
  }
}

/// What the watcher answers, one line of JSON; before it, as many lines of `news` as were asked for.
package struct ControlAnswer: Hashable, Sendable, Codable {
  /// An integration that was asked for.
  package struct Item: Hashable, Sendable, Codable {
    package var entry: Int
    package var bot: String
    package var number: Int?
    package var ref: String?
    package var commit: String
    package var state: String
    package var outcome: String?
    package var reason: String?
    /// How many of its tests are red, when it is over.
    package var redTests: Int?

    /// How it ended, for a terminal; nil before it is over.
    package var toldOutcome: String?
  }

  /// Why it was refused.
  package var error: String?
  package var kind: KeepingError.Kind?
  /// What was done, as a sentence.
  package var message: String?
  package var items: [Item]?
  package var status: StatusDocument?
  /// How far something is, as words; the answer itself is still to come.
  package var news: String?

  init(message: String? = nil, items: [Item]? = nil, status: StatusDocument? = nil) {
    self.message = message
    self.items = items
    self.status = status
  }

  init(news: String) {
    self.news = news
  }

  init(refusal: KeepingError) {
    error = refusal.description
    kind = refusal.kind
  }
}
