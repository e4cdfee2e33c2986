import Model
import Parsing
import Processes

extension TestSession {
  /// Runs the selected tests of a library, in as many processes as it takes until each has had its turn.
  ///
  /// When that is canceled, the builder has what had ended by then.
  ///
  /// - Returns: whether there was time for all of them.
  @discardableResult
  mutating func run(
    _ library: TestLibrary, _ selected: [TestID], of listed: [TestID], record: inout StepRecord,
    into builder: inout TestReportBuilder
  ) throws(IntegrationStop) -> Bool {
    var hadTime = true
    var course = TestCourse(library: library, selected: selected, isEverything: selected.count == listed.count)
    while let batch = course.next() {
      guard allowance.timeLeft() > .zero else {
        course.stop(after: allowance.limits.step.inSeconds)
        hadTime = false
        break
      }
      if let announcement = course.announcement { try output.log.note(announcement) }
      let earlier = record
      let process =
        switch library {
        case .xctest: try runXCTest(batch.tests, of: listed, record: &record)
        case .swiftTesting: try runSwiftTesting(batch, of: listed, record: &record)
        }
      record.keepEnd(of: earlier)
      hadTime = hadTime && !process.isCutOff
      noteCounters(of: process)
      let stacks = [process.crash?.thread].compactMap(\.self) + (process.hang?.threads ?? [])
      let suspects = Suspects.among(process.run.results.map(\.id), on: stacks)
      let blame = course.note(process.run, ending: process.ending, suspects: suspects, crash: process.crash)
      builder.add(process.run, ending: process.ending, blame: blame, crash: process.crash, hang: process.hang)
      if let crash = process.crash, process.run.sawTerminalRecord {
        builder.add(crash, of: process.run, ending: process.ending, suspects: suspects)
      }
      if process.ending.cause == .cancellation { throw .canceled }
    }
    builder.conclude(course)
    return hadTime
  }

  private mutating func runXCTest(_ tests: [TestID], of listed: [TestID], record: inout StepRecord)
    throws(IntegrationStop) -> EndedTestProcess
  {
    let arguments = tests.count == listed.count ? [] : TestSelection.xctestArguments(for: tests)
    let first = TestSelection.xctestClasses(first: tests, of: listed)
    let name = nextProcessName()
    let handed = try handedFolder(of: name)
    let watch = TestWatch()
    let counting = counting(isSerial: true)
    let progress = report(to: watch, counting)
    let channel = try openChannel(of: name, in: handed, counting)
    let readiness = channel?.readiness
    var observation = XCTestObservation(asked: tests, relativise: surroundings.paths.relative, onProgress: progress)
    channel?.onRecord = { if counting?.take($0) != true { observation.take($0) } }
    var console = XCTestConsole(asked: tests, relativise: surroundings.paths.relative) {
      if readiness?.isReady != true { progress($0) }
    }
    let trace = try run(
      arguments, first: first, named: name, handed, channel, counting, watch, &record,
      sawAll: { console.noteAllRead() }
    ) {
      console.consume($0.stream.parsed, $0.bytes)
    }
    channel?.close()
    keep(counting, handed, channel)
    var run = readiness?.isReady == true ? console.finish(observation) : console.finish()
    run.time(watch.elapsed(at: trace.result.duration))
    return ended(name, handed, run, channel, trace)
  }

  /// Runs Swift Testing tests, and reads their event stream meanwhile.
  mutating func runSwiftTesting(_ batch: TestCourse.Batch, of listed: [TestID], record: inout StepRecord)
    throws(IntegrationStop) -> EndedTestProcess
  {
    let name = nextProcessName()
    let handed = try handedFolder(of: name)
    let file = GrowingFile(handed.events)
    let arguments =
      try ["--testing-library", "swift-testing"] + stream(to: file.path) + attachments(in: handed)
      + (batch.isSerial ? ["--no-parallel"] : [])
      + TestSelection.swiftTestingArguments(for: batch.tests, of: listed)
    let watch = TestWatch()
    let counting = counting(isSerial: batch.isSerial)
    var events = SwiftTestingEvents(
      listed: batch.tests, processors: WorkerThreads.processorCount, relativise: surroundings.paths.relative,
      onProgress: report(to: watch, counting))
    let channel = try openChannel(of: name, in: handed, counting)
    let copy = EventsCopy("swift-testing-\(name).jsonl", in: output.results)
    func take(_ bytes: ArraySlice<UInt8>) {
      events.consume(events: bytes)
      copy.append(bytes)
    }
    channel?.onRecord = { if counting?.take($0) != true, $0.kind == .events { take($0.bytes) } }
    let trace = try run(
      arguments, named: name, handed, channel, counting, stream: file.path, watch, &record,
      sawAll: { events.noteAllRead() }
    ) { chunk in
      // The console line of an event is printed after its record was written, so the order is the library's.
      if channel?.isStreaming != true { file.readOn { take($0[...]) } }
      events.consume(chunk.stream.parsed, chunk.bytes)
    }
    channel?.close()
    keep(counting, handed, channel)
    let isPrivate = channel?.isStreaming == true
    var intruders = 0
    file.readOn { if isPrivate { intruders += $0.count } else { take($0[...]) } }
    if intruders > 0 { events.noteIntrusion(bytes: intruders) }
    copy.finish()
    var run = events.finish()
    run.time(watch.elapsed(at: trace.result.duration))
    return ended(name, handed, keepAttachments(of: run, in: handed), channel, trace)
  }

  private func handedFolder(of process: String) throws(IntegrationStop) -> HandedFolder {
    return try stopping { try HandedFolder(of: process, in: output.folders) }
  }

  /// Opens the channel through which a process will report its results; nil if it will not be observed.
  private func openChannel(
    of process: String, in handed: HandedFolder, _ counting: TestCounting?
  ) throws(IntegrationStop) -> ObserverChannel? {
    guard let observer = surroundings.observation.observer else { return nil }
    return try stopping {
      try ObserverChannel(in: handed.channel, started: startedPrograms(of: process, in: handed, counting, observer))
    }
  }

  /// Opens the channel for the counters of programs that a process starts; nil if these do not count.
  private func startedPrograms(
    of process: String, in handed: HandedFolder, _ counting: TestCounting?, _ observer: Observer
  ) throws(IntegratingError) -> StartedPrograms? {
    guard keepsTraces || counting != nil, surroundings.counters.areUsed else { return nil }
    let (proven, path, keeps) = (output.proven, executable.path, keepsTraces)
    let programs = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    return try StartedPrograms(
      in: handed.counters, programs: programs, library: observer.process, counting: counting
    ) { (moved, number) throws(IntegratingError) in
      guard keeps else { return }
      try proven.create().create("\(process)-started-\(number).profraw", moved.contents)
    }
  }

  /// Runs the executable within its limits, and keeps what its parser does not need.
  private func run(
    _ arguments: [String], first: [String] = [], named name: String, _ handed: HandedFolder,
    _ channel: ObserverChannel?, _ counting: TestCounting?, stream: String? = nil, _ watch: TestWatch,
    _ record: inout StepRecord, sawAll: @escaping () -> Void, listener: (OutputChunk) -> Void
  ) throws(IntegrationStop) -> ProcessTrace {
    let session = self
    var trace = ProcessTrace()
    var lastWords = LastWords()
    var sanitizer =
      surroundings.sanitizers.isEmpty ? nil : SanitizerReports(relativise: surroundings.paths.relative)
    let supervision = Supervision(
      deadline: { watch.deadline(session.allowance.limits.test) },
      sawOutput: { trace.pid = session.testProcess(in: $0.members())?.innerPID },
      willStop: { tree, _ in trace.processSnapshot = session.examine(tree) },
      channels: { channel?.descriptors ?? [] },
      sawNews: {
        watch.tick($0)
        channel?.readOn()
        // All that follows is the sanitizer's sleep.
        if channel?.exit?.endsRun == true { session.surroundings.turn?.pass() }
      },
      sawAll: sawAll)
    var environment = try environment(of: name, handed, counts: keepsTraces || counting != nil)
    if let channel, let observer = surroundings.observation.observer {
      environment = observer.environment(
        for: channel, program: executable.path, libraries: surroundings.toolchain.libraries, stream: stream,
        profiles: keepsTraces || counting != nil ? handed.profiles.path : nil, mapsTests: counting != nil, first: first,
        isFixed: surroundings.sanitizers.contains(.thread), startingIn: surroundings.folder, in: environment)
    }
    defer { surroundings.turn?.take() }
    trace.result = try output.log.run(
      command(arguments, environment: environment, handing: handed),
      limits: allowance.limits(wallClock: allowance.timeLeft(), silence: allowance.limits.silence),
      cancellation: allowance.cancellation, supervision: supervision, record: &record, keepsCanceled: true
    ) { chunk in
      watch.tick(chunk.time)
      if chunk.stream == .standardError {
        lastWords.consume(chunk.bytes)
        sanitizer?.consume(chunk.bytes)
      }
      listener(chunk)
    }
    try output.log.noteEnd(of: trace.result, at: limit(trace.result.why))
    trace.lastWords = lastWords.finish()
    trace.sanitizerReports = inWords(sanitizer?.finish() ?? [])
    return trace
  }

  private mutating func ended(
    _ name: String, _ handed: HandedFolder, _ run: ParsedTestRun, _ channel: ObserverChannel?, _ trace: ProcessTrace
  ) -> EndedTestProcess {
    var run = run
    let counters = keepCounters(of: name, handed, channel)
    run.sourceReason = reasonForSource(of: run, channel)
    run.anomalies += channel?.contradictions ?? []
    run.join(trace.sanitizerReports)
    weighTheEnd(of: &run, channel, trace)
    let isCutOff = if case .timedOut = trace.result.why { true } else { false }
    var process = EndedTestProcess(
      name: name, run: run, ending: ProcessEnding(trace.result), isCutOff: isCutOff, counters: counters)
    let backtrace = backtrace(in: handed.crashes, trace)
    process.crash = crash(of: name, backtrace, trace)
    if let pause = backtrace?.report.pause { process.run.leaveOut(pause) }
    if let processSnapshot = trace.processSnapshot {
      process.hang = hang(of: name, rule: rule(trace.result.why, openTests: run.openTests.count), processSnapshot)
      process.hang?.isSilent = limit(trace.result.why)?.kind == .silence
    }
    return process
  }

  /// Returns the limit of time that a process reached; nil if it reached none.
  private func limit(_ why: ProcessResult.Why) -> RunEnd.Limit? {
    switch why {
    case .silent: RunEnd.Limit(.silence, of: allowance.limits.silence.inSeconds)
    case .overdue: RunEnd.Limit(.test, of: allowance.limits.test.inSeconds)
    case .timedOut: RunEnd.Limit(.step, of: allowance.limits.step.inSeconds)
    case .byItself, .canceled, .tooMuchMemory, .tooManyProcesses, .tooMuchDisk: nil
    }
  }

  /// Returns the limit that a process reached, in words.
  private func rule(_ why: ProcessResult.Why, openTests: Int) -> String {
    switch why {
    case .silent: "no output for \(allowance.limits.silence.words)"
    case .overdue where openTests > 1: "no test ended for \(allowance.limits.test.words)"
    case .overdue: "longer than \(allowance.limits.test.words)"
    case .timedOut, .byItself, .canceled, .tooMuchMemory, .tooManyProcesses, .tooMuchDisk:
      "all tests together reached \(allowance.limits.step.words)"
    }
  }

  private func environment(of process: String, _ handed: HandedFolder, counts: Bool) throws(IntegrationStop)
    -> [String: String]
  {
    let profile = counts ? handed.profiles.file(surroundings.counters.fileName(of: process)) : "/dev/null"
    var environment = LineBuffering.added(
      to: ChildEnvironment.testing(from: surroundings.environment, profiles: profile))
    try stopping {
      try handed.profiles.create()
      environment["SWIFT_BACKTRACE"] = try backtraceSettings(in: handed)
    }
    return environment
  }

  /// Returns a name under which a process keeps its files.
  private mutating func nextProcessName() -> String {
    startedProcesses += 1
    return "\(number)-\(startedProcesses)"
  }

  /// Writes the counters of a process to where no test can reach them, in place of the files with which it had begun.
  private mutating func keepCounters(
    of process: String, _ handed: HandedFolder, _ channel: ObserverChannel?
  ) -> CountersProof {
    guard keepsTraces, surroundings.counters.areUsed, let channel else { return .none }
    for (index, moved) in channel.counters.enumerated() {
      do throws(IntegratingError) {
        try output.proven.create().create("\(process)-\(index + 1).profraw", moved.contents)
      } catch {
        serviceWarnings.append(.countersNotKept(reason: "\(error)", ofStartedProgram: false))
        return .withheld
      }
    }
    guard !channel.counters.isEmpty else { return .withheld }
    noteStartedPrograms(handed, channel)
    return .handedOver
  }

  /// Reports files that the process itself did not write, and that nothing vouches for.
  private mutating func noteStartedPrograms(_ handed: HandedFolder, _ channel: ObserverChannel) {
    serviceWarnings += channel.started?.failures ?? []
    let others = unvouchedProfiles(in: handed, channel)
    guard others > 0 else { return }
    let programs = others == 1 ? "A program that a test started" : "\(others) programs that tests started"
    lostCounters.append(
      "\(programs) did not hand over \(CountText.agreeing(others, "its", "their")) counters, so lines that only \(CountText.agreeing(others, "it", "they")) ran are shown as never run."
    )
  }

  /// Returns the number of files of counters that nothing vouches for.
  func unvouchedProfiles(in handed: HandedFolder, _ channel: ObserverChannel) -> Int {
    let vouched = Set(channel.counters.map(\.fileName)).union(channel.started?.supersededProfiles ?? [])
    return handed.profiles.names().count { $0.hasSuffix(".profraw") && !vouched.contains($0) }
  }

  private mutating func noteCounters(of process: EndedTestProcess) {
    guard keepsTraces else { return }
    tracedProcesses[process.run.library, default: 0] += 1
    guard process.counters != .handedOver else { return }
    let subject = "A process of \(process.run.library.rawValue) \(process.ending.sentencePart)"
    let profiles = HandedFolder.profiles(in: output.folders.handed.folder(process.name))
    if !surroundings.counters.wereLeft(by: process.name, endedBySignal: process.ending.signal != nil, in: profiles) {
      lostCounters.append("\(subject) and left no coverage data, so lines that only it ran are shown as never run.")
    } else if process.counters == .withheld {
      lostCounters.append("\(subject) and did not hand over its coverage, so its figures may be wrong.")
    }
  }

  private func report(to watch: TestWatch, _ counting: TestCounting?) -> @Sendable (TestProgress) -> Void {
    let progress = progress
    return { event in
      counting?.note(event)
      watch.note(event)
      switch event {
      case .started(let test): progress(.testStarted(test))
      case .ended(let test, let state): progress(.testEnded(test, state))
      }
    }
  }
}

extension OutputChunk.Stream {
  /// The stream in the terms of the target `Parsing`.
  var parsed: ProcessStream {
    switch self {
    case .standardOutput: .standardOutput
    case .standardError: .standardError
    }
  }
}
