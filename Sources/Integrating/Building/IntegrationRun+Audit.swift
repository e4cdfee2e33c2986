import FoundationEssentials
import Model
import Parsing
import Processes

extension IntegrationRun {
  /// Compares the build of a finished integration with a build from scratch; nil if there is nothing to compare, or if
  /// the comparison cannot be made now.
  func carryOutAudit() throws(IntegrationStop) -> BuildAudit? {
    defer { claimed.workspace.leave() }
    // What a before-trigger made is not part of any commit.
    guard case .contained = containment, request.scripts.before.isEmpty, ownsScratch,
      let last = BuildRecords(in: memory).builds.last, last.origin.commit == target.commit
    else { return nil }
    var cell = Cell(self)
    try checkOut(&cell)
    var record = StepRecord(name: .auditing, duration: 0)
    return try cell.run.audit(of: last, &record)
  }

  private func audit(of last: BuildRecords.Build, _ record: inout StepRecord) throws(IntegrationStop) -> BuildAudit? {
    let warmth = BuildWarmth(arguments: buildArguments, in: memory)
    guard last.settings == buildSettings, warmth.isWarm(hasProducts: engine.products?.exists ?? false) == true else {
      return nil
    }
    return try auditBuild(&record)
  }

  /// Makes sure that no release is kept whose tests ran on leftovers of an earlier commit.
  func auditBeforeArchive() throws(IntegrationStop) {
    let isCold = journal.steps.isBuildWarm == false
    let isAudited = BuildRecords(in: memory).lastAudit.map { $0.date >= context.start.startedAt } ?? false
    guard !isCold, !isAudited, case .contained = containment else { return }
    try step(.auditing) { (record) throws(IntegrationStop) in
      record.audited = try auditBuild(&record)
      if let words = record.audited?.words { throw IntegrationStop(outcome: .internalError, reason: words) }
    }
  }

  /// Builds the commit from scratch and compares the result with the existing products. If they differ, removes the
  /// existing products and leaves a note for the next integration to report.
  ///
  /// If everything that is loaded to run is the same, so is every verdict: the tests need not run again.
  private func auditBuild(_ record: inout StepRecord) throws(IntegrationStop) -> BuildAudit? {
    try stopping {
      defer { try? claimed.workspace.audit.takeAway() }  // Leftovers are removed before the next integration.
      guard let difference = try differenceFromNothing(&record) else { return nil }
      let audit = BuildAudit(date: integrator.clock.now(), commit: target.commit, difference: difference)
      guard difference.files.isEmpty, difference.error == nil else {
        try claimed.workspace.findings(for: target.package).create().write(json: audit, to: Self.findingName)
        try dropScratch()
        return audit
      }
      let same = BuildAudit(date: audit.date, commit: audit.commit)
      BuildRecords(in: memory).note(same)
      return same
    }
  }

  private static let findingName = "audit"

  /// Returns how a build from scratch differs from the existing products; nil if that build failed for a reason that is
  /// not the commit's.
  private func differenceFromNothing(_ record: inout StepRecord) throws -> BuildAudit.Difference? {
    try claimed.workspace.audit.takeAway()
    let nothing = try claimed.workspace.audit.create().folder("nothing").create()
    let log = try StepLog(.auditing, in: kept, mask: mask)
    try log.note("Martlet: The build is compared with one from scratch.\n")
    let view = try FolderView.make(
      of: nothing.path, at: scratch.path, in: claimed.workspace.audit.file("layers"), kind: .copy,
      cancellation: integrator.cancellation)
    let modules = claimed.workspace.audit.folder("modules")
    try moduleCache?.lend(to: modules)
    if manifests.needFetching {
      let fetched = try runFromNothing(
        "swift-package", packageArguments + cacheArguments(for: .resolving) + resolvingArguments + ["resolve"],
        .resolving, in: [view], log, &record)
      guard fetched.succeeded else {
        try log.close()
        return nil
      }
    }
    let built = try runFromNothing(
      "swift-build", buildArguments, .building, in: [view] + moduleViews(in: modules), log, &record)
    try log.close()
    guard built.succeeded else { return built.error.map { BuildAudit.Difference(files: [], error: $0) } }
    let comparison = ScratchComparison(fresh: Folder(view.content), grown: scratch)
    let files = comparison.differences()
    let first = files.compactMap(comparison.change(of:)).min()
    return BuildAudit.Difference(
      files: files, since: first.flatMap(BuildRecords(in: memory).origin(ofChange:)))
  }

  /// Runs one of SwiftPM's programs with empty caches, and once more if nothing in the commit is to blame for its end.
  ///
  /// - Returns: whether it succeeded, and if not, the error in the sources; nil for any other reason.
  private func runFromNothing(
    _ program: String, _ arguments: [String], _ purpose: Purpose, in views: [FolderView], _ log: StepLog,
    _ record: inout StepRecord
  ) throws -> (succeeded: Bool, error: String?) {
    if let caches = caches(for: purpose) {
      try caches.takeAway()
      try caches.create()
    }
    var sandbox = sandbox(for: purpose)
    sandbox?.views = views
    let limits = request.resources.limits(
      wallClock: request.tests.limits.step,
      writing: foldersWritten(by: purpose) + [claimed.workspace.audit.path])
    let attempt = try lastAttempt(of: program, in: log) { (explaining) throws(IntegrationStop) in
      let command = Command(
        toolchain.program(program), arguments + explaining, environment: environment(for: purpose),
        workingDirectory: packageFolder.path
      ).contained(in: sandbox)
      return try SwiftPMAttempt(
        command, limits, isExplaining: !explaining.isEmpty, of: self, into: log, record: &record)
    }
    if attempt.result.why == .canceled { throw IntegrationStop.canceled }
    guard !attempt.result.succeeded else { return (true, nil) }
    let error = attempt.printed.first { $0.severity == .error && $0.location != nil }
    return (false, error.map { "\($0.location.map { "\($0): " } ?? "")\($0.message)" })
  }

  /// Forgets a difference that has been reported, so that it is not reported again.
  func forgetAuditedDifference(_ told: BuildAudit) {
    guard told == auditedDifference else { return }
    // A difference that cannot be removed is reported once more.
    try? claimed.workspace.findings(for: target.package).takeAway()
  }

  /// The difference that an audit found since the last integration; nil if there was none.
  var auditedDifference: BuildAudit? {
    claimed.workspace.findings(for: target.package).value(BuildAudit.self, in: Self.findingName)
  }
}
