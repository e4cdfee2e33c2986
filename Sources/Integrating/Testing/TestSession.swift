import FoundationEssentials
import Git
import Glibc
import Model
import Parsing
import Processes

/// The processes of one test executable, which list its tests and run them.
struct TestSession {
  /// The tests of one executable, by library.
  struct Listing {
    var xctest: [TestID] = []
    var swiftTesting: [TestID] = []
    /// The names of Swift Testing's tests with their places, as filters see them.
    var places: [TestID: String] = [:]
  }

  let executable: BuildProducts.TestExecutable
  /// The index of the executable among those of the package, which distinguishes the processes of each.
  let number: Int
  let surroundings: TestSurroundings
  let allowance: TestAllowance
  let output: TestOutput
  var progress: ProgressHandler
  var startedProcesses = 0
  /// The number of processes of each library that left counters which belong to the results.
  var tracedProcesses: [TestLibrary: Int] = [:]
  /// Sentences about processes that left no counters.
  var lostCounters: [String] = []
  /// Whether what its processes leave behind, counters and attachments, belongs to the results.
  var keepsTraces = true
  /// Whether to determine which lines each test runs.
  var mapsTests = false
  /// The counts of the tests, for each process that was watched.
  var mapped: [MappedProcess] = []
  /// The number of programs of the package that tests started and whose lines are in no test's map.
  var lostPrograms = 0
  /// The size of all kept attachments in bytes.
  var attachedBytes = 0
  var attachedCount = 0
  /// What could not be kept as it should have been.
  var serviceWarnings: [ServiceWarning] = []

  /// Whether XCTest runs its classes in the order that it is given.
  var ordersXCTest: Bool { surroundings.observation.observer.map { $0.withoutXCTest == nil } ?? false }

  // MARK: Listing

  /// Asks both libraries for their tests, side by side.
  ///
  /// - Parameter hasOwnMain: whether the package's own `main` is asked, which need not know Swift Testing.
  /// - Throws: an error if a process did not come to its end: nobody knows what it would have listed.
  func list(hasOwnMain: Bool) throws -> (listing: Listing, results: [ProcessResult]) {
    let name = "\(number)-list"
    let handed = try HandedFolder(of: name, in: output.folders)
    // Two processes at once cannot share a view.
    let command = try command(
      ["--testing-library", "swift-testing", "--list-tests"] + stream(to: handed.events),
      environment: listingEnvironment, handing: handed, in: ownView(of: name))
    let (limits, cancellation) = (allowance.limitsWithoutTests, allowance.cancellation)
    let most = Bounds.standard.listing
    let second = try Worker { try command.collect(limits: limits, cancellation: cancellation, limit: most) }
    let first = try self.command(["--dump-tests-json"], environment: listingEnvironment)
      .collect(limits: limits, cancellation: cancellation, limit: most)
    let other = try second.join()
    try check(first.result, of: .xctest)
    var listing = Listing()
    listing.xctest = try TestListing.xctest(first.standardOutput)
    listing.swiftTesting = try TestListing.swiftTesting(other.standardOutput)
    let isRefusal = other.result.why == .byItself && Self.ends(withOwnMain: hasOwnMain).contains(other.result.end)
    if !listing.swiftTesting.isEmpty || !isRefusal { try check(other.result, of: .swiftTesting) }
    listing.places = TestListing.swiftTestingPlaces(
      places(in: handed), listed: listing.swiftTesting)
    return (listing, [first.result, other.result])
  }

  /// Returns how a process may end that lists no test of Swift Testing: the library has a status for that, and XCTest
  /// another one for arguments that it does not know.
  private static func ends(withOwnMain hasOwnMain: Bool) -> [ProcessEnd] {
    hasOwnMain ? [.exited(69), .exited(1)] : [.exited(69)]
  }

  private func check(_ result: ProcessResult, of library: TestLibrary) throws(IntegratingError) {
    guard let failure = allowance.resources.failure(result) else { return }
    throw IntegratingError(.service, "the process that lists those of \(library.rawValue) \(failure).")
  }

  /// Returns what a listing process wrote about the places of tests; without it, there is a fallback.
  private func places(in handed: HandedFolder) -> [UInt8] {
    let reading = UntrustedFolder(handed.folder.path).read(
      HandedFolder.eventsName, limit: Bounds.standard.listingEvents)
    return if case .bytes(let bytes) = reading { bytes } else { [] }
  }

  /// The environment of a listing process, which must not leave counters, not even in its own folder.
  private var listingEnvironment: [String: String] { environmentWithoutTests(profiles: "/dev/null") }

  /// Returns the environment of a process that runs no test.
  private func environmentWithoutTests(profiles: String) -> [String: String] {
    var idle = ChildEnvironment.testing(from: surroundings.environment, profiles: profiles)
    // The thread sanitizer sleeps for a second before a process ends, to find races with what is still running
    // (https://github.com/google/sanitizers/wiki/ThreadSanitizerFlags): here, nothing is. And what a sanitizer finds
    // beside the tests is no failure of such a process.
    let options = ["ASAN_OPTIONS": "detect_leaks=0", "TSAN_OPTIONS": "atexit_sleep_ms=0:exitcode=0"]
    for (name, text) in options where !surroundings.sanitizers.isEmpty {
      idle[name] = [idle[name], text].compactMap(\.self).joined(separator: ":")
    }
    return idle
  }

  // MARK: Commands

  /// Makes a command that runs the test executable; no other code does.
  ///
  /// - Parameters:
  ///   - handed: the folder in which it may hand something back; nil for none.
  ///   - view: its view of the sources; nil for the one that earlier processes left.
  func command(
    _ arguments: [String], environment: [String: String], handing handed: HandedFolder? = nil,
    in view: FolderView? = nil
  ) -> Command {
    var sandbox = surroundings.sandbox
    if let handed { sandbox?.writable.append(handed.folder.path) }
    if let view { sandbox?.views = [view] }
    return Command(
      executable.path, arguments, environment: environment, workingDirectory: surroundings.folder
    ).contained(in: sandbox)
  }

  /// Makes a view of the sources for one process alone; returns nil if there are no views.
  func ownView(of process: String) throws -> FolderView? {
    try surroundings.sandbox?.views.first.map { view in
      try FolderView.make(
        of: view.original, at: view.place, in: output.folders.layers(process), kind: view.kind,
        cancellation: allowance.cancellation)
    }
  }

  /// Returns the arguments that write the newest event stream of this toolchain's Swift Testing to a file.
  func stream(to path: String) -> [String] {
    let version = surroundings.toolchain.version >= Toolchain.Version(major: 6, minor: 3) ? "6.3" : "0"
    return ["--event-stream-version", version, "--event-stream-output-path", path]
  }
}

extension TestSession {
  /// Runs one test in processes that run no other.
  ///
  /// - Parameter keepsTraces: whether the lines that it runs now count as covered, and its attachments are kept.
  /// - Returns: what the processes came to, and whether there was time for the test to come to an end. If there was
  ///   none, only what a sanitizer found says anything.
  mutating func runAlone(
    _ test: TestResult, of listing: Listing, keepsTraces: Bool, record: inout StepRecord
  ) throws(IntegrationStop) -> (product: TestReportBuilder.Product, hadTime: Bool) {
    let before = (progress, self.keepsTraces)
    defer { (progress, self.keepsTraces) = before }
    progress = { _ in }
    self.keepsTraces = keepsTraces
    // A test that passes now did not fail for good.
    (record.exitStatus, record.signal) = (nil, nil)
    let isXCTest = test.library == .xctest
    var builder = TestReportBuilder(xctest: isXCTest ? [test.id] : [], swiftTesting: isXCTest ? [] : [test.id])
    let hadTime = try run(
      test.library, [test.id], of: isXCTest ? listing.xctest : listing.swiftTesting, record: &record, into: &builder)
    return (builder.build(), hadTime)
  }
}

extension TestSession {
  /// More bytes than any report has; the file was written beside untrusted code.
  private static let mostBytes = 16 << 20

  /// Returns the Swift runtime's settings for crashes, which make it write a machine-readable report into a folder.
  ///
  /// Nil for toolchains before 6.2, which have no such report, and if the runtime would split the folder's name.
  func backtraceSettings(in handed: HandedFolder) throws -> String? {
    guard surroundings.toolchain.version >= Toolchain.Version(major: 6, minor: 2), !handed.folder.path.contains(",")
    else {
      return nil
    }
    let folder = try handed.crashes.create()
    return [
      "enable=yes", "color=no", "interactive=no", "format=json", "threads=crashed", "registers=none",
      "images=mentioned", "output-to=\(folder.path)/",
    ].joined(separator: ",")
  }

  /// Returns how a process died; nil if it did not, or if nothing more than its ending is known.
  ///
  /// - Parameter left: the report of the runtime, if it left one.
  func crash(of process: String, _ left: LeftBacktrace?, _ trace: ProcessTrace) -> CrashReport? {
    let ending = ProcessEnding(trace.result)
    if let excess = allowance.resources.excess(trace.result) {
      return CrashReport(reason: excess, signal: ending.signal)
    }
    if let crash = crash(in: trace, ending) { return crash }
    guard let left else {
      let words = Self.areLast(before: ending) ? trace.lastWords : nil
      return words.map { CrashReport(reason: $0.text, signal: ending.signal, statedPlace: $0.place) }
    }
    return CrashReport(
      reason: trace.lastWords?.text ?? (ending.signal == nil ? left.report.description : nil) ?? ending.words,
      signal: ending.signal, statedPlace: trace.lastWords?.place, thread: left.report.thread,
      otherThreads: left.report.otherThreads, file: keep(left.bytes, as: "crashes/\(process)", left.name))
  }

  /// Keeps a report where no test can reach it, and returns its path among the kept files; nil if it cannot be kept.
  private func keep(_ bytes: [UInt8], as folder: String, _ name: String) -> String? {
    // The report is only for reading, and a full disk is reported elsewhere.
    guard (try? output.results.folder(folder).create().create(name, bytes)) != nil else { return nil }
    return "results/\(folder)/\(name)"
  }

  /// Returns how a sanitizer ended the process, except for leaks, which are looked for when everything is over.
  private func crash(in trace: ProcessTrace, _ ending: ProcessEnding) -> CrashReport? {
    guard ending.cause == .itself, ending.status != .exited(0),
      let report = trace.sanitizerReports.last(where: { $0.isFatal && $0.sanitizer != "LeakSanitizer" })
    else { return nil }
    return CrashReport(reason: report.message, signal: ending.signal, thread: report.stacks.first)
  }

  /// Returns the reports with functions named as in the source.
  func inWords(_ reports: [SanitizerReport]) -> [SanitizerReport] {
    let symbols = reports.reduce(into: Set<String>()) { $0.formUnion($1.symbols) }.sorted()
    // Without the demangler's answer, the functions keep the names of the object files.
    guard let names = try? names(of: symbols) else { return reports }
    return reports.map { $0.naming(names) }
  }

  /// Whether the process ended by a signal that it, or its runtime, sends itself after a message.
  private static func areLast(before ending: ProcessEnding) -> Bool {
    ending.cause == .itself && [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV].contains(ending.signal)
  }

  private func reportName(in folder: Folder, _ pid: Int32?, _ ending: ProcessEnding) -> String? {
    let names = folder.names().filter { $0.hasSuffix(".json") }
    if let pid { return names.last { $0.contains("-\(pid)-") } }
    return ending.signal != nil && names.count == 1 ? names.first : nil
  }

  /// Returns the report that the runtime wrote of a process; nil if there is none, since a process may write there what
  /// it likes.
  ///
  /// Children, such as those of exit tests, leave reports as well: the process's own is the one with its number.
  func backtrace(in folder: Folder, _ trace: ProcessTrace) -> LeftBacktrace? {
    guard let name = reportName(in: folder, trace.pid, ProcessEnding(trace.result)),
      let bytes = folder.read(name, limit: Self.mostBytes),
      let report = try? BacktraceReport.read(bytes, relativise: surroundings.paths.relative)
    else { return nil }
    return LeftBacktrace(name: name, report: report, bytes: bytes)
  }
}

/// The report that the runtime wrote of a process that died.
struct LeftBacktrace {
  /// The name of its file.
  var name: String
  var report: BacktraceReport
  var bytes: [UInt8]
}

extension TestSession {
  /// Returns the outermost process of the executable, whose path the kernel reports without links.
  func testProcess(in members: [ProcessTree.Member]) -> ProcessTree.Member? {
    let paths = [executable.path, executable.path.withoutLinks]
    return members.first { paths.contains($0.executable) }
  }
}

extension TestSession {
  /// Returns why the results do not come through the private channel, as the middle of a sentence; nil if they do.
  func reasonForSource(of run: ParsedTestRun, _ channel: ObserverChannel?) -> String? {
    guard let channel else {
      if case .none(let why) = surroundings.observation { return why }
      return nil
    }
    if run.library == .xctest, let why = surroundings.observation.observer?.withoutXCTest, channel.isConnected {
      return why
    }
    if let failure = channel.failure { return "the observer could not be loaded: \(failure)" }
    let isFollowed = run.library == .xctest ? channel.readiness.isReady : channel.isStreaming
    return isFollowed ? nil : "the process did not load the observer"
  }

  /// Records what is proven about the end of a process.
  func weighTheEnd(of run: inout ParsedTestRun, _ channel: ObserverChannel?, _ trace: ProcessTrace) {
    let isFollowed = channel?.isConnected == true
    run.exit = channel?.exit.map(located)
    // A process that reports the status with which it ends still has its connection to Martlet.
    run.lostEvidence = isFollowed && run.exit == nil && trace.result.end == .exited(Observer.lostStatus)
    guard let why = run.sourceReason, trace.result.why == .byItself else { return }
    if run.library == .xctest, isFollowed {
      run.weigh(run.exit?.endsRun == true ? .given : .refuted)
    } else {
      run.weigh(.missing(why: why))
    }
  }

  /// Finds the place of a call in the package.
  private func located(_ exit: ObservedExit) -> ObservedExit {
    var exit = exit
    let image = executable.images.first { [$0, $0.withoutLinks].contains(exit.file) }
    guard !exit.endsRun, let image, exit.offset > 0 else { return exit }
    // The stack has the addresses to which the calls would return.
    let addresses = ([exit.offset] + exit.calls).filter { $0 > 0 }.map { $0 - 1 }
    let text = addresses.map { "0x\(String($0, radix: 16))\n" }.joined()
    // Without the symbolizer's answer, the sentence lacks the place.
    let places = (try? places(of: text, in: image)) ?? [:]
    exit.place = places[exit.offset - 1].map { SourceLocation(file: $0.file, line: $0.line) }
    let outermost = addresses.dropFirst().compactMap { places[$0] }.last
    exit.calledFrom = outermost.map { SourceLocation(file: $0.file, line: $0.line) }.flatMap {
      $0 == exit.place ? nil : $0
    }
    return exit
  }
}

extension TestSession {
  /// The counters of a test process in which no test ran.
  struct StartUp {
    /// The prefix of the names of its files.
    var prefix: String
    /// The number of processes of the same kind that ran tests.
    var times: Int
  }

  /// Runs the executable once for each library that ran tests, without any test, and leaves the counters in a folder.
  ///
  /// - Throws: an error with a sentence, if a process does not end by itself.
  func runEmpty(countersIn handed: HandedFolder) throws -> [StartUp] {
    try TestLibrary.allCases.compactMap { library -> StartUp? in
      guard let times = tracedProcesses[library], times > 0 else { return nil }
      let startUp = StartUp(prefix: "\(number)-\(library == .xctest ? "x" : "s")-", times: times)
      // Neither library has a way to say "no test": a name that no test can have matches none.
      let arguments =
        library == .xctest
        ? ["No Module.No Class/no test"] : ["--testing-library", "swift-testing", "--filter", "^no test, never$"]
      let environment = environmentWithoutTests(
        profiles: handed.folder.file("\(startUp.prefix)\(surroundings.counters.areUsed ? "%c" : "")%m.%p.profraw"))
      let output = try command(arguments, environment: environment, handing: handed).collect(
        limits: allowance.limitsWithoutTests, cancellation: allowance.cancellation, limit: 16 << 20)
      guard output.result.why == .byItself, case .exited = output.result.end,
        handed.folder.names().contains(where: { $0.hasPrefix(startUp.prefix) })
      else {
        throw CoverageFailure(
          description:
            "A process of \(library.rawValue) without any test did not end as it should, or left no counters.")
      }
      return startUp
    }
  }
}
