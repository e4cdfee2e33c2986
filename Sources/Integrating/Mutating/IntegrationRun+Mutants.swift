import FoundationEssentials
import Glibc
import Model
import Parsing
import Processes
import Rendering
import Syntax

extension IntegrationRun {
  /// Removes the bodies of functions that tests ran, one at a time, and reports those that no test misses; nil if that
  /// was not requested.
  ///
  /// The result says nothing about the commit: whatever happens here, the integration ends as it would without it.
  func mutate(
    _ judged: JudgedCoverage, _ tests: TestRun, _ products: BuildProducts
  ) throws(IntegrationStop) -> Answer<MutationReport>? {
    guard request.mutants != .off, case .available(let coverage) = judged.measurement.report else { return nil }
    return try step(.mutating) { (record) throws(IntegrationStop) in
      do {
        return .known(try mutants(of: coverage, judged.comparison, tests, products, &record))
      } catch {
        if integrator.cancellation.isCanceled { throw .canceled }
        return .unknown(reason: "\(error)")
      }
    }
  }

  private func mutants(
    of coverage: Coverage, _ comparison: CoverageJudgement, _ tests: TestRun, _ products: BuildProducts,
    _ record: inout StepRecord
  ) throws -> MutationReport {
    try refuseWhatCannotBeTried(tests.observation, products)
    guard let map = coverage.testMap?.value, let listing = tests.listings.first,
      let executable = products.testExecutables.first
    else { throw MutationFailure(coverage.testMap?.reason ?? "Which tests ran which lines is not known.") }
    let candidates = try candidates(in: coverage, map, comparison)
    guard !candidates.isEmpty else { return MutationReport(scope: request.mutants, functions: []) }
    let names = try demangling(candidates.map(\.function.symbol), DemangledNode.arguments).output { record.add($0) }
    let log = try StepLog(.mutating, in: kept, mask: mask)
    let session = TestSession(
      executable: executable, number: Self.firstNumber,
      surroundings: TestSurroundings(of: self, tests, in: nil),
      allowance: TestAllowance(of: self, by: integrator.clock),
      output: TestOutput(of: self, log), progress: integrator.progress)
    let sources = MutatedSources(candidates) { text(of: $0) }
    let deciding = candidates.filter { sources.mayHaveConditions($0, request.mutants) }
    let symbols = try symbols(of: candidates, containers: deciding.map(\.function.symbol), in: executable.path)
    var plan = MutationPlan(candidates, names: DemangledNode.read(names), symbols: symbols) { sources.text(of: $0) }
    do {
      plan.add(try conditions(in: deciding, symbols.parts, sources, map, session, &record))
    } catch let stop as IntegrationStop {
      throw stop
    } catch {
      // Functions are tried nevertheless.
      try log.note("No condition can be negated: \(error)\n")
    }
    let trying = MutantTrials(
      session: session, listing: listing, results: tests.report.results, mapped: Set(map.tests), time: deadline)
    try trying.judge(&plan, &record)
    let report = plan.report(request.mutants)
    try log.note((report.functions + report.conditions).map { "\(MutantWords.line($0))\n" }.joined())
    try log.close()
    return report
  }

  /// The number of the session, beyond those of all test executables.
  private static let firstNumber = 1000

  /// The time limit for all trials: changed functions are few, and a report waits for them.
  private var deadline: Duration {
    request.mutants == .changed ? min(request.tests.limits.step, .seconds(60)) : request.tests.limits.step
  }

  private func refuseWhatCannotBeTried(_ observation: Observation, _ products: BuildProducts) throws {
    #if !arch(x86_64)
      throw MutationFailure("Functions are tried without their bodies on x86-64 only.")
    #endif
    guard request.configuration == "debug" else {
      throw MutationFailure(
        "In a release build callers have copies of functions, so these cannot be tried without their bodies.")
    }
    guard request.sanitize.isEmpty else {
      throw MutationFailure("Functions are not tried without their bodies under a sanitizer.")
    }
    guard context.buildSystem == .native, products.testExecutables.count == 1 else {
      throw MutationFailure("Functions are tried without their bodies only in what SwiftPM's own build system builds.")
    }
    guard case .contained = containment else {
      throw MutationFailure("Functions are tried without their bodies only in a sandbox.")
    }
    if case .none(let why) = observation {
      throw MutationFailure("Functions are not tried without their bodies, because \(why).")
    }
  }

  /// Returns the functions that ran, or only the changed ones of these if no more was requested.
  private func candidates(
    in coverage: Coverage, _ map: TestMap, _ comparison: CoverageJudgement
  ) throws -> [MutationPlan.Candidate] {
    let changed = try changedLines(comparison)
    let judged = comparison.patchesToTry.map(\.touchedLinesThatRan)
    return coverage.files.flatMap { file -> [MutationPlan.Candidate] in
      guard file.path.hasSuffix(".swift") else { return [] }
      let lines = changed[file.path] ?? []
      let wanted = judged.reduce(into: lines) { $0.formUnion($1[file.path] ?? []) }
      return file.functions.compactMap { function in
        guard function.count > 0, !function.isOnlyFolded, let first = function.regions.first,
          let body = function.body
        else { return nil }
        let place = function.line...function.lastLine
        guard request.mutants == .all || wanted.contains(where: place.contains) else { return nil }
        let own = map.inProcessTests(ofFunctionAt: first.start, in: file.path)
        let tests = own ?? map.tests(ofFunctionAt: first.start, in: file.path)
        return MutationPlan.Candidate(
          path: file.path, function: function, body: body, tests: tests.map { map.tests[$0] },
          isInPrograms: own != nil, touched: lines.filter(place.contains))
      }
    }
  }

  /// Returns the touched lines that ran, by path; if all functions are tried, the lines may be unknown.
  private func changedLines(_ comparison: CoverageJudgement) throws -> [String: Set<Int>] {
    switch comparison.changes?.patch {
    case .known(let patch):
      guard request.mutants == .changed || patch.origin != .nothing else { return [:] }
      return patch.touchedLinesThatRan
    case .unknown(let reason) where request.mutants == .changed: throw MutationFailure(reason)
    case nil where request.mutants == .changed: throw MutationFailure("Which lines changed is not known.")
    case .unknown, nil: return [:]
    }
  }

  private func symbols(
    of candidates: [MutationPlan.Candidate], containers: [String], in executable: String
  ) throws -> ObjectSymbols {
    let symbols = candidates.map(\.function.symbol)
    return try ObjectSymbols(
      contents(of: executable), wanted: Set(symbols + symbols.map { $0 + MutationPlan.asynchronousSuffix }),
      containers: containers)
  }
}

extension IntegrationRun {
  /// Returns the conditions in functions that ran, or only the changed ones of these if no more was requested.
  ///
  /// - Parameter symbols: the names of the functions and of what is in them.
  func conditions(
    in functions: [MutationPlan.Candidate], _ symbols: [String], _ sources: MutatedSources, _ map: TestMap,
    _ session: TestSession, _ record: inout StepRecord
  ) throws -> [ConditionSites.Site] {
    guard !symbols.isEmpty else { return [] }
    let jumps = try jumps(in: symbols, of: session.executable.path, &record)
    let addresses = jumps.map { "0x\(String($0.address, radix: 16))\n" }.joined()
    let places = try session.places(of: addresses, in: session.executable.path)
    let sites = ConditionSites(jumps, at: places, map: map, scope: request.mutants)
    // What is in a function within another one belongs to the inner one.
    var seen: Set<UInt64> = []
    return functions.sorted { $0.body.start > $1.body.start }.flatMap { candidate in
      (sources[candidate.path].map { sites.sites(in: candidate, $0) } ?? []).filter {
        seen.insert($0.opposite.address).inserted
      }
    }
  }

  private func jumps(
    in symbols: [String], of executable: String, _ record: inout StepRecord
  ) throws -> [ConditionalJump] {
    // There may be more of them than fit in a command line.
    let (folder, arguments) = (kept.folder("coverage"), "disassembled")
    try folder.create(arguments, Array("--disassemble-symbols=\(symbols.joined(separator: ","))\n".utf8))
    defer { unlink(folder.file(arguments)) }
    let output = try tool("llvm-objdump", ["-d", "@\(folder.file(arguments))", executable], &record)
    return ConditionalJump.read(output.standardOutput)
  }
}
