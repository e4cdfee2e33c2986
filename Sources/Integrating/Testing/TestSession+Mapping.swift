import Model
import Parsing
import Processes
import Synchronization

/// Records what each test of a process counts; fed by the thread that reads the records, and asked when all is over.
final class TestCounting: Sendable {
  private let counted = Mutex(CountedTests())

  /// Takes a record of what was counted; returns false for a record of another kind.
  func take(_ record: ObserverRecord) -> Bool { counted.withLock { $0.take(record) } }

  func note(_ progress: TestProgress) { counted.withLock { $0.note(progress) } }

  func admitProgram(_ program: Int) { counted.withLock { $0.admitProgram(program) } }

  func take(_ record: ObserverRecord, ofProgram program: Int) {
    counted.withLock { $0.take(record, ofProgram: program) }
  }

  func endProgram(_ program: Int, _ profiles: [[UInt8]]?) { counted.withLock { $0.endProgram(program, profiles) } }

  /// Returns the counts when the process and its channel have ended.
  ///
  /// - Parameter parts: the counters as they were moved and as they were in the end; nil if that is not known.
  func finish(_ parts: () -> [(first: [UInt8], last: [UInt8])]?) -> CountedTests {
    counted.withLock {
      $0.finish(parts)
      return $0
    }
  }
}

/// The counts of the tests of one process, with the counters as they were at its end.
struct MappedProcess {
  var counted: CountedTests
  var counters: [[UInt8]]
}

extension TestSession {
  /// Returns a recorder for a process whose tests run one after the other; nil if none was requested or can work.
  func counting(isSerial: Bool) -> TestCounting? {
    mapsTests && isSerial && surroundings.counters.areUsed && surroundings.observation.observer != nil
      ? TestCounting() : nil
  }

  /// Keeps what the tests of a process counted.
  mutating func keep(_ counting: TestCounting?, _ handed: HandedFolder, _ channel: ObserverChannel?) {
    guard let counting, let channel, !channel.counters.isEmpty else { return }
    let counters = channel.counters.map(\.contents)
    let counted = counting.finish {
      Self.counters(as: channel.counters, of: handed).map { Array(zip($0, counters)).map { (first: $0, last: $1) } }
    }
    lostPrograms += counted.lostPrograms + unvouchedProfiles(in: handed, channel)
    mapped.append(MappedProcess(counted: counted, counters: counters))
  }

  /// Returns the counters as they were when they were moved, which their files still hold; nil if one is missing.
  private static func counters(as moved: [MovedCounters], of handed: HandedFolder) -> [[UInt8]]? {
    let profiles = UntrustedFolder(handed.profiles.path)
    var found: [[UInt8]] = []
    for counters in moved {
      guard case .bytes(let bytes) = profiles.read(counters.fileName), bytes.count >= counters.length else {
        return nil
      }
      found.append(bytes)
    }
    return found
  }

  /// Why the map lacks what programs of the package ran, as a sentence; nil if all that tests started count for theirs.
  var gapOfPrograms: String? {
    lostPrograms == 0
      ? nil : "Tests started programs of the package; what \(lostPrograms) of these ran is told of no test."
  }

  /// Runs Swift Testing tests one after the other, only to see what each of them counts.
  ///
  /// - Returns: how they ended, and why some of them are missing, as a sentence; nil if none is.
  mutating func mapSerially(_ tests: [TestID], of listed: [TestID], record: inout StepRecord) throws(IntegrationStop)
    -> (ends: [TestID: TestResult], gap: String?)
  {
    guard mapsTests, !tests.isEmpty else { return ([:], nil) }
    guard counting(isSerial: true) != nil else { return ([:], nil) }
    guard allowance.timeLeft() > .zero else {
      return ([:], "There was no time left to run the tests of Swift Testing one by one.")
    }
    let before = (progress, keepsTraces)
    let end = (record.exitStatus, record.signal)
    defer {
      (progress, keepsTraces) = before
      // The earlier processes reported the results of the tests.
      (record.exitStatus, record.signal) = end
    }
    (progress, keepsTraces) = ({ _ in }, false)
    try output.log.note(.mapping)
    let process = try runSwiftTesting(TestCourse.Batch(tests: tests, isSerial: true), of: listed, record: &record)
    return (process.mappedEnds, process.gap(of: tests))
  }
}

extension EndedTestProcess {
  /// The maximum number of tests that a sentence names.
  private static let mostNamed = 10

  /// Why the map lacks tests of a process that was to run them one after the other, as a sentence; nil if none is.
  func gap(of tests: [TestID]) -> String? {
    func list(_ tests: [TestID]) -> String { ShortList.text(tests.map { "\($0)" }, first: Self.mostNamed) }
    guard !run.sawTerminalRecord else {
      let red = run.results.filter(\.state.isRed).map(\.id)
      return red.isEmpty ? nil : "Run one by one, these failed: \(list(red))."
    }
    let seen = run.results.filter { $0.state != .notRun }.map(\.id) + run.openTests
    let unseen = Set(tests).subtracting(seen).count
    let parts = [
      run.openTests.isEmpty ? nil : "in \(list(run.openTests))",
      unseen > 0 ? "before \(CountText.counted(unseen, "test")) had run" : nil,
    ].compactMap(\.self)
    let place = parts.isEmpty ? "after the last of them" : parts.joined(separator: ", ")
    return "The run of Swift Testing's tests one by one \(ending.sentencePart) \(place)."
  }

  /// How the tests of a process ended that ran them one after the other: the one that was open is what ended it, unless
  /// the time of all tests together was up.
  fileprivate var mappedEnds: [TestID: TestResult] {
    let open = Set(run.openTests)
    let ended: TestState = isCutOff ? .notRun : hang != nil ? .timedOut : crash != nil ? .crashed : .notRun
    return run.results.keyed(by: \.id) { test in
      TestResult(
        id: test.id, library: test.library, state: open.contains(test.id) ? ended : test.state,
        duration: test.duration, failures: test.failures)
    }
  }
}
