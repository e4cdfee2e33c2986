package import Model

/// Starts the short-lived processes in which everything heavy runs.
package protocol Launching {
  /// Starts carrying out an order.
  func launch(_ order: IntegrationOrder, entry: QueueEntry.ID) throws -> any RunningIntegration

  /// Starts writing those pages of the site anew that a change touches; nil when there is nothing to do.
  func publish(_ change: SiteChange) throws -> (any RunningTask)?

  /// Starts sending the reports that are due and what waits in the outbox.
  func deliver(_ order: SendingOrder) throws -> any RunningSending

  /// Starts fetching a repository that lies elsewhere.
  func fetch(_ order: FetchOrder) throws -> any RunningFetch

  /// Starts removing a folder with all that is in it.
  func remove(_ folder: String) throws -> any RunningTask
}

/// A child process that is heard through descriptors.
package protocol RunningTask: AnyObject {
  /// What to wait for; empty when it is over.
  var descriptors: [Int32] { get }

  /// Takes what there is; gives how it ended, once.
  func takeEnd() -> TaskEnd?

  /// Asks it to end.
  func terminate()

  /// Ends it and all that descends from it.
  func kill()
}

/// A child that carries out an integration.
package protocol RunningIntegration: RunningTask {
  /// What it has said, in order; to be taken after `takeEnd`, which reads it.
  func takeNews() -> [IntegrationNews]
}

/// A child that sends messages.
package protocol RunningSending: RunningTask {
  /// What came of it, to be taken after `takeEnd`; nil when it did not say.
  func takeResult() -> SendingResult?
}

/// A child that fetches a repository.
package protocol RunningFetch: RunningTask {
  /// What came of it, to be taken after `takeEnd`; nil when it did not say.
  func takeResult() -> FetchResult?
}

/// How a child ended.
package struct TaskEnd: Hashable, Sendable {
  /// Nil when it did what it was started for; otherwise why it did not, as words that follow a colon.
  package var failure: String?

  package init(failure: String? = nil) {
    self.failure = failure
  }
}

/// What of the site is no longer true.
package struct SiteChange: Hashable, Sendable, Codable {
  /// Bots of which something changed, or that are gone.
  package var bots: Set<String> = []
  /// Finished integrations whose pages are new, by bot.
  package var integrations: [String: Set<Int>] = [:]
  /// Whether the queue changed.
  package var queue = false

  package init() {}

  /// Adds another change.
  mutating func formUnion(_ other: SiteChange) {
    bots.formUnion(other.bots)
    integrations.merge(other.integrations) { $0.union($1) }
    queue = queue || other.queue
  }

  package var isEmpty: Bool { bots.isEmpty && integrations.isEmpty && !queue }
}
