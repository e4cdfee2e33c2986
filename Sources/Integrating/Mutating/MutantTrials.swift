import Model
import Parsing
import Processes

/// Trials of the mutants of a plan: first of the program as it is, then of each mutant in its own child process, and
/// finally of those that nothing noticed, by all tests.
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
  /// The number of groups below which each server has a single part of them, and into how many parts more are divided.
  private static let fewGroups = 32
  private static let partsPerServer = 8
  /// How often tests that do not pass one after the other are left out before giving up.
  private static let mostAttempts = 5
  /// How often the program as it is has to pass.
  private static let proofs = 2

  /// - Throws: if nothing can be said about any function.
  func judge(_ plan: inout MutationPlan, _ record: inout StepRecord) throws {
    guard !plan.trials.isEmpty else { return }
    let end = ContinuousClock.now + time
    let runs = try steadyRuns(until: end, &record)
    let trials = plan.trials(by: runs.duration)
    let mutants = trials.enumerated().flatMap { number, trial in
      let count = runs.runs(of: trial.tests).isEmpty ? 0 : trial.codes.count
      return (0..<count).map { Mutant(trial: number, code: $0) }
    }
    let orders = TrialOrders(trials: trials, runs: runs, end: end)
    let first = try outcomes(of: mutants.map { [$0] }, orders, "part", &record) { runs, index in
      runs.runs(of: trials[mutants[index].trial].tests)
    }
    var outcomes = Dictionary(zip(mutants, first).compactMap { pair in pair.1.map { (pair.0, $0) } }) { $1 }
    let survivors = mutants.filter { outcomes[$0] == .survived && !runs.areAll(trials[$0.trial].tests) }
    let confirmed = try confirmed(survivors, of: plan, orders, &record)
    for mutant in survivors { outcomes[mutant] = confirmed[mutant] }
    for (number, trial) in trials.enumerated() {
      let own = trial.codes.indices.lazy.map { outcomes[Mutant(trial: number, code: $0)] }
      plan.judge(
        trial, isNoticeHidden: runs.mayHideNotice(among: trial.tests, mapped: mapped),
        by: own.prefix { $0 != nil }.compactMap(\.self))
    }
  }

  /// A mutant by its trial and which of the trial's codes it is.
  private struct Mutant: Hashable {
    var trial: Int
    var code: Int
  }

  /// What all runs of the trials have in common.
  private struct TrialOrders {
    var trials: [MutationPlan.Trial]
    var runs: MutantRuns
    var end: ContinuousClock.Instant

    func patches(of mutants: [Mutant]) -> [MutantOrders.Patch] {
      mutants.map { MutantOrders.Patch(address: trials[$0.trial].address, code: trials[$0.trial].codes[$0.code]) }
    }
  }

  /// Returns what all tests say of mutants that those known to run them did not notice, because not everything that a test
  /// runs is on record for it; none for those for which there is no time.
  ///
  /// Nearly all of them survive, so many are tried in one process. Where a test notices some of them, it is asked about each.
  private func confirmed(
    _ survivors: [Mutant], of plan: MutationPlan, _ orders: TrialOrders, _ record: inout StepRecord
  ) throws -> [Mutant: MutationPlan.Outcome] {
    var groups = Self.groups(of: survivors) { plan.overlap(orders.trials[$0.trial], orders.trials[$1.trial]) }
    var found: [Mutant: MutationPlan.Outcome] = [:]
    var round = 0
    while !groups.isEmpty {
      let outcomes = try outcomes(of: groups, orders, "all-\(round)", &record) { runs, _ in runs.everything }
      var noticed: [(group: [Mutant], test: TestID?)] = []
      for (group, outcome) in zip(groups, outcomes) {
        if group.count > 1, case .noticed(_, let test) = outcome {
          noticed.append((group, test))
        } else {
          for mutant in group { found[mutant] = outcome }
        }
      }
      let guilty = try guilty(in: noticed, orders, "each-\(round)", &record)
      found.merge(guilty) { $1 }
      groups = noticed.flatMap { group, test in
        let rest = group.filter { guilty[$0] == nil }
        if rest.count < group.count { return [rest].filter { !$0.isEmpty } }
        // A group that hangs takes longest, and so would its half.
        return test == nil ? group.map { [$0] } : Self.halves(of: group)
      }
      round += 1
    }
    return found
  }

  /// Returns those of some groups that a test notices when each is tried alone; none if the test fails alone whatever is
  /// changed.
  private func guilty(
    in groups: [(group: [Mutant], test: TestID?)], _ orders: TrialOrders, _ name: String, _ record: inout StepRecord
  ) throws -> [Mutant: MutationPlan.Outcome] {
    let tests = Set(groups.compactMap(\.test)).filter { !orders.runs.runs(of: [$0]).isEmpty }.sorted()
    let unchanged = tests.map { (mutants: [Mutant](), test: $0) }
    let asked = groups.flatMap { group, test in
      test.map { test in tests.contains(test) ? group.map { (mutants: [$0], test: test) } : [] } ?? []
    }
    let all = unchanged + asked
    let outcomes = try outcomes(of: all.map(\.mutants), orders, name, &record) { runs, index in
      runs.runs(of: [all[index].test])
    }
    let steady = Set(zip(tests, outcomes).filter { $0.1 == .survived }.map(\.0))
    return zip(asked, outcomes.dropFirst(tests.count)).reduce(into: [:]) { found, pair in
      guard case .noticed = pair.1, steady.contains(pair.0.test), let mutant = pair.0.mutants.first else { return }
      found[mutant] = pair.1
    }
  }

  /// Returns the mutants in as few groups as there are servers, or in more if some overlap: one without its body does not
  /// reach what is in it.
  private static func groups(of mutants: [Mutant], overlap: (Mutant, Mutant) -> Bool) -> [[Mutant]] {
    var groups: [[Mutant]] = Array(repeating: [], count: mostServers)
    for mutant in mutants {
      let free = groups.indices.filter { index in !groups[index].contains { overlap($0, mutant) } }
      if let smallest = free.min(by: { groups[$0].count < groups[$1].count }) {
        groups[smallest].append(mutant)
      } else {
        groups.append([mutant])
      }
    }
    return groups.filter { !$0.isEmpty }
  }

  private static func halves(of group: [Mutant]) -> [[Mutant]] {
    let middle = group.count / 2
    return [Array(group[..<middle]), Array(group[middle...])].filter { !$0.isEmpty }
  }

  /// Returns what became of groups of mutants, each in a child process of its own; nil for those for which there was no
  /// time.
  ///
  /// - Parameter runs: returns the runs that try a group, given its index.
  private func outcomes(
    of groups: [[Mutant]], _ orders: TrialOrders, _ name: String, _ record: inout StepRecord,
    by runs: (MutantRuns, Int) -> [MutantOrders.Run]
  ) throws -> [MutationPlan.Outcome?] {
    var outcomes: [MutationPlan.Outcome?] = groups.map { _ in nil }
    // Each part costs the start of a process, and the last ones keep only one processor busy.
    let count = groups.count < Self.fewGroups ? Self.mostServers : Self.mostServers * Self.partsPerServer
    let parts = (0..<min(count, groups.count)).map { part in
      Array(stride(from: part, to: groups.count, by: count))
    }
    let jobs = try parts.enumerated().map { number, part in
      var known = orders.runs
      let server = try server(named: "\(name)-\(number)", until: orders.end, for: &known)
      var text = MutantOrders()
      for index in part { text.add(orders.patches(of: groups[index]), runs: runs(known, index)) }
      return Job(server: server, orders: text)
    }
    for ((part, job), answer) in zip(zip(parts, jobs), try answers(to: jobs, &record)) {
      let found = Dictionary(grouping: answer.runs, by: \.mutant)
      for (number, index) in part.enumerated() {
        outcomes[index] =
          answer.deadly.contains(number)
          ? .noticed(.crashed, by: nil) : MutationPlan.Outcome(found[number] ?? [], of: job.orders.runCounts[number])
      }
    }
    return outcomes
  }

  /// A server and what it is to try.
  private struct Job {
    var server: MutantServer
    var orders: MutantOrders
  }

  /// Returns what each server answered.
  private func answers(to jobs: [Job], _ record: inout StepRecord) throws -> [MutantServer.Answer] {
    let results = try WorkerThreads(threads: Self.mostServers).map(jobs.count) { number in
      Result { try jobs[number].server.run(jobs[number].orders) }
    }
    let answers = try results.map { try $0.get() }
    for result in answers.flatMap(\.results) { record.add(result) }
    return answers
  }

  /// Returns the runs without the tests that do not pass one after the other in a child, although they passed before.
  private func steadyRuns(until end: ContinuousClock.Instant, _ record: inout StepRecord) throws -> MutantRuns {
    var runs = MutantRuns(results, of: listing)
    for attempt in 0..<Self.mostAttempts {
      let jobs = try (0..<Self.proofs).map { proof in
        let server = try server(named: "proof-\(attempt)-\(proof)", until: end, for: &runs)
        var orders = MutantOrders()
        if !runs.everything.isEmpty { orders.add([], runs: runs.everything) }
        return Job(server: server, orders: orders)
      }
      guard let count = jobs.first?.orders.runCounts.first else { break }
      let answers = try answers(to: jobs, &record)
      if answers.contains(where: \.hasThreads) { throw MutationFailure.threads }
      if answers.contains(where: { !$0.deadly.isEmpty }) { throw MutationFailure.unsteady(.crashed) }
      let tried = answers.flatMap(\.runs)
      let failed = tried.filter { $0.end != .passed }
      if failed.isEmpty, tried.count == Self.proofs * count { return runs }
      let names = Set(failed.compactMap(\.failedTest))
      if names.isEmpty { throw MutationFailure.unsteady(failed.first?.end) }
      runs.leaveOut(names)
    }
    throw MutationFailure.unsteady(.failed)
  }

  /// - Parameter runs: the runs for the server, which are to write their events where it reads them.
  private func server(
    named name: String, until end: ContinuousClock.Instant, for runs: inout MutantRuns
  ) throws -> MutantServer {
    guard let observer = session.surroundings.observation.observer else { throw MutationFailure.unsteady(nil) }
    let handed = try HandedFolder(of: "mutants-\(name)", in: session.output.folders)
    var environment = ChildEnvironment.testing(from: session.surroundings.environment, profiles: "/dev/null")
    environment["SWIFT_BACKTRACE"] = "enable=no"
    // Each child has the seed of its server, so that the mutant is the only difference.
    environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
    let command = try session.command(
      [], environment: environment, handing: handed, in: session.ownView(of: "mutants-\(name)"))
    runs.write(by: session.stream(to: handed.events))
    return MutantServer(
      command: command, executable: session.executable.path, observer: observer,
      libraries: session.surroundings.toolchain.libraries,
      handed: handed, names: listing.places.keyed(by: \.value, \.key),
      limits: session.allowance.limits(wallClock: time), end: end, cancellation: session.allowance.cancellation)
  }
}

/// The reason why no mutant can be tried, as a sentence.
struct MutationFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static let threads = MutationFailure(
    "The test program starts threads before its tests begin, so its functions cannot be tried without bodies.")

  /// - Parameter end: how the tests end when they run one after the other; nil for not at all.
  static func unsteady(_ end: MutantRun.End?) -> MutationFailure {
    let reason =
      switch end {
      case .crashed: "The tests crash when they run one after the other."
      case .timedOut: "The tests do not end when they run one after the other."
      case .notStarted: "The test program could not be forked."
      case .failed: "Too many tests fail when they run one after the other."
      case .passed, nil: "There was no time left to run the tests one after the other."
      }
    return MutationFailure(reason)
  }
}
