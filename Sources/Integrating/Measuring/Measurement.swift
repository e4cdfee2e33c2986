import Model
import Parsing
import Processes
import Rendering

struct Measurement {
  var report: CoverageReport
  /// What the counters prove about the tests and their assertions; nil without counters.
  var assertions: AssertionReport?
  /// The counters themselves, if those of other destinations are to be merged with them.
  var counts: BuildCounts?
}

/// The reason why there is no coverage, as a sentence.
struct CoverageFailure: Error, CustomStringConvertible {
  var description: String
}

extension BuildCounts {
  fileprivate mutating func add(_ other: BuildCounts) {
    // Plugins generated the same sources for both builds.
    export.merge(other.export.moved(from: other.scratchFolders, to: scratchFolders))
    read += other.read
    rejected += other.rejected
    missing += other.missing
    unbuilt.formIntersection(other.unbuilt)
  }
}

extension IntegrationRun {
  /// Merges the counters of the test processes and turns them into the coverage of the package's own sources.
  func measureCoverage(_ products: BuildProducts, _ tests: TestRun) throws(IntegrationStop) -> Measurement {
    guard request.coverage.isMeasured else {
      let destinations = request.wantsCoverage ? asked.destinations : nil
      let other = destinations.flatMap { $0.coverage.name ?? $0.all.first?.name }
      let reason = other.map { "Coverage is measured for \($0)." } ?? "The bot does not measure coverage."
      return Measurement(report: .unavailable(reason: reason))
    }
    return try step(.processing) { (record) throws(IntegrationStop) in
      defer { try? provenProfiles.remove() }  // They have been read; a failure wastes disk space.
      do {
        var measurement = try measure(tests, products, &record)
        // What some tests ran is not what all of them run.
        if let only = tests.report.only, only.isPartial {
          measurement.report = .unavailable(reason: only.coverageReason)
        }
        if tests.report.hasBegunNone { measurement.report = .unavailable(reason: "No test ran.") }
        return measurement
      } catch let stop as IntegrationStop {
        throw stop
      } catch {
        return Measurement(report: .unavailable(reason: "\(error)"))
      }
    }
  }

  /// The folder of the counters that test processes handed over directly instead of in files.
  var provenProfiles: Folder { kept.folder("coverage").folder("counters") }

  private func measure(
    _ tests: TestRun, _ products: BuildProducts, _ record: inout StepRecord
  ) throws -> Measurement {
    let all = try countedExport(of: tests, products, &record)
    let selection = try selection(for: all.counts.export)
    let counters = withoutEndedRuns(all, selection)
    let counts = counters.counts
    var assertions: AssertionReport?
    let values = try demangling(counters.programs?.valueSymbols ?? [], [], file: "symbols-of-values")
    var coverage = try coverage(of: counts, selection, &record) {
      assertions = self.assertions(
        of: tests.report, counts.export, selection, isComplete: counts.missing.isEmpty)
    }
    try markIncidental(in: &coverage, tests.startUp, counters.programs, selection)
    coverage.testMap = testMap(
      of: tests.mapped, counters.programs, valueNames: try values.finish { record.add($0) }, coverage.files, selection)
    let isMerged = asked.destinations?.coverage == .merged
    return Measurement(report: .available(coverage), assertions: assertions, counts: isMerged ? counts : nil)
  }

  private func selection(for export: CoverageExport) throws -> SourceSelection {
    var selection = SourceSelection(
      try modelQuestion.model(), roots: paths.roots, scratchFolders: PackagePaths(scratch.path).roots)
    selection.surroundings = surroundings(of: export, selection)
    return selection
  }

  /// - Parameter work: everything that needs no names, done while the names are looked up.
  private func coverage(
    of counts: BuildCounts, _ selection: SourceSelection, _ record: inout StepRecord, meanwhile work: () throws -> Void
  ) throws -> Coverage {
    var counting = CoverageExport.CountedFiles(counts.export, selection)
    let symbols = Demangling.byLanguage(counting.symbols)
    let names = try demangling(symbols.swift)
    let cxxNames = try cxxDemangling(symbols.cxx)
    try work()
    let uncounted = UncountedSources(counts.export, selection)
    counting.demangled = try names.finish { record.add($0) }
      .merging(finished(cxxNames, &record)) { $1 }
    var coverage = try coverage(counting, counts)
    coverage.uncounted = uncounted
    return coverage
  }

  /// Merges the coverage of several destinations, of which one leads and was measured.
  ///
  /// - Parameter others: the counters by name; nil if a destination was not measured.
  func mergeCoverage(
    _ own: BuildCounts, with others: [(name: String, counts: BuildCounts?)]
  ) throws(IntegrationStop) -> CoverageReport {
    let first = journal.steps.firstIndex { $0.name == .processing }
    let report = try step(.processing) { (record) throws(IntegrationStop) -> CoverageReport in
      var all = own
      for (name, counts) in others {
        if let counts { all.add(counts) } else { all.missing.append("Nothing was measured for \(name).") }
      }
      do {
        var coverage = try coverage(of: all, selection(for: all.export), &record) {}
        coverage.destinations = [asked.destination?.name].compactMap(\.self) + others.map(\.name)
        if request.mapsTests { coverage.testMap = .unknown(reason: "The coverage is of several destinations.") }
        if request.coverage.incidental { coverage.incidental = .unknown(reason: "it is of several destinations") }
        return .available(coverage)
      } catch let stop as IntegrationStop {
        throw stop
      } catch {
        return .unavailable(reason: "\(error)")
      }
    }
    if let first { journal.join(first) }
    return report
  }

  /// Returns the lines of the counted files, without what is left out on request.
  private func coverage(
    _ counted: CoverageExport.CountedFiles, _ counters: BuildCounts
  ) throws -> Coverage {
    let model = try modelQuestion.model()
    let exclusions = SourceExclusions(globs: request.coverage.exclude)
    let (files, setAside) = leavingOut(exclusions, of: try WorkerThreads().map(counted.count, counted.coverage))
    var coverage = Coverage(
      files: files.compactMap(\.file), isComplete: counters.missing.isEmpty,
      reason: counters.missing.isEmpty ? nil : counters.missing.joined(separator: " "),
      profilesRead: counters.read, profilesRejected: counters.rejected,
      exclusions: files.flatMap(\.exclusions))
    coverage.setAside = setAside
    coverage.idleMarkers = files.flatMap(\.idle).sorted { ($0.path, $0.line) < ($1.path, $1.line) }
    coverage.unmeasured = model.unmeasuredSources(Set(counted.paths), unbuilt: counters.unbuilt)
    coverage.idleExclusions = exclusions.idle(among: counted.paths + coverage.unmeasured.sources.map(\.path))
    coverage.unmeasured.sources.removeAll { exclusions.cover($0.path) }
    return coverage
  }

  /// Removes what is left out on request, and sets aside what only the package's own file leaves out.
  private func leavingOut(
    _ exclusions: SourceExclusions, of counted: [FileCoverage]
  ) -> (files: [SourceExclusions.Result], setAside: [FileCoverage]) {
    let others = SourceExclusions(globs: asked.coverage.exclude)
    var setAside: [FileCoverage] = []
    let files = counted.map { file in
      let text = text(of: file.path)
      let seen = text.map { file.withWholeClosings(in: $0).withoutConstantConditions(in: $0) } ?? file
      if exclusions.cover(file.path), !others.cover(file.path), let rest = others.apply(to: seen, source: text).file {
        setAside.append(rest)
      }
      return exclusions.apply(to: seen, source: text)
    }
    return (files, setAside.sorted { $0.path < $1.path })
  }

  /// Starts to look up the readable names of the linker's symbols, or what the arguments ask for instead.
  ///
  /// - Parameter file: where the symbols are kept meanwhile.
  func demangling(
    _ symbols: [String], _ arguments: [String] = ["--simplified"], file: String = "symbols"
  ) throws -> RunningDemangling {
    try RunningDemangling(
      symbols, folder: kept.folder("coverage"), file: file,
      command: command("swift-demangle", arguments, for: .measuring),
      limits: limits(for: .measuring), cancellation: integrator.cancellation)
  }

  /// Starts to look up the names of C++ symbols.
  private func cxxDemangling(_ symbols: [String]) throws -> RunningCxxDemangling {
    let folder = kept.folder("coverage")
    return try RunningCxxDemangling(
      symbols, folder: folder, compiler: command("clang", RunningCxxDemangling.compilerArguments, for: .measuring),
      program: command(folder.file(RunningCxxDemangling.program), for: .measuring),
      cancellation: integrator.cancellation)
  }

  /// Returns the C++ names; reports why some are missing.
  private func finished(_ names: RunningCxxDemangling, _ record: inout StepRecord) throws -> [String: String] {
    let answer = try names.finish()
    for result in answer.results { record.add(result) }
    if let problem = answer.problem { journal.warn(.mangledNames(reason: problem)) }
    return answer.names
  }

  func tool(_ name: String, _ arguments: [String], _ record: inout StepRecord) throws -> CollectedOutput {
    let output = try command(name, arguments, for: .measuring)
      .collect(limits: limits(for: .measuring), cancellation: integrator.cancellation, limit: 1 << 30)
    record.add(output.result)
    if output.result.why == .canceled { throw IntegrationStop.canceled }
    return output
  }
}
