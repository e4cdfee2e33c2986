import Glibc
import Model
import Parsing
import Processes

extension IntegrationRun {
  /// Merges what the test processes counted and turns it into the coverage of the package's own sources.
  func measureCoverage() throws(IntegrationStop) {
    guard request.measuresCoverage else {
      integration.coverage = .unavailable(reason: "The bot does not measure coverage.")
      return
    }
    try step(.processing) { (record) throws(IntegrationStop) in
      do {
        integration.coverage = try coverage(&record)
      } catch let stop as IntegrationStop {
        throw stop
      } catch {
        integration.coverage = .unavailable(reason: "\(error)")
      }
      try? provenProfiles.remove()  // They are merged; what stays takes space.
    }
  }

  /// More files of counters than that are not read: a tool takes all their names at once.
  private static let mostProfiles = 5000

  /// The files in which test processes left their counters, relative to what they handed back.
  private func handedProfiles() -> [String] {
    let all = workspace.tests.handed.names().flatMap { process in
      HandedFolder.profiles(in: workspace.tests.handed.folder(process)).names()
        .filter { $0.hasSuffix(".profraw") }.map { "\(process)/profiles/\($0)" }
    }
    guard all.count > Self.mostProfiles else { return all }
    lostCounters.append(
      "Test processes left \(all.count) files of counters, of which Martlet reads the first \(Self.mostProfiles), so lines may be shown as never run that did run."
    )
    return Array(all.prefix(Self.mostProfiles))
  }

  /// Where the counters are kept that test processes handed over past all files.
  var provenProfiles: Folder { kept.folder("coverage").folder("counters") }

  private func coverage(_ record: inout StepRecord) throws -> CoverageReport {
    // Where counters are handed over, anybody could have written a file.
    let areHandedOver = try continuousCounters.areUsed && awaitObservation().observer != nil
    let left = areHandedOver ? provenProfiles.names() : handedProfiles()
    let raw =
      areHandedOver
      ? left.map { provenProfiles.file($0) }
      : left.filter(isProfileReadable).map { workspace.tests.handed.file($0) }
    guard !raw.isEmpty else {
      return .unavailable(
        reason: (["No test process left its counters."] + lostCounters.prefix(1)).joined(separator: " "))
    }
    guard let model else { return .unavailable(reason: "SwiftPM could not say which sources belong to the package.") }
    let merged = kept.folder("coverage").file("merged.profdata")
    let merge = try tool("llvm-profdata", Self.mergeArguments(merged) + raw, &record)
    let counts = ProfileMerge(
      standardError: merge.standardError,
      inputs: raw.map { ProfileMerge.Input(path: $0, byteCount: Self.size(of: $0)) })
    guard merge.result.succeeded else {
      return .unavailable(reason: "None of the \(raw.count) profiles could be read by llvm-profdata.")
    }
    var answer = try exported(merged, &record)
    guard answer.result.succeeded else {
      let words = String(decoding: answer.standardError.prefix(500), as: UTF8.self)
      return .unavailable(reason: "llvm-cov could not read the counters: \(words)")
    }
    let export = try read(&answer)
    var selection = SourceSelection(
      model, roots: paths.roots, scratchFolders: PackagePaths(scratch.path).roots)
    selection.surroundings = surroundings(of: export, selection)
    var counting = CoverageExport.CountedFiles(export, selection)
    let symbols = Demangling.byLanguage(counting.symbols)
    let names = try demangling(symbols.swift)
    let cxxNames = try cxxDemangling(symbols.cxx)
    // All that needs no names, meanwhile.
    try kept.folder("coverage").create("llvm-cov.json", answer.stream.bytes)
    let missing = missingCounters(rejected: left.count - counts.read, of: left.count)
    integration.tests.assertions = assertions(export, selection, isComplete: missing.isEmpty)
    let uncounted = UncountedSources(export, selection)
    counting.demangled = try names.finish { record.add($0) }
      .merging(finished(cxxNames, &record)) { $1 }
    let counted = counting
    let exclusions = SourceExclusions(globs: request.coverageExclude)
    let (files, setAside) = leavingOut(exclusions, of: try Crew().map(counted.count, counted.coverage))
    var coverage = Coverage(
      files: files.compactMap(\.file), isComplete: missing.isEmpty,
      reason: missing.isEmpty ? nil : missing.joined(separator: " "),
      profilesRead: counts.read, profilesRejected: left.count - counts.read,
      exclusions: files.flatMap(\.exclusions))
    coverage.setAside = setAside
    coverage.idleMarkers = files.flatMap(\.idle).sorted { ($0.path, $0.line) < ($1.path, $1.line) }
    coverage.uncounted = uncounted
    coverage.unmeasured = model.unmeasuredSources(
      Set(counted.paths), unbuilt: Set(products?.unbuiltSources ?? []))
    coverage.idleExclusions = exclusions.idle(among: counted.paths + coverage.unmeasured.sources.map(\.path))
    coverage.unmeasured.sources.removeAll { exclusions.cover($0.path) }
    try markIncidental(in: &coverage, selection, &record)
    return .available(coverage)
  }

  /// Takes out of files what is left out on request; what only the package's own file asks for is set aside.
  private func leavingOut(
    _ exclusions: SourceExclusions, of counted: [FileCoverage]
  ) -> (files: [SourceExclusions.Result], setAside: [FileCoverage]) {
    let others = SourceExclusions(globs: asked.coverageExclude)
    var setAside: [FileCoverage] = []
    let files = counted.map { file in
      let text = source(file.path)
      let seen = text.map { file.withWholeClosings(in: $0).withoutConstantConditions(in: $0) } ?? file
      if exclusions.cover(file.path), !others.cover(file.path), let rest = others.apply(to: seen, source: text).file {
        setAside.append(rest)
      }
      return exclusions.apply(to: seen, source: text)
    }
    return (files, setAside.sorted { $0.path < $1.path })
  }

  private func read(_ answer: inout ExportedCoverage) throws -> CoverageExport {
    do {
      return try answer.stream.finish()
    } catch {
      // What could not be read is what somebody will want to see.
      try kept.folder("coverage").create("llvm-cov.json", answer.stream.bytes)
      throw error
    }
  }

  static func mergeArguments(_ output: String) -> [String] {
    ["merge", "--sparse", "--failure-mode=all", "--output", output]
  }

  /// Whether a profile is one; what a test process put in the place of one is reported and not read.
  private func isProfileReadable(_ name: String) -> Bool {
    guard let reason = workspace.tests.handed.refusal(of: name) else { return true }
    let file = name.split(separator: "/").last ?? ""
    serviceWarnings.append(.countersNotRead(file: String(file), reason: reason))
    return false
  }

  /// Why lines may be shown as never run although they ran.
  private func missingCounters(rejected: Int, of all: Int) -> [String] {
    let unreadable =
      rejected == 0
      ? [] : ["\(rejected) of \(all) profiles could not be read, so lines may be shown as never run that did run."]
    return lostCounters.prefix(3) + unreadable
  }

  /// The test executables, and the object files of modules that no test executable contains, so that their lines count.
  func exportArguments(_ merged: String) -> [String] {
    let binaries = (products?.testExecutables.map(\.path) ?? []) + (products?.looseObjects ?? [])
    return ["export", "--instr-profile", merged, "--skip-expansions"] + binaries.prefix(1)
      + binaries.dropFirst().flatMap { ["--object", $0] }
  }

  /// The names for people of what the linker calls by others, asked for.
  private func demangling(_ symbols: [String]) throws -> RunningDemangling {
    try RunningDemangling(
      symbols, folder: kept.folder("coverage"), command: command("swift-demangle", RunningDemangling.arguments),
      limits: request.resources.limits(wallClock: request.limits.step), cancellation: integrator.cancellation)
  }

  /// The same for names of C++.
  private func cxxDemangling(_ symbols: [String]) throws -> RunningCxxDemangling {
    let folder = kept.folder("coverage")
    return try RunningCxxDemangling(
      symbols, folder: folder, compiler: command("clang", RunningCxxDemangling.compilerArguments),
      program: reading(folder.file(RunningCxxDemangling.program)), cancellation: integrator.cancellation)
  }

  /// The names of C++; why some are missing is told.
  private func finished(_ names: RunningCxxDemangling, _ record: inout StepRecord) throws -> [String: String] {
    let answer = try names.finish()
    for result in answer.results { record.add(result) }
    if let problem = answer.problem { serviceWarnings.append(.mangledNames(reason: problem)) }
    return answer.names
  }

  /// The counters as llvm-cov tells them.
  func exported(_ merged: String, _ record: inout StepRecord) throws -> ExportedCoverage {
    let answer = try command("llvm-cov", exportArguments(merged)).exportCoverage(
      limits: request.resources.limits(wallClock: request.limits.step), cancellation: integrator.cancellation)
    record.add(answer.result)
    if answer.result.why == .canceled { throw IntegrationStop.canceled }
    return answer
  }

  private static func size(of path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  func tool(_ name: String, _ arguments: [String], _ record: inout StepRecord) throws -> CollectedOutput {
    let output = try command(name, arguments).collect(
      limits: request.resources.limits(wallClock: request.limits.step), cancellation: integrator.cancellation,
      limit: 1 << 30)
    record.add(output.result)
    if output.result.why == .canceled { throw IntegrationStop.canceled }
    return output
  }

  /// A program of the toolchain that reads what the test processes left.
  private func command(_ name: String, _ arguments: [String]) -> Command {
    reading(toolchain.program(name), arguments)
  }

  private func reading(_ program: String, _ arguments: [String] = []) -> Command {
    Command(
      program, arguments, environment: environment(for: .measuring),
      workingDirectory: kept.folder("coverage").path
    ).contained(in: sandbox(for: .measuring))
  }
}
