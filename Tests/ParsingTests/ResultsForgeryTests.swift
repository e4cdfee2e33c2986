import Model
import Testing

@testable import Parsing

@Suite("Results: hostile and broken output")
struct ResultsForgeryTests {
  private static let started = " started at 2026-11-20 09:00:00.000\n"
  private static let one = TestID(module: "M", suite: "C", name: "one")
  private static let two = TestID(module: "M", suite: "C", name: "two")

  private func console(_ text: String) -> ParsedTestRun {
    ResultsFixture.console([Self.one, Self.two], [(.standardOutput, Array(text.utf8))])
  }

  private func events(_ records: [UInt8]...) -> ParsedTestRun {
    var events = SwiftTestingEvents(listed: [], relativise: { $0 })
    for record in records { events.consume(events: record) }
    return events.finish()
  }

  @Test("A verdict on a test that is not open counts for nothing")
  func foreignVerdict() {
    let run = console("Test Case 'C.one'\(Self.started)Test Case 'C.two' passed (0.0 seconds)\n")
    #expect(run.results.map(\.state) == [.notRun])
    #expect(run.results[0].transcript.map(\.text) == ["Test Case 'C.two' passed (0.0 seconds)"])
    #expect(run.anomalies == ["A verdict on C.two was printed before that test had started."])
  }

  @Test("Totals that are printed inside a test prove nothing")
  func forgedTotals() {
    let run = console(
      """
      Test Suite 'All tests'\(Self.started)Test Case 'C.one'\(Self.started)Test Suite 'All tests' passed at now
      \t Executed 1 test, with 0 failures (0 unexpected) in 0.0 (0.0) seconds

      """)
    #expect(!run.sawTerminalRecord)
    #expect(run.openTests == [Self.one])
  }

  @Test("Totals that do not agree with what was seen prove nothing")
  func wrongTotals() {
    let run = console(
      """
      Test Suite 'All tests'\(Self.started)Test Case 'C.one'\(Self.started)Test Case 'C.one' passed (0.0 seconds)
      Test Suite 'All tests' passed at now
      \t Executed 2 tests, with 0 failures (0 unexpected) in 0.0 (0.0) seconds

      """)
    #expect(!run.sawTerminalRecord)
    #expect(
      run.anomalies == ["XCTest's final totals say 2 tests and 0 failures, but 1 test and 0 failures were seen."])
  }

  @Test("A second start of the same test is told, and keeps the graver verdict")
  func secondStart() {
    let run = console(
      """
      Test Case 'C.one'\(Self.started)Test Case 'C.one' failed (0.0 seconds)
      Test Case 'C.one'\(Self.started)Test Case 'C.one' passed (0.0 seconds)

      """)
    #expect(run.results.map(\.state) == [.failed])
    #expect(run.anomalies == ["C.one was started twice."])
  }

  @Test("A second verdict cannot make a test better, and can make it worse")
  func secondVerdict() {
    let run = console(
      """
      Test Case 'C.one'\(Self.started)Test Case 'C.one' passed (0.0 seconds)
      Test Case 'C.one' failed (0.0 seconds)
      Test Case 'C.one' passed (0.0 seconds)

      """)
    #expect(run.results.map(\.state) == [.failed])
    #expect(run.anomalies == ["A second verdict on C.one was printed."])
  }

  @Test("A line that reads like a failure does not make a passed test red, and is told")
  func forgedFailure() {
    let run = console(
      "Test Case 'C.one'\(Self.started)/x.swift:3: error: C.one : no\nTest Case 'C.one' passed (0.0 seconds)\n")
    #expect(run.results.map(\.state) == [.passed])
    #expect(run.results[0].failures.isEmpty)
    #expect(run.anomalies == ["C.one passed, but its output has a line that reads like a failure of it."])
  }

  @Test("A test that was not asked for is reported under an unknown module")
  func unlisted() {
    let run = console("Test Case 'D.three'\(Self.started)Test Case 'D.three' passed (0.0 seconds)\n")
    #expect(run.results.map(\.id) == [TestID(module: "?", suite: "D", name: "three")])
    #expect(run.anomalies == ["D.three ran although it was not asked for."])
  }

  @Test("Contradictions are counted beyond a hundred")
  func manyContradictions() {
    let lines = (0..<300).map { "Test Case 'D.t\($0)'\(Self.started)Test Case 'D.t\($0)' passed (0.0 seconds)\n" }
    let run = console(lines.joined())
    #expect(run.anomalies.count == 101)
    #expect(run.anomalies.last == "There were 200 more contradictions of this kind.")
  }

  @Test("Random bytes make nothing pass that did not, unless it is told", arguments: 0..<20)
  func noise(seed: UInt64) throws {
    var state = seed &* 6_364_136_223_846_793_005 &+ 1
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
    let asked = try ResultsFixture.listed("AssertionTests", "CycleTests")
    for name in ["assertions.stdout.txt", "cycle.stdout.txt", "kinds-6.3.jsonl", "events-crash-serial.jsonl"] {
      let clean = try ResultsFixture.bytes(name)
      var noisy = clean
      for _ in 0..<(seed < 10 ? 5 : 200) {
        noisy[Int(next() % UInt64(noisy.count))] = UInt8(truncatingIfNeeded: next())
      }
      let runs = [clean, noisy].map { ResultsFixture.console(asked, [(.standardOutput, $0)]) }
      expectNoBetter(runs[1], than: runs[0])
      expectNoBetter(events(noisy), than: events(clean))
      _ = try TestListing.swiftTesting(noisy)
      _ = try? TestListing.xctest(noisy)
    }
  }

  /// Neither a test nor the run may look better than they were without a word that something is wrong.
  private func expectNoBetter(_ run: ParsedTestRun, than clean: ParsedTestRun) {
    guard run.anomalies.isEmpty else { return }
    #expect(!run.sawTerminalRecord || clean.sawTerminalRecord)
    let passed = Set(clean.results.filter { $0.state == .passed }.map(\.id))
    for result in run.results where result.state == .passed { #expect(passed.contains(result.id)) }
  }

  @Test("Records that cannot be read are counted and stop nothing")
  func unreadable() {
    let run = events(
      Records.described("a()"), Records.line("{"), Records.line(#"{"kind":"event","payload":{"kind":7}}"#),
      Records.line(#"{"kind":"future","payload":{}}"#), Records.event("testStarted", "a()"),
      Records.event("testEnded", "a()"), Records.event("runEnded"), [0xFF, 0x00, 0x0A])
    #expect(run.results.map(\.state) == [.passed])
    #expect(run.sawTerminalRecord)
    #expect(
      run.anomalies == [
        """
        3 of 8 records of the event stream could not be read; the first was number 2: it is no valid JSON object.
        """
      ])
  }

  @Test("A deeply nested record does no harm")
  func nested() {
    let run = events(Array(repeating: UInt8(ascii: "["), count: 200_000))
    #expect(run.anomalies.count == 1)
  }

  @Test("Repeated and unknown records are told")
  func repeated() {
    let run = events(
      Records.event("runStarted"), Records.event("runStarted"), Records.described("a()", "a()"),
      Records.event("testStarted", "a()"), Records.event("testStarted", "a()"), Records.event("testEnded", "b()"),
      Records.event("testEnded", "a()"), Records.event("testEnded", "a()"), Records.event("runEnded"),
      Records.event("runEnded"))
    #expect(
      run.anomalies == [
        "The event stream has more than one start of a run.",
        "M.a()/File.swift:1:2 was described twice.",
        "M.a()/File.swift:1:2 was started twice.",
        "The event stream has events of M.b()/File.swift:1:2, which it does not describe.",
        "M.a()/File.swift:1:2 ended twice.",
        "The event stream goes on after the end of the run.",
        "The event stream has more than one end of a run.",
      ])
  }

  @Test("A test that the library calls failed is failed even when its issue is missing")
  func lostIssue() {
    let run = events(
      Records.described("a()"), Records.event("testStarted", "a()"), Records.event("testEnded", "a()", symbol: "fail"),
      Records.event("runEnded", symbol: "fail"))
    #expect(run.results.map(\.state) == [.failed])
    #expect(run.results[0].failures.map(\.message) == ["Swift Testing called the test failed."])
  }

  @Test("A run that the library calls failed is not complete when no failure was seen")
  func lostFailure() {
    let run = events(
      Records.described("a()"), Records.event("testStarted", "a()"), Records.event("testEnded", "a()"),
      Records.event("runEnded", symbol: "fail"))
    #expect(!run.sawTerminalRecord)
    #expect(run.anomalies == ["Swift Testing called the run failed, but no failure was recorded."])
  }

  @Test("An issue that arrives after the end of its test fails it")
  func lateIssue() {
    let run = events(
      Records.described("a()"), Records.event("testStarted", "a()"), Records.event("testEnded", "a()"),
      Records.event("issueRecorded", "a()", symbol: "fail", more: #","issue":{"isKnown":false}"#))
    #expect(run.results.map(\.state) == [.failed])
  }
}
