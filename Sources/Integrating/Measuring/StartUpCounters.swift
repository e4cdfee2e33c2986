import Comparing
import Model
import Parsing
import Processes

/// The counters of test processes that ran no test.
struct StartUpCounters {
  /// The suffix of the name under which test processes without any test hand back their counters.
  static let name = "start-up"

  private(set) var processes: [TestSession.StartUp] = []
  /// Why there are no counters, as a sentence; nil if there are.
  private(set) var failure: String?

  /// Runs a test executable without any test, unless an earlier run failed.
  mutating func run(_ session: TestSession) {
    guard failure == nil else { return }
    do {
      processes += try session.runEmpty(
        countersIn: HandedFolder(of: "\(session.number)-\(Self.name)", in: session.output.folders))
    } catch {
      failure = "\(error)"
    }
  }
}

extension IntegrationRun {
  /// Marks the lines of the coverage that ran in test processes only because these started.
  ///
  /// - Parameter startUp: the counters without tests; nil if the marks were not requested.
  func markIncidental(
    in coverage: inout Coverage, _ startUp: StartUpCounters?, _ programs: MappedPrograms?,
    _ selection: SourceSelection
  ) throws {
    guard let startUp else { return }
    do {
      let lines = try startUpLines(startUp, programs, selection)
      for index in coverage.files.indices {
        coverage.files[index].incidental = IncidentalLines.among(
          coverage.files[index].lines, startUp: lines[coverage.files[index].path] ?? [])
      }
      coverage.incidental = .known(coverage.files.reduce(0) { $0 + $1.incidental.count })
    } catch let stop as IntegrationStop {
      throw stop
    } catch {
      coverage.incidental = .unknown(reason: "\(error)")
    }
  }

  /// Returns what ran without any test, by path, multiplied by the number of test processes.
  private func startUpLines(
    _ startUp: StartUpCounters, _ programs: MappedPrograms?, _ selection: SourceSelection
  ) throws -> [String: [LineCoverage]] {
    if let failure = startUp.failure { throw CoverageFailure(description: failure) }
    guard let programs else { throw CoverageFailure.newFormat }
    var totals = CounterTotals()
    for folder in testFolders.handed.names().filter({ $0.hasSuffix("-\(StartUpCounters.name)") })
      .map(testFolders.handed.folder)
    {
      for name in folder.names() where name.hasSuffix(".profraw") {
        guard let process = startUp.processes.first(where: { name.hasPrefix($0.prefix) }) else { continue }
        try totals.add(folder.read(name) ?? [], times: UInt64(process.times))
      }
    }
    guard !totals.isEmpty else { throw CoverageFailure(description: "No test process left its counters.") }
    let counted = CoverageExport.CountedFiles(programs.export(totals), selection)
    let files = try WorkerThreads().map(counted.count, counted.coverage)
    return files.keyed(by: \.path, \.lines)
  }
}

extension CoverageFailure {
  /// The failure if only the toolchain's own tools know the format of the counters.
  static let newFormat = CoverageFailure(
    description: "The counters are in a format that this Martlet does not know; use a newer one.")
}
