import Model
import Parsing
import Processes
import Rendering

struct TestRun {
  /// How its processes were observed.
  let observation: Observation
  var report = TestReport()
  var model: PackageModel?
  /// Sentences about what is missing from the proof that every listed test ran.
  var gaps: [TestGap] = []
  /// Failures that a library recorded outside every test.
  var unattributedFailures: [TestFailure] = []
  /// The tests that only the package's own `.martlet.yml` keeps from running.
  var leftOut: [TestID] = []
  /// The names of listed tests outside the selection.
  var filteredOut: Set<TestID> = []
  /// The expressions that match no listed test, as far as the tests could be listed.
  var unmatched: Set<TestPattern>?
  var listings: [TestSession.Listing] = []
  /// Sentences about test processes that left no counters.
  var lostCounters: [String] = []
  /// What runs without any test; nil where nobody asked.
  var startUp: StartUpCounters?
  /// What each test counted; nil where nobody asked.
  var mapped: MappedTests?
  /// The sources as contained tests see them.
  var view: FolderView?

  /// Whether there may be tests that could not be listed, so that one that is missing may still exist.
  var mayLackTests: Bool { gaps.contains { OutcomeReason.gap($0).code.isOfListing } }

  /// Whether more went wrong than that tests failed, then passed when they ran again.
  var failedForGood: Bool {
    report.results.contains(where: \.state.isRed) || !report.sanitizerReports.isEmpty || !gaps.isEmpty
  }

  /// How tests ended that ran alone, or after the others for the map; of the former, only those that ended differently.
  var endedAlone: [TestID: TestState] {
    report.results.reduce(into: mapped?.ends ?? [:]) { ends, test in
      if let alone = test.alone { ends[test.id] = alone.state }
    }
  }
}

/// The tests of one executable, which may run in several phases.
private struct TestProgram {
  let listing: TestSession.Listing
  /// The selected tests.
  private(set) var xctest: [TestID]
  private(set) var swiftTesting: [TestID]
  private let filteredOut: Int
  var session: TestSession
  var builder: TestReportBuilder

  init(
    _ listing: TestSession.Listing, _ session: TestSession, xctest: [TestID], swiftTesting: [TestID], filteredOut: Int
  ) {
    self.listing = listing
    self.session = session
    self.xctest = xctest
    self.swiftTesting = swiftTesting
    self.filteredOut = filteredOut
    builder = TestReportBuilder(xctest: xctest, swiftTesting: swiftTesting, filteredOut: filteredOut)
  }

  /// Leaves out tests, and with them the map, which would not be one of all tests.
  ///
  /// - Returns: what is told of them.
  mutating func leaveOut(_ tests: Set<TestID>, because reason: String) -> [TestResult] {
    func result(_ test: TestID, _ library: TestLibrary) -> TestResult {
      var result = TestResult(id: test, library: library, state: .skipped, skipReason: reason)
      result.isUnaffected = true
      return result
    }
    let left =
      xctest.filter(tests.contains).map { result($0, .xctest) }
      + swiftTesting.filter(tests.contains).map { result($0, .swiftTesting) }
    xctest.removeAll(where: tests.contains)
    swiftTesting.removeAll(where: tests.contains)
    builder = TestReportBuilder(xctest: xctest, swiftTesting: swiftTesting, filteredOut: filteredOut)
    session.mapsTests = false
    return left
  }

  /// - Parameter phase: the tests whose turn it is, in the order in which XCTest runs its own if the observer tells it.
  mutating func run(_ phase: [TestID], _ record: inout StepRecord) throws(IntegrationStop) {
    let turn = Set(phase)
    let ordered = session.ordersXCTest ? phase.filter(Set(xctest).contains) : xctest.filter(turn.contains)
    try session.run(.xctest, ordered, of: listing.xctest, record: &record, into: &builder)
    try session.run(
      .swiftTesting, swiftTesting.filter(turn.contains), of: listing.swiftTesting, record: &record, into: &builder)
  }
}

extension IntegrationRun {
  /// Lists the tests, runs them in processes of their own, and accounts for each of them.
  ///
  /// - Parameters:
  ///   - pending: how the tests will be observed, while the observer is being made.
  ///   - unsearched: the test targets in which the build did not look for tests.
  ///   - dependencies: the versions that the package was built with.
  ///   - turn: the turn that is passed on while a process sleeps; nil where nobody waits for it.
  /// - Returns: what ran, and what kept it from being accounted for.
  func test(
    _ products: BuildProducts, _ pending: Worker<Observation>, unsearched: [String], _ dependencies: [Circumstance],
    in turn: TestTurn?
  ) throws(IntegrationStop) -> (run: TestRun, stop: IntegrationStop?) {
    let question = try modelQuestion.ask()
    let observation = try stopping(unless: integrator.cancellation) { try pending.join() }
    let declared = try askForDeclaredTests(observation, products, question)
    var (tests, stop) = try step(.testing, by: turn?.clock) { (record) throws(IntegrationStop) in
      try runTests(of: products, observation, dependencies, in: turn, &record)
    }
    if let stop {
      // Where the package's targets are not known yet, tests have no places.
      if let model = try? modelQuestion.model() { locate(&tests, model) }
      return (tests, stop)
    }
    tests.gaps += unsearched.map { .notSearched(target: $0) }
    do throws(IntegrationStop) {
      try account(for: &tests, declared, products)
      return (tests, nil)
    } catch {
      // What ran is told, whatever becomes of the rest.
      return (tests, error)
    }
  }

  private func account(
    for tests: inout TestRun, _ declared: Worker<DeclaredTests>, _ products: BuildProducts
  ) throws(IntegrationStop) {
    let model = try modelQuestion.model()
    tests.model = model
    try stopping(unless: integrator.cancellation) {
      tests.report.unlisted = unlistedTests(try declared.join(), tests.listings, of: model, products)
    }
    locate(&tests, model)
  }

  /// Adds the places that XCTest does not tell, and the methods that it passes over.
  private func locate(_ tests: inout TestRun, _ model: PackageModel) {
    let sources = model.testSources.compactMap { path, target in
      text(of: path).map { TestDeclarations.Source(module: target, path: path, bytes: $0) }
    }
    tests.report.neverRun = neverRunMethods(in: sources, beside: tests)
    if tests.report.results.contains(where: { $0.location == nil }) {
      let places = TestDeclarations.find(in: sources.sorted { $0.path < $1.path })
      for index in tests.report.results.indices where tests.report.results[index].location == nil {
        tests.report.results[index].location = places[tests.report.results[index].id]
      }
    }
    locateCrashes(in: &tests.report, model)
  }

  /// - Returns: what ran, and the cancellation that ended it early.
  private func runTests(
    of products: BuildProducts, _ observation: Observation, _ dependencies: [Circumstance], in turn: TestTurn?,
    _ record: inout StepRecord
  ) throws(IntegrationStop) -> (TestRun, IntegrationStop?) {
    let log = try StepLog(.testing, in: kept, mask: mask)
    var tests = TestRun(observation: observation)
    tests.view = try prepareForTests()
    if request.coverage.incidental, request.coverage.isMeasured { tests.startUp = StartUpCounters() }
    if request.mapsTests, request.coverage.isMeasured { tests.mapped = MappedTests() }
    let surroundings = TestSurroundings(of: self, tests, in: turn)
    let (allowance, output) = (TestAllowance(of: self, by: turn?.clock ?? integrator.clock), TestOutput(of: self, log))
    var programs: [TestProgram] = []
    for (index, executable) in products.testExecutables.enumerated() {
      var session = TestSession(
        executable: executable, number: index + 1, surroundings: surroundings, allowance: allowance, output: output,
        progress: integrator.progress)
      guard let listing = try list(with: session, &tests.gaps, &record) else { continue }
      tests.listings.append(listing)
      session.mapsTests = tests.mapped != nil
      programs.append(try program(running: listing, with: session, &tests))
    }
    var chosen = try choose(among: programs.flatMap { $0.xctest + $0.swiftTesting }, dependencies)
    let left = leaveOut(chosen, of: &programs, &tests)
    let order = try order(
      ofXCTest: programs.flatMap(\.xctest), swiftTesting: programs.flatMap(\.swiftTesting), in: programs.count,
      start: allowance.elapsed(), dependencies)
    let stop = try run(&programs, in: order.phases, into: &tests, &record)
    tests.report.first = order.told
    tests.report.add(left)
    if stop == nil { try note(&chosen, tests.report.results) }
    tests.report.only = chosen?.told
    try log.close()
    return (tests, stop)
  }

  /// Runs all tests and does what comes after them.
  ///
  /// - Returns: the cancellation that ended it early; what had ended by then is among the tests.
  private func run(
    _ programs: inout [TestProgram], in phases: [[TestID]], into tests: inout TestRun, _ record: inout StepRecord
  ) throws(IntegrationStop) -> IntegrationStop? {
    var finished = 0
    do throws(IntegrationStop) {
      try run(&programs, in: phases, &record)
      let end = record
      for index in programs.indices {
        try finish(&programs[index], into: &tests, &record)
        finished += 1
      }
      // Where all that is wrong is that tests failed, then passed when they ran again, the step did not fail.
      if tests.failedForGood { record.keepEnd(of: end) }
      return nil
    } catch {
      guard error.outcome == .canceled else { throw error }
      for program in programs[finished...] { tests.take(program.builder.build()) }
      return error
    }
  }

  private func run(_ programs: inout [TestProgram], in phases: [[TestID]], _ record: inout StepRecord)
    throws(IntegrationStop)
  {
    // How the processes ended that listed the tests says nothing of them.
    (record.exitStatus, record.signal) = (nil, nil)
    for phase in phases {
      for index in programs.indices { try programs[index].run(phase, &record) }
    }
  }

  /// Leaves out the tests that are not to run, with what only all tests together can tell.
  private func leaveOut(_ chosen: ChosenTests?, of programs: inout [TestProgram], _ tests: inout TestRun)
    -> [TestResult]
  {
    guard let chosen, !chosen.unaffected.isEmpty else { return [] }
    (tests.startUp, tests.mapped) = (nil, nil)
    return programs.indices.flatMap { index in
      programs[index].leaveOut(chosen.unaffected, because: chosen.told.skipReason)
    }
  }

  private func list(
    with session: TestSession, _ gaps: inout [TestGap], _ record: inout StepRecord
  ) throws(IntegrationStop) -> TestSession.Listing? {
    do {
      let (listing, results) = try session.list(hasOwnMain: ownMain != nil)
      for result in results { record.add(result) }
      return listing
    } catch {
      if integrator.cancellation.isCanceled { throw .canceled }
      gaps.append(.listingFailed(executable: session.executable.name, error: "\(error)", ownMain: ownMain))
      return nil
    }
  }

  /// Why there may be no list: SwiftPM's own build system still builds the test executable of a package that has such a
  /// file around it; Swift Build passes over it.
  var ownMain: String? {
    guard context.buildSystem == .native else { return nil }
    return ["Tests/LinuxMain.swift", "Tests/XCTMain.swift"].first(where: packageFolder.holds)
  }

  /// Selects the tests of an executable.
  private func program(
    running listing: TestSession.Listing, with session: TestSession, _ tests: inout TestRun
  ) throws(IntegrationStop) -> TestProgram {
    return try stopping {
      let xctest = try target.selection.apply(to: listing.xctest, matching: match)
      let swiftTesting = try target.selection.apply(
        to: listing.swiftTesting, places: listing.places, matching: match)
      tests.leftOut += try leftOut(of: listing, beside: xctest.selected + swiftTesting.selected)
      let filteredOut = xctest.filteredOut + swiftTesting.filteredOut
      tests.filteredOut.formUnion(filteredOut)
      // A pattern has to match something in one executable, in either library.
      let unmatched = xctest.unmatched.intersection(swiftTesting.unmatched)
      tests.unmatched = tests.unmatched.map { $0.intersection(unmatched) } ?? unmatched
      return TestProgram(
        listing, session, xctest: xctest.selected, swiftTesting: swiftTesting.selected, filteredOut: filteredOut.count)
    }
  }

  /// Does what comes after the tests of an executable have run, and adds what they came to.
  private func finish(_ program: inout TestProgram, into tests: inout TestRun, _ record: inout StepRecord)
    throws(IntegrationStop)
  {
    let (ends, gap) = try program.session.mapSerially(
      program.swiftTesting, of: program.listing.swiftTesting, record: &record)
    tests.mapped?.ends.merge(ends.mapValues(\.state)) { first, _ in first }
    var product = program.builder.build()
    try retry(&product, of: program.listing, with: &program.session, &record)
    try isolate(
      &product.report, of: program.listing, with: &program.session, into: &tests.report.isolation, &record)
    product.report.note(ends)
    tests.startUp?.run(program.session)
    tests.mapped?.processes += program.session.mapped
    tests.mapped?.gaps += [gap, program.session.gapOfPrograms].compactMap(\.self)
    tests.take(product)
    tests.lostCounters += program.session.lostCounters
    journal.warn(program.session.serviceWarnings)
  }

  /// The tests that would run as well, had the package's own `.martlet.yml` no say.
  private func leftOut(of listing: TestSession.Listing, beside selected: [TestID]) throws -> [TestID] {
    let selection = try TestSelection(filter: asked.tests.filter, skip: asked.tests.skip)
    guard selection != target.selection else { return [] }
    let running = Set(selected)
    let wanted =
      try selection.apply(to: listing.xctest, matching: match).selected
      + selection.apply(to: listing.swiftTesting, places: listing.places, matching: match).selected
    return wanted.filter { !running.contains($0) }
  }
}

extension TestRun {
  /// Adds what one executable's processes made.
  fileprivate mutating func take(_ product: TestReportBuilder.Product) {
    let found = report.sanitizerReports + product.report.sanitizerReports
    let isolation = report.isolation
    report = TestReport(
      results: report.results + product.report.results,
      filteredOut: report.filteredOut + product.report.filteredOut, runs: report.runs + product.report.runs,
      looseOutput: report.looseOutput + product.report.looseOutput)
    report.add(found)
    report.isolation = isolation
    gaps += product.gaps
    unattributedFailures += product.unattributedFailures
  }
}

extension PackageModel {
  /// The names of test targets, by the paths of their sources.
  var testSources: [String: String] {
    var names: [String: String] = [:]
    for target in targets where target.isTest {
      for path in target.sourcePaths { names[path] = target.name }
    }
    return names
  }
}

extension IntegrationRun {
  /// Matches a pattern with the names of tests, on a thread of its own, since a package's pattern may take for ever.
  func match(_ pattern: TestPattern, _ names: [[String]]) throws -> [Bool] {
    let found = try Worker.run(atMost: request.resources.matching, cancellation: integrator.cancellation) {
      try pattern.matches(names)
    }
    if let found { return found }
    if integrator.cancellation.isCanceled { throw IntegrationStop.canceled }
    throw IntegrationStop(
      outcome: .incomplete,
      reason:
        "The tests could not be chosen: trying the regular expression '\(pattern.text)' of \(pattern.option.rawValue) on their names took longer than \(request.resources.matching.words). Avoid nested repetitions in it, such as (a+)+."
    )
  }

  /// Adds the places of crashes that only the last words state: the stack has no line for code that the compiler made,
  /// such as the operand of an assertion.
  func locateCrashes(in report: inout TestReport, _ model: PackageModel) {
    for index in report.results.indices {
      let result = report.results[index]
      guard let crash = result.crash, crash.location == nil, let stated = crash.statedPlace,
        let first = result.failures.first, first.location == nil, let file = file(stated.file, model)
      else { continue }
      report.results[index].failures[0].location = SourceLocation(file: file, line: stated.line)
    }
  }

  /// Returns the package's file meant by a path or by `Module/File.swift` in a message; nil for none or several.
  private func file(_ name: String, _ model: PackageModel) -> String? {
    if let relative = sourcePaths.relative(name) { return relative }
    let parts = name.split(separator: "/")
    guard parts.count == 2, let target = model.targets.first(where: { $0.name == parts[0] }) else { return nil }
    let found = target.sourcePaths.filter { $0.split(separator: "/").last == parts[1] }
    return found.count == 1 ? found[0] : nil
  }
}
