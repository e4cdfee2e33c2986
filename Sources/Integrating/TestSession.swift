import FoundationEssentials
import Model
import Parsing
import Processes

/// Starts one test executable: to list its tests, and to run them.
struct TestSession {
  /// The tests of one executable, by library.
  struct Listing {
    var xctest: [TestID] = []
    var swiftTesting: [TestID] = []
    /// The names of Swift Testing's tests with their places, as filters see them.
    var places: [TestID: String] = [:]
  }

  let executable: String
  let folder: String
  let environment: [String: String]
  /// What its processes can reach; nil for everything.
  let sandbox: Sandbox?
  let cancellation: Cancellation
  let log: StepLog
  /// Where the processes leave their counters.
  let profiles: Folder
  /// Where what a library writes for machines is kept.
  let results: Folder
  let paths: PackagePaths
  let progress: ProgressHandler
  /// The newest event stream that this toolchain's Swift Testing writes.
  let eventStreamVersion: String
  let counters: ContinuousCounters
  /// The place of the executable among those of the package; tells the processes of one from those of another.
  let number: Int
  private(set) var startedProcesses = 0
  /// Sentences about processes that left no counters.
  private(set) var lostCounters: [String] = []

  // MARK: Listing

  /// Asks both libraries for their tests, side by side.
  func list() throws -> (listing: Listing, results: [ProcessResult]) {
    let places = results.file("swift-testing-list.jsonl")
    let command = listing(["--testing-library", "swift-testing", "--list-tests"] + stream(to: places))
    let cancellation = cancellation
    let second = try Worker { try command.collectListing(cancellation) }
    let first = try listing(["--dump-tests-json"]).collectListing(cancellation)
    let other = try second.join()
    var listing = Listing()
    listing.xctest = try TestListing.xctest(first.standardOutput)
    listing.swiftTesting = TestListing.swiftTesting(other.standardOutput)
    listing.places = TestListing.swiftTestingPlaces(
      results.read("swift-testing-list.jsonl") ?? [], listed: listing.swiftTesting)
    return (listing, [first.result, other.result])
  }

  /// A listing process must not leave counters, not even in its own folder.
  private func listing(_ arguments: [String]) -> Command {
    Command(executable, arguments, environment: testing(profile: "/dev/null"), workingDirectory: folder)
      .contained(in: sandbox)
  }

  // MARK: Running

  /// Runs tests of XCTest, in as many processes as their names need.
  mutating func runXCTest(
    _ selected: [TestID], isEverything: Bool, record: inout StepRecord,
    ended: (ParsedTestRun, ProcessEnding) -> Void
  ) throws(IntegrationStop) {
    guard !selected.isEmpty else { return }
    let arguments = isEverything ? [[]] : TestSelection.xctestArguments(for: selected).map { [$0] }
    for argument in arguments {
      var console = XCTestConsole(asked: selected, relativise: relativise, onProgress: report)
      let name = nextProcessName()
      let result = try log.run(
        command(argument, process: name), limits: Limits(), cancellation: cancellation, record: &record
      ) { console.consume($0.stream.parsed, $0.bytes) }
      noteCounters(of: name, .xctest, result)
      ended(console.finish(), ProcessEnding(result))
    }
  }

  /// Runs tests of Swift Testing, and reads the event stream while they run.
  mutating func runSwiftTesting(
    _ selected: [TestID], of listed: [TestID], record: inout StepRecord,
    ended: (ParsedTestRun, ProcessEnding) -> Void
  ) throws(IntegrationStop) {
    guard !selected.isEmpty else { return }
    let file = GrowingFile(results.file("swift-testing.jsonl"))
    let arguments =
      ["--testing-library", "swift-testing"] + stream(to: file.path)
      + TestSelection.swiftTestingArguments(for: selected, of: listed)
    var events = SwiftTestingEvents(listed: selected, relativise: relativise, onProgress: report)
    let name = nextProcessName()
    let result = try log.run(
      command(arguments, process: name), limits: Limits(), cancellation: cancellation, record: &record
    ) { chunk in
      // The console line of an event is printed after its record was written, so the order is the library's.
      file.readOn { events.consume(events: $0) }
      events.consume(chunk.stream.parsed, chunk.bytes)
    }
    file.readOn { events.consume(events: $0) }
    noteCounters(of: name, .swiftTesting, result)
    ended(events.finish(), ProcessEnding(result))
  }

  private func stream(to path: String) -> [String] {
    ["--event-stream-version", eventStreamVersion, "--event-stream-output-path", path]
  }

  private func command(_ arguments: [String], process: String) -> Command {
    Command(
      executable, arguments, environment: testing(profile: profiles.file(counters.fileName(of: process))),
      workingDirectory: folder
    ).contained(in: sandbox)
  }

  /// A name under which a process keeps its files.
  private mutating func nextProcessName() -> String {
    startedProcesses += 1
    return "\(number)-\(startedProcesses)"
  }

  private mutating func noteCounters(of process: String, _ library: TestLibrary, _ result: ProcessResult) {
    let ending = ProcessEnding(result)
    if counters.wereLeft(by: process, endedBySignal: ending.signal != nil, in: profiles) { return }
    lostCounters.append(
      "A process of \(library.rawValue) \(ending.sentencePart) and left no counters, so lines that only it ran are shown as never run."
    )
  }

  private func testing(profile: String) -> [String: String] {
    ChildEnvironment.testing(from: environment, profiles: profile)
  }

  private var relativise: @Sendable (String) -> String {
    let paths = paths
    return { paths.relative($0) ?? $0 }
  }

  private var report: @Sendable (TestProgress) -> Void {
    let progress = progress
    return { event in
      switch event {
      case .started(let test): progress(.testStarted(test))
      case .ended(let test, let state): progress(.testEnded(test, state))
      }
    }
  }
}

extension Command {
  /// Listing takes a moment; a test executable that needs minutes for it hangs.
  fileprivate func collectListing(_ cancellation: Cancellation) throws -> CollectedOutput {
    try collect(limits: Limits(wallClock: .seconds(120)), cancellation: cancellation, limit: 256 << 20)
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

extension ProcessEnding {
  fileprivate init(_ result: ProcessResult) {
    let cause: Cause =
      switch result.why {
      case .byItself: .itself
      case .canceled: .cancellation
      case .timedOut, .silent: .timeLimit
      }
    switch result.end {
    case .exited(let status): self.init(.exited(status), cause: cause)
    case .signaled(let signal): self.init(.signaled(signal), cause: cause)
    case .notStarted: self.init(.exited(0), cause: .cancellation)
    }
  }
}
