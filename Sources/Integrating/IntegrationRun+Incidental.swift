import Comparing
import Model
import Parsing
import Processes

extension IntegrationRun {
  /// The end of the name by which test processes without any test hand back their counters.
  private static let startUpName = "start-up"

  /// Runs a test executable without any test, if the bot asks what runs then.
  func runEmpty(_ session: TestSession) {
    guard request.marksIncidental, request.measuresCoverage, startUpFailure == nil else { return }
    do {
      startUps += try session.runEmpty(
        countersIn: HandedFolder(of: "\(session.number)-\(Self.startUpName)", in: workspace.tests))
    } catch {
      startUpFailure = "\(error)"
    }
  }

  /// Marks the lines of the coverage that ran in test processes only because these started.
  func markIncidental(in coverage: inout Coverage, _ selection: SourceSelection, _ record: inout StepRecord) throws {
    guard request.marksIncidental else { return }
    do {
      let lines = try startUpLines(selection, &record)
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
  private func startUpLines(_ selection: SourceSelection, _ record: inout StepRecord) throws -> [String: [LineCoverage]]
  {
    if let startUpFailure { throw StartUpFailure(description: startUpFailure) }
    let handed = workspace.tests.handed
    let inputs = handed.names().filter { $0.hasSuffix("-\(Self.startUpName)") }.map(handed.folder).flatMap { folder in
      folder.names().filter { $0.hasSuffix(".profraw") }.compactMap { name in
        startUps.first { name.hasPrefix($0.prefix) }.map { "--weighted-input=\($0.times),\(folder.file(name))" }
      }
    }
    guard !inputs.isEmpty else { throw StartUpFailure(description: "No test process left its counters.") }
    let merged = kept.folder("coverage").file("start-up.profdata")
    let merge = try tool("llvm-profdata", Self.mergeArguments(merged) + inputs, &record)
    guard merge.result.succeeded else {
      throw StartUpFailure(description: "llvm-profdata could not read the counters of a process without any test.")
    }
    var answer = try exported(merged, &record)
    guard answer.result.succeeded else {
      throw StartUpFailure(description: "llvm-cov could not read the counters of a process without any test.")
    }
    let counted = CoverageExport.CountedFiles(try answer.stream.finish(), selection)
    let files = try Crew().map(counted.count, counted.coverage)
    return Dictionary(files.map { ($0.path, $0.lines) }) { first, _ in first }
  }
}
