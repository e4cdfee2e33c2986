package import Model

/// The watcher's answer, as one line of JSON; any requested `news` lines precede it.
package struct ControlAnswer: Hashable, Sendable, Codable {
  /// A requested integration.
  package struct Item: Hashable, Sendable, Codable {
    package var entry: Int
    package var bot: String
    package var number: Int?
    package var ref: String?
    package var commit: String
    package var state: String
    package var outcome: String?
    package var reason: String?
    /// The number of its red tests once it is over.
    package var redTests: Int?

    /// The outcome as shown in a terminal; nil before the integration is over.
    package var toldOutcome: String?
  }

  /// The reason for a refusal.
  package var error: String?
  package var kind: KeepingError.Kind?
  /// A sentence that describes what was done.
  package var message: String?
  package var items: [Item]?
  package var status: StatusDocument?
  /// Progress, as words; the answer itself follows later.
  package var news: String?
  /// The step of which the news is, by its name; nil if the words say all.
  package var step: Step?

  init(message: String? = nil, items: [Item]? = nil, status: StatusDocument? = nil) {
    self.message = message
    self.items = items
    self.status = status
  }

  init(news: String, of step: Step? = nil) {
    (self.news, self.step) = (news, step)
  }

  init(refusal: KeepingError) {
    error = refusal.description
    kind = refusal.kind
  }
}
