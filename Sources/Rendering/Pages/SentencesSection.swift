import Model

/// The names of all tests as sentences by suite, which together describe the package.
struct SentencesSection: ReportSection {
  /// A page with more names would be slow to open.
  private static let most = 2000

  let report: ReportContext

  var record: TemplateValue {
    let results = report.judgedTests.results
    guard !results.isEmpty else { return .missing }
    let kept = results.keptFromBeginning
    var left = Self.most
    let targets = report.tree.targets
    let suites = targets.flatMap(\.suites).compactMap { suite -> TemplateValue? in
      let shown = suite.tests.prefix(left)
      left -= shown.count
      guard let first = shown.first else { return nil }
      let isOfOne = !suite.name.isEmpty || targets.count == 1
      return .record([
        "name": .shown(isOfOne ? suite.title : TestSentence.outsideSuites(of: first.id.module)),
        "sentences": .list(
          shown.map { test in
            .record([
              "glyph": .text(kept[test.id] == nil ? test.glyph : TestResult.quitGlyph), "word": .text(test.stateWord),
              "text": .shown(TestSentence.of(test.id.name, displayName: test.displayName)),
            ])
          }),
      ])
    }
    return .record([
      "suites": .list(suites), "count": .text(CountText.counted(results.count, "name")),
      "more": results.count > Self.most ? .text(CountText.counted(results.count - Self.most, "more name")) : .missing,
    ])
  }
}
