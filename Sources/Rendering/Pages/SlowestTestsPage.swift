import Model

/// The tests by duration, for readers without scripts.
struct SlowestTestsPage: ReportSection, Page {
  static let template = "tests-by-duration"
  static let path = "tests-by-duration.html"
  private static let most = 1000
  /// The time of all tests in seconds below which their shares mean nothing.
  private static let leastShared = 0.1

  let report: ReportContext

  var frame: PageFrame {
    PageFrame(
      title: "Slowest tests of \(integration.bot) \(integration.number)", root: "", section: .tests,
      trail: [.init("Tests", path: "tests.html"), .init("Slowest")], facts: report.facts)
  }

  var record: [String: TemplateValue] {
    // As far as it is known how long they ran.
    let tests = integration.tests.results.filter { $0.time != nil && (0..<1e9).contains($0.duration) }
      .sorted { ($1.ownTime ?? 0, $0.id) < ($0.ownTime ?? 0, $1.id) }
    let entries = tests.prefix(Self.most).map { (test: $0, before: report.runBefore(of: $0)) }
    let numbers = Set(entries.compactMap(\.before?.number))
    let hasTargets = Set(tests.map(\.id.module)).count > 1
    let whole = tests.ownTime ?? 0
    let columns = Columns(
      hasTargets: hasTargets, hasPast: !numbers.isEmpty, longest: tests.first?.ownTime ?? 0, whole: whole)
    return [
      "heading": .name(TestHeadline.slowest(tests, mark: integration.slowMark)),
      "total": .optional(tests.count > 1 ? DurationText.fine(whole) : nil),
      "retried": ofAllRuns(tests, whole),
      "slow": tests.count < 2 || TestHeadline.isOneSlowest(tests, mark: integration.slowMark) ? slow(tests) : .missing,
      "untimed": .list(untimed),
      // In nearly every list all tests ran last in the same integration.
      "before": numbers.isEmpty ? .missing : .text(numbers.count == 1 ? numbers.map { "In \($0)" }[0] : "Before"),
      "paces": .list(paces), "hasTargets": .flag(hasTargets),
      "hasStates": .flag(entries.contains { $0.test.state != .passed || $0.test.isFlaky }),
      "hasShare": .flag(whole >= Self.leastShared),
      // Shorter waits, which all tests have that run side by side, tell nothing.
      "hasWaited": .flag(entries.contains { $0.test.waited >= integration.slowMark }),
      "hasChange": .flag(entries.contains { isTold($0.test.id, since: $0.before) }),
      "rows": .list(entries.map { row($0.test, $0.before, in: columns) }),
      "left": tests.count > Self.most
        ? .text(CountText.counted(tests.count - Self.most, "even faster test")) : .missing,
    ]
  }

  /// Returns the time of all runs; missing if those after the first one made no difference to speak of.
  ///
  /// - Parameter first: that of the first runs.
  private func ofAllRuns(_ tests: [TestResult], _ first: Double) -> TemplateValue {
    let times = tests.map(\.timesOfRuns)
    let all = first + times.map { $0.dropFirst().reduce(0, +) }.reduce(0, +)
    let most = times.map(\.count).max() ?? 0
    guard most > 1, Delta(seconds: all, from: first) != nil else { return .missing }
    return .record(["time": .text(DurationText.short(all)), "runs": .text(CountText.counted(most, "run"))])
  }

  /// Returns how many tests took longer than they should, and of how many XCTest may be the reason.
  private func slow(_ tests: [TestResult]) -> TemplateValue {
    let slow = tests.filter { $0.takes(longerThan: integration.slowMark) }
    let kept = slow.count { $0.isSlow(beyond: integration.slowMark) && !integration.isSlow($0) }
    return .record([
      "count": .text(CountText.plain(slow.count)), "mark": .text(DurationText.fine(integration.slowMark)),
      "kept": .optional(PracticeFinding.kept(kept, of: slow.count)),
    ])
  }

  /// How many tests are not in the list because they took no time of their own, by state.
  private var untimed: [TemplateValue] {
    integration.tests.results.filter { $0.time == nil }.grouped(by: \.state).map { tests in
      .record([
        "count": .text(CountText.plain(tests.count)), "word": .text(tests[0].state.word.lowercased()),
      ])
    }
  }

  /// How many tests passed in a time beyond their usual variation.
  private var paces: [TemplateValue] {
    [(report.slower, "slower"), (report.faster, "faster")].filter { !$0.0.isEmpty }.map { tests, word in
      .record(["count": .text(CountText.plain(tests.count)), "word": .text(word)])
    }
  }

  /// What the rows of the table have in common.
  private struct Columns {
    var hasTargets: Bool
    var hasPast: Bool
    /// The duration that fills a bar.
    var longest: Double
    /// The time of all tests, of which each has its share.
    var whole: Double
  }

  private func row(
    _ test: TestResult, _ before: ReportContext.EarlierRun?, in columns: Columns
  ) -> TemplateValue {
    .record([
      "name": .name(test.title), "link": .optional(report.link(to: test.id)),
      // Where there is one target, its name tells nothing of a test outside suites.
      "target": .shown(ifAny: columns.hasTargets ? test.id.module : nil),
      "suite": .shown(ifAny: test.id.suite.nonEmpty),
      "glyph": .text(test.glyph), "word": .text(test.stateWord),
      "duration": .text(DurationText.fine(test.ownTime ?? 0)), "seconds": .text("\(test.ownTime ?? 0)"),
      "waited": .text(test.waited > 0 ? DurationText.fine(test.waited) : "–"),
      "waitedSeconds": .text("\(test.waited)"),
      "findingAge": report.age(of: test)?.record() ?? .missing,
      "bar": Bar(share: (test.ownTime ?? 0) / max(columns.longest, .leastNonzeroMagnitude)).record,
      "share": .optional(CountText.share(test.ownTime ?? 0, of: columns.whole)),
      "past": .optional(
        before.map { DurationText.fine($0.time) } ?? (columns.hasPast ? report.isNew(test.id) ? "new" : "–" : nil)),
      "pastSeconds": .optional(before.map { "\($0.time)" }),
      "change": isTold(test.id, since: before) ? before.map { change(of: test, since: $0) } ?? .missing : .missing,
      "place": .place(test.location), "placeLink": sources.link(to: test.location),
    ])
  }

  /// Returns whether a test's change since an earlier run means something: the comparison with the baseline says so.
  private func isTold(_ test: TestID, since before: ReportContext.EarlierRun?) -> Bool {
    before != nil && before?.number == integration.baseline?.number
      && (report.slower.contains(test) || report.faster.contains(test))
  }

  private func change(of test: TestResult, since before: ReportContext.EarlierRun) -> TemplateValue {
    let (isSlower, isFaster) = (report.slower.contains(test.id), report.faster.contains(test.id))
    return .record([
      "seconds": .text("\((test.ownTime ?? 0) - before.time)"),
      "text": .optional(DurationText.change(from: before.time, to: test.ownTime ?? 0)),
      "tone": .text(isSlower ? "worse" : isFaster ? "better" : ""),
      "pace": isSlower ? .text("slower") : isFaster ? .text("faster") : .missing,
      "usual": .optional(report.usualTimes[test.id].map { DurationText.fine($0) }),
    ])
  }
}
