import Model
import Testing

extension Misbehaviors {
  @Suite("When a test dies")
  struct CrashTests {
    /// The integrations of the dying package, by their filters. Those that share one do not meet: of each only one is of
    /// Swift Testing, and those of XCTest run one after the other, in fresh processes after a death.
    private static let story = Result<[String: Integrated], any Error> {
      let ground = try DyingGround.shared.get()
      return try Program(scratch: ground.scratch).integrate(companies, of: ground.repository, bot: DyingPackage.bot)
    }

    private static let companies = [
      ["ThirdTests", "SDying.Cases/"], ["EndingTests|LaterTests", "SDying.Killed/"], ["LeavingTests", "SDying.Left/"],
      ["GroundTests|LaterTests", "TillTests"], ["DrainedTests|LaterTests"], ["SDying.Eight/"], ["SDying.ExitTests/"],
    ]

    private func part(_ filter: String) throws -> SelectedTests {
      let whole = try #require(Self.story.get()[filter])
      #expect(whole.addsUp)
      #expect(try whole.report.brokenLinks() == [])
      return try SelectedTests(filter, of: whole)
    }

    @Test("Of five tests of which the third traps, four have a verdict and one is crashed")
    func third() throws {
      let part = try part("ThirdTests")
      #expect(part.states == [.passed, .passed, .crashed, .passed, .passed])
      #expect(part.document.outcome == .testFailures)
      let failure = try #require(part.test("test3")?.failures.first)
      #expect(failure.message == "Crashed: Fatal error: Index out of range")
      #expect(failure.file == "Sources/Dying/Shelf.swift")
      #expect(failure.line == DyingPackage.shelf.line(with: "return books[place]"))
    }

    @Test("The page of a crash says first what it died of and where, and what was printed last")
    func page() throws {
      let part = try part("ThirdTests")
      let page = try #require(part.report.files().first { $0.hasPrefix("tests/") && $0.contains("-test3-") })
      let words = try part.report.words(page)
      let order = [
        "test3 crashed", "Fatal error: Index out of range at Shelf.swift:12", "Where it crashed", "Backtrace",
      ]
      let places = order.map { words.firstRange(of: $0)?.lowerBound }
      #expect(!places.contains(nil))
      #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
      #expect(words.contains("about to fall"))
    }

    @Test("The lines that ran before and after the crash are covered, those of the crashed test included")
    func coverage() throws {
      let part = try part("ThirdTests")
      #expect(part.coverage.complete)
      let lines = try #require(part.whole.file("Sources/Dying/Shelf.swift")?.lines)
      #expect(lines.total == 10)
      #expect(lines.covered == 10)
    }

    @Test("abort, SIGKILL, _exit and fatalError each end one test, and the others run")
    func endings() throws {
      let part = try part("EndingTests|LaterTests")
      #expect(part.states == [.passed, .crashed, .crashed, .crashed, .crashed, .passed, .passed])
      let messages = part.cases.compactMap(\.failures.first?.message)
      #expect(
        messages == [
          "Crashed: signal 6 (SIGABRT)", "Crashed: signal 9 (SIGKILL)",
          "Crashed: the process ended with status 3, by _exit(3) at Tests/XDying/XDying.swift:21",
          "Crashed: Fatal error: one\ntwo",
        ])
      #expect(part.coverage.available)
    }

    @Test("exit(0) in a test is never green, and the test is named", arguments: ["LeavingTests", "SDying.Left/"])
    func leaving(filter: String) throws {
      let part = try part(filter)
      #expect(part.document.outcome == .incomplete)
      #expect(part.count(.passed) == 2)
      #expect(part.count(.notRun) == 1)
      let name = filter == "LeavingTests" ? "XDying.LeavingTests/test2" : "SDying.Left/two()"
      let short = name.split(separator: "/").last.map(String.init) ?? name
      #expect(part.document.reasons.contains { $0.hasPrefix("\(short) called exit(0) at ") })
      #expect(!part.document.reasons.contains { $0.contains("did not run") })
      #expect(part.cases.count { $0.quit != nil } == 1)
      // There is one in each library.
      #expect(part.document.tests.quit == 2)
      let quit = try #require(part.cases.first { "\($0.id)" == name }?.quit)
      #expect(quit.call == "exit(0)")
      #expect(quit.location?.file.hasSuffix("Dying.swift") == true)
    }

    @Test("What follows a call that ended the process never ran")
    func afterExit() throws {
      let part = try part("TillTests")
      let quit = try #require(part.cases.first?.quit)
      #expect(quit.location?.line == 7)
      let lines = DyingPackage.xctest.split(separator: "\n", omittingEmptySubsequences: false)
      let call = try #require(lines.firstIndex { $0.contains("till.count") }) + 1
      #expect(quit.calledFrom == SourceLocation(file: "Tests/XDying/XDying.swift", line: call))
      #expect(try part.report.brokenLinks() == [])
      let counted = try #require(part.whole.file("Sources/Dying/Till.swift")?.lines)
      #expect((counted.total, counted.covered) == (6, 3))
    }

    @Test("A class whose preparation dies is told with its message, and the next class runs")
    func ground() throws {
      let part = try part("GroundTests|LaterTests")
      #expect(part.states == [.notRun, .notRun, .passed])
      #expect(part.document.outcome == .incomplete)
      #expect(
        part.document.reasons.contains {
          $0.contains("before its first test: Fatal error: no ground, at ")
        })
    }

    @Test("A class whose preparation ends the process with status 0 is told with the call, at its first test")
    func drained() throws {
      let part = try part("DrainedTests|LaterTests")
      #expect(part.states == [.notRun, .notRun, .passed])
      #expect(part.document.outcome == .incomplete)
      let line = try #require(part.document.tests.cases.first?.quit?.location?.line)
      #expect(
        part.document.reasons == [
          "exit(0) at XDying.swift:\(line) ended the process before any test of DrainedTests began.",
          "2 listed tests did not run.",
        ])
      #expect(part.document.tests.cases.map { $0.quit?.isBeforeStart } == [true, nil, nil])
      #expect(part.document.issues.map(\.kind) == [.quit])
      #expect(try part.report.text("index.html").contains("exit(0) ended the process before any test of"))
    }

    @Test("Of eight tests that run at once, the one that traps is crashed and the others have their own verdicts")
    func eight() throws {
      let part = try part("SDying.Eight/")
      #expect(part.count(.crashed) == 1)
      #expect(part.count(.failed) == 1)
      #expect(part.count(.passed) == 6)
      #expect(part.test("five()")?.state == .crashed)
      #expect(part.test("five()")?.failures.first?.message == "Crashed: Fatal error: Index out of range")
      #expect(part.test("three()")?.state == .failed)
    }

    @Test("Where nothing but the signal is known, the guilty test is found by running the open ones again")
    func killed() throws {
      let part = try part("SDying.Killed/")
      #expect(part.test("two()")?.state == .crashed)
      #expect(part.test("two()")?.failures.first?.message == "Crashed: signal 9 (SIGKILL)")
      #expect(part.count(.passed) == 2)
    }

    @Test("The case that traps is crashed, the cases before it have passed")
    func cases() throws {
      let part = try part("SDying.Cases/")
      let arguments = try #require(part.test("book(_:)")?.arguments)
      #expect(arguments.first { $0.display == "5" }?.state == .crashed)
      #expect(arguments.first { $0.display == "0" }?.state == .passed)
      #expect(part.count(.crashed) == 1)
    }

    @Test("The children of exit tests are no crashes")
    func exitTests() throws {
      let part = try part("SDying.ExitTests/")
      #expect(part.document.outcome == .succeeded)
      #expect(part.coverage.complete)
    }
  }
}
