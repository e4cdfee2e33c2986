import Model
import Testing

@testable import Parsing

@Suite("Observer: XCTest's results")
struct XCTestObservationTests {
  private static let one = TestID(module: "M", suite: "C", name: "one")
  private static let two = TestID(module: "M", suite: "C", name: "two")
  private static let other = TestID(module: "N", suite: "C", name: "one")
  private static let stamp = " started at 2026-11-20 09:00:00.000\n"

  /// A process whose bundle has started.
  private var process: ObservedProcess {
    var process = ObservedProcess()
    process.tell(.ready)
    process.tell(.bundleStarted)
    return process
  }

  @Test("Passed, failed and skipped tests are told with durations, places and messages")
  func states() throws {
    var process = process
    process.start("C.one")
    process.fail("C.one", #"XCTAssertEqual failed: ("1") is not equal to ("2") - note"#)
    process.end("C.one", failures: 1, seconds: 0.25)
    process.start("C.two")
    process.end("C.two", skipped: true)
    process.over(started: 2, finished: 2, issues: 1)
    let run = process.run(
      [Self.one, Self.two],
      printed: """
        Test Case 'C.one'\(Self.stamp)hello
        Test Case 'C.one' failed (0.25 seconds)
        Test Case 'C.two'\(Self.stamp)/checkout/T.swift:3: C.two : Test skipped - needs network
        Test Case 'C.two' skipped (0.5 seconds)

        """)
    #expect(run.source == "observer")
    #expect(run.sawTerminalRecord)
    #expect(run.anomalies.isEmpty)
    let first = try run.result("C/one")
    #expect(first.state == .failed)
    #expect(first.duration == 0.25)
    #expect(first.failures.map(\.location) == [SourceLocation(file: "T.swift", line: 7)])
    #expect(first.failures[0].parsed?.assertion == "XCTAssertEqual")
    #expect(first.transcript.map(\.text) == ["hello", "failed (0.25 seconds)"])
    let second = try run.result("C/two")
    #expect(second.state == .skipped)
    #expect(second.skipReason == "needs network")
  }

  @Test("The same class name in two modules is told apart, with what each printed")
  func twoModules() throws {
    var process = process
    for module in ["N", "M"] {
      process.start("C.one", in: module)
      process.end("C.one", in: module)
    }
    process.over(started: 2, finished: 2)
    let run = process.run(
      [Self.one, Self.two, Self.other],
      printed: ["from N", "from M"].map {
        "Test Case 'C.one'\(Self.stamp)\($0)\nTest Case 'C.one' passed (0.1 seconds)\n"
      }.joined())
    #expect(run.results.map(\.id) == [Self.other, Self.one])
    #expect(run.results.map { $0.transcript.map(\.text) } == [["from N"], ["from M"]])
    #expect(run.anomalies.isEmpty)
  }

  @Test("A printed verdict changes nothing, and is told")
  func printedVerdict() {
    var process = process
    process.start("C.one")
    let run = process.run(
      [Self.one, Self.two],
      printed: "Test Case 'C.one'\(Self.stamp)Test Case 'C.two' passed (0.0 seconds)\n")
    #expect(run.results.map(\.state) == [.notRun])
    #expect(run.openTests == [Self.one])
    #expect(!run.sawTerminalRecord)
    #expect(run.anomalies == ["A verdict on C.two was printed before that test had started."])
  }

  @Test("Results need no output at all")
  func silent() {
    var process = process
    process.start("C.one")
    process.end("C.one")
    process.over(started: 1, finished: 1)
    let run = process.run([Self.one])
    #expect(run.results.map(\.state) == [.passed])
    #expect(run.sawTerminalRecord)
    #expect(run.anomalies.isEmpty)
  }

  @Test("A test that runs another one inside itself answers for itself only")
  func nested() {
    var process = process
    process.start("C.one")
    process.start("Sample.inner")
    process.fail("Sample.inner", "failed - as it should")
    process.end("Sample.inner", failures: 1)
    process.end("C.one")
    process.over(started: 2, finished: 2, issues: 1)
    let run = process.run([Self.one])
    #expect(run.results.map(\.state) == [.passed])
    #expect(run.sawTerminalRecord)
    #expect(run.anomalies.isEmpty)
  }

  @Test("A listed test that another one runs does not count as run")
  func nestedListed() {
    var process = process
    process.start("C.one")
    process.start("C.two")
    process.end("C.two")
    process.end("C.one")
    process.over(started: 2, finished: 2)
    let run = process.run([Self.one, Self.two])
    #expect(run.results.map(\.id) == [Self.one])
    #expect(run.anomalies == ["M.C/two was started while M.C/one was running."])
  }

  @Test("The end that XCTest reports must be the process's end, with a status that fits")
  func exits() {
    func anomalies(_ end: ObservedProcess.End, failures: UInt64 = 0) -> [String] {
      var process = process
      process.start("C.one")
      if failures > 0 { process.fail("C.one", "failed - the truth") }
      process.end("C.one", failures: failures)
      process.over(started: 1, finished: 1, issues: failures)
      process.exit(end)
      return process.run([Self.one]).anomalies
    }
    #expect(anomalies(.byXCTest(0)) == [])
    #expect(anomalies(.byXCTest(1), failures: 1) == [])
    #expect(
      anomalies(.bySomebody(0)) == ["XCTest's end was reported, and then the process was ended by exit(0)."])
    #expect(anomalies(.byXCTest(1)) == ["XCTest ended with status 1, but 0 failures were reported."])
    #expect(anomalies(.byXCTest(0), failures: 1) == ["XCTest ended with status 0, but 1 failure was reported."])
  }

  @Test("What XCTest prints at the end must be what was reported; tests inside others are in neither")
  func totals() {
    func anomalies(_ printed: String) -> [String] {
      var process = process
      process.start("C.one")
      process.start("Sample.inner")
      process.fail("Sample.inner", "failed - as it should")
      process.end("Sample.inner", failures: 1)
      process.end("C.one")
      process.over(started: 2, finished: 2, issues: 1)
      process.exit(.byXCTest(0))
      let suite = "Test Suite 'Selected tests'"
      return process.run(
        [Self.one],
        printed: "\(suite)\(Self.stamp)Test Case 'C.one'\(Self.stamp)Test Case 'C.one' passed (0.1 seconds)\n"
          + "\(suite) passed at 2026-11-20 09:00:00.000\n\t Executed \(printed) in 0.1 (0.1) seconds\n"
      ).anomalies
    }
    #expect(anomalies("1 test, with 0 failures (0 unexpected)") == [])
    #expect(
      anomalies("1 test, with 1 failure (0 unexpected)") == [
        "XCTest printed that there were 1 test and 1 failure, but 1 test and 0 failures were reported."
      ])
    #expect(
      anomalies("2 tests, with 0 failures (0 unexpected)") == [
        "XCTest printed that there were 2 tests and 0 failures, but 1 test and 0 failures were reported."
      ])
  }

  @Test("Somebody else who calls the observer is told")
  func intrusion() {
    var process = process
    process.start("C.one")
    process.tell(.intrusion)
    process.end("C.one")
    process.over(started: 1, finished: 1)
    #expect(process.run([Self.one]).anomalies == ["A test called Martlet's observer of XCTest itself."])
  }

  @Test("A record of counters tells their length and file; a cut one tells nothing")
  func counters() throws {
    var process = ObservedProcess()
    process.tell(.counters, .number(4096), .text("/p/1-1-.profraw"))
    let bytes = Array(process.messages[0].dropFirst(17))
    let told = try #require(CountersRecord(ObserverRecord(kind: .counters, bytes: bytes[...])))
    #expect(told.length == 4096)
    #expect(told.path == "/p/1-1-.profraw")
    for length in 0..<bytes.count {
      #expect(CountersRecord(ObserverRecord(kind: .counters, bytes: bytes[..<length])) == nil)
    }
    #expect(CountersRecord(ObserverRecord(kind: .events, bytes: bytes[...])) == nil)
  }

  @Test("An end inside a test, with wrong sums, or before more tests is none or is told")
  func ends() {
    var inside = process
    inside.start("C.one")
    inside.over(started: 1, finished: 0)
    #expect(!inside.run([Self.one]).sawTerminalRecord)
    #expect(inside.run([Self.one]).anomalies == ["XCTest's end was reported while M.C/one was running."])

    var wrong = process
    wrong.over(started: 1, finished: 1)
    #expect(!wrong.run([]).sawTerminalRecord)
    #expect(
      wrong.run([]).anomalies == [
        "XCTest's observer counted 1 test and 0 failures, but 0 tests and 0 failures were reported."
      ])

    var early = process
    early.over(started: 0, finished: 0)
    early.start("C.one")
    #expect(early.run([Self.one]).anomalies == ["XCTest's observer reported more after the end of the run."])
  }

  @Test("A test that runs twice, unasked or ends unstarted is told")
  func disorder() {
    var process = process
    process.start("C.one")
    process.end("C.one")
    process.start("C.one")
    process.end("C.one")
    process.end("C.two")
    process.start("C.three")
    process.end("C.three")
    #expect(
      process.run([Self.one, Self.two]).anomalies == [
        "M.C/one was started twice.", "M.C/two ended without having started.",
        "M.C/three ran although it was not asked for.",
      ])
  }

  @Test("A failure that XCTest counted makes the test red even if it was not reported")
  func countedFailure() {
    var process = process
    process.start("C.one")
    process.end("C.one", failures: 2)
    let run = process.run([Self.one])
    #expect(run.results.map(\.state) == [.failed])
    #expect(run.anomalies == ["XCTest counted 2 failures of M.C/one, but 0 were reported."])
  }

  @Test("A failure of a suite belongs to no test and is kept")
  func suiteFailure() {
    var process = process
    process.tell(.suiteIssue, .text("C"), .text("/checkout/T.swift"), .number(4), .text("failed - set up"))
    let run = process.run([])
    #expect(
      run.unattributedFailures.map(\.location) == [SourceLocation(file: "T.swift", line: 4)])
  }

  @Test("A record that is cut off, or is read as another, makes no test pass and ends no run")
  func cutOff() {
    let kinds = [ObserverRecord.Kind.testStarted, .testFinished, .testIssue, .bundleFinished, .suiteIssue]
    var whole = ObservedProcess()
    whole.start("C.one")
    whole.end("C.one")
    let messages = whole.messages.map { Array($0.dropFirst(17)) }
    for (number, bytes) in messages.enumerated() {
      for (length, kind) in bytes.indices.flatMap({ length in kinds.map { (length, $0) } }) {
        var observation = XCTestObservation(asked: [Self.one], relativise: { $0 })
        // In front of the cut record stands what came before it.
        for before in messages[..<number] {
          observation.take(ObserverRecord(kind: .testStarted, bytes: before[...]))
        }
        observation.take(ObserverRecord(kind: kind, bytes: bytes[..<length]))
        var console = XCTestConsole(asked: [Self.one], relativise: { $0 })
        let run = console.finish(observation)
        #expect(!run.results.contains { $0.state == .passed }, "\(length) bytes of record \(number) as \(kind)")
        #expect(!run.sawTerminalRecord, "\(length) bytes of record \(number) as \(kind)")
      }
    }
  }
}
