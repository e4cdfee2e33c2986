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
      trail: [.init("Tests", path: "tests.html"), .init("Slowest")], facts: report.facts)
  }

  var record: [String: TemplateValue] {
    let tests = integration.tests.results.filter { $0.duration > 0 && $0.duration < 1e9 }
      .sorted { ($1.duration, $0.id) < ($0.duration, $1.id) }
    let entries = tests.prefix(Self.most).map { (test: $0, before: report.runBefore(of: $0)) }
    let numbers = Set(entries.compactMap(\.before?.number))
    let total = tests.reduce(0) { $0 + $1.duration }
    return [
      "count": .text(CountText.counted(tests.count, "test")),
      "total": .text(DurationText.short(total)),
      // In nearly every list all tests ran last in the same integration.
      "before": numbers.isEmpty ? .missing : .text(numbers.count == 1 ? numbers.map { "In \($0)" }[0] : "Before"),
      "hasChange": .flag(entries.contains { $0.before?.delta != nil }),
      "rows": .list(entries.map { row($0.test, $0.before, longest: tests[0].duration, total: total) }),
      "left": tests.count > Self.most ? .text(CountText.counted(tests.count - Self.most, "faster test")) : .missing,
    ]
  }

  private func row(
    _ test: TestResult, _ before: (number: Int, time: Double, delta: Delta?)?, longest: Double, total: Double
  ) -> TemplateValue {
    .record([
      "name": .shown(test.title), "link": .optional(report.link(to: test.id)),
      "target": .shown(test.id.module), "suite": test.id.suite.isEmpty ? .missing : .shown(test.id.suite),
      "glyph": .text(test.glyph), "word": .text(test.stateWord),
      "duration": Milliseconds(test.duration).record, "seconds": .text("\(test.duration)"),
      "bar": Bar(share: test.duration / longest).record,
      "share": .optional(CountText.percent(Int(test.duration * 1e6), of: Int((total * 1e6).rounded(.up)))),
      // What is kept of earlier runs are whole milliseconds.
      "past": before.map { .text($0.time < 0.001 ? "<1" : CountText.plain(Int(($0.time * 1000).rounded()))) }
        ?? .missing,
      "change": before.flatMap { before in
        before.delta == nil
          ? nil : .text(CountText.signed(Int(((test.duration - before.time) * 1000).rounded())))
      } ?? .missing,
    ])
  }
}
