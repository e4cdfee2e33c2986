import FoundationEssentials
import Model

/// Reports of other outcomes: a build that failed, an incomplete one, one that holds hostile text.
enum OtherSamples {
  static var buildErrors: Report {
    var integration = GreeterSample.integration(number: 44)
    integration.outcome = .buildErrors
    integration.endedAt = GreeterSample.start.addingTimeInterval(6.2)
    integration.workingTree = WorkingTreeChanges(
      modified: ["Sources/Greeter/Phrases/Language.swift", "Tests/GreeterTests/GreetingTests.swift"],
      added: ["notes.txt"], deleted: [])
    integration.steps = [
      StepRecord(name: .checkout, duration: 0.4),
      StepRecord(name: .building, duration: 5.7, exitStatus: 1, cpu: 9.1, peakMemory: 433_000_000),
    ]
    let place = SourceLocation(file: "Sources/Greeter/Phrases/Language.swift", line: 14, column: 16)
    integration.diagnostics = [
      Diagnostic(
        severity: .error, message: "cannot convert return expression of type 'Phrasebook' to return type 'Int'",
        location: place,
        notes: [
          Diagnostic(
            severity: .note, message: "arguments to generic parameter 'Element' are expected to be equal",
            location: SourceLocation(file: "Sources/Greeter/Phrases/Phrasebook.swift", line: 8, column: 3))
        ]),
      Diagnostic(
        severity: .error, message: "undefined reference to 'greeter_start'\nclang: error: linker command failed",
        isLinker: true),
      Diagnostic(
        severity: .error, message: "'best(of:among:)' is unavailable", location: place, category: "Availability"),
      Diagnostic(severity: .warning, message: "'old()' is deprecated: use new", location: place),
    ]
    integration.coverage = .unavailable(reason: "The build failed, so no test ran.")
    integration.issues = [
      Issue(id: "e-1", kind: .error, message: integration.diagnostics[0].message, location: place),
      Issue(id: "e-2", kind: .linkerError, message: integration.diagnostics[1].message),
    ]
    integration.baseline = GreeterSample.baseline
    let log = """
      [0/1] Planning build
      /checkout/Sources/Greeter/Phrases/Language.swift:14:16: error: cannot convert return expression of type 'Phrasebook' to return type 'Int'
      12 |         }
      13 |         // Nothing was found when the index went past the end.
      14 |         return known[index]
         |                `- error: cannot convert return expression of type 'Phrasebook' to return type 'Int'
      15 |     }

      error: undefined reference to 'greeter_start'
      error: emit-module command failed with exit code 1 (use -v to see invocation)

      """
    return Report(
      integration: integration, logs: [Report.Log(step: .building, bytes: Array(log.utf8))],
      sources: GreeterSources.all)
  }

  /// Five listed tests did not run, nothing to compare with, no coverage.
  static var incomplete: Report {
    var integration = GreeterSample.integration(number: 1)
    integration.outcome = .incomplete
    integration.branch = nil
    integration.cause = .person
    integration.reasons = [
      .gap(.notRun(5)), .stopped("The closing record of Swift Testing is missing: its process ended early."),
    ]
    let results = GreeterTests.passing.prefix(12).enumerated().map { index, result in
      var result = result
      if index < 5 {
        result.state = .notRun
        result.duration = 0
        result.transcript = []
      }
      return result
    }
    integration.tests = TestReport(
      results: results, filteredOut: 24,
      runs: [LibraryRun(library: .swiftTesting, source: "event-stream", sawTerminalRecord: false, signal: 9)],
      looseOutput: [TranscriptLine(text: "a line of nobody")])
    integration.coverage = .unavailable(reason: "No process left its counters: the only one was killed.")
    return Report(integration: integration, logs: [], sources: [:])
  }

  /// A test whose process died with hostile words, functions and files.
  private static func dead(_ state: TestState, _ evil: String, _ place: SourceLocation) -> TestResult {
    let frames = (0..<300).map { number in
      StackFrame(
        number: number, function: "\(evil)\(number)", location: number.isMultiple(of: 3) ? place : nil, image: evil)
    }
    let thread = ThreadStack(name: evil, frames: frames)
    let isCrash = state == .crashed
    return TestResult(
      id: TestID(module: "Evil", suite: "", name: state.rawValue), library: .xctest, state: state,
      failures: [
        isCrash ? .crash("\(evil)\n\(evil)", at: place) : .timeOut(evil, at: place)
      ],
      crash: isCrash
        ? CrashReport(reason: "\(evil)\n\(evil)", signal: 99, statedPlace: place, thread: thread, file: evil) : nil,
      hang: isCrash ? nil : HangReport(rule: evil, threads: [thread], children: [evil], problem: evil, file: evil))
  }

  /// Every text of foreign origin tries to break out.
  static var hostile: Report {
    let evil = "<script>alert('x')</script>\"'&\u{0}\u{202E}gnp.exe{{page.title}}"
    var integration = GreeterSample.integration(number: 7)
    integration.bot = evil
    integration.branch = evil
    integration.commit.summary = evil
    integration.commit.author = evil
    integration.commits = [integration.commit]
    integration.reasons = [.stopped(evil)]
    integration.outcome = .testFailures
    integration.toolchain = evil
    integration.repeatCommand = "martlet run '\(evil)'"
    integration.workingTree = WorkingTreeChanges(modified: [evil], added: [], deleted: [evil])
    let place = SourceLocation(file: "Sources/\(evil)/A.swift", line: 1)
    let long = String(repeating: "loremipsum", count: 1000)
    let many = (1...40).map { "line \($0)" }.joined(separator: "\n")
    func failure(_ first: String, _ second: String) -> TestFailure {
      TestFailure(
        location: place, message: evil + long,
        parsed: ParsedFailure(assertion: evil, first: first, second: second, relation: evil, note: evil))
    }
    let results = [
      TestResult(
        id: TestID(module: "Evil\(evil)", suite: "A/\(evil)", name: "`\(evil)`"), library: .swiftTesting,
        state: .failed, duration: .infinity, displayName: evil, tags: [evil], location: place,
        failures: [
          failure(evil, "1" + evil), failure(long + "a" + long, long + "b" + long),
          failure(
            many,
            many.split(separator: "\n").map { $0 == "line 20" ? "line twenty" : String($0) }.joined(separator: "\n")),
        ],
        arguments: [TestArgument(display: evil, state: .failed, failures: [failure("1", "2")])],
        transcript: [TranscriptLine(text: evil), TranscriptLine(kind: .event, text: long)]),
      dead(.crashed, evil, place), dead(.timedOut, evil, place),
      TestResult(
        id: TestID(module: "Evil", suite: "", name: long), library: .xctest, state: .skipped, duration: -1,
        skipReason: evil),
      TestResult(
        id: TestID(module: "Evil", suite: "", name: evil + "1"), library: .xctest, state: .canceled, duration: .nan),
      TestResult(
        id: TestID(module: "Evil", suite: "", name: "chatty"), library: .xctest, state: .passed, duration: 0.1,
        transcript: (0..<40).map { TranscriptLine(text: "\($0) \(evil)", isShared: $0 % 2 == 0) }),
    ]
    integration.tests = TestReport(
      results: results, filteredOut: 0, runs: [], looseOutput: [TranscriptLine(text: evil)])
    integration.diagnostics = [Diagnostic(severity: .error, message: evil, location: place, category: evil)]
    integration.issues = [
      Issue(id: evil, kind: .testFailure, message: evil + long, location: place, age: 3, test: results[0].id)
    ]
    integration.coverage = .unavailable(reason: evil)
    var log = Array("\(evil)\nerror: \(evil)\n\u{1B}[31mred\u{1B}[38;5;9m\u{1B}]0;title\u{7}\u{1B}".utf8)
    log += Array(repeating: 0xFF, count: 5000) + Array("\n".utf8) + Array(long.utf8) + [0x1B, 0x5B]
    return Report(
      integration: integration, logs: [Report.Log(step: .testing, bytes: log)],
      sources: ["Sources/\(evil)/A.swift": Array(evil.utf8) + [0xC3, 0x28, 0x0A]])
  }
}
