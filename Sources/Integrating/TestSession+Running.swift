import Model
import Parsing
import Processes

extension TestSession {
  /// Runs the selected tests of a library, in as many processes as it takes until each has had its turn.
  mutating func run(
    _ library: TestLibrary, _ selected: [TestID], of listed: [TestID], record: inout StepRecord,
    into builder: inout TestReportBuilder
  ) throws(IntegrationStop) {
    var course = TestCourse(library: library, selected: selected, isEverything: selected.count == listed.count)
    while let errand = course.next() {
      guard timeLeft() > .zero else {
        course.giveUp(because: "the tests together had taken longer than \(limits.step.words)")
        break
      }
      let process =
        switch library {
        case .xctest: try runXCTest(errand.tests, isEverything: errand.tests.count == listed.count, record: &record)
        case .swiftTesting: try runSwiftTesting(errand, of: listed, record: &record)
        }
      noteCounters(of: process)
      let stacks = [process.crash?.thread].compactMap(\.self) + (process.hang?.threads ?? [])
      let suspects = Suspects.among(process.run.results.map(\.id), on: stacks)
      let blame = course.note(process.run, ending: process.ending, suspects: suspects, crash: process.crash)
      builder.add(process.run, ending: process.ending, blame: blame, crash: process.crash, hang: process.hang)
      if let crash = process.crash, process.run.sawTerminalRecord {
        builder.add(crash, outlivedBy: process.run, suspects: suspects)
      }
    }
    builder.conclude(course)
  }

  private mutating func runXCTest(_ tests: [TestID], isEverything: Bool, record: inout StepRecord)
    throws(IntegrationStop) -> EndedTestProcess
  {
    let arguments = isEverything ? [] : TestSelection.xctestArguments(for: tests)
    let name = nextProcessName()
    let watch = TestWatch()
    var console = XCTestConsole(asked: tests, relativise: relativise, onProgress: report(to: watch))
    let trace = try run(arguments, named: name, watch, &record) { console.consume($0.stream.parsed, $0.bytes) }
    return ended(name, console.finish(), trace)
  }

  /// Reads the event stream while the tests run.
  private mutating func runSwiftTesting(_ errand: TestCourse.Errand, of listed: [TestID], record: inout StepRecord)
    throws(IntegrationStop) -> EndedTestProcess
  {
    let name = nextProcessName()
    let file = GrowingFile(results.file("swift-testing-\(name).jsonl"))
    let arguments =
      ["--testing-library", "swift-testing"] + stream(to: file.path) + (errand.isSerial ? ["--no-parallel"] : [])
      + TestSelection.swiftTestingArguments(for: errand.tests, of: listed)
    let watch = TestWatch()
    var events = SwiftTestingEvents(listed: errand.tests, relativise: relativise, onProgress: report(to: watch))
    let trace = try run(arguments, named: name, watch, &record) { chunk in
      // The console line of an event is printed after its record was written, so the order is the library's.
      file.readOn { events.consume(events: $0) }
      events.consume(chunk.stream.parsed, chunk.bytes)
    }
    file.readOn { events.consume(events: $0) }
    return ended(name, events.finish(), trace)
  }

  /// Runs the executable within its limits, and keeps what its parser does not need.
  private func run(
    _ arguments: [String], named name: String, _ watch: TestWatch, _ record: inout StepRecord,
    listener: (OutputChunk) -> Void
  ) throws(IntegrationStop) -> ProcessTrace {
    let session = self
    var trace = ProcessTrace()
    var lastWords = LastWords()
    let supervision = Supervision(
      deadline: { watch.deadline(session.limits.test) },
      sawOutput: { trace.pid = session.testProcess(in: $0.members())?.innerPID },
      willStop: { tree, _ in trace.autopsy = session.examine(tree) })
    trace.result = try log.run(
      command(arguments, environment: try environment(of: name)),
      limits: resources.limits(wallClock: timeLeft(), silence: limits.silence), cancellation: cancellation,
      supervision: supervision, record: &record
    ) { chunk in
      watch.tick(chunk.time)
      if chunk.stream == .standardError { lastWords.consume(chunk.bytes) }
      listener(chunk)
    }
    trace.lastWords = lastWords.finish()
    return trace
  }

  private func ended(_ name: String, _ run: ParsedTestRun, _ trace: ProcessTrace) -> EndedTestProcess {
    var process = EndedTestProcess(name: name, run: run, ending: ProcessEnding(trace.result))
    process.crash = crash(of: name, trace)
    if let autopsy = trace.autopsy {
      process.hang = hang(of: name, rule: rule(trace.result.why, openTests: run.openTests.count), autopsy)
    }
    return process
  }

  /// The limit that a process reached, in words.
  private func rule(_ why: ProcessResult.Why, openTests: Int) -> String {
    switch why {
    case .silent: "no output for \(limits.silence.words)"
    case .overdue where openTests > 1: "no test ended for \(limits.test.words)"
    case .overdue: "longer than \(limits.test.words)"
    case .timedOut, .byItself, .canceled, .tooMuchMemory, .tooManyProcesses:
      "the tests together took longer than \(limits.step.words)"
    }
  }

  /// What is left of the time for all tests.
  private func timeLeft() -> Duration {
    limits.step - .seconds(clock.seconds() - started)
  }

  private func environment(of process: String) throws(IntegrationStop) -> [String: String] {
    var environment = ChildEnvironment.testing(
      from: environment, profiles: profiles.file(counters.fileName(of: process))
    ).merging(LineBuffering.environment) { $1 }
    do {
      environment["SWIFT_BACKTRACE"] = try backtraceSettings(for: process)
    } catch {
      throw IntegrationStop(error)
    }
    return environment
  }

  /// A name under which a process keeps its files.
  private mutating func nextProcessName() -> String {
    startedProcesses += 1
    return "\(number)-\(startedProcesses)"
  }

  private mutating func noteCounters(of process: EndedTestProcess) {
    let ending = process.ending
    if counters.wereLeft(by: process.name, endedBySignal: ending.signal != nil, in: profiles) { return }
    lostCounters.append(
      "A process of \(process.run.library.rawValue) \(ending.sentencePart) and left no counters, so lines that only it ran are shown as never run."
    )
  }

  private var relativise: @Sendable (String) -> String {
    let paths = paths
    return { paths.relative($0) ?? $0 }
  }

  private func report(to watch: TestWatch) -> @Sendable (TestProgress) -> Void {
    let progress = progress
    return { event in
      watch.note(event)
      switch event {
      case .started(let test): progress(.testStarted(test))
      case .ended(let test, let state): progress(.testEnded(test, state))
      }
    }
  }
}

extension OutputChunk.Stream {
  /// The stream in the words of target `Parsing`.
  fileprivate var parsed: ProcessStream {
    switch self {
    case .standardOutput: .standardOutput
    case .standardError: .standardError
    }
  }
}
