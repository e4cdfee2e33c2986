import Glibc
import Model
import Parsing
import Processes

extension IntegrationRun {
  /// Merges what the test processes counted and turns it into the coverage of the package's own sources.
  mutating func measureCoverage() throws(IntegrationStop) {
    try step(.processing) { (run, record) throws(IntegrationStop) in
      do {
        run.integration.coverage = try run.coverage(&record)
      } catch let stop as IntegrationStop {
        throw stop
      } catch {
        run.integration.coverage = .unavailable(reason: "\(error)")
      }
      try? run.profiles.remove()  // They are merged; what cannot be removed only takes space.
    }
  }

  /// Where test processes write their counters.
  var profiles: Folder { kept.folder("coverage").folder("profiles") }

  private mutating func coverage(_ record: inout StepRecord) throws -> CoverageReport {
    let known = serviceWarnings.count
    let raw = readableProfiles().map { profiles.file($0) }
    let refused = serviceWarnings.count - known
    guard !raw.isEmpty else { return .unavailable(reason: "No test process left its counters. \(diedSentence ?? "")") }
    guard let model else { return .unavailable(reason: "SwiftPM could not say which sources belong to the package.") }
    let merged = kept.folder("coverage").file("merged.profdata")
    let merge = try tool(
      "llvm-profdata", ["merge", "--sparse", "--failure-mode=all", "--output", merged] + raw, &record)
    let counts = ProfileMerge(
      standardError: merge.standardError,
      inputs: raw.map { ProfileMerge.Input(path: $0, byteCount: Self.size(of: $0)) })
    guard merge.result.succeeded else {
      return .unavailable(reason: "None of the \(raw.count) profiles could be read by llvm-profdata.")
    }
    let export = try tool("llvm-cov", exportArguments(merged), &record)
    guard export.result.succeeded else {
      let words = String(decoding: export.standardError.prefix(500), as: UTF8.self)
      return .unavailable(reason: "llvm-cov could not read the counters: \(words)")
    }
    try kept.folder("coverage").create("llvm-cov.json", export.standardOutput)
    let parsed = try CoverageExport.read(export.standardOutput)
    let selection = SourceSelection(
      model, roots: paths.roots, scratchFolders: PackagePaths(workspace.scratch.path).roots)
    let files = parsed.countedFiles(
      selection, demangled: try demangled(parsed.symbols(in: selection), &record))
    return .available(
      Coverage(
        files: files, isComplete: diedSentence == nil && counts.rejected.isEmpty && refused == 0,
        reason: diedSentence ?? refusedSentence(refused), profilesRead: counts.read,
        profilesRejected: counts.rejected.count + refused))
  }

  /// The names of the profiles; one that a test process replaced by something else is reported and left out.
  private mutating func readableProfiles() -> [String] {
    profiles.names().filter { $0.hasSuffix(".profraw") }.filter { name in
      guard let reason = profiles.refusal(of: name) else { return true }
      serviceWarnings.append("The counters in \(name) were not read: \(reason). A test process put it there.")
      return false
    }
  }

  /// Which test process ended in a way that loses its counters.
  private var diedSentence: String? {
    integration.tests.runs.first { $0.signal != nil }.map { run in
      "The \(run.library.rawValue) process was ended by signal \(run.signal ?? 0) and left no counters, so lines that only it ran are shown as never run."
    }
  }

  private func refusedSentence(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    let what = count == 1 ? "One file of counters was" : "\(count) files of counters were"
    return "\(what) replaced by a test process and not read, so lines may be shown as never run that did run."
  }

  /// The test executables, and the object files of modules that no test executable contains, so that their lines count.
  private func exportArguments(_ merged: String) -> [String] {
    let binaries = (products?.testExecutables.map(\.path) ?? []) + (products?.looseObjects ?? [])
    return ["export", "--instr-profile", merged, "--skip-expansions"] + binaries.prefix(1)
      + binaries.dropFirst().flatMap { ["--object", $0] }
  }

  /// The names for people of what the linker calls by others.
  private func demangled(_ symbols: [String], _ record: inout StepRecord) throws -> [String: String] {
    guard !symbols.isEmpty else { return [:] }
    let input = kept.folder("coverage").file("symbols")
    try kept.folder("coverage").create("symbols", Array(Demangling.input(for: symbols).utf8))
    defer { unlink(input) }
    let answer = try tool("swift-demangle", ["--simplified"], input: input, &record)
    return try Demangling.parse(answer.standardOutput, for: symbols)
  }

  private static func size(of path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  private func tool(_ name: String, _ arguments: [String], input: String? = nil, _ record: inout StepRecord) throws
    -> CollectedOutput
  {
    let command = Command(
      toolchain.program(name), arguments, environment: environment(for: .measuring),
      workingDirectory: kept.folder("coverage").path, standardInput: input
    ).contained(in: sandbox(for: .measuring))
    let output = try command.collect(
      limits: Limits(), cancellation: integrator.cancellation, limit: 1 << 30)
    record.add(output.result)
    if output.result.why == .canceled { throw IntegrationStop.canceled }
    return output
  }
}
