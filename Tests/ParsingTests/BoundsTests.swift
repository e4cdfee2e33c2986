import Model
import Testing

@testable import Parsing
import Rendering

@Suite("What a test process says too much of")
struct BoundsTests {
  @Test("That the runtime writes a crash report is no output of the test")
  func backtracing() {
    var transcript = Transcript()
    for text in ["*** Signal ", "*** Signal 4: Backtracing from 0x7f68e1c079b9... done ***", "Hello"] {
      transcript.append(TranscriptLine(text: text))
    }
    #expect(transcript.lines.map(\.text) == ["*** Signal ", "Hello"])
  }

  private static let one = TestID(module: "M", suite: "C", name: "one")
  private static let two = TestID(module: "M", suite: "C", name: "two")
  private static let event = TestID(module: "M", suite: "", name: "e()")

  private static var small: Bounds {
    var bounds = Bounds()
    bounds.failuresPerTest = 3
    bounds.failures = 4
    bounds.message = 12
    bounds.messages = 30
    bounds.shortMessage = 4
    bounds.cases = 2
    bounds.unasked = 1
    return bounds
  }

  /// Two tests of XCTest with so many failures each, as the observer tells them.
  private func observed(_ failures: Int, message: String = "no", _ bounds: Bounds = small) -> ParsedTestRun {
    var process = ObservedProcess()
    process.tell(.ready)
    process.tell(.bundleStarted)
    for name in ["C.one", "C.two"] {
      process.start(name)
      for _ in 0..<failures { process.fail(name, message) }
      process.end(name, failures: UInt64(failures))
    }
    process.over(started: 2, finished: 2, issues: UInt64(2 * failures))
    return process.run([Self.one, Self.two], bounds: bounds)
  }

  @Test("Failures beyond a number are counted, by test and in all, and contradict nothing")
  func observedFailures() {
    let run = observed(5)
    #expect(run.results.map(\.failures.count) == [3, 1])
    #expect(run.results.map(\.leftOut) == [LeftOutCounts(failures: 2), LeftOutCounts(failures: 4)])
    #expect(run.results.map(\.state) == [.failed, .failed])
    #expect(run.anomalies.isEmpty)
    #expect(run.sawTerminalRecord)
  }

  @Test("What is within bounds is kept whole, and nothing is said to be missing")
  func withinBounds() {
    let run = observed(100, Bounds())
    #expect(run.results.map(\.failures.count) == [100, 100])
    #expect(run.results.map(\.leftOut) == [nil, nil])
  }

  @Test("Long messages are cut, and harder when they have filled their room together")
  func messages() {
    let run = observed(2, message: "0123456789abcdef")
    #expect(
      run.results.flatMap(\.failures).map(\.message) == [
        "0123456789ab… [4 more bytes left out]", "0123… [12 more bytes left out]",
        "0123… [12 more bytes left out]", "0123… [12 more bytes left out]",
      ])
  }

  @Test("A text is cut between two characters")
  func characters() {
    #expect("aéé".cut(to: 2) == "a… [4 more bytes left out]")
    #expect("aéé".cut(to: 5) == "aéé")
    #expect("".cut(to: 0) == "")
  }

  @Test("Failures that the console tells are counted likewise")
  func printed() throws {
    let failure = "/checkout/T.swift:7: error: C.one : XCTAssertTrue failed - \n"
    let stamp = "started at 2026-11-20 09:00:00.000\n"
    let text =
      "Test Case 'C.one' \(stamp)" + String(repeating: failure, count: 5) + "Test Case 'C.one' failed (0.1 seconds)\n"
    var console = XCTestConsole(asked: [Self.one], bounds: Self.small, relativise: ResultsFixture.relativise)
    console.consume(.standardOutput, Array(text.utf8))
    let result = try #require(console.finish().results.first)
    #expect(result.failures.count == 3)
    #expect(result.leftOut == LeftOutCounts(failures: 2))
    #expect(result.state == .failed)
  }

  @Test("Tests that nobody asked for are not kept without end, and never make a good end")
  func unasked() {
    let text = (0..<50).map {
      "Test Case 'X.t\($0)' started at 2026-11-20 09:00:00.000\nTest Case 'X.t\($0)' passed (0.1 seconds)\n"
    }
    var console = XCTestConsole(asked: [Self.one], bounds: Self.small, relativise: ResultsFixture.relativise)
    console.consume(.standardOutput, Array(text.joined().utf8))
    let run = console.finish()
    #expect(run.results.count == 1)
    #expect(!run.sawTerminalRecord)
    #expect(run.anomalies.first == "X.t0 ran although it was not asked for.")
  }

  /// What the event stream of one test says.
  private func events(_ lines: [String], isParameterized: Bool = false) -> ParsedTestRun {
    let begin = [
      #"{"kind":"event","payload":{"kind":"runStarted"},"version":0}"#,
      #"{"kind":"test","payload":{"id":"M.e()/F.swift:1:1","kind":"function","name":"e()","isParameterized":\#(isParameterized)},"version":0}"#,
      #"{"kind":"event","payload":{"kind":"testStarted","testID":"M.e()/F.swift:1:1"},"version":0}"#,
    ]
    let end = [
      #"{"kind":"event","payload":{"kind":"testEnded","testID":"M.e()/F.swift:1:1","messages":[{"symbol":"fail","text":""}]},"version":0}"#,
      #"{"kind":"event","payload":{"kind":"runEnded","messages":[{"symbol":"fail","text":""}]},"version":0}"#,
    ]
    var events = SwiftTestingEvents(listed: [Self.event], bounds: Self.small, relativise: ResultsFixture.relativise)
    events.consume(events: Array((begin + lines + end).map { $0 + "\n" }.joined().utf8))
    return events.finish()
  }

  private func issue(known: Bool = false, of testCase: String? = nil) -> String {
    let part = testCase.map { #","_testCase":{"id":"\#($0)","displayName":"\#($0)"}"# } ?? ""
    return
      #"{"kind":"event","payload":{"kind":"issueRecorded","testID":"M.e()/F.swift:1:1","issue":{"isKnown":\#(known)},"messages":[{"symbol":"fail","text":"no"}]\#(part)},"version":0}"#
  }

  @Test("Issues of Swift Testing beyond a number are counted, failures and known issues apart")
  func issues() throws {
    let run = events((0..<5).flatMap { _ in [issue(known: true), issue()] })
    let result = try #require(run.results.first)
    #expect(result.state == .failed)
    #expect(result.failures.count + result.knownIssues.count == 4)
    #expect(result.leftOut == LeftOutCounts(failures: 3, knownIssues: 3))
    #expect(run.anomalies.isEmpty)
    #expect(run.sawTerminalRecord)
  }

  @Test("A failure of a case that is left out keeps the test red")
  func cases() throws {
    let starts = (0..<4).map {
      #"{"kind":"event","payload":{"kind":"testCaseStarted","testID":"M.e()/F.swift:1:1","_testCase":{"id":"\#($0)","displayName":"\#($0)"}},"version":0}"#
    }
    let result = try #require(events(starts + [issue(of: "3")], isParameterized: true).results.first)
    #expect(result.state == .failed)
    #expect(result.failures.count == 1)
    #expect(result.leftOut == LeftOutCounts(cases: 2))
  }

  @Test("A transcript keeps its beginning and its end, within a number of bytes")
  func transcript() {
    var bounds = Bounds()
    bounds.transcript = 1000
    bounds.transcriptLine = 100
    var transcript = Transcript(bounds)
    for number in 0..<10_000 {
      transcript.append(TranscriptLine(text: "\(number) " + String(repeating: "x", count: 200)))
    }
    #expect(transcript.byteCount <= 1000)
    #expect(transcript.lines.first?.text.hasPrefix("0 x") == true)
    #expect(transcript.lines.last?.text.hasPrefix("9999 x") == true)
    #expect(transcript.lines.contains { $0.text.hasSuffix(" lines left out …") })
  }

  @Test("A list with too many tests, or with a name that is too long, is refused, since no test may be left out")
  func listing() {
    var bounds = Bounds()
    bounds.tests = 2
    bounds.testName = 10
    let many = #expect(throws: ParsingError.self) {
      try TestListing.swiftTesting(Array("M.a()\nM.b()\nM.c()\n".utf8), bounds: bounds)
    }
    #expect(
      many?.description == """
        Cannot read the list of Swift Testing tests: it has 3 tests, and an executable may have 2. \
        Make tests that differ in their data parameterised ones.
        """)
    let long = #expect(throws: ParsingError.self) {
      try TestListing.swiftTesting(Array("M.abcdefghijkl()\n".utf8), bounds: bounds)
    }
    #expect(
      long?.description == """
        Cannot read the list of Swift Testing tests: the name of 'M.abcdefghijkl()…' has 16 bytes, and it may have 10. \
        Shorten it.
        """)
  }

  @Test("Warnings and errors of a build beyond a number are one more of each that says so")
  func diagnostics() {
    var bounds = Bounds()
    bounds.diagnostics = 2
    var log = BuildLog(bounds: bounds) { _ in nil }
    for number in 0..<5 { log.append("/p/a.swift:\(number + 1):1: warning: w\(number)\n".utf8) }
    log.append("/p/a.swift:9:1: error: e\n".utf8)
    #expect(
      log.finish().map(\.message) == [
        "w0", "w1", "e", "3 more warnings were left out; the log of the step has them.",
      ])
  }

  @Test("What follows a diagnostic that is left out belongs to no other")
  func behindDiagnostics() {
    var bounds = Bounds()
    bounds.diagnostics = 1
    var log = BuildLog(bounds: bounds) { _ in nil }
    let lines = """
      /p/a.swift:1:1: warning: kept
      /p/a.swift:2:1: warning: left out
      /p/b.swift:3:1: note: declared here
      /usr/bin/ld: error: kept too
      /usr/bin/ld: error: left out
      >>> referenced by b.o

      """
    log.append(lines.utf8)
    let found = log.finish()
    #expect(
      found.map(\.message) == [
        "kept", "kept too", "1 more error was left out; the log of the step has them.",
        "1 more warning was left out; the log of the step has them.",
      ])
    let notes = found.flatMap(\.notes)
    #expect(notes.isEmpty)
  }

  @Test("Sentences about an outcome beyond a number are one that says how many")
  func reasons() {
    var bounds = Bounds()
    bounds.reasons = 2
    var builder = TestReportBuilder(xctest: [], swiftTesting: [], bounds: bounds)
    builder.add(
      ParsedTestRun(library: .xctest, source: "console", sawTerminalRecord: true, anomalies: ["a", "b", "c", "d"]),
      ending: ProcessEnding(.exited(0)))
    #expect(builder.build().gaps.map(\.sentence) == ["a", "b", "2 more like this."])
  }
}
