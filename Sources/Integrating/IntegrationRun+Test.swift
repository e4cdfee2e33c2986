import Model
import Parsing
import Processes

extension IntegrationRun {
  /// Lists the tests, runs them in processes of their own, and accounts for each of them.
  ///
  /// SwiftPM is asked for the package's targets meanwhile.
  mutating func test() throws(IntegrationStop) {
    let question = PackageModelQuestion(for: self)
    let cancellation = integrator.cancellation
    let answer: Worker<PackageModel>
    do {
      answer = try Worker { try question.remembered ?? question.ask(cancellation: cancellation) }
    } catch {
      throw IntegrationStop(error)
    }
    try step(.testing) { (run, record) throws(IntegrationStop) in
      try run.runTests(&record)
    }
    do {
      model = try answer.join()
    } catch {
      throw cancellation.isCanceled ? .canceled : IntegrationStop(error)
    }
    locateTests()
    locateCrashes()
  }

  /// Adds the places that XCTest does not tell.
  private mutating func locateTests() {
    guard integration.tests.results.contains(where: { $0.location == nil }) else { return }
    let sources = testSources().compactMap { path, target in
      source(path).map { TestDeclarations.Source(module: target, path: path, bytes: $0) }
    }
    let places = TestDeclarations.find(in: sources.sorted { $0.path < $1.path })
    for index in integration.tests.results.indices where integration.tests.results[index].location == nil {
      integration.tests.results[index].location = places[integration.tests.results[index].id]
    }
  }

  /// Adds the places of crashes that only the last words tell: the stack has no line of code that the compiler made, such
  /// as the operand of an assertion.
  private mutating func locateCrashes() {
    for index in integration.tests.results.indices {
      let result = integration.tests.results[index]
      guard let crash = result.crash, crash.location == nil, let stated = crash.statedPlace,
        let first = result.failures.first, first.location == nil, let file = file(stated.file)
      else { continue }
      integration.tests.results[index].failures[0].location = SourceLocation(file: file, line: stated.line)
    }
  }

  /// The package's file that a message means by a path or by `Module/File.swift`; nil when it means none or several.
  private func file(_ name: String) -> String? {
    if let relative = paths.relative(name) { return relative }
    let parts = name.split(separator: "/")
    guard parts.count == 2, let target = model?.targets.first(where: { $0.name == parts[0] }) else { return nil }
    let found = target.sourcePaths.filter { $0.split(separator: "/").last == parts[1] }
    return found.count == 1 ? found[0] : nil
  }

  private mutating func runTests(_ record: inout StepRecord) throws(IntegrationStop) {
    let log = try StepLog(.testing, in: kept)
    var report = TestReport()
    for (index, executable) in (products?.testExecutables ?? []).enumerated() {
      var session = try session(for: executable, number: index + 1, log: log)
      guard let listing = try list(with: session, named: executable.name, &record) else { continue }
      let product = try run(listing, with: &session, &record)
      report = TestReport(
        results: report.results + product.report.results,
        filteredOut: report.filteredOut + product.report.filteredOut, runs: report.runs + product.report.runs,
        looseOutput: report.looseOutput + product.report.looseOutput)
      gaps += product.reasons
      unattributedFailures += product.unattributedFailures
      lostCounters += session.lostCounters
    }
    try log.close()
    integration.tests = report
  }

  private mutating func list(with session: TestSession, named name: String, _ record: inout StepRecord)
    throws(IntegrationStop) -> TestSession.Listing?
  {
    do {
      let (listing, results) = try session.list()
      for result in results { record.add(result) }
      return listing
    } catch {
      if integrator.cancellation.isCanceled { throw .canceled }
      gaps.append("The tests of \(name) could not be listed: \(error)")
      return nil
    }
  }

  private func run(_ listing: TestSession.Listing, with session: inout TestSession, _ record: inout StepRecord)
    throws(IntegrationStop) -> TestReportBuilder.Product
  {
    let xctest: (selected: [TestID], filteredOut: [TestID])
    let swiftTesting: (selected: [TestID], filteredOut: [TestID])
    do {
      xctest = try target.selection.apply(to: listing.xctest)
      swiftTesting = try target.selection.apply(to: listing.swiftTesting, places: listing.places)
    } catch {
      throw IntegrationStop(error)
    }
    var builder = TestReportBuilder(
      xctest: xctest.selected, swiftTesting: swiftTesting.selected,
      filteredOut: xctest.filteredOut.count + swiftTesting.filteredOut.count)
    try session.run(.xctest, xctest.selected, of: listing.xctest, record: &record, into: &builder)
    try session.run(.swiftTesting, swiftTesting.selected, of: listing.swiftTesting, record: &record, into: &builder)
    return builder.build()
  }

  private func session(for executable: BuildProducts.TestExecutable, number: Int, log: StepLog)
    throws(IntegrationStop) -> TestSession
  {
    do {
      return TestSession(
        executable: executable.path, folder: packageFolder.path, environment: buildEnvironment,
        toolchain: toolchain, cancellation: integrator.cancellation, log: log, profiles: try profiles.create(),
        results: try kept.folder("results").create(), paths: paths, progress: integrator.progress,
        counters: continuousCounters, number: number)
    } catch {
      throw IntegrationStop(error)
    }
  }
}
