import Model

/// What makes an integration red, on its first screen: tests, errors of the build, tests that did not run.
struct RedSection {
  private static let most = 50

  private let integration: Integration
  private let sources: ShownSources
  private let paths: ReportPaths
  private let issues: [TestID: Issue]
  private let places: DiagnosticPlaces

  init(
    _ integration: Integration, sources: ShownSources, paths: ReportPaths, issues: [TestID: Issue],
    places: DiagnosticPlaces
  ) {
    self.sources = sources
    self.integration = integration
    self.paths = paths
    self.issues = issues
    self.places = places
  }

  var tests: TemplateValue {
    let red = integration.tests.results.filter(\.state.isRed)
      .sorted { ($0.state.rank, $0.id) < ($1.state.rank, $1.id) }
    return table(red, record(of:), caption: red.count == 1 ? "The red test" : "The \(red.count) red tests")
  }

  var errors: TemplateValue {
    let errors = integration.diagnostics.filter { $0.severity == .error }
    return table(errors, record(of:), caption: "Errors of the build")
  }

  /// Only where their number is the verdict.
  var notRun: TemplateValue {
    guard integration.outcome == .incomplete else { return .missing }
    let tests = integration.tests.results.filter { $0.state == .notRun }
    return table(tests, caption: "Listed tests that did not run") { test in
      .record([
        "name": .shown(test.title), "suite": .shown(Self.home(of: test)),
        "link": .text(paths.row(of: test.id)),
        "place": .shown(ifAny: test.location?.short),
      ])
    }
  }

  private func table<Row>(_ rows: [Row], _ record: (Row) -> TemplateValue, caption: String) -> TemplateValue {
    table(rows, caption: caption, record)
  }

  private func table<Row>(_ rows: [Row], caption: String, _ record: (Row) -> TemplateValue) -> TemplateValue {
    guard !rows.isEmpty else { return .missing }
    let left = rows.count - Self.most
    return .record([
      "caption": .text(caption), "rows": .list(rows.prefix(Self.most).map(record)),
      "hasStanding": .flag(integration.baseline != nil),
      "left": left > 0 ? .text(CountText.plain(left)) : .missing,
    ])
  }

  private func record(of test: TestResult) -> TemplateValue {
    let page = paths.page(of: test.id)
    let redCase = test.arguments?.first { $0.state.isRed }
    let failure = test.failures.first ?? redCase?.failures.first
    let isHelper = failure?.location.map { $0.file != test.location?.file } == true && test.location != nil
    let place = failure?.location ?? test.location
    return .record([
      "glyph": .text(test.state.glyph), "word": .text(test.state.word), "name": .shown(test.title),
      "link": .text(page), "suite": .shown(Self.home(of: test)),
      "cases": .optional(cases(of: test)),
      "caseName": redCase.map { .shown(String($0.display.prefix(120))) } ?? .missing,
      "line": failure.map { FailureLine($0).record } ?? .missing,
      "place": .shown(ifAny: place?.short),
      "placeLink": .text(failure?.location == nil ? page : "\(page)#message-1"),
      "declared": isHelper
        ? .shown(ifAny: test.location.map { "test declared at \($0.short)" }) : .missing,
      "standing": Standing(test, baseline: integration.baseline, issues: issues)?.record ?? .missing,
    ])
  }

  private func record(of error: Diagnostic) -> TemplateValue {
    .record([
      "message": .shown(Self.cut(error.message)),
      "kind": .shown(error.isLinker ? "linker" : error.category ?? ""),
      "place": .shown(ifAny: error.location?.shortWithColumn),
      "path": .shown(ifAny: error.location?.file),
      "link": .optional(places.link(of: error)),
      "source": sourceLine(of: error),
      "notes": .list(
        error.notes.prefix(5).map { note in
          .record([
            "message": .shown(Self.cut(note.message)),
            "place": .shown(ifAny: note.location?.description),
          ])
        }),
    ])
  }

  private func sourceLine(of error: Diagnostic) -> TemplateValue {
    guard let location = error.location else { return .missing }
    return SourceExcerpt(of: location, in: sources, around: 1)?.onlyLine ?? .missing
  }

  private func cases(of test: TestResult) -> String? {
    guard let cases = test.arguments, test.isParameterised else { return nil }
    return "\(cases.filter(\.state.isRed).count) of \(CountText.counted(cases.count, "case"))"
  }

  private static func home(of test: TestResult) -> String {
    test.id.suite.isEmpty ? test.id.module : test.id.suite
  }

  private static func cut(_ message: String) -> String {
    message.utf8.count <= 2000 ? message : String(message.prefix(1500)) + " …"
  }
}
