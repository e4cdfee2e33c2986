import Model

/// The first page of a report: what one integration found.
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
    return [
      "verdict": verdict(commits),
      "workingTree": commits.workingTree,
      "redTests": red.tests,
      "errors": red.errors,
      "notRun": red.notRun,
      "unsteady": UnsteadySection(integration, paths: paths).tests,
      "figures": FiguresSection(integration).record,
      "issues": IssuesSection(integration, paths: paths, pages: pages, issueIndex: issueIndex).record,
      "tests": TargetsSection(integration, paths: paths).record,
      "coverage": CoverageSection(integration, sources: sources).record,
      "practice": PracticeSection(integration, sources: sources) { test in
        pages.contains(test) ? paths.page(of: test) : paths.row(of: test)
      }?.record ?? .missing,
      "commits": commits.record,
      "settings": SettingsSection(integration.settings).record,
      "steps": StepsSection(integration, time: time).record,
      "logs": LogsSection(books).record,
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
      "authors": .shown(commits.authors),
      "cause": .text(integration.cause.phrase),
      "date": .text("\(time.minute(of: integration.startedAt)) \(time.offset(of: integration.startedAt))"),
      "machineDate": .text(time.machine(of: integration.startedAt)),
      "reasons": .list(reasons.map { .shown($0) }),
    ])
  }

  /// The reasons, without one that the heading says, and without failed gates, which have rows of their own.
  private var reasons: [String] {
    let unseen = integration.tests.counts.unseen
    return integration.reasons.filter { reason in
      switch reason {
      case .gateFailed, .canceled: false
      case .gap(.notRun(let count)): integration.outcome != .incomplete || count != unseen
      default: true
      }
    }.map(\.sentence)
  }
}
