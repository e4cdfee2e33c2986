/// A request to a running watcher, as one line of JSON.
package struct ControlRequest: Hashable, Sendable, Codable {
  package enum Verb: String, Hashable, Sendable, Codable {
    case notify, status, integrate, rerun, cancel, pin, unpin
  }

  package var verb: Verb
  /// The absolute path of the repository for `notify`.
  package var repository: String?
  package var bot: String?
  package var number: Int?
  /// The revision to integrate, in any syntax that git understands.
  package var commit: String?
  /// Whether the answer waits until all requested integrations are over.
  package var waits: Bool?
  /// Whether each step on the way is reported too.
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
