import Model

/// The tests by duration, for readers without scripts.
struct SlowestTestsPage: ReportSection, Page {
  static let template = "tests-by-duration"
  static let path = "tests-by-duration.html"
  private static let most = 1000
  /// The number of tests that are not folded.
  private static let mostOpen = 50

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
    // What is kept of earlier runs are whole milliseconds.
    let column = numbers.isEmpty ? Milliseconds(upTo: tests.first?.duration ?? 0) : .whole
    let total = tests.reduce(0) { $0 + column.count($1.duration) }
    let rows = entries.map { row($0.test, $0.before, column, total: total) }
    return [
      "heading": .shown(TestHeadline.slowest(tests)),
      "total": .optional(tests.count > 1 ? DurationText.short(column.seconds(total)) : nil),
      // In nearly every list all tests ran last in the same integration.
      "before": numbers.isEmpty ? .missing : .text(numbers.count == 1 ? numbers.map { "In \($0)" }[0] : "Before"),
      "paces": .list(paces),
      "hasChange": .flag(entries.contains { change(of: $0.test, since: $0.before) != nil }),
      "slowest": .record(["rows": .list(Array(rows.prefix(Self.mostOpen)))]),
      "faster": rows.count > Self.mostOpen
        ? .record([
          "count": .text(CountText.counted(rows.count - Self.mostOpen, "faster test")),
          "rows": .list(Array(rows.dropFirst(Self.mostOpen))),
        ]) : .missing,
      "left": tests.count > Self.most
        ? .text(CountText.counted(tests.count - Self.most, "even faster test")) : .missing,
    ]
  }

  /// How many tests passed in a time beyond their usual variation.
  private var paces: [TemplateValue] {
    [(report.slower, "slower"), (report.faster, "faster")].filter { !$0.0.isEmpty }.map { tests, word in
      .record(["count": .text(CountText.plain(tests.count)), "word": .text(word)])
    }
  }

  private func row(
    _ test: TestResult, _ before: ReportContext.EarlierRun?, _ column: Milliseconds, total: Int
  ) -> TemplateValue {
    // Times that read the same have the same share.
    let (part, whole) = (Double(column.count(test.duration)), Double(total))
    return .record([
      "name": .name(test.title), "link": .optional(report.link(to: test.id)),
      "target": .shown(test.id.module), "suite": test.id.suite.isEmpty ? .missing : .shown(test.id.suite),
      "glyph": .text(test.glyph), "word": .text(test.stateWord),
      "duration": .text(column.text(test.duration)), "seconds": .text("\(test.duration)"),
      "bar": Bar(share: part / whole).record,
      "share": .optional(CountText.share(part, of: whole)),
      // One that was rounded to nothing took some time, too.
      "past": before.map { .text(column.text(max($0.time, .leastNonzeroMagnitude))) } ?? .missing,
      "change": record(ofChange: change(of: test, since: before), of: test, since: before?.number),
    ])
  }

  /// Returns the change in milliseconds; nil without one, and for a test that did not come to its own end.
  private func change(of test: TestResult, since before: ReportContext.EarlierRun?) -> Int? {
    guard let before, before.isLike else { return nil }
    // As printed on both sides.
    let change = Int((test.duration * 1000).rounded()) - Int((before.time * 1000).rounded())
    return change == 0 ? nil : change
  }

  private func record(ofChange change: Int?, of test: TestResult, since number: Int?) -> TemplateValue {
    guard let change else { return .missing }
    // The comparison judges what changed since the baseline.
    let isJudged = number == integration.baseline?.number
    let isSlower = isJudged && report.slower.contains(test.id)
    let isFaster = isJudged && report.faster.contains(test.id)
    return .record([
      "text": .text(CountText.signed(change)), "tone": .text(isSlower ? "worse" : isFaster ? "better" : ""),
      "pace": isSlower ? .text("slower") : isFaster ? .text("faster") : .missing,
    ])
  }
}
