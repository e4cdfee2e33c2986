import Model
import Parsing
import Processes

extension IntegrationRun {
  /// Lists the tests, runs them in processes of their own, and accounts for each of them.
  func test() throws(IntegrationStop) {
    try askForModel()
    let declared = try askForDeclaredTests(awaitObservation())
    let listings = try step(.testing) { (record) throws(IntegrationStop) in
      try runTests(&record)
    }
    try awaitModel()
    do {
      integration.tests.unlisted = unlistedTests(try declared.join(), listings)
    } catch {
      throw integrator.cancellation.isCanceled ? .canceled : IntegrationStop(error)
    }
    locateTests()
    locateCrashes()
  }

  /// Adds the places that XCTest does not tell, and the methods that it passes over.
  private func locateTests() {
    let sources = testSources().compactMap { path, target in
      source(path).map { TestDeclarations.Source(module: target, path: path, bytes: $0) }
    }
    integration.tests.neverRun = neverRunMethods(in: sources)
    guard integration.tests.results.contains(where: { $0.location == nil }) else { return }
    let places = TestDeclarations.find(in: sources.sorted { $0.path < $1.path })
    for index in integration.tests.results.indices where integration.tests.results[index].location == nil {
      integration.tests.results[index].location = places[integration.tests.results[index].id]
    }
  }

  /// Returns the lists of tests that the executables gave.
  private func runTests(_ record: inout StepRecord) throws(IntegrationStop) -> [TestSession.Listing] {
    let log = try StepLog(.testing, in: kept, mask: mask)
    try prepareForTests()
    let started = integrator.clock.seconds()
    var report = TestReport()
    var listings: [TestSession.Listing] = []
    for (index, executable) in (products?.testExecutables ?? []).enumerated() {
      var session = try session(for: executable, number: index + 1, started: started, log: log)
      guard let listing = try list(with: session, named: executable.name, &record) else { continue }
      listings.append(listing)
      let product = try run(listing, with: &session, &record)
      runEmpty(session)
      let found = report.sanitizerReports + product.report.sanitizerReports
      report = TestReport(
        results: report.results + product.report.results,
        filteredOut: report.filteredOut + product.report.filteredOut, runs: report.runs + product.report.runs,
        looseOutput: report.looseOutput + product.report.looseOutput)
      report.add(found)
      gaps += product.reasons
      unattributedFailures += product.unattributedFailures
      lostCounters += session.lostCounters
      serviceWarnings += session.serviceWarnings
    }
    try log.close()
    report.isolation = isolation
    integration.tests = report
    return listings
  }

  private func list(with session: TestSession, named name: String, _ record: inout StepRecord)
    throws(IntegrationStop) -> TestSession.Listing?
  {
    do {
      let (listing, results) = try session.list()
      for result in results { record.add(result) }
      return listing
    } catch {
      if integrator.cancellation.isCanceled { throw .canceled }
      gaps.append("The tests of \(name) could not be listed: \(error)\(ownMain)")
      return nil
    }
  }

  /// Why there may be no list: SwiftPM still builds the test executable of a package that has such a file around it.
  private var ownMain: String {
    let names = ["Tests/LinuxMain.swift", "Tests/XCTMain.swift"]
    guard let name = names.first(where: packageFolder.holds) else { return "" }
    return " \(name) takes the place of XCTest's own main, which lists the tests; without that file they are found."
  }

  private func run(_ listing: TestSession.Listing, with session: inout TestSession, _ record: inout StepRecord)
    throws(IntegrationStop) -> TestReportBuilder.Product
  {
    let xctest: (selected: [TestID], filteredOut: [TestID])
    let swiftTesting: (selected: [TestID], filteredOut: [TestID])
    do {
      xctest = try target.selection.apply(to: listing.xctest, matching: match)
      swiftTesting = try target.selection.apply(to: listing.swiftTesting, places: listing.places, matching: match)
      leftOutTests += try leftOut(of: listing, beside: xctest.selected + swiftTesting.selected)
    } catch let stop as IntegrationStop {
      throw stop
    } catch {
      throw IntegrationStop(error)
    }
    filteredOut.formUnion(xctest.filteredOut)
    var builder = TestReportBuilder(
      xctest: xctest.selected, swiftTesting: swiftTesting.selected,
      filteredOut: xctest.filteredOut.count + swiftTesting.filteredOut.count)
    try session.run(.xctest, xctest.selected, of: listing.xctest, record: &record, into: &builder)
    try session.run(.swiftTesting, swiftTesting.selected, of: listing.swiftTesting, record: &record, into: &builder)
    var product = builder.build()
    try retry(&product, of: listing, with: &session, &record)
    try isolate(&product.report, of: listing, with: &session, &record)
    return product
  }

  /// The tests that would run as well, had the package's own `.martlet.yml` no say.
  private func leftOut(of listing: TestSession.Listing, beside selected: [TestID]) throws -> [TestID] {
    let selection = try TestSelection(filter: asked.filter, skip: asked.skip)
    guard selection != target.selection else { return [] }
    let running = Set(selected)
    let wanted =
      try selection.apply(to: listing.xctest, matching: match).selected
      + selection.apply(to: listing.swiftTesting, places: listing.places, matching: match).selected
    return wanted.filter { !running.contains($0) }
  }

  private func session(for executable: BuildProducts.TestExecutable, number: Int, started: Double, log: StepLog)
    throws(IntegrationStop) -> TestSession
  {
    let observation = try awaitObservation()
    var sandbox = sandbox(for: .testing)
    if let observer = observation.observer { sandbox?.readable.append(observer.folder) }
    return TestSession(
      executable: executable.path, folder: packageFolder.path,
      environment: environment(for: .testing), toolchain: toolchain, observation: observation, sandbox: sandbox,
      cancellation: integrator.cancellation, log: log, folders: workspace.tests, proven: provenProfiles,
      results: results, kept: kept, paths: paths, progress: integrator.progress, counters: continuousCounters,
      limits: request.limits, resources: request.resources, writable: foldersWritten(by: .testing),
      sanitizers: request.build.sanitize, clock: integrator.clock, started: started, number: number)
  }
}
