import Comparing
import Model
import Parsing
import Processes

/// The counters of test processes without any test.
struct StartUpCounters {
  /// The end of the name by which test processes without any test hand back their counters.
  static let name = "start-up"

  private(set) var processes: [TestSession.StartUp] = []
  /// Why there are none, as a sentence; nil where there are.
  private(set) var failure: String?

  /// Runs a test executable without any test, unless another could not be run.
  mutating func run(_ session: TestSession) {
    guard failure == nil else { return }
    do {
      processes += try session.runEmpty(
        countersIn: HandedFolder(of: "\(session.number)-\(Self.name)", in: session.folders))
    } catch {
      failure = "\(error)"
    }
  }
}

extension IntegrationRun {
  /// Marks the lines of the coverage that ran in test processes only because these started.
  ///
  /// - Parameter startUp: nil where nobody asks.
  func markIncidental(
    in coverage: inout Coverage, _ startUp: StartUpCounters?, exporting binaries: [String],
    _ selection: SourceSelection, _ record: inout StepRecord
  ) throws {
    guard let startUp else { return }
    do {
      let lines = try startUpLines(startUp, exporting: binaries, selection, &record)
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

  /// What ran without any test, as often as there were test processes, by path.
  private func startUpLines(
    _ startUp: StartUpCounters, exporting binaries: [String], _ selection: SourceSelection,
    _ record: inout StepRecord
  ) throws -> [String: [LineCoverage]] {
    if let failure = startUp.failure { throw CoverageFailure(description: failure) }
    let handed = context.claimed.workspace.tests.handed
    let inputs = handed.names().filter { $0.hasSuffix("-\(StartUpCounters.name)") }.map(handed.folder).flatMap {
      folder in
      folder.names().filter { $0.hasSuffix(".profraw") }.compactMap { name in
        startUp.processes.first { name.hasPrefix($0.prefix) }.map {
          "--weighted-input=\($0.times),\(folder.file(name))"
        }
      }
    }
    guard !inputs.isEmpty else { throw CoverageFailure(description: "No test process left its counters.") }
    let merged = placeForCounters("start-up.profdata")
    let merge = try tool("llvm-profdata", Self.mergeArguments(merged) + inputs, &record)
    guard merge.result.succeeded else {
      throw CoverageFailure(description: "llvm-profdata could not read the counters of a process without any test.")
    }
    var answer = try exported(merged, of: binaries, &record)
    guard answer.result.succeeded else {
      throw CoverageFailure(description: "llvm-cov could not read the counters of a process without any test.")
    }
    let counted = CoverageExport.CountedFiles(try answer.stream.finish(), selection)
    let files = try WorkerThreads().map(counted.count, counted.coverage)
    return Dictionary(files.map { ($0.path, $0.lines) }) { first, _ in first }
  }
}
