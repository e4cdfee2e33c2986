import Comparing
import Model
import Rendering

/// The progress of an integration: the results of each stage, up to the last one reached.
struct Reached {
  /// The run; from the checkout on, with the package's own settings applied.
  var run: IntegrationRun
  /// The package's own settings and their origins; nil until they are known.
  var settings: [SettingOrigin]?
  /// What the integration depends on besides its commit; nil until the package's settings are known.
  var circumstances: [Circumstance]?
  var reference = BaselineReading()
  var resolution: Resolution?
  /// What was noticed about the versions of dependencies.
  var dependencies: [Circumstance] = []
  var build: Build?
  var analysis: Analysis?
  var tests: TestRun?
  var written: WrittenFiles?
  var coverage: CoverageReport?
  var assertions: AssertionReport?
  /// The counters, if those of other destinations are to be merged with them.
  var counts: BuildCounts?
  /// The comparison of the coverage with an earlier one, and the gates; nil if that stage was not reached.
  var comparison: CoverageJudgement?
  /// Who wrote each line of the counted sources, by path.
  var origins: [String: [LineOrigin]] = [:]
  var omissions: [PackageOmission] = []
  var verdict: Verdict?
  var rhythm: Rhythm?
  var histories: TestHistories?
  var practice: Practice?
  /// The results of the other destinations; empty until these have run.
  private(set) var cells: [Integration] = []
  /// The outcome for the leading destination; nil until the others have run.
  private var ownOutcome: Outcome?
  var archive: Archive?
  var triggers = TriggerReport()
  /// The issues known from before; nil until they are read.
  var known: KnownIssues?
  var issues: FollowedIssues?
  /// The findings of the stop, if there was one.
  private var stopFindings = Findings()

  init(_ run: IntegrationRun) {
    self.run = run
  }

  /// Ends the integration early.
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

  /// SwiftPM's last progress message before it failed to resolve the dependencies; nil if it did not fail.
  var failedResolving: String? { build?.failedResolving ?? resolution?.failure }

  /// Adopts the result of the release build; a failed one turns the integration red.
  mutating func take(_ archive: Archive?) {
    let errors = findings.errorCount
    self.archive = archive
    guard let archive, archive.files == nil else { return }
    verdict = Verdict(.buildErrors, [.buildFailed(.archive, errors: archive.findings.errorCount - errors)])
  }

  /// Adopts the results of the other destinations and judges all destinations together.
  ///
  /// - Parameter own: the outcome for the leading destination.
  mutating func take(_ cells: [Integration], own: Outcome) {
    ownOutcome = own
    self.cells = cells
    verdict = DestinationJudgement.verdict(of: parts(judged))
  }

  /// Returns all destinations, the leading one first.
  private func parts(_ own: Verdict) -> [DestinationJudgement.Part] {
    let leader = DestinationJudgement.Part(
      name: run.asked.destination?.name ?? "", isRequired: true, verdict: own, issues: issues?.issues ?? [])
    return [leader]
      + cells.map { cell in
        let verdict = Verdict(cell.outcome, cell.reasons, onlyGatesFailed: cell.onlyGatesFailed)
        return DestinationJudgement.Part(
          name: cell.destination?.name ?? "", isRequired: cell.destination?.required ?? true,
          verdict: cell.destination?.outcome == nil ? nil : verdict, issues: cell.issues)
      }
  }

  /// The verdict; if the stages reached none, an internal error of Martlet's.
  var judged: Verdict { verdict ?? Verdict(run.context.start.outcome, run.context.start.reasons) }

  /// The package's targets; nil until they are needed.
  var model: PackageModel? { tests?.model ?? archive?.model }

  var isBuilt: Bool { build?.products != nil }

  var isAnalyzed: Bool { analysis?.isComplete ?? false }

  /// The steps that can find errors and have succeeded.
  var passed: Set<Step> {
    var passed: Set<Step> = []
    if circumstances != nil { passed.insert(.checkout) }
    if build != nil, failedResolving == nil { passed.insert(.resolving) }
    if archive?.files != nil { passed.insert(.archiving) }
    return passed
  }

  /// The integration as far as it has progressed.
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
    integration.issues = cells.isEmpty ? issues?.issues ?? [] : DestinationJudgement.issues(of: parts(judged))
    integration.issueMemory = issues.flatMap { $0.isConclusive ? $0.memory : nil }
    integration.scope = run.isCell ? nil : run.scope
    integration.destination = run.asked.destination.map {
      DestinationResult($0, leads: !run.isCell, outcome: ownOutcome ?? judged.outcome)
    }
    for index in integration.issues.indices {
      let test = integration.issues[index].test
      integration.issues[index].note(test.flatMap { histories?.histories[$0] })
    }
    integration.cells = cells
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
    report.quarantine = QuarantinedTest.findings(
      of: run.request.quarantine, isOver: { run.isOver($0) }, histories?.histories ?? [:])
    report.printedTotals = practice?.printedTotals ?? []
    return report
  }
}
