import Model

/// The first page of a report, with the results of one integration.
struct IntegrationPage: ReportSection, Page {
  static let template = "integration"
  let report: ReportContext

  var frame: PageFrame {
    let branch = report.facts.asideBranch.map { " on \($0)" } ?? ""
    return PageFrame(
      title: "\(integration.bot) \(integration.number)\(branch): \(sentence)", root: "", section: .summary,
      facts: report.facts)
  }

  var record: [String: TemplateValue] {
    let commits = CommitsSection(report: report)
    let red = RedSection(report: report)
    // The report of the earlier integration has them.
    let isAdopted = integration.earlier != nil
    return [
      "verdict": verdict(commits), "filesFirst": isOfFiles ? commits.files(areOpen: true) : .missing,
      "workingTree": commits.workingTree,
      "destinations": DestinationsSection(report: report).record,
      "redTests": RedSection.tables(on: report),
      "triggers": red.triggers, "errors": red.errors,
      "warnings": red.warnings,
      "notRun": red.notRun,
      "worse": WorseValuesSection(report: report).record,
      "figures": isAdopted ? .missing : FiguresSection(report: report).record,
      "issues": IssuesSection(report: report).record,
      "tests": integration.isUnbuilt ? .missing : TargetsSection(report: report).record,
      "coverage": integration.isUnbuilt || isAdopted ? .missing : CoverageSection(report: report).record,
      "practice": isAdopted ? .missing : PracticeSection(report)?.record ?? .missing,
      "commits": commits.record, "changedFiles": isOfFiles ? .missing : commits.files(),
      "settings": SettingsSection(report: report).record,
      "steps": StepsSection(report: report).record,
      "provenance": ProvenanceSection(report: report).record,
      "commands": .list(
        RepeatCommands.all(of: integration).map { label, command in
          .record(["label": .optional(label), "command": .command(command)])
        }),
    ]
  }

  /// Whether a file may be the reason why nothing else is known.
  private var isOfFiles: Bool { integration.outcome == .checkoutError }

  /// The verdict, on the page of another destination than the leading one with its name.
  private var sentence: String {
    (report.facts.cell.map { "\($0): " } ?? "") + VerdictSentence(integration).sentence
  }

  private func verdict(_ commits: CommitsSection) -> TemplateValue {
    let package = integration.packagePath == "." ? nil : integration.packagePath
    return .record([
      "glyph": .text(integration.glyph), "sentence": .heading(sentence),
      "aside": .shown(ifAny: report.facts.asideBranch), "compared": compared,
      "branch": .shown(ifAny: report.facts.asideBranch == nil ? integration.branch : nil),
      "tag": .shown(ifAny: integration.tag),
      "commit": .text(integration.commit.id.short), "commitLink": .optional(commits.link(to: integration.commit.id)),
      "package": .shown(ifAny: package),
      "authors": .shown(commits.authors), "commitsLink": .optional(commits.list),
      "subject": .shown(ifAny: commits.onlySubject),
      "cause": integration.cause == .commit || integration.isFromShell ? .missing : .text(integration.cause.phrase),
      // A destination may have begun long after the whole.
      "date": .text(
        (integration.isCell ? "" : "started ")
          + "\(time.minute(of: integration.startedAt)) \(time.zone(of: integration.startedAt))"),
      "machineDate": .text(time.machine(of: integration.startedAt)),
      "reasons": .list(reasons.map { .shown($0) }),
      "printed": .shown(ifAny: lastPrinted?.text),
      "printedLink": .optional(report.books.contains { $0.step == .testing } ? ReportPaths.log(.testing) : nil),
    ])
  }

  /// The last line that was printed where no test has begun: there is no test whose output would have it.
  private var lastPrinted: TranscriptLine? {
    integration.tests.hasBegunNone ? integration.tests.looseOutput.last(where: \.isPrinted) : nil
  }

  /// What a branch beside the default one is compared with.
  private var compared: TemplateValue {
    guard report.facts.asideBranch != nil, let baseline = integration.baseline else { return .missing }
    let hasPage = report.facts.tabs.contains { $0.section == .comparison }
    return .record([
      "number": .text("\(baseline.number)"), "link": hasPage ? .text(ComparisonPage.path) : .missing,
      "branch": .shown(ifAny: integration.followsItsBranch ? nil : baseline.branch),
    ])
  }

  /// The reasons, without those in the heading or in a row below it.
  private var reasons: [String] {
    let contradictions = integration.reasons.count { if case .gap(.contradiction) = $0 { true } else { false } }
    let told = integration.reasons.filter { reason in
      switch reason {
      case _ where reason == integration.headlineReason: false
      case .gateFailed, .canceled, .interrupted, .testsRed, .testsFlaky, .orderDependent, .inDestinations: false
      case .testsNotRun, .gap(.notRun): false
      case .compilerWarnings, .analyzerWarnings, .testWarnings: !integration.outcome.isGreen
      case .buildFailed(.package, let errors): errors == 0
      // A test that ended its process, or did not begin because of that, has a row that states so.
      case .gap(.contradiction): integration.tests.results.count { $0.quit != nil } != contradictions
      // The section of the issues lists what has no row above it.
      case .silenced, .quarantined: false
      case .triggerFailed(let subject, _):
        !integration.issues.contains { $0.isOfStoppingTrigger(in: integration) && $0.subject == subject }
      default: true
      }
    }
    return told.map(\.sentence)
      + [NetworkWords.hint(integration.tests.results, in: integration)].compactMap(\.self)
  }
}
