import Comparing
import Model
import Rendering

/// How far an integration has come: what each stage made, from the first to the last that was reached.
struct Reached {
  /// From the checkout on, with what the package's own settings say.
  var run: IntegrationRun
  /// What the package's own settings say, and where they come from; nil until they are known.
  var settings: [SettingOrigin]?
  /// What the integration depends on beside its commit; nil until the package's settings are known.
  var circumstances: [Circumstance]?
  var reference = BaselineReading()
  var resolution: Resolution?
  /// What was found about the versions of dependencies.
  var dependencies: [Circumstance] = []
  var build: Build?
  var analysis: Analysis?
  var tests: TestRun?
  var written: WrittenFiles?
  var coverage: CoverageReport?
  var assertions: AssertionReport?
  /// The coverage beside an earlier one, and the gates; nil where these were not come to.
  var comparison: CoverageJudgement?
  /// Who wrote the lines of counted sources, by path.
  var origins: [String: [LineOrigin]] = [:]
  var omissions: [PackageOmission] = []
  var verdict: Verdict?
  var rhythm: Rhythm?
  var histories: TestHistories?
  var practice: Practice?
  var archive: Archive?
  var triggers = TriggerReport()
  /// What is known of issues from before; nil until it is read.
  var known: KnownIssues?
  var issues: FollowedIssues?
  /// What a stop brought along.
  private var stopFindings = Findings()

  init(_ run: IntegrationRun) {
    self.run = run
  }

  /// Ends the integration before its time.
  mutating func stop(_ stop: IntegrationStop) {
    verdict = Verdict(stop.outcome, [stop.reason])
    stopFindings = stop.findings
    if coverage?.coverage == nil { coverage = .unavailable(reason: stop.reason.sentence) }
  }

  var findings: Findings {
    var findings = archive?.findings ?? build?.findings ?? resolution?.findings ?? Findings()
    for diagnostic in stopFindings.diagnostics {
      findings.diagnostics.append(diagnostic)
      findings.steps[diagnostic] = stopFindings.steps[diagnostic]
    }
    return findings
  }

  /// What SwiftPM last said that it did when it could not resolve the dependencies; nil where it could.
  var failedResolving: String? { build?.failedResolving ?? resolution?.failure }

  /// Takes what became of the release build, which turns the integration red where it failed.
  mutating func take(_ archive: Archive?) {
    let errors = findings.errorCount
    self.archive = archive
    guard let archive, archive.files == nil else { return }
    verdict = Verdict(.buildErrors, [.buildFailed(.archive, errors: archive.findings.errorCount - errors)])
  }

  /// The verdict; where the stages came to none, that Martlet failed.
  var judged: Verdict { verdict ?? Verdict(run.context.start.outcome, run.context.start.reasons) }

  /// The package's targets; nil until they are needed.
  var model: PackageModel? { tests?.model ?? archive?.model }

  var isBuilt: Bool { build?.products != nil }

  var isAnalyzed: Bool { analysis?.isComplete ?? false }

  /// The steps that find errors and came to a good end.
  var passed: Set<Step> {
    var passed: Set<Step> = []
    if circumstances != nil { passed.insert(.checkout) }
    if build != nil, failedResolving == nil { passed.insert(.resolving) }
    if archive?.files != nil { passed.insert(.archiving) }
    return passed
  }

  /// The integration as far as it has come.
  var integration: Integration {
    var integration = run.context.start
    integration.workingTree = run.source?.workingTree
    integration.settings = settings ?? []
    integration.circumstances = (circumstances ?? []) + dependencies
    integration.baseline = comparison?.baseline ?? reference.baseline
    if !reference.commits.isEmpty { integration.commits = reference.commits }
    (integration.outcome, integration.reasons) = (judged.outcome, judged.reasons)
    integration.onlyGatesFailed = judged.onlyGatesFailed
    integration.omissions = omissions
    integration.steps = run.journal.steps
    integration.diagnostics = findings.diagnostics
    integration.analysis = analysis?.findings ?? []
    integration.tests = testReport
    integration.coverage = coverage ?? integration.coverage
    integration.changes = comparison?.changes
    integration.gates = comparison?.gates ?? []
    integration.owedGates = comparison?.owedGates ?? []
    integration.issues = issues?.issues ?? []
    integration.issueRecords = issues?.memory.records ?? []
    integration.histories = histories?.histories ?? [:]
    integration.trends = histories?.trends ?? [:]
    integration.testChanges = histories?.changes
    integration.practice = practice?.card
    integration.rhythm = rhythm
    integration.archive = archive?.files ?? []
    return integration
  }

  private var testReport: TestReport {
    var report = tests?.report ?? TestReport()
    report.written = written
    report.assertions = assertions
    report.printedTotals = practice?.printedTotals ?? []
    return report
  }
}
