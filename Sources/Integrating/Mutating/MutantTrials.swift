import Model
import Parsing
import Processes

/// Trials of the mutants of a plan: first of the program as it is, then of each mutant in its own child process.
struct MutantTrials {
  let session: TestSession
  let listing: TestSession.Listing
  let results: [TestResult]
  /// The tests for which it is known what they ran.
  let mapped: Set<TestID>
  /// How long the trials may take.
  let time: Duration

  /// The number of servers that try mutants side by side, each of them one at a time.
  private static let mostServers = 2
  /// How often tests that do not pass one after the other are left out before giving up.
  private static let mostAttempts = 5
  /// How often the program as it is has to pass.
  private static let proofs = 2

  /// - Throws: if nothing can be said about any function.
  func judge(_ plan: inout MutationPlan, _ record: inout StepRecord) throws {
    guard !plan.trials.isEmpty else { return }
    let end = ContinuousClock.now + time
    let leftOut = try unstableTests(until: end, &record)
    let runs = MutantRuns(results, of: listing, writing: []).leavingOut(leftOut)
    let trials = plan.trials(by: runs.duration)
    let parts = (0..<min(Self.mostServers, trials.count)).map { part in
      trials.enumerated().filter { $0.offset % Self.mostServers == part }.map(\.element)
    }
    let workers = try parts.enumerated().map { number, part in
      let (server, stream) = try server(named: "part-\(number)", until: end)
      let runs = MutantRuns(results, of: listing, writing: stream).leavingOut(leftOut)
      let orders = Orders(part, runs)
      return (part, orders, try Worker { try server.run(orders.text) })
    }
    for (part, orders, worker) in workers {
      let answer = try worker.join()
      for result in answer.results { record.add(result) }
      let found = Dictionary(grouping: answer.runs, by: \.mutant)
      for (trial, mutants) in zip(part, orders.mutants) {
        plan.judge(
          trial, isNoticeHidden: runs.mayHideNotice(among: trial.tests, mapped: mapped),
          by: mutants.lazy.map { mutant -> MutationPlan.Outcome? in
            if answer.deadly.contains(mutant) { return .noticed(.crashed, by: nil) }
            return MutationPlan.Outcome(found[mutant] ?? [], of: orders.text.runCounts[mutant])
          }.prefix { $0 != nil }.compactMap(\.self))
      }
    }
  }

  /// The orders for some of the trials.
  private struct Orders {
    var text = MutantOrders()
    /// The numbers of the mutants, by trial.
    var mutants: [Range<Int>] = []

    init(_ trials: [MutationPlan.Trial], _ runs: MutantRuns) {
      for trial in trials {
        let covering = runs.runs(covering: trial.tests)
        let codes = covering.isEmpty ? [] : trial.codes
        mutants.append(text.count..<text.count + codes.count)
        for code in codes { text.add(code, at: trial.address, runs: covering) }
      }
    }
  }

  /// Returns the tests that do not pass one after the other in a child, although they passed before.
  private func unstableTests(until end: ContinuousClock.Instant, _ record: inout StepRecord) throws -> Set<TestID> {
    var leftOut: Set<TestID> = []
    for attempt in 0..<Self.mostAttempts {
      let (server, stream) = try server(named: "proof-\(attempt)", until: end)
      let runs = MutantRuns(results, of: listing, writing: stream).leavingOut(leftOut)
      guard !runs.isEmpty else { break }
      var orders = MutantOrders()
      for _ in 0..<Self.proofs { orders.add(nil, at: nil, runs: runs.everything) }
      let answer = try server.run(orders)
      for result in answer.results { record.add(result) }
      if answer.hasThreads { throw MutationProblem.threads }
      if !answer.deadly.isEmpty { throw MutationProblem.unstable(.crashed) }
      let failed = answer.runs.filter { $0.end != .passed }
      if failed.isEmpty, answer.runs.count == Self.proofs * runs.everything.count { return leftOut }
      let names = Set(failed.compactMap(\.failedTest))
      if names.isEmpty { throw MutationProblem.unstable(failed.first?.end) }
      leftOut.formUnion(names)
    }
    throw MutationProblem.unstable(.failed)
  }

  private func server(named name: String, until end: ContinuousClock.Instant) throws -> (MutantServer, [String]) {
    guard let observer = session.surroundings.observation.observer else { throw MutationProblem.unstable(nil) }
    let handed = try HandedFolder(of: "mutants-\(name)", in: session.output.folders)
    var environment = ChildEnvironment.testing(from: session.surroundings.environment, profiles: "/dev/null")
    environment["SWIFT_BACKTRACE"] = "enable=no"
    // Each child has the seed of its server, so that the mutant is the only difference.
    environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
    let command = try session.command(
      [], environment: environment, handing: handed, in: session.ownView(of: "mutants-\(name)"))
    let events = listing.places.keyed(by: \.value, \.key)
    let time = max(Duration.seconds(1), end - .now)
    let server = MutantServer(
      command: command, executable: session.executable.path, observer: observer,
      libraries: session.surroundings.toolchain.libraries,
      handed: handed, names: events,
      limits: session.allowance.limits(wallClock: time), cancellation: session.allowance.cancellation)
    return (server, session.stream(to: handed.events))
  }
}

/// The reason why no mutant can be tried, as a sentence.
enum MutationProblem: Error, CustomStringConvertible {
  case threads
  case unstable(MutantRun.End?)

  var description: String {
    switch self {
    case .threads:
      "The test program starts threads before its tests begin, so its functions cannot be tried without bodies."
    case .unstable(.crashed): "The tests crash when they run one after the other."
    case .unstable(.timedOut): "The tests do not end when they run one after the other."
    case .unstable(.notStarted): "The test program could not be forked."
    case .unstable(.failed): "Too many tests fail when they run one after the other."
    case .unstable(.passed), .unstable(nil): "There was no time left to run the tests one after the other."
    }
  }
}
