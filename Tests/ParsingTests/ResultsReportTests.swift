import Model
import Testing

@testable import Parsing
import Rendering

@Suite("Results: the report")
struct ResultsReportTests {
  private func product(
    _ run: ParsedTestRun, listed: [TestID], _ status: ProcessEnding.Status, cause: ProcessEnding.Cause = .itself
  ) -> TestReportBuilder.Product {
    var builder =
      run.library == .xctest
      ? TestReportBuilder(xctest: listed, swiftTesting: []) : TestReportBuilder(xctest: [], swiftTesting: listed)
    builder.add(run, ending: ProcessEnding(status, cause: cause))
    return builder.build()
  }

  @Test("Tests that did not run because the time of all was up say after how long")
  func outOfTime() {
    let listed = [TestID(module: "A", suite: "B", name: "c")]
    var builder = TestReportBuilder(xctest: listed, swiftTesting: [])
    var course = TestCourse(library: .xctest, selected: listed, isEverything: true)
    course.stop(after: 9)
    builder.conclude(course)
    #expect(builder.build().gaps.contains(.notRun(1, stoppedAfter: 9)))
  }

  @Test("A crash: one test passed, one crashed although it had failed before, the rest did not run")
  func crash() throws {
    let listed = try ResultsFixture.listed("CrashTests", "ExitTests")
    let product = product(try ResultsFixture.console("crash", asked: listed), listed: listed, .signaled(4))
    let results = product.report.results
    #expect(results.map(\.state) == [.passed, .crashed, .notRun, .notRun, .notRun, .notRun])
    #expect(
      results[1].failures.map(\.message) == ["Crashed: signal 4 (SIGILL)", "failed - recorded before the crash"])
    #expect(product.report.counts.listed == 6)
    #expect(!product.isProven)
    #expect(
      product.gaps.map(\.sentence) == [
        """
        XCTest: the process was ended by signal 4 (SIGILL) before the library finished, \
        while CycleTests.CrashTests/test_b_crash was running.
        """,
        "4 listed tests did not run.",
      ])
    #expect(
      product.report.runs == [LibraryRun(library: .xctest, source: "console", sawTerminalRecord: false, signal: 4)])
  }

  @Test("exit(0) inside a test is told of that test, and the rest did not run")
  func exitZero() throws {
    let listed = try ResultsFixture.listed("ExitTests")
    let product = product(try ResultsFixture.console("exit-0", asked: listed), listed: listed, .exited(0))
    #expect(product.report.results.map(\.state) == [.passed, .notRun, .notRun])
    #expect(!product.isProven)
    #expect(
      product.gaps.map(\.sentence) == [
        """
        XCTest: the process ended with status 0 before the library finished, \
        while CycleTests.ExitTests/test_b_exit was running.
        """,
        "1 listed test did not run.",
      ])
    #expect(product.report.results.map(\.quit) == [nil, ProcessQuit(), nil])
    #expect(product.report.counts.quit == 1)
    #expect(product.report.counts.unseen == 1)
    #expect(product.report.counts.listed == 3)
  }

  @Test("The call that ended the process, and its line, stay with the test that made it")
  func exitCall() throws {
    let listed = try ResultsFixture.listed("ExitTests")
    var run = try ResultsFixture.console("exit-0", asked: listed)
    let fields: [ObservedProcess.Field] = [.number(0), .number(0), .number(24), .text("exit"), .text("/x.xctest")]
    run.exit = ObservedExit(ObserverRecord(kind: .exit, bytes: fields.flatMap(\.bytes)[...]))
    run.exit?.place = SourceLocation(file: "Tests/CycleTests/ExitTests.swift", line: 9)
    let product = product(run, listed: listed, .exited(0))
    let quit = product.report.results[1].quit
    #expect(quit == ProcessQuit(call: "exit(0)", location: run.exit?.place))
    #expect(quit?.words == "ended the process: exit(0)")
    #expect(ProcessQuit().words == "ended the process with status 0")
    #expect(
      product.gaps.map(\.sentence).first
        == "\(listed[1].name) called exit(0) at ExitTests.swift:9.")
    // What the observer saw XCTest do itself is no test's doing.
    run.exit?.endsRun = true
    #expect(self.product(run, listed: listed, .exited(0)).report.results[1].quit == nil)
  }

  @Test("A call that ended the process while no test was running is told with its line")
  func exitBetweenTests() throws {
    let listed = try ResultsFixture.listed("ExitTests")
    var run = try ResultsFixture.console("exit-0", asked: listed)
    run.results = run.results.map { result in
      var result = result
      result.state = .notRun
      return result
    }
    run.openTests = []
    let fields: [ObservedProcess.Field] = [.number(0), .number(0), .number(24), .text("exit"), .text("/x.xctest")]
    run.exit = ObservedExit(ObserverRecord(kind: .exit, bytes: fields.flatMap(\.bytes)[...]))
    run.exit?.place = SourceLocation(file: "Sources/Cycle/Samples.swift", line: 8)
    #expect(
      product(run, listed: listed, .exited(0)).gaps.first?.sentence
        == "XCTest: exit(0) was called at Samples.swift:8 before its first test.")
    // Another status is not the one that the call gave.
    #expect(
      product(run, listed: listed, .exited(1)).gaps.first?.sentence
        == "XCTest: the process ended with status 1 before its first test.")
  }

  @Test("A test that died has the time from its start to the end of its process, and one that ended its own")
  func elapsed() throws {
    let listed = try ResultsFixture.listed("CrashTests", "ExitTests")
    var run = try ResultsFixture.console("crash", asked: listed)
    let before = run.results[0].duration
    run.time([listed[0]: 99, listed[1]: 8.25])
    let results = product(run, listed: listed, .signaled(9), cause: .timeLimit).report.results
    #expect(results.map(\.state) == [.passed, .timedOut, .notRun, .notRun, .notRun, .notRun])
    #expect(results[0].duration == before)
    #expect(results[1].time == 8.25)
    #expect(results[2].time == nil)
  }

  @Test("exit(3) inside a test is a crash of it")
  func exitThree() throws {
    let listed = try ResultsFixture.listed("ExitTests")
    let product = product(try ResultsFixture.console("exit-3", asked: listed), listed: listed, .exited(3))
    #expect(product.report.results.map(\.state) == [.passed, .crashed, .notRun])
  }

  @Test("exit(0) does not hide what the test had failed at")
  func exitAfterFailure() throws {
    let listed = try ResultsFixture.listed("CrashTests")
    let product = product(try ResultsFixture.console("crash", asked: listed), listed: listed, .exited(0))
    #expect(product.report.results.map(\.state) == [.passed, .failed, .notRun])
  }

  @Test("A limit of time and a cancellation are no crashes")
  func stopped() throws {
    let listed = try ResultsFixture.listed("CrashTests")
    let run = try ResultsFixture.console("crash", asked: listed)
    let late = product(run, listed: listed, .signaled(9), cause: .timeLimit)
    #expect(late.report.results.map(\.state) == [.passed, .timedOut, .notRun])
    #expect(
      late.gaps.map(\.sentence).first
        == "XCTest: the process was stopped at its time limit, while CycleTests.CrashTests/test_b_crash was running.")
    let canceled = product(run, listed: listed, .signaled(9), cause: .cancellation)
    #expect(canceled.report.results.map(\.state) == [.passed, .canceled, .notRun])
  }

  @Test("Of several tests that were running when a process died, all are crashed, and the reason says so")
  func severalOpen() throws {
    var events = SwiftTestingEvents(listed: [], relativise: { $0 })
    events.consume(events: Records.described("a()", "b()", "c()"))
    events.consume(events: Records.event("testStarted", "a()") + Records.event("testStarted", "b()"))
    let listed = ["M.a()", "M.b()", "M.c()"].compactMap { TestID($0) }
    let product = product(events.finish(), listed: listed, .signaled(11))
    #expect(product.report.results.map(\.state) == [.crashed, .crashed, .notRun])
    #expect(
      product.gaps.map(\.sentence) == [
        """
        Swift Testing: the process was ended by signal 11 (SIGSEGV) before the library finished, while 2 tests were \
        running.
        """,
        "1 listed test did not run.",
      ])
  }

  @Test("A process that dies between tests is told with the last test before")
  func noneOpen() throws {
    let listed = try ResultsFixture.listed("CrashTests")
    let text = """
      Test Suite 'All tests' started at 2026-11-20 09:00:00.000
      Test Case 'CrashTests.test_a_before' started at 2026-11-20 09:00:00.000
      Test Case 'CrashTests.test_a_before' passed (0.1 seconds)

      """
    let run = ResultsFixture.console(listed, [(.standardOutput, Array(text.utf8))])
    let product = product(run, listed: listed, .signaled(6))
    #expect(product.report.results.map(\.state) == [.passed, .notRun, .notRun])
    #expect(
      product.gaps.map(\.sentence).first == """
        XCTest: the process was ended by signal 6 (SIGABRT) before the library finished, while no test was running; \
        the last to start had been CycleTests.CrashTests/test_a_before.
        """)
  }

  @Test("A whole run of both libraries counts every listed test once")
  func both() throws {
    let xctest = try ResultsFixture.listed("AssertionTests")
    let swiftTesting = try TestListing.swiftTesting(ResultsFixture.bytes("cases.list-tests.txt"))
    var builder = TestReportBuilder(xctest: xctest, swiftTesting: swiftTesting, filteredOut: 9)
    builder.add(try ResultsFixture.console("assertions", asked: xctest), ending: ProcessEnding(.exited(1)))
    builder.add(try ResultsFixture.events("kinds-6.3-fields", listed: swiftTesting), ending: ProcessEnding(.exited(1)))
    let product = builder.build()
    #expect(product.isProven)
    #expect(product.report.results.map(\.id) == (xctest + swiftTesting).sorted())
    #expect(product.report.counts.listed == xctest.count + swiftTesting.count)
    #expect(product.report.counts.filteredOut == 9)
    #expect(product.unattributedFailures.count == 1)
    #expect(
      product.gaps.map(\.sentence) == [
        """
        Swift Testing recorded a failure outside any test at Tests/ExpectTests/KindTests.swift:73:98: \
        Issue recorded
        late issue
        """
      ])
  }

  @Test("A failing status without a failed test is no clean end")
  func statusWithoutFailure() throws {
    let listed = try TestListing.xctest(ResultsFixture.bytes("stored.dump-tests.json"))
    let run = try ResultsFixture.console("stored", asked: listed)
    #expect(product(run, listed: listed, .exited(0)).isProven)
    let leaking = product(run, listed: listed, .exited(1))
    #expect(!leaking.isProven)
    #expect(leaking.gaps.map(\.sentence) == ["XCTest: the process ended with status 1 after the library had finished."])
  }

  @Test("A crash after the library had finished is told once, and as outlived only where the process went on")
  func crashAfterTheEnd() throws {
    let listed = try TestListing.xctest(ResultsFixture.bytes("stored.dump-tests.json"))
    let run = try ResultsFixture.console("stored", asked: listed)
    func gaps(_ status: ProcessEnding.Status, _ reason: String) -> [String] {
      let (ending, crash) = (ProcessEnding(status), CrashReport(reason: reason, signal: 6))
      var builder = TestReportBuilder(xctest: listed, swiftTesting: [])
      builder.add(run, ending: ending, crash: crash)
      builder.add(crash, of: run, ending: ending, suspects: [])
      return builder.build().gaps.map(\.sentence)
    }
    let ended = "XCTest: the process was ended by signal 6 (SIGABRT) after the library had finished"
    #expect(gaps(.signaled(6), "signal 6 (SIGABRT)") == ["\(ended)."])
    #expect(gaps(.signaled(6), "Fatal error: late") == ["\(ended): Fatal error: late."])
    #expect(
      gaps(.exited(0), "Fatal error: late") == [
        "XCTest: a thread crashed and the process ended as if nothing had happened: Fatal error: late."
      ])
  }

  @Test("A passing status with a failed test is no clean end")
  func statusDespiteFailure() throws {
    let listed = try ResultsFixture.listed("IsolationTests").filter { $0.name == "test_b" }
    let product = product(try ResultsFixture.console("isolated", asked: listed), listed: listed, .exited(0))
    #expect(product.gaps.map(\.sentence) == ["XCTest: the process ended with status 0 although tests had failed."])
  }

  @Test("A library that was never run leaves its tests not run")
  func neverRun() throws {
    let listed = try ResultsFixture.listed("IsolationTests")
    let product = TestReportBuilder(xctest: listed, swiftTesting: []).build()
    #expect(product.report.results.map(\.state) == [.notRun, .notRun])
    #expect(product.gaps.map(\.sentence) == ["No XCTest process ran.", "2 listed tests did not run."])
    #expect(!product.isProven)
  }

  @Test("A second process fills in what a crash left out")
  func resumed() throws {
    let listed = try ResultsFixture.listed("CrashTests", "ExitTests")
    var builder = TestReportBuilder(xctest: listed, swiftTesting: [])
    builder.add(try ResultsFixture.console("crash", asked: listed), ending: ProcessEnding(.signaled(4)))
    let left = Array(listed.dropFirst(2))
    builder.add(try ResultsFixture.console("exit-3", asked: left), ending: ProcessEnding(.exited(3)))
    let product = builder.build()
    #expect(product.report.results.map(\.state) == [.passed, .crashed, .notRun, .passed, .crashed, .notRun])
    #expect(product.report.runs.map(\.signal) == [4])
  }

  @Test("A test that ran unlisted is told and included")
  func unlisted() throws {
    let run = try ResultsFixture.events("events-exit-0")
    let product = product(
      run, listed: [TestID(module: "ExpectTests", suite: "SerialTests", name: "a_first()")], .exited(0))
    #expect(product.report.results.count == 3)
    #expect(product.gaps.map(\.sentence).contains("ExpectTests.SerialTests/c_third() ran although it is not listed."))
  }

  @Test("A name that XCTest does not know leaves its test not run, although the process ends well")
  func unknownName() throws {
    let listed = [TestID(module: "Nope", suite: "Nope", name: "test")]
    let product = product(try ResultsFixture.console("nothing", asked: listed), listed: listed, .exited(0))
    #expect(product.report.results.map(\.state) == [.notRun])
    #expect(product.isProven)
    #expect(product.gaps.map(\.sentence) == ["1 listed test did not run."])
  }

  @Test("A Swift Testing process whose filters match nothing ends cleanly with its own status")
  func nothing() throws {
    let product = product(try ResultsFixture.events("events-nothing"), listed: [], .exited(69))
    #expect(product.isProven)
    #expect(product.gaps.isEmpty)
  }
}
