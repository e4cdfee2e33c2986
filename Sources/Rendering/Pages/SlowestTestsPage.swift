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
    // As far as it is known how long they ran.
    let tests = integration.tests.results.filter { $0.time != nil && (0..<1e9).contains($0.duration) }
      .sorted { ($1.duration, $0.id) < ($0.duration, $1.id) }
    let entries = tests.prefix(Self.most).map { (test: $0, before: report.runBefore(of: $0)) }
    let numbers = Set(entries.compactMap(\.before?.number))
    let total = tests.time ?? 0
    let hasTargets = Set(tests.map(\.id.module)).count > 1
    let rows = entries.map { row($0.test, $0.before, total: total, hasTargets: hasTargets, hasPast: !numbers.isEmpty) }
    return [
      "heading": .shown(TestHeadline.slowest(tests)),
      "total": .optional(tests.count > 1 ? DurationText.fine(total) : nil),
      "retried": .optional(ofAllRuns(tests, total)),
      "slow": .text(CountText.plain(tests.count { $0.takes(longerThan: integration.slowMark) })),
      "mark": .text(DurationText.fine(integration.slowMark)),
      // In nearly every list all tests ran last in the same integration.
      "before": numbers.isEmpty ? .missing : .text(numbers.count == 1 ? numbers.map { "In \($0)" }[0] : "Before"),
      "paces": .list(paces), "hasTargets": .flag(hasTargets),
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

  /// Returns the time of all runs; nil if those after the first one made no difference to speak of.
  private func ofAllRuns(_ tests: [TestResult], _ total: Double) -> String? {
    let all = tests.flatMap(\.timesOfRuns).reduce(0, +)
    return Delta(seconds: all, from: total).map { _ in DurationText.short(all) }
  }

  /// How many tests passed in a time beyond their usual variation.
  private var paces: [TemplateValue] {
    [(report.slower, "slower"), (report.faster, "faster")].filter { !$0.0.isEmpty }.map { tests, word in
      .record(["count": .text(CountText.plain(tests.count)), "word": .text(word)])
    }
  }

  private func row(
    _ test: TestResult, _ before: ReportContext.EarlierRun?, total: Double, hasTargets: Bool, hasPast: Bool
  ) -> TemplateValue {
    // Times that read the same have the same share.
    let part = test.duration.roundedToMilliseconds
    let home = [hasTargets ? test.id.module : nil, test.id.suite.isEmpty ? nil : test.id.suite].compactMap(\.self)
    return .record([
      "name": .name(test.title), "link": .optional(report.link(to: test.id)),
      "home": .shown(home.joined(separator: " / ")),
      "glyph": .text(test.glyph), "word": .text(test.stateWord),
      "duration": .text(DurationText.fine(test.duration)), "seconds": .text("\(test.duration)"),
      "bar": Bar(share: part / total).record,
      "share": .optional(CountText.share(part, of: total)),
      "past": .optional(before.map { DurationText.fine($0.time) } ?? (hasPast ? "new" : nil)),
      "pastSeconds": .optional(before.map { "\($0.time)" }),
      "change": record(ofChange: change(of: test, since: before), of: test, since: before?.number),
      "place": .shown(ifAny: test.location?.short), "placeLink": sources.link(to: test.location),
    ])
  }

  /// Returns the change in seconds; nil without one, and for a test that did not come to its own end.
  private func change(of test: TestResult, since before: ReportContext.EarlierRun?) -> Double? {
    guard let before, before.isLike else { return nil }
    // As printed on both sides.
    let change = DurationText.fineRounded(test.duration) - DurationText.fineRounded(before.time)
    return abs(change) < 0.0005 ? nil : change
  }

  private func record(ofChange change: Double?, of test: TestResult, since number: Int?) -> TemplateValue {
    guard let change else { return .missing }
    // The comparison judges what changed since the baseline.
    let isJudged = number == integration.baseline?.number
    let isSlower = isJudged && report.slower.contains(test.id)
    let isFaster = isJudged && report.faster.contains(test.id)
    let isFine = DurationText.fineRounded(test.duration) < 1
    let size = isFine ? DurationText.fine(abs(change)) : DurationText.short(abs(change))
    return .record([
      "text": .text((change < 0 ? "−" : "+") + size), "seconds": .text("\(change)"),
      "tone": .text(isSlower ? "worse" : isFaster ? "better" : ""),
      "pace": isSlower ? .text("slower") : isFaster ? .text("faster") : .missing,
    ])
  }
}
