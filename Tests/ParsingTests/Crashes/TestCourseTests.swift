import Model
import Testing

@testable import Parsing

@Suite("The course of a library's processes")
struct TestCourseTests {
  /// Runs a course in which each process is described by what it did with its tests.
  private struct Player {
    var course: TestCourse
    var batches: [String] = []
    var blames: [Blame] = []
    var announcements: [RunAnnouncement?] = []

    init(_ library: TestLibrary, _ names: String, mostDeaths: Int = 20) {
      course = TestCourse(
        library: library, selected: Self.ids(names), isEverything: true, mostDeaths: mostDeaths)
    }

    static func ids(_ names: String) -> [TestID] { names.split(separator: " ").compactMap { TestID("M.\($0)") } }

    /// Plays one process: which tests it ended, which were open, and how it went; nothing when no process comes.
    mutating func play(
      ended: String, open: String = "", _ status: ProcessEnding.Status = .signaled(4),
      cause: ProcessEnding.Cause = .itself, suspects: String = "", cases: Int = 0
    ) {
      guard let batch = course.next() else { return batches.append("nothing") }
      batches.append(
        "\(batch.tests.map { String($0.description.dropFirst(2)) }.joined(separator: " "))\(batch.isSerial ? " serial" : "")"
      )
      announcements.append(course.announcement)
      let library = TestLibrary.swiftTesting
      let done = Self.ids(ended).map { TestResult(id: $0, library: library, state: .passed) }
      let started = Self.ids(open).map { id in
        let arguments = (0..<cases).map { TestArgument(display: "\($0)", state: .notRun) }
        return TestResult(id: id, library: library, arguments: cases > 0 ? arguments : nil)
      }
      let run = ParsedTestRun(
        library: library, source: "", results: done + started, openTests: Self.ids(open),
        sawTerminalRecord: status == .exited(0) && open.isEmpty)
      blames.append(course.note(run, ending: ProcessEnding(status, cause: cause), suspects: Self.ids(suspects)))
    }

    var blamed: [String] {
      blames.map { blame in
        if case .only(let tests) = blame {
          tests.map { String($0.description.dropFirst(2)) }.joined(separator: " ")
        } else {
          "*"
        }
      }
    }
  }

  @Test("Five tests of XCTest of which the third crashes take two processes")
  func third() {
    var player = Player(.xctest, "A/a A/b A/c A/d A/e")
    player.play(ended: "A/a A/b", open: "A/c")
    player.play(ended: "A/d A/e", .exited(0))
    player.play(ended: "")
    #expect(player.batches == ["A/a A/b A/c A/d A/e serial", "A/d A/e serial", "nothing"])
    #expect(player.blamed == ["A/c", "*"])
    #expect(player.course.reasons == [])
  }

  @Test("What a process is for is said once another one died: to find the guilty test, or to run what is left")
  func announcements() {
    var player = Player(.swiftTesting, "a() b() c() d()")
    player.play(ended: "", open: "a() b()")
    player.play(ended: "a()", .exited(0))
    player.play(ended: "", open: "b()")
    player.play(ended: "c() d()", .exited(0))
    #expect(player.announcements == [nil, .search("M.a()"), .search("M.b()"), .rest(2)])
  }

  @Test("Where one test was open it is the guilty one, and those that had not started go on together")
  func onlyOne() {
    var player = Player(.swiftTesting, "a() b() c()")
    player.play(ended: "a()", open: "b()")
    player.play(ended: "c()", .exited(0))
    #expect(player.batches == ["a() b() c()", "c()"])
    #expect(player.blamed == ["b()", "*"])
  }

  @Test("Where several were open they run again one by one, and the rest afterwards together")
  func several() {
    var player = Player(.swiftTesting, "a() b() c() d() e()")
    player.play(ended: "a()", open: "b() c() d()")
    player.play(ended: "b()", .exited(0))
    player.play(ended: "", open: "c()")
    player.play(ended: "d()", .exited(0))
    player.play(ended: "e()", .exited(0))
    player.play(ended: "")
    #expect(
      player.batches == ["a() b() c() d() e()", "b() serial", "c() serial", "d() serial", "e()", "nothing"])
    #expect(player.blamed == ["", "*", "c()", "*", "*"])
    #expect(player.course.reasons == [])
  }

  @Test("A test that the stack names runs again alone, to be sure")
  func suspect() {
    var player = Player(.swiftTesting, "a() b() c()")
    player.play(ended: "", open: "a() b() c()", suspects: "b()")
    player.play(ended: "", open: "b()")
    player.play(ended: "a() c()", .exited(0))
    #expect(player.batches == ["a() b() c()", "b() serial", "a() c()"])
    #expect(player.blamed == ["", "b()", "*"])
  }

  @Test("A crash that does not happen again is the named test's all the same")
  func once() {
    var player = Player(.swiftTesting, "a() b()")
    player.play(ended: "", open: "a() b()", suspects: "b()")
    player.play(ended: "b()", .exited(0))
    player.play(ended: "a()", .exited(0))
    #expect(player.course.convicts.map(\.id.name) == ["b()"])
    #expect(player.course.convicts.map(\.state) == [.crashed])
    #expect(
      player.course.reasons == [
        "Swift Testing: the process was ended by signal 4 (SIGILL) before the library finished, while 2 tests were running."
      ])
  }

  @Test("A thread that a test left behind makes that test crashed, and the one that was running runs again")
  func leftBehind() {
    var player = Player(.xctest, "A/a A/b A/c")
    player.play(ended: "A/a", open: "A/b", suspects: "A/a")
    player.play(ended: "A/b A/c", .exited(0))
    #expect(player.batches == ["A/a A/b A/c serial", "A/b A/c serial"])
    #expect(player.blamed == ["", "*"])
    #expect(player.course.convicts.map(\.id.name) == ["a"])
    #expect(player.course.convicts.map(\.state) == [.crashed])
    #expect(player.course.convicts.first?.failures.first?.message == "Crashed: signal 4 (SIGILL)")
    #expect(player.course.reasons == [])
  }

  @Test("A crash that does not happen again and names nobody stays in the reasons")
  func riddle() {
    var player = Player(.swiftTesting, "a() b()")
    player.play(ended: "", open: "a() b()")
    player.play(ended: "a()", .exited(0))
    #expect(player.course.reasons == [])
    player.play(ended: "b()", .exited(0))
    player.play(ended: "")
    #expect(player.batches == ["a() b()", "a() serial", "b() serial", "nothing"])
    #expect(player.course.convicts == [])
    #expect(
      player.course.reasons == [
        """
        Swift Testing: the process was ended by signal 4 (SIGILL) before the library finished, while 2 tests were running. \
        Run one after the other, none of them did it again.
        """
      ])
  }

  @Test("A parameterised test with several open cases runs again alone, to find the case")
  func cases() {
    var player = Player(.swiftTesting, "a(_:) b()")
    player.play(ended: "b()", open: "a(_:)", cases: 3)
    player.play(ended: "", open: "a(_:)", cases: 1)
    #expect(player.batches == ["a(_:) b()", "a(_:) serial"])
    #expect(player.blamed == ["", "a(_:)"])
  }

  @Test("At a limit the tests that the stacks name are late, and the others run again")
  func late() {
    var player = Player(.swiftTesting, "a() b() c() d()")
    player.play(ended: "", open: "a() b() c()", .signaled(15), cause: .timeLimit, suspects: "a() b()")
    player.play(ended: "c() d()", .exited(0))
    #expect(player.batches == ["a() b() c() d()", "c() d()"])
    #expect(player.blamed == ["a() b()", "*"])
  }

  @Test("A class that dies before its first test is left out, the next one runs")
  func setUp() {
    var player = Player(.xctest, "A/a B/a B/b C/a")
    player.play(ended: "A/a")
    player.play(ended: "")
    player.play(ended: "C/a", .exited(0))
    #expect(player.batches == ["A/a B/a B/b C/a serial", "B/a B/b C/a serial", "C/a serial"])
    #expect(player.course.reasons == ["XCTest: it was about to start M.B."])
    var alone = Player(.xctest, "A/a A/b")
    alone.play(ended: "")
    #expect(alone.course.reasons == ["XCTest: it was about to start M.A."])
  }

  @Test("A class before whose first test the process ends with status 0 is told once, with the call, at that test")
  func quitBeforeStart() throws {
    let tests = [("B", "a"), ("B", "b"), ("C", "a")].map { TestID(module: "M", suite: $0.0, name: $0.1) }
    var course = TestCourse(library: .xctest, selected: tests, isEverything: true)
    #expect(course.next()?.tests == tests)
    let run = ParsedTestRun(library: .xctest, source: "observer")
    #expect(course.note(run, ending: ProcessEnding(.exited(0)), suspects: []) == .only([]))
    #expect(course.reasons == ["The process ended with status 0 before any test of B began."])
    #expect(course.convicts.map(\.id) == [tests[0]])
    #expect(course.convicts.map(\.quit) == [ProcessQuit(isBeforeStart: true)])
    #expect(course.convicts.map(\.state) == [.notRun])
    #expect(course.next()?.tests == [tests[2]])
    let place = SourceLocation(file: "Sources/M/Samples.swift", line: 8)
    let quit = ProcessQuit(call: "exit(0)", location: place, isBeforeStart: true)
    #expect(quit.sentence(before: "B") == "exit(0) at Samples.swift:8 ended the process before any test of B began")
    #expect(quit.words == "did not begin: exit(0) ended the process")
  }

  @Test("A call with another status before the first test of a class is told at that test, if it was seen")
  func otherStatusBeforeStart() {
    let tests = [TestID(module: "M", suite: "B", name: "a"), TestID(module: "M", suite: "C", name: "a")]
    var run = ParsedTestRun(library: .xctest, source: "observer")
    var unseen = TestCourse(library: .xctest, selected: tests, isEverything: true)
    _ = unseen.next()
    #expect(unseen.note(run, ending: ProcessEnding(.exited(3)), suspects: []) == .everyOpenTest)
    #expect(unseen.convicts.isEmpty && unseen.reasons == ["XCTest: it was about to start M.B."])
    let fields: [ObservedProcess.Field] = [.number(0), .number(3), .number(24), .text("exit"), .text("/x.xctest")]
    run.exit = ObservedExit(ObserverRecord(kind: .exit, bytes: fields.flatMap(\.bytes)[...]))
    let place = SourceLocation(file: "Tests/M/B.swift", line: 8)
    run.exit?.place = place
    var course = TestCourse(library: .xctest, selected: tests, isEverything: true)
    _ = course.next()
    #expect(course.note(run, ending: ProcessEnding(.exited(3)), suspects: []) == .only([]))
    #expect(course.reasons == ["exit(3) at B.swift:8 ended the process before any test of B began."])
    #expect(
      course.convicts.map(\.quit) == [
        ProcessQuit(call: "exit(3)", location: place, isBeforeStart: true, status: 3)
      ])
    #expect(course.next()?.tests == [tests[1]])
  }

  @Test("What ended a process between two classes is told once if it ends the next one before its first test")
  func quitBetween() {
    let tests = [("A", "a"), ("B", "a"), ("C", "a")].map { TestID(module: "M", suite: $0.0, name: $0.1) }
    let place = SourceLocation(file: "Sources/M/Samples.swift", line: 8)
    func run(_ done: [TestID]) -> ParsedTestRun {
      var run = ParsedTestRun(
        library: .xctest, source: "observer",
        results: done.map { TestResult(id: $0, library: .xctest, state: .passed) })
      let fields: [ObservedProcess.Field] = [.number(0), .number(0), .number(24), .text("exit"), .text("/x.xctest")]
      run.exit = ObservedExit(ObserverRecord(kind: .exit, bytes: fields.flatMap(\.bytes)[...]))
      run.exit?.place = place
      return run
    }
    let between =
      "XCTest: exit(0) was called at Samples.swift:8 while no test was running; the last to start had been M.A/a."
    var course = TestCourse(library: .xctest, selected: tests, isEverything: true)
    _ = course.next()
    #expect(course.note(run([tests[0]]), ending: ProcessEnding(.exited(0)), suspects: []) == .only([]))
    #expect(course.reasons == [between])
    var other = course
    #expect(course.next()?.tests == [tests[1], tests[2]])
    #expect(course.note(run([]), ending: ProcessEnding(.exited(0)), suspects: []) == .only([]))
    #expect(course.reasons == ["exit(0) at Samples.swift:8 ended the process before any test of B began."])
    // Where the next process goes on, it was behind the class before.
    _ = other.next()
    #expect(other.note(run([tests[1]]), ending: ProcessEnding(.exited(0)), suspects: []) == .only([]))
    #expect(other.reasons.first == between && other.reasons.count == 2)
  }

  @Test("Swift Testing's process that dies before its first test is not started again")
  func noStart() {
    var player = Player(.swiftTesting, "a() b()")
    player.play(ended: "")
    player.play(ended: "")
    #expect(player.batches == ["a() b()", "nothing"])
    #expect(player.course.reasons == ["Swift Testing: no test had started, so the 2 tests were not tried again."])
  }

  @Test("One test that is left is told of in the singular")
  func one() {
    var player = Player(.swiftTesting, "a()")
    player.play(ended: "")
    player.play(ended: "")
    #expect(player.course.reasons == ["Swift Testing: no test had started, so 1 test was not tried again."])
    var classes = Player(.xctest, "A/a A/b", mostDeaths: 0)
    classes.play(ended: "", open: "A/a")
    #expect(classes.course.reasons == ["XCTest: 1 process died, so the test that was left was not started."])
  }

  @Test("There is an end to starting again")
  func bounded() {
    var player = Player(.xctest, "A/a A/b A/c A/d", mostDeaths: 1)
    player.play(ended: "", open: "A/a")
    player.play(ended: "", open: "A/b")
    player.play(ended: "")
    #expect(player.batches == ["A/a A/b A/c A/d serial", "A/b A/c A/d serial", "nothing"])
    #expect(
      player.course.reasons == ["XCTest: 2 processes died, so the 2 tests that were left were not started."])
  }

  @Test("A search that is given up ends with what is known: the reason, and the tests that the stack named")
  func givenUp() {
    let death = "Swift Testing: the process was ended by signal 4 (SIGILL) before the library finished"
    var named = Player(.swiftTesting, "a() b() c()")
    named.play(ended: "", open: "a() b()", suspects: "b()")
    named.course.giveUp(because: "the time was up")
    #expect(named.course.convicts.map(\.id.name) == ["b()"])
    #expect(named.course.convicts.map(\.state) == [.crashed])
    #expect(
      named.course.reasons == [
        "\(death), while 2 tests were running.",
        "Swift Testing: the time was up, so the 3 tests that were left were not started.",
      ])
    var riddle = Player(.swiftTesting, "a() b()", mostDeaths: 0)
    riddle.play(ended: "", open: "a() b()")
    #expect(riddle.course.convicts == [])
    #expect(riddle.course.reasons == ["\(death), while 2 tests were running."])
    riddle.course.stop(after: 9)
    #expect(riddle.course.stoppedAfter == 9 && riddle.course.reasons.count == 1)
  }
}
