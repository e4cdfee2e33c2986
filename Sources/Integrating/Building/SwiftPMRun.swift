import Glibc
import Model
import Parsing
import Processes

struct SwiftPMRun {
  var result: ProcessResult
  /// The findings, including those from before.
  var findings: Findings
  /// Its last progress message; nil if it printed none.
  var progress: String?
  /// Whether it failed when it began to fetch something, with no error in a source.
  var wantedToFetch: Bool
  /// The test targets in which it did not look for XCTest tests.
  var unsearchedTargets: [String]
}

extension IntegrationRun {
  /// Runs one of SwiftPM's programs in the workspace, and collects the diagnostics that it prints and leaves behind.
  ///
  /// If it fails and nothing in the commit is to blame, it is run once more: nothing that was built is lost. If
  /// something else told it to end, it gets a third chance after a pause: guards of a machine's memory do that while
  /// memory is short.
  ///
  /// - Parameters:
  ///   - note: the beginning of the log, in Martlet's own words.
  ///   - known: the findings from before.
  func runSwiftPM(
    _ program: String, _ arguments: [String], step: Step, note: String? = nil, after known: Findings = Findings(),
    record: inout StepRecord
  ) throws(IntegrationStop) -> SwiftPMRun {
    let log = try StepLog(step, in: kept, mask: mask)
    if let note { try log.note(note) }
    let purpose: Purpose = step == .resolving ? .resolving : step == .archiving ? .archiving : .building
    try openCaches(for: purpose)
    let limits = limits(for: purpose)
    let before = step == .building ? diagnosticVersions : [:]
    let attempt = try lastAttempt(of: program, in: log) { (explaining) throws(IntegrationStop) in
      var attempt = try SwiftPMAttempt(
        command(program, arguments + explaining, for: purpose), limits, isExplaining: !explaining.isEmpty, of: self,
        into: log, record: &record)
      attempt.serialized = serializedDiagnostics(since: before)
      if step == .building { remember(attempt, after: known) }
      if attempt.result.why == .canceled { throw .canceled }
      return attempt
    }
    try log.close()
    try requireDisk(attempt, of: purpose)
    try requirePeace(attempt, of: program)
    let succeeded = attempt.result.succeeded
    var findings = known
    let printed = attempt.printed + (step == .building ? rememberedWarnings.warnings : [])
    let stop = succeeded ? nil : stopSentence(attempt, program)
    findings.add(
      diagnostics(
        printed: printed, serialized: attempt.serialized, buildFailed: !succeeded,
        reason: succeeded || stop != nil ? nil : attempt.log.reason), of: step)
    if let words = stop ?? silence(of: program, attempt, after: findings) {
      findings.add([Diagnostic(severity: .error, message: words)], of: step)
    }
    if !succeeded, step == .resolving { findings.add(resolvingAdvice(after: findings), of: step) }
    return SwiftPMRun(
      result: attempt.result, findings: findings, progress: attempt.log.progress?.words,
      wantedToFetch: attempt.result.why == .byItself && !succeeded && attempt.log.fetches && !attempt.log.blamesSource,
      unsearchedTargets: attempt.log.unsearchedTargets)
  }

  /// Runs a program until there is no reason to run it again.
  ///
  /// - Parameter attempt: runs it once, with arguments that make it explain a failure.
  func lastAttempt(
    of program: String, in log: StepLog, _ attempt: ([String]) throws(IntegrationStop) -> SwiftPMAttempt
  ) throws(IntegrationStop) -> SwiftPMAttempt {
    var last = try attempt([])
    for pause in Self.pauses {
      guard let failure = request.resources.failure(last.result), isToBeRepeated(last, after: pause) else { break }
      try log.note("Martlet: \(program) \(failure). It is run once more.\n")
      guard !integrator.cancellation.wait(atMost: pause) else { throw .canceled }
      last = try attempt(program == "swift-build" && last.log.gaveNoReason ? engine.explainingArguments : [])
    }
    return last
  }

  /// Ends the integration if a program failed for lack of disk space, which says nothing about the commit.
  private func requireDisk(_ attempt: SwiftPMAttempt, of purpose: Purpose) throws(IntegrationStop) {
    guard attempt.result.why == .byItself, !attempt.result.succeeded, !attempt.log.blamesSource else { return }
    guard attempt.log.saysDiskIsFull || attempt.leastDisk < SwiftPMAttempt.tooLittleDisk else { return }
    let deed = purpose == .resolving ? "fetch dependencies into" : "build in"
    throw IntegrationStop(IntegratingError.storage(deed, scratch.path, errno: ENOSPC))
  }

  /// Ends the integration if a program was told to end each time, which says nothing about the commit.
  private func requirePeace(_ attempt: SwiftPMAttempt, of program: String) throws(IntegrationStop) {
    guard attempt.wasToldToEnd, !attempt.log.blamesSource, let failure = request.resources.failure(attempt.result)
    else { return }
    throw IntegrationStop(
      IntegratingError(
        .service,
        "every attempt ended early: \(program) \(failure) \(Self.pauses.count + 1) times, and not by Martlet. Find out who ends it, such as a guard of this machine's memory, and integrate again."
      ))
  }

  /// The pauses before a program is run again.
  private static let pauses = [Duration.zero, .seconds(10)]

  private func isToBeRepeated(_ attempt: SwiftPMAttempt, after pause: Duration) -> Bool {
    guard attempt.result.why == .byItself, !attempt.log.blamesSource else { return false }
    if pause > .zero { return attempt.wasToldToEnd }
    if case .signaled = attempt.result.end { return true }
    return attempt.log.gaveNoReason || request.resources.wasKilledByOthers(attempt.result)
  }

  /// Says that a program failed of which no error is known; nil if it did not.
  private func silence(of program: String, _ attempt: SwiftPMAttempt, after findings: Findings) -> String? {
    guard !findings.hasErrors, let failure = request.resources.failure(attempt.result) else { return nil }
    return "\(program) \(failure) without giving a reason."
  }

  /// Returns what stopped a program of SwiftPM from outside; nil if nothing did.
  private func stopSentence(_ attempt: SwiftPMAttempt, _ program: String) -> String? {
    if let excess = request.resources.excess(attempt.result) { return "\(program) was stopped: \(excess)." }
    // The killed process may be one of the compilers, about which SwiftPM says no more than that.
    if !attempt.log.blamesSource, let shortage = ResourceLimits.shortage(attempt.result) {
      return "\(program) failed while \(shortage)."
    }
    guard case .timedOut(let limit) = attempt.result.why else { return nil }
    let names = Set(attempt.running).subtracting(["bwrap", "slirp4netns", program]).sorted()
    let others = names.isEmpty ? "" : " It was running \(names.joined(separator: ", "))."
    return "\(program) was stopped, because it took longer than \(limit.words).\(others)"
  }

  /// Names the dependencies that are out of reach of a workspace and its sandbox, since SwiftPM only says that they do
  /// not exist.
  private func resolvingAdvice(after findings: Findings) -> [Diagnostic] {
    let policy: SandboxPolicy? = if case .contained(_, let policy) = containment { policy } else { nil }
    let outside = OutsideDependencies(
      manifests.named, in: claimed.workspace.source.path,
      reachable: [claimed.workspace.source.path] + (policy.map { $0.read + $0.write } ?? []))
    let home = Folder(integrator.environment["HOME"] ?? "/")
    let hidden = HiddenConfiguration(found: policy == nil ? [] : HiddenConfiguration.places.filter(home.holds))
    let errors = findings.diagnostics.filter { $0.severity == .error }.map(\.message)
    let advice =
      outside.advice(isContained: policy != nil, hasLogin: dependencyLogin != nil)
      + [hidden.advice(after: errors)].compactMap(\.self)
    return advice.map { Diagnostic(severity: .note, message: $0) }
  }
}

/// One run of a SwiftPM program, with its output.
struct SwiftPMAttempt {
  let result: ProcessResult
  let log: BuildLog
  /// What it printed. When it is to explain a failure, it prints its commands as warnings, which are left out.
  let printed: [Diagnostic]
  /// The printed warnings, with what printed each.
  let warnings: [(warning: Diagnostic, printer: BuildPlan.Printer)]
  /// What the compilers' files said after it.
  var serialized: [Diagnostic] = []
  /// The processes that were alive when the time was up.
  let running: [String]
  /// The least free space on the scratch folder's disk during the run, in bytes.
  private(set) var leastDisk = Int.max
  /// With less free space, a program that failed may have been unable to say why.
  static let tooLittleDisk = 4_000_000

  /// Whether something other than Martlet and the kernel told it to end.
  var wasToldToEnd: Bool {
    result.why == .byItself && [SIGTERM, SIGINT, SIGHUP].map(ProcessEnd.signaled).contains(result.end)
  }

  /// Runs the program to its end, reporting progress meanwhile.
  init(
    _ command: Command, _ limits: Limits, isExplaining: Bool, of run: IntegrationRun, into log: StepLog,
    record: inout StepRecord
  ) throws(IntegrationStop) {
    let paths = PackagePaths(command.workingDirectory)
    let progress = run.integrator.progress
    var said = BuildLog { paths.relative($0) }
    var shown: BuildProgress?
    var running: [String] = []
    var least = Int.max
    let folder = run.scratch.path
    result = try log.run(
      command, limits: limits, cancellation: run.integrator.cancellation,
      supervision: Supervision(willStop: { tree, _ in running = tree.members().map(\.name) }), record: &record,
      keepsCanceled: true
    ) {
      said.append($0.bytes, from: $0.stream.parsed)
      least = min(least, DiskLimit.free(at: folder) ?? .max)
      guard let now = said.progress, now != shown else { return }
      shown = now
      progress(.activity(words: now.words, done: now.done, total: now.total))
    }
    var limit: RunEnd.Limit?
    if case .timedOut(let most) = result.why { limit = RunEnd.Limit(.step, of: most.inSeconds) }
    try log.noteEnd(of: result, at: limit)
    leastDisk = min(least, DiskLimit.free(at: folder) ?? .max)
    printed = said.finish().filter { !isExplaining || $0.severity == .error }
    warnings = isExplaining ? [] : said.warnings
    self.log = said
    self.running = running
  }
}

extension IntegrationRun {
  /// Merges what builds printed with what the compilers left in files, including warnings about unchanged sources.
  ///
  /// - Parameter reason: why the build failed, if no error says so.
  func diagnostics(
    printed: [Diagnostic], serialized: [Diagnostic], buildFailed: Bool = false, reason: Diagnostic? = nil
  ) -> [Diagnostic] {
    let found = merge(buildFailed: buildFailed).merged(serialized: serialized, printed: printed, reason: reason)
    for diagnostic in found where diagnostic.severity == .error { integrator.progress(.diagnostic(diagnostic)) }
    return found
  }

  private func merge(buildFailed: Bool = false) -> DiagnosticMerge {
    let folder = packageFolder
    // SwiftPM names a package after its folder.
    let identity = folder.path.split(separator: "/").last.map(String.init)
    return DiagnosticMerge(buildFailed: buildFailed, identity: identity) { file in
      file.hasPrefix("/") || folder.holds(file)
    }
  }

  /// The versions of the files with diagnostics, by path.
  private var diagnosticVersions: [String: String] {
    engine.diagnosticFiles.reduce(into: [:]) { versions, file in
      let path = file.folder.file(file.name)
      versions[path] = stat(path)?.version
    }
  }

  /// Reads the `.dia` files of all modules; an unreadable one adds nothing, since the build log says the same.
  ///
  /// - Parameter before: the versions of the files before the build. What is as it was then tells no error: a module that
  ///   has one is compiled again, unless another one keeps it from that.
  func serializedDiagnostics(since before: [String: String] = [:]) -> [Diagnostic] {
    let paths = paths
    var room = DiagnosticRoom()
    var found: [Diagnostic] = []
    for (folder, name) in engine.diagnosticFiles {
      guard let bytes = folder.read(name) else { continue }
      let path = folder.file(name)
      let isOld = before[path] != nil && before[path] == stat(path)?.version
      let read = (try? SerializedDiagnostics.read(bytes, named: name) { paths.relative($0) }) ?? []
      found += read.filter { !isOld || $0.severity != .error }.compactMap { room.keep($0) }
    }
    return found + room.rest
  }

  private static let rememberedName = "warnings"

  /// The warnings of the builds in the scratch folder that were only printed.
  var rememberedWarnings: RememberedWarnings {
    memory.value(RememberedWarnings.self, in: Self.rememberedName) ?? RememberedWarnings()
  }

  /// Remembers the warnings of a build, and of the resolution before it, and forgets those that no longer hold.
  private func remember(_ attempt: SwiftPMAttempt, after known: Findings) {
    let merge = merge()
    let printed = known.diagnostics.map { (warning: $0, printer: BuildPlan.Printer.resolution) } + attempt.warnings
    let folder = packageFolder
    var remembered = rememberedWarnings
    remembered.update(
      printed: printed.filter { merge.isWanted($0.warning) }, serialized: attempt.serialized.filter(merge.isWanted),
      plan: engine.plan
    ) { path in
      path.hasPrefix("/") ? stat(path)?.version : folder.read(path).map { SHA256.hash($0).hexadecimal }
    }
    // Without it, warnings of what is not built again are missing from the next integration.
    try? memory.create().write(json: remembered, to: Self.rememberedName)
  }
}
