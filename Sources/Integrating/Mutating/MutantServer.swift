import Model
import Parsing
import Processes

/// A process of a test program that tries mutants, each in a child forked before a test library starts.
struct MutantServer: Sendable {
  struct Answer: Sendable {
    var runs: [MutantRun] = []
    /// Whether the program has threads before its tests begin and therefore cannot be forked.
    var hasThreads = false
    var results: [ProcessResult] = []
    /// The mutants that ended the process that was to try them, every time.
    var deadly: Set<Int> = []
  }

  /// The program, without the observer.
  let command: Command
  let executable: String
  let observer: Observer
  /// The folder of the toolchain's libraries.
  let libraries: String
  let handed: HandedFolder
  /// The Swift Testing tests by their names in events.
  let names: [String: TestID]
  let limits: Limits
  /// When all trials are over, whether tried or not.
  let end: ContinuousClock.Instant
  let cancellation: Cancellation

  /// Carries out all orders for which there is time; if a process ends before the last one, another process continues.
  func run(_ orders: MutantOrders) throws -> Answer {
    var answer = Answer()
    var (first, failures) = (0, 0)
    while first < orders.count, !answer.hasThreads, ContinuousClock.now < end {
      let count = answer.results.count
      try run(orders, behind: first, number: count, &answer)
      guard answer.results[count].why == .byItself else { break }
      let tried = answer.runs.filter { $0.end != .passed || $0.run == orders.runCounts[$0.mutant] - 1 }.map(\.mutant)
      let next = (tried.max() ?? first - 1) + 1
      failures = next == first ? failures + 1 : 0
      first = max(first, next)
      guard failures == Self.mostFailures else { continue }
      answer.deadly.insert(first)
      (first, failures) = (first + 1, 0)
    }
    return answer
  }

  /// How often a mutant may end the process that tries it before it is left out.
  private static let mostFailures = 2

  /// - Parameter number: the number of the process.
  private func run(_ orders: MutantOrders, behind first: Int, number: Int, _ answer: inout Answer) throws {
    let name = "orders-\(number)"
    try handed.folder.create(name, orders.text(behind: first))
    let channel = try ObserverChannel(in: handed.folder.folder("channel-\(number)"))
    var command = command
    command.environment = observer.environment(
      for: channel, program: executable, libraries: libraries, stream: handed.events, profiles: nil,
      mutants: handed.folder.file(name), isFixed: false, startingIn: command.workingDirectory,
      in: command.environment)
    var runs: [MutantRun] = []
    var hasThreads = false
    channel.onRecord = { record in
      if var run = MutantRun(record, names: names), run.mutant < orders.count - first {
        run.mutant += first
        runs.append(run)
      }
      if record.kind == .threads { hasThreads = true }
    }
    let supervision = Supervision(channels: { channel.descriptors }, sawNews: { _ in channel.readOn() })
    var limits = limits
    limits.wallClock = end - .now
    let result = try command.run(limits: limits, cancellation: cancellation, supervision: supervision) { _ in }
    channel.close()
    answer.runs += runs
    answer.hasThreads = hasThreads
    answer.results.append(result)
  }
}
