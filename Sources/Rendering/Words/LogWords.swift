import Model

/// Words on the pages of logs.
enum LogWords {
  /// Returns what is said on the line on which a test began that came to no end, such as
  /// `was running when time ran out`, or of the last one `time ran out here; nothing printed after this`.
  static func running(_ kind: LogFinding.Kind, isLast: Bool) -> String {
    isLast ? "\(end(kind)) here; nothing printed after this" : "was running when \(end(kind))"
  }

  /// Returns the name of a line where others are lines of sources.
  static func line(_ number: Int) -> String { "log line \(number)" }

  static func lastLine(_ kind: LogFinding.Kind) -> String { "last line before \(end(kind))" }

  static func repeated(from number: Int) -> String { "same error as line \(number)" }

  private static func end(_ kind: LogFinding.Kind) -> String {
    kind == .timedOut ? "time ran out" : "the process ended"
  }

  static func found(_ kind: LogFinding.Kind, _ findings: [LogFinding]) -> String {
    let count = findings.count
    let aside = TestSum.silenced(findings.count(where: \.isSilenced)).map { " (\($0))" } ?? ""
    return switch kind {
    case .timedOut: "\(CountText.counted(count, "test")) timed out\(aside)"
    case .crashed: "\(CountText.counted(count, "test")) crashed\(aside)"
    case .quit: "\(CountText.counted(count, "test")) quit"
    case .unbegun: "no test of \(CountText.list(findings.compactMap(\.test?.suite))) began"
    case .report: CountText.counted(count, "\(sanitizer(of: findings)) report") + aside
    case .redTest: red(findings)
    case .failedRun: count == 1 ? findings[0].text : "\(CountText.counted(count, "trigger")) failed"
    case .failure: CountText.counted(count, "failure") + aside
    case .error: CountText.counted(count, "error")
    case .flaky: CountText.counted(count, "flaky test")
    case .serial: "\(CountText.counted(count, "failure")) in the \(FlakyWords.serialRun)"
    case .warning: CountText.counted(count, "warning")
    }
  }

  /// Returns how many tests no line of a log is about.
  static func notRun(_ count: Int) -> String { "\(CountText.counted(count, "test")) did not run" }

  /// Returns how many tests failed, of which each may have several failures, such as `2 red tests, 1 silenced`.
  private static func red(_ failures: [LogFinding]) -> String {
    let silenced = Set(failures.filter(\.isSilenced).compactMap(\.test))
    let red = Set(failures.compactMap(\.test)).subtracting(silenced)
    if red.isEmpty { return CountText.counted(silenced.count, "silenced red test") }
    return CountText.counted(red.count, "red test") + (TestSum.silenced(silenced.count).map { ", \($0)" } ?? "")
  }

  private static func sanitizer(of reports: [LogFinding]) -> String {
    let names = Set(reports.compactMap(\.sanitizer))
    return names.count == 1 ? names.first ?? "sanitizer" : "sanitizer"
  }

  /// Returns the heading of a page of a log, such as `Test log: 1 test crashed and 2 failures`.
  static func heading(_ name: String, _ found: [String]) -> String { "\(name): \(CountText.list(found))" }

  /// Returns what is said of a page without findings.
  ///
  /// - Parameters:
  ///   - isClean: whether its step ended well and the whole log is without findings.
  ///   - isPart: whether the log has other pages.
  ///   - hasRemarks: whether the build system warns in it of what is not the package's.
  static func verdict(of step: Step, isClean: Bool, isPart: Bool, hasRemarks: Bool) -> String {
    let nothing = hasRemarks ? "no errors" : "no errors or warnings"
    if isClean { return [.testing, .beforeTriggers, .afterTriggers].contains(step) ? "nothing failed" : nothing }
    return isPart ? "\(nothing) on this page" : "no error printed"
  }

  /// Returns what is not well in the log of another destination, such as `1 red`; nil where all is.
  static func elsewhere(_ book: LogBook, of own: Integration) -> String? {
    (book.step == .testing ? DestinationWords.bad(in: own) : [book.found].filter { !$0.isEmpty }).nonEmpty?
      .joined(separator: ", ")
  }

  /// Returns the choice to see nothing but the lines on which something is found: `Only these 4 places`.
  static func only(_ places: Int) -> String {
    places == 1 ? "Only this place" : "Only these \(CountText.counted(places, "place"))"
  }

  /// What is said of how a silenced test ended or failed.
  static let silenced = "silenced"

  /// Returns how a test crashed, ran out of time or ended its process, such as
  /// `crash() crashed: Fatal error: Index out of range` or `hang() timed out after 4.0 s`; of a test that did not begin, what
  /// kept all of its class from that, which is where its line leads.
  static func end(of test: TestResult) -> String {
    if let quit = test.quit {
      return quit.isByTest ? "\(test.title) \(quit.words)" : quit.sentence(before: test.id.suite)
    }
    let time = test.state == .timedOut ? test.time.map { " after \(DurationText.short($0))" } : nil
    let reason = test.crash.map { ": \(FailureLine.firstLine($0.reason))" }
    return "\(test.title) \(test.state.past)\(time ?? "")\(reason ?? "")"
  }

  /// Returns what is said on a line with which a test ended its process, in how many runs on the first of them.
  static func crashed(_ test: TestResult, isFirst: Bool) -> String {
    "\(test.title) \(test.state.past)\(isFirst ? FlakyWords.repetition(of: test) ?? "" : "")"
  }

  /// Returns that a compiler crashed, and what it was doing, such as `compiler crashed while type-checking at Mass.swift:18`.
  static func crash(_ crash: StackDumpEntry) -> String {
    "compiler crashed \(crash.activity.map { "while \($0) " } ?? "")at \(crash.place.short)"
  }

  static func ended(by signal: Int32) -> String { "ended by \(SignalText.of(signal))" }

  /// Returns how a process ended, such as `exit status 1 after 0.2 s` or
  /// `stopped after 4.0 s: limit of 4 s per test (SIGTERM)`.
  static func end(of run: RunEnd, in step: Step) -> String {
    let time = DurationText.short(run.seconds)
    if let limit = run.limit {
      let end =
        switch run.status {
        case .exited(let status): "exit status \(status)"
        case .signaled(let signal): SignalText.name(of: signal)
        }
      return "stopped after \(time): \(words(of: limit, in: step)) (\(end))"
    }
    return "\(status(of: run)) after \(time)"
  }

  static func status(of run: RunEnd) -> String {
    switch run.status {
    case .exited(let status): "exit status \(status)"
    case .signaled(let signal): ended(by: signal)
    }
  }

  /// Returns the line of the first of some findings that the heading counts.
  static func first(onLine number: Int, of count: Int) -> String {
    count == 1 ? "line \(number)" : "first on line \(number)"
  }

  private static func words(of limit: RunEnd.Limit, in step: Step) -> String {
    let time = Duration.seconds(limit.seconds).words
    return switch limit.kind {
    case .test: "limit of \(time) per test"
    // Each process of the tests has the time that those before it left.
    case .step: step == .testing ? "all tests together reached \(time)" : "limit of \(time)"
    case .silence: "no output for \(time)"
    }
  }

  /// Returns which lines have no page, or not all of which, if it is one.
  static func omitted(_ lines: ClosedRange<Int>) -> String {
    guard lines.count > 1 else { return "all of line \(CountText.plain(lines.lowerBound))" }
    return "lines \(CountText.plain(lines.lowerBound)) to \(CountText.plain(lines.upperBound))"
  }

  /// Returns the name of a run; the first retry has a number if there is another one among all runs.
  static func run(_ run: LogFinding.Run, of all: [LogFinding.Run] = []) -> String {
    switch run {
    case .attempt(1): FlakyWords.firstRun
    case .attempt(2) where !all.contains(.attempt(3)): FlakyWords.again(1, isAlone: false)
    case .attempt(let number): "\(FlakyWords.again(1, isAlone: false)) \(number - 1)"
    case .search: "search for the guilty test"
    case .rest: "run of the rest"
    case .mapping: FlakyWords.serialRun
    }
  }

  static func label(_ part: LogKinds.Part) -> String {
    switch part {
    case .announcement(.attempt(_, 2, let test)): "Retry: \(test)"
    case .announcement(.attempt(let number, let all, let test)): "Retry \(number - 1) of \(all - 1): \(test)"
    case .announcement(.mapping): "Serial run, to learn which test runs which line"
    case .announcement(.search(let tests)): "Search for the guilty test: \(tests)"
    case .announcement(.rest(let count)): "Run of the rest: \(CountText.counted(count, "test")) that had not begun"
    case .announcement(.trigger(let position, let script)): "Trigger \(position): \(script)"
    case .tests(let library, let inOrder): library.rawValue + (inOrder ? ", one test at a time" : "")
    }
  }
}
