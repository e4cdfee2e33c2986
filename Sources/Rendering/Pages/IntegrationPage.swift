import Model

/// The first page of a report, with the results of one integration.
struct IntegrationPage {
  private let integration: Integration
  private let sources: ShownSources
  private let paths: ReportPaths
  private let books: [LogBook]
  private let issues: [TestID: Issue]
  private let issueIndex: IssueIndex
  private let time: LocalTime

  init(
    _ integration: Integration, sources: ShownSources, paths: ReportPaths, books: [LogBook], issues: [TestID: Issue],
    issueIndex: IssueIndex, time: LocalTime
  ) {
    self.integration = integration
    self.sources = sources
    self.paths = paths
    self.books = books
    self.issues = issues
    self.issueIndex = issueIndex
    self.time = time
  }

  func frame(_ facts: ReportFacts) -> PageFrame {
    let sentence = VerdictSentence(integration).sentence
    return PageFrame(
      title: "\(integration.bot) \(integration.number): \(sentence)", root: "", section: .summary, facts: facts)
  }

  var record: [String: TemplateValue] {
    let commits = CommitsSection(integration, time: time)
    let red = RedSection(
      integration, sources: sources, paths: paths, issues: issues, places: DiagnosticPlaces(books),
      issueIndex: issueIndex)
    let pages = Set(integration.tests.results.filter(TestPage.isNeeded).map(\.id))
    // The report of the earlier integration has them.
    let isAdopted = integration.earlier != nil
    return [
      "verdict": verdict(commits),
      "workingTree": commits.workingTree,
      "destinations": DestinationsSection(integration, issueIndex: issueIndex, sources: sources)?.record ?? .missing,
      "redTests": red.tests,
      "errors": red.errors,
      "notRun": red.notRun,
      "figures": isAdopted ? .missing : FiguresSection(integration, sources: sources).record,
      "issues": IssuesSection(integration, paths: paths, pages: pages, issueIndex: issueIndex).record,
      "tests": integration.isUnbuilt ? .missing : TargetsSection(integration, paths: paths).record,
      "coverage": integration.isUnbuilt || isAdopted ? .missing : CoverageSection(integration, sources: sources).record,
      "practice": isAdopted
        ? .missing
        : PracticeSection(integration, sources: sources) { test in
          pages.contains(test) ? paths.page(of: test) : paths.row(of: test)
        }?.record ?? .missing,
      "commits": commits.record,
      "settings": SettingsSection(integration.settings).record,
      "steps": StepsSection(integration, books: books).record,
      "provenance": ProvenanceSection(integration, time: time).record,
      "command": .shown(integration.repeatCommand),
    ]
  }

  private func verdict(_ commits: CommitsSection) -> TemplateValue {
    let package = integration.packagePath == "." ? nil : integration.packagePath
    return .record([
      "glyph": .text(integration.outcome.glyph),
      "sentence": .shown(VerdictSentence(integration).sentence),
      "word": .text(integration.outcome.word(isFailedGate: integration.isFailedGate)),
      "branch": .shown(ifAny: integration.branch),
      "tag": .shown(ifAny: integration.tag),
      "commit": .text(integration.commit.id.short),
      "package": .shown(ifAny: package),
      "authors": .shown(commits.authors), "subject": .shown(ifAny: commits.onlySubject),
      "cause": integration.cause == .commit ? .missing : .text(integration.cause.phrase),
      "date": .text("\(time.minute(of: integration.startedAt)) \(time.offset(of: integration.startedAt))"),
      "machineDate": .text(time.machine(of: integration.startedAt)),
      "reasons": .list(reasons.map { .shown($0) }),
    ])
  }

  /// The reasons, without those in the heading or in a row below it.
  private var reasons: [String] {
    let counts = integration.tests.counts
    let contradictions = integration.reasons.count { if case .gap(.contradiction) = $0 { true } else { false } }
    let told = integration.reasons.filter { reason in
      switch reason {
      case .gateFailed, .canceled, .interrupted, .testsRed, .testsFlaky, .orderDependent, .inDestinations: false
      case .compilerWarnings, .analyzerWarnings, .testWarnings: !integration.outcome.isGreen
      case .buildFailed(.package, let errors): errors == 0
      case .gap(.notRun(let count)): integration.outcome != .incomplete || count != counts.unseen
      // A test that ended its process has a row that states so.
      case .gap(.contradiction): counts.quit != contradictions
      default: true
      }
    }
    return told.map(\.sentence)
      + [NetworkWords.hint(integration.tests.results, in: integration)].compactMap(\.self)
  }
}
