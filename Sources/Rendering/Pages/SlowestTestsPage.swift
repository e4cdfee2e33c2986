import Model

/// The tests by duration, for readers without scripts.
struct SlowestTestsPage: ReportSection, Page {
  static let template = "tests-by-duration"
  static let path = "tests-by-duration.html"
  private static let most = 1000

  let report: ReportContext

  var frame: PageFrame {
    PageFrame(
      title: "Slowest tests of \(integration.bot) \(integration.number)", root: "", section: .tests,
      trail: [.init("Tests", path: "tests.html"), .init("Slowest first")], facts: report.facts)
  }

  var record: [String: TemplateValue] {
    let tests = integration.tests.results.filter { $0.duration > 0 }
      .sorted { ($1.duration, $0.id) < ($0.duration, $1.id) }
    let longest = tests.first?.duration ?? 0
    let left = tests.count - Self.most
    return [
      "rows": .list(tests.prefix(Self.most).map { row($0, longest: longest) }),
      "left": left > 0 ? .text(CountText.counted(left, "faster test")) : .missing,
    ]
  }

  private func row(_ test: TestResult, longest: Double) -> TemplateValue {
    .record([
      "test": report.name(of: test.id),
      "glyph": .text(test.glyph), "word": .text(test.stateWord), "duration": .text(DurationText.short(test.duration)),
      "bar": Bar(share: test.duration / longest).record,
      "before": report.durationBefore(of: test),
    ])
  }
}
