import Model
import Syntax

/// The page of one test: what failed, where, and what it printed.
struct TestPage: ReportSection, Page {
  static let template = "test"
  /// The maximum number of cases that have rows; the rest are only counted.
  static let mostRows = 500
  /// The maximum number of lines that are shown of those at which a test may be suspended, or that only a failed attempt ran.
  private static let mostLines = 40
  /// How many tests that did not begin with it are named.
  private static let mostUnbegun = 20
  /// How many cases are shown as a whole, and how many red or flaky ones if there are more, before the rest is folded away.
  private static let mostCases = (whole: 8, bad: 20)

  let test: TestResult
  let report: ReportContext

  /// Returns whether a test has more to show than fits beside its name.
  static func isNeeded(for test: TestResult) -> Bool {
    test.state.isRed || test.isFlaky || test.alone != nil || !test.failures.isEmpty || !test.warnings.isEmpty
      || test.quit != nil || !test.attachments.isEmpty || !test.measurements.isEmpty
      || !TranscriptSection(test.transcript).isShort
  }

  var frame: PageFrame {
    PageFrame(
      title: "\(names): \((worse?.test ?? test).stateWord.lowercased()) in \(integration.bot) \(integration.number)",
      root: "../", section: .tests, trail: [.init("Tests", path: "tests.html"), .init(names)], facts: report.facts)
  }

  /// What it measured.
  var measurements: MeasurementSection { MeasurementSection(test: test, report: report) }

  /// The other test that did not begin for the same reason, or how many there are: their rows lead to this page.
  private var others: String? { integration.tests.results.unbegun(with: test) }

  /// How it ended for the destination that tells it; nil if that is this one, or it did not end badly there.
  private var worse: (test: TestResult, name: String)? {
    guard let telling = report.telling(test.id), telling !== report, let result = telling.tests[test.id],
      result.endsBadly
    else { return nil }
    return (result, telling.integration.destination?.name ?? "")
  }

  private var names: String { CountText.list([test.title] + [others].compactMap(\.self)) }

  var record: [String: TemplateValue] {
    let findings = findings
    let waits = waits
    let isChangeQuoted = findings.sections.first?.showsChange == true
    let suspected = isSuspectedInItself && waits != .missing || isChangeQuoted ? .missing : self.suspected
    let runs = TestRuns(test)
    let commands = RepeatCommands(test, of: integration)
    return [
      "heading": .heading(
        worse.map { TestHeadline.of($0.test, nil, for: $0.name) }
          ?? TestHeadline.of(
            test, report.issues[test.id], with: others, worse: measurements.worse.flatMap(MeasurementWords.rise))),
      "function": test.displayName == nil ? .missing : .shown(test.id.name),
      "glyph": .text((worse?.test ?? test).glyph),
      "hasDestinations": .flag(!destinations.isEmpty), "destinations": .list(destinations),
      "trace": trace, "elder": elder ?? .missing, "rate": .optional(rate),
      "silence": .shown(
        ifAny: report.issues[test.id]?.silence.map { IssueWords.terms(of: $0).capitalizedFirst }),
      "target": .shown(test.id.module),
      "targetLink": .text("../\(paths.rows(ofTarget: test.id.module))"),
      "suite": test.id.suite.isEmpty ? .missing : .shown(test.suiteName ?? test.id.suite),
      "type": .shown(ifAny: test.suiteName == nil ? nil : test.id.suite),
      "library": .text(test.library.rawValue),
      // How long several runs took stands beside each, or in the headline where all were stopped.
      "duration": runs.words == nil && (test.hang == nil || FlakyWords.repetition(of: test) == nil)
        ? .optional(duration) : .missing,
      "hasTags": .flag(!test.tags.isEmpty),
      "tags": .list(test.tags.map { .shown($0) }),
      // A test of one line fails where it is declared, which is said below.
      "declared": .shown(
        ifAny: test.location.flatMap { $0.short == test.failures.first?.location?.short ? nil : $0.short }),
      "declaredLink": .optional(test.location.flatMap { sources.link(to: $0.file, line: $0.line) }.map { "../\($0)" }),
      "alsoDeclared": alsoDeclared, "unbegun": unbegun,
      "course": .optional(runs.course),
      "timeLimit": test.timeLimit.map { .text("limit \(DurationText.short($0))") } ?? .missing,
      "bugs": .list(TestDetails(test).bugs),
      "known": known,
      "lastLine": report.logLines.lastLine(before: test).map { line in
        .record(["text": .shown(line.text), "link": .text("../\(line.link)")])
      } ?? .missing,
      "end": end,
      "crash": test.crash.map { CrashSection(crash: $0, report: report).record } ?? .missing,
      "hang": test.hang.map { HangSection(hang: $0, report: report).record } ?? .missing,
      "finding": findings.sections.first?.record ?? .missing,
      "furtherFindings": findings.further, "foldedFindings": findings.folded, "moreFindings": findings.left,
      "waits": waits,
      "declaration": findings.sections.contains(where: \.hasSource) || isSuspectedInItself || waits != .missing
        ? .missing : declaration,
      "suspected": suspected, "suspectedFacts": suspectedFacts(areBesideFinding: isChangeQuoted),
      "different": different,
      "logLink": .optional(report.logLines.link(of: test).map { "../\($0)" }),
      "attempts": runs.table,
      "history": TestHistorySection(
        test: test.id, report: report, runs: runs.words,
        redSince: TestHeadline.redSince(test, report.issues[test.id]), name: others == nil ? nil : test.title,
        isFolded: measurements.hasTrend
      ).record,
      "cases": cases,
      "ran": TestRanSection(test.id, report)?.record(
        isChangeTold: (isChangeQuoted || suspected != .missing) && suspectedHasAllThatRan) ?? .missing,
      "attachments": TestDetails(test).attachments,
      "measured": measurements.figure, "measurements": measurements.record,
      "transcript": transcript(below: findings),
      "again": .optional(test.isFlaky ? commands.untilItFailsWords : nil),
      "commands": .list(
        commands.all.map { label, command in
          .record(["label": .optional(label), "command": .command(command)])
        }),
    ]
  }

  /// How it ended for each destination; none where it passed for all.
  private var destinations: [TemplateValue] {
    report.destinations.records(
      of: test.id, besides: integration.destination?.name,
      root: "../" + (integration.isCell ? ReportPaths.outOfCell : ""))
  }

  /// Where the only other test is declared that did not begin for the same reason.
  private var alsoDeclared: TemplateValue {
    let kept = integration.tests.results.kept(fromBeginningWith: test)
    guard kept.count == 1, let place = kept[0].location else { return .missing }
    return .record([
      "place": .name(place.file == test.location?.file ? ":\(place.line)" : place.short),
      "placeLink": .optional(sources.link(to: place.file, line: place.line).map { "../\($0)" }),
    ])
  }

  /// The other tests that did not begin for the same reason, where the heading only counts them.
  private var unbegun: TemplateValue {
    let kept = integration.tests.results.kept(fromBeginningWith: test)
    guard kept.count > 1 else { return .missing }
    let left = kept.count - Self.mostUnbegun
    return .record([
      "tests": .list(
        kept.prefix(Self.mostUnbegun).map { test in
          .record([
            "name": .shown(test.title), "place": .place(test.location),
            "placeLink": .optional(
              test.location.flatMap { sources.link(to: $0.file, line: $0.line) }.map { "../\($0)" }),
          ])
        }),
      "left": left > 0 ? .text(CountText.counted(left, "more test")) : .missing,
    ])
  }

  /// How long it took or was waited for, and how long it waited beside that for tests that ran at the same time.
  private var duration: String? {
    test.ownTime.map { own in
      (test.state == .timedOut ? "stopped after " : "") + DurationText.fine(own)
        + (test.measuresTime ? " in all" : "")
        + (test.waited > own ? ", and \(DurationText.fine(test.waited)) waiting for other tests" : "")
    }
  }

  /// How often it failed, if it is flaky here; nil if its age says that it never was before.
  private var rate: String? {
    report.isFlakyHere(test) && report.flakyAge(of: test.id)?.isNew != true ? report.failureRate(of: test.id) : nil
  }

  /// Missing for a test of which nothing more is known than how it ended: this page has all that its issue's would have.
  private var trace: TemplateValue {
    if let worseCause { return report.trace(of: worseCause, root: "../") }
    let (issue, end, flakyAge) = (report.issues[test.id], report.age(of: test), report.flakyAge(of: test.id))
    // The heading has said since when, but for one that ended its process.
    let isTold = test.quit == nil && end?.age == .old && issue.map { $0.life != nil && !$0.hasNoPast } == true
    // Why it is silenced has a line of its own, and where it was flaky stands in its history.
    let told = end.map { $0.age == .silenced ? $0.unremarked : $0 } ?? flakyAge.flatMap { $0.isNew ? $0 : nil }
    let age = isTold ? nil : elder == nil ? told : told?.unremarked
    let isKnown = isTold || end != nil || flakyAge != nil || issue.flatMap(issueIndex.suspect) != nil
    return isKnown && (issue != nil || age != nil) ? report.trace(of: issue, age, test: test.id, root: "../") : .missing
  }

  /// That a new test ends where an older one does; nil for any other.
  private var elder: TemplateValue? {
    report.age(of: test)?.age == .newTest
      ? report.issues[test.id].flatMap { report.wordsOfElder(of: $0, root: "../") } : nil
  }

  /// Returns the transcript unless the failures say the same.
  private func transcript(below findings: Findings) -> TemplateValue {
    let transcript = TranscriptSection(test.transcript)
    return transcript.repeats(findings.told, test.crash) ? .missing : transcript.record(of: test)
  }

  /// Why the test did not end normally, in one line.
  private var end: TemplateValue {
    let place = test.failures.first?.location
    if let crash = test.crash { return CrashSection(crash: crash, report: report).headline(at: place) }
    return test.hang.map { HangSection(hang: $0, report: report).headline(of: test, at: place) } ?? .missing
  }

  /// What is known about an end without a message, and what was left out, as sentences.
  private var known: TemplateValue {
    let run = integration.tests.runs.first { $0.library == test.library }
    let ending = run.flatMap { run -> String? in
      if let signal = run.signal {
        return "The process of the \(run.library.rawValue) tests ended by \(SignalText.of(signal))."
      }
      return run.exitStatus.map { "The process of the \(run.library.rawValue) tests ended with exit status \($0)." }
    }
    let sentences: [String?] =
      switch test.state {
      case .crashed where test.crash != nil: []
      case .timedOut where test.hang != nil: []
      case .crashed: ["The test started, and its process ended before the test did.", ending]
      case .timedOut: ["The test was still running when its time ran out."]
      // The gravest end of the processes may be that of another one.
      case .notRun where test.quit != nil: [report.quitWords(of: test, showsCall: true)]
      case .notRun where test.wasCutOff: [RunWords.cutOff(test).map { "It \($0)." }, ending]
      case .notRun: ["The test is listed, but there is no trace of it.", ending]
      case .canceled where test.skipReason == nil: ["The test was canceled before it ended."]
      case .canceled, .skipped: [test.skipReason]
      case .failed where test.failures.isEmpty && (test.arguments ?? []).allSatisfy(\.failures.isEmpty):
        ["The library reported a failure without a message."]
      case .failed, .expectedFailure, .passed: []
      }
    let all =
      sentences.compactMap { $0 }
      + [
        TestDetails(test).dependence, NetworkWords.hint([test], in: integration),
      ].compactMap { $0 }
      + (test.leftOut?.sentences ?? [])
    return .list(all.map { .shown($0) })
  }

  /// The lines that only a failed attempt ran.
  private var different: TemplateValue {
    let lines = integration.linesOfFailedAttempt(of: test)
    guard let first = lines.first else { return .missing }
    let near = lines.filter { $0.file == first.file && $0.line - first.line < Self.mostLines }
    let excerpt = SourceExcerpt(
      of: first, in: sources, around: 4, through: near.last?.line, hot: Set(near.map(\.line)))
    return .record([
      "summary": .shown(FlakyWords.onlyFailed(LinePlaces(lines))),
      "source": excerpt?.record(caption: first.file) ?? .missing,
    ])
  }

  /// The lines of the test at which it may be suspended, where no thread shows at which one.
  private var waits: TemplateValue {
    guard test.hang?.kind == .suspended, let place = test.location, let code = sources[place.file]?.code else {
      return .missing
    }
    let all = code.awaits(inFunctionAt: place.line).map(\.line)
    let lines = all.prefix { $0 - all[0] < Self.mostLines }
    guard let first = lines.first else { return .missing }
    let excerpt = SourceExcerpt(
      of: SourceLocation(file: place.file, line: first), in: sources, from: place.line, around: 3,
      through: lines.last, hot: Set(lines))
    return .record([
      "heading": .text(all.count == 1 ? "Where it waits" : "Where it may wait"),
      "source": excerpt?.record(caption: place.file) ?? .missing,
    ])
  }

  private var declaration: TemplateValue {
    guard let place = test.location else { return .missing }
    return SourceExcerpt(of: place, in: sources, around: 10)?.record(caption: place.file) ?? .missing
  }

  private var cases: TemplateValue {
    guard let arguments = test.arguments, !arguments.isEmpty else { return .missing }
    let sorted = CaseRow.sorted(arguments)
    let rows = sorted.prefix(Self.mostRows).map { CaseRow(argument: $0, sources: sources).record }
    let bad = arguments.count { $0.state.isRed || $0.isFlaky }
    let shown = rows.count <= Self.mostCases.whole ? rows.count : min(max(bad, 1), Self.mostCases.bad)
    return .record([
      "rows": .list(Array(rows.prefix(shown))), "folded": .list(Array(rows.dropFirst(shown))),
      "foldedCount": rows.count > shown ? .text(CountText.counted(arguments.count - shown, "other case")) : .missing,
      "count": .optional(test.caseCount),
      "more": sorted.count > Self.mostRows
        ? .text(CountText.counted(sorted.count - Self.mostRows, "more case")) : .missing,
    ])
  }
}

extension Integration {
  /// The lines that only a failed attempt of a flaky test ran; none where it is not the only one that accounts for what
  /// runs by chance.
  func linesOfFailedAttempt(of test: TestResult) -> [SourceLocation] {
    guard test.isFlaky, let comparison = changes?.comparison.value, comparison.witnesses.isEmpty,
      comparison.flakyTests == [test.id]
    else { return [] }
    return comparison.files.flatMap { file in
      file.byChance.filter { $0.category == .gained }.map { SourceLocation(file: file.path, line: $0.line) }
    }
  }
}
