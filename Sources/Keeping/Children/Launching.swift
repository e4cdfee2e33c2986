package import Model

/// A launcher of the short-lived processes that do all heavy work.
package protocol Launching {
  /// Starts carrying out an order.
  func launch(_ order: IntegrationOrder, entry: QueueEntry.ID) throws -> any RunningIntegration

  /// Starts handing an order out to another machine, or following one that it has.
  func handOut(_ order: HandOutOrder, entry: QueueEntry.ID) throws -> any RunningIntegration

  /// Starts looking at another machine.
  func look(at look: MachineLook) throws -> any AnsweringTask<MachineReport>

  /// Starts keeping a connection to a machine open, which all commands there share; nil if they need none.
  func connect(to machine: MachineSettings) throws -> (any RunningTask)?

  /// Starts rewriting the pages of the site affected by a change; nil if there is nothing to do.
  func publish(_ change: SiteChange) throws -> (any RunningTask)?

  /// Starts sending the due reports and the messages in the outbox.
  func deliver(_ order: SendingOrder) throws -> any AnsweringTask<SendingResult>

  /// Starts fetching a remote repository.
  func fetch(_ order: FetchOrder) throws -> any AnsweringTask<FetchResult>

  /// Starts removing a folder with all its contents.
  func remove(_ folder: String) throws -> any RunningTask
}

/// A child process that communicates through descriptors.
package protocol RunningTask: AnyObject {
  /// The descriptors to wait for; empty when the task is over.
  var descriptors: [Int32] { get }

  /// Reads the available output. Returns how the task ended, once.
  func takeEnd() -> TaskEnd?

  /// Asks the process to terminate.
  func terminate()

  /// Kills the process and all its descendants.
  func kill()
}

/// A child process that carries out an integration.
package protocol RunningIntegration: RunningTask {
  /// Returns the reported news, in order. Call this after `takeEnd`, which reads it.
  func takeNews() -> [IntegrationNews]

  /// Tells the process that its watcher is leaving: what it carries out ends, and what another machine does goes on.
  func detach()
}

/// A child process that reports what it did at its end.
package protocol AnsweringTask<Answer>: RunningTask {
  associatedtype Answer

  /// Returns the answer, or nil if the process did not report one. Call this after `takeEnd`.
  func takeAnswer() -> Answer?
}

/// How a child process ended.
package struct TaskEnd: Hashable, Sendable {
  /// Nil if the process did its work; otherwise the reason it did not, as words that follow a colon and end a sentence.
  package let failure: String?

  /// - Parameter failure: the reason; the process's last words in it may end in any way.
  package init(failure: String? = nil) {
    self.failure = failure?.withStop
  }
}

/// The parts of the site that are out of date.
package struct SiteChange: Hashable, Sendable, Codable {
  /// The bots that changed or were removed.
  package var bots: Set<String> = []
  /// The finished integrations whose pages are new, by bot.
  package var integrations: [String: Set<Int>] = [:]
  /// Whether the queue changed.
  package var queue = false

  package init() {}

  mutating func formUnion(_ other: SiteChange) {
    bots.formUnion(other.bots)
    integrations.merge(other.integrations) { $0.union($1) }
    queue = queue || other.queue
  }

  package var isEmpty: Bool { bots.isEmpty && integrations.isEmpty && !queue }
}
