import Foundation
import Model

@testable import Keeping

/// Starts nothing, and remembers what it was asked to start; a test says how each integration goes.
final class StubLauncher: Launching {
  /// In the order in which they were started.
  private(set) var started: [StubIntegration] = []
  private(set) var published: [SiteChange] = []
  private(set) var removed: [String] = []
  var failure: KeepingError?
  var publishFailure: KeepingError?

  func launch(_ order: IntegrationOrder, entry: QueueEntry.ID) throws -> any RunningIntegration {
    if let failure { throw failure }
    let integration = StubIntegration(order: order)
    started.append(integration)
    return integration
  }

  /// In the order in which they were handed out.
  private(set) var handedOut: [StubIntegration] = []

  func handOut(_ order: HandOutOrder, entry: QueueEntry.ID) throws -> any RunningIntegration {
    if let failure { throw failure }
    let integration = StubIntegration(order: order.order)
    integration.handOut = order
    handedOut.append(integration)
    return integration
  }

  /// The looks at machines, in the order in which they were started.
  private(set) var looks: [StubLook] = []
  /// What machines report; nil where a test answers itself.
  var machineReport: ((MachineLook) -> MachineReport)?

  func look(at look: MachineLook) throws -> any AnsweringTask<MachineReport> {
    let started = StubLook(look)
    looks.append(started)
    if let machineReport { started.finish(machineReport(look)) }
    return started
  }

  func connect(to machine: MachineSettings) throws -> (any RunningTask)? { nil }

  func publish(_ change: SiteChange) throws -> (any RunningTask)? {
    if let publishFailure { throw publishFailure }
    published.append(change)
    return nil
  }

  /// SendingSchedule is always delivered at once.
  private(set) var posted: [SendingOrder] = []

  func deliver(_ order: SendingOrder) throws -> any AnsweringTask<SendingResult> {
    posted.append(order)
    let task = StubSending(result: sendingResult)
    task.end = sendingEnd
    return task
  }

  /// In the order in which they were started.
  private(set) var fetches: [StubFetch] = []

  func fetch(_ order: FetchOrder) throws -> any AnsweringTask<FetchResult> {
    let fetch = StubFetch(order)
    fetches.append(fetch)
    return fetch
  }

  /// How the child that delivers ends.
  var sendingEnd = TaskEnd()
  /// What it says.
  var sendingResult: SendingResult?

  func remove(_ folder: String) throws -> any RunningTask {
    removed.append(folder)
    try FileManager.default.removeItem(atPath: folder)
    let task = StubIntegration(order: nil)
    task.end = TaskEnd()
    return task
  }

  /// Those that have not ended.
  var running: [StubIntegration] { started.filter { !$0.isOver } }
}

/// A child that has sent what there was.
final class StubSending: AnsweringTask {
  var end: TaskEnd?
  private let result: SendingResult?

  init(result: SendingResult?) {
    self.result = result
  }

  var descriptors: [Int32] { [] }
  func terminate() {}
  func kill() {}

  func takeEnd() -> TaskEnd? {
    defer { end = nil }
    return end
  }

  func takeAnswer() -> SendingResult? { result }
}

/// A child that fetches what a test says.
final class StubFetch: AnsweringTask {
  let order: FetchOrder
  private var end: TaskEnd?
  private var result: FetchResult?
  private(set) var isKilled = false

  init(_ order: FetchOrder) {
    self.order = order
  }

  /// Ends and says what came of it; nothing where it dies.
  func finish(_ result: FetchResult?) {
    self.result = result
    end = TaskEnd(failure: result.map { $0.failure == nil } == true ? nil : "it ended with exit status 3")
  }

  var descriptors: [Int32] { [] }
  func terminate() {}

  func kill() {
    isKilled = true
    end = TaskEnd(failure: "it was ended by signal 9")
  }

  func takeEnd() -> TaskEnd? {
    defer { end = nil }
    return end
  }

  func takeAnswer() -> FetchResult? { result }
}

/// A child that looks at a machine and finds what a test says.
final class StubLook: AnsweringTask {
  let look: MachineLook
  private var end: TaskEnd?
  private var report: MachineReport?

  init(_ look: MachineLook) {
    self.look = look
  }

  func finish(_ report: MachineReport?) {
    self.report = report
    end = TaskEnd(failure: report == nil ? "it ended with exit status 3" : nil)
  }

  var descriptors: [Int32] { [] }
  func terminate() {}
  func kill() { end = TaskEnd(failure: "it was ended by signal 9") }

  func takeEnd() -> TaskEnd? {
    defer { end = nil }
    return end
  }

  func takeAnswer() -> MachineReport? { report }
}

/// A child that does what a test says.
final class StubIntegration: RunningIntegration {
  let order: IntegrationOrder?
  /// How it is handed out; nil where it is carried out here.
  var handOut: HandOutOrder?
  private(set) var isDetached = false
  var news: [IntegrationNews] = []
  var end: TaskEnd?
  private(set) var isOver = false
  private(set) var isTerminated = false
  private(set) var isKilled = false

  init(order: IntegrationOrder?) {
    self.order = order
  }

  var descriptors: [Int32] { [] }
  func terminate() { isTerminated = true }

  func kill() {
    isKilled = true
    end = TaskEnd(failure: "it was ended by signal 9")
  }

  func takeEnd() -> TaskEnd? {
    defer { end = nil }
    if end != nil { isOver = true }
    return end
  }

  func takeNews() -> [IntegrationNews] {
    defer { news = [] }
    return news
  }

  func detach() {
    isDetached = true
    if handOut != nil { end = TaskEnd() }
  }

  /// Ends without a result of the other machine.
  func give(_ handOutEnd: HandOutEnd) {
    news.append(.handed(handOutEnd))
    end = TaskEnd()
  }

  /// Ends as an integration does that was carried out.
  func finish(
    _ outcome: Outcome = .succeeded, reason: String? = nil, onlyGatesFailed: Bool = false, wasClosed: Bool = false,
    at date: Date
  ) {
    var summary = IntegrationSummary(
      outcome: outcome, reason: reason, onlyGatesFailed: onlyGatesFailed, endedAt: date)
    summary.wasClosed = wasClosed
    news.append(.finished(summary))
    end = TaskEnd(failure: outcome.exitCode == 0 ? nil : "it ended with exit status \(outcome.exitCode)")
  }

  /// Ends as the process does that closes what was cut off.
  func close(at date: Date) {
    guard let closing = order?.closing else { return }
    finish(closing.outcome, reason: closing.reason, wasClosed: true, at: date)
  }
}
