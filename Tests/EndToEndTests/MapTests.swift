import Foundation
import Model
import Testing

extension Histories {
  @Suite("What it is good for to know which test runs which line")
  struct MapTests {
    private let story: MapStory

    init() throws {
      story = try MapStory.told.get()
    }

    @Test("Each line says how many tests ran it, and tests that ran nothing are named")
    func shown() throws {
      #expect(story.first.document.outcome == .succeeded)
      #expect(try story.first.report.words("coverage/Sources-Shop-Till.swift.html").contains("2 tests"))
      #expect(story.first.coverage.testMap?.idle?.map(\.description) == ["ShopTests.nothing()"])
      #expect(
        try story.first.report.words("coverage.html").contains(
          "1 test ran none of the package's own lines: ShopTests.nothing()."))
      #expect(story.first.document.tests.first == nil)
    }

    @Test("Suites that reach what changed run first, and a failure of theirs stays one")
    func first() throws {
      #expect(story.broken.document.outcome == .testFailures)
      #expect(story.broken.document.tests.first == TestsRunFirst(since: 1, tests: 2))
      #expect(story.broken.addsUp)
      #expect(story.broken.document.tests.passed == 3)
      #expect(story.broken.step(.testing)?.exitStatus == 1)
      let log = try String(contentsOfFile: "\(story.broken.kept)/log/testing.log", encoding: .utf8)
      let till = try #require(log.firstRange(of: "TillTests.testOpen"))
      let cart = try #require(log.firstRange(of: "CartTests.testSum"))
      #expect(till.lowerBound < cart.lowerBound)
    }

    @Test("XCTest's suites that reach what changed run first in the same process")
    func firstInProcess() throws {
      #expect(story.mended.document.tests.first == TestsRunFirst(since: 2, tests: 2))
      let log = try String(contentsOfFile: "\(story.mended.kept)/log/testing.log", encoding: .utf8)
      let started = log.matches(of: /Test Case '(\w+)\.\w+' started/).map { String($0.1) }
      #expect(started == ["LuckTests", "TillTests", "CartTests", "CartTests"])
      #expect(log.matches(of: /Test Suite 'All tests' started/).count == 1)
      #expect(story.mended.addsUp && story.mended.document.tests.passed == 5)
    }

    @Test("The map of tests that ran in phases is whole")
    func whole() throws {
      #expect(story.broken.coverage.testMap?.tests == 5)
      #expect(story.broken.coverage.lines?.uncovered == 0)
    }

    @Test("A test that turned red though nothing changed that it ran is suspected to be flaky")
    func untouched() throws {
      let issue = try #require(story.unlucky.document.issues.first { $0.test?.name == "testLuck" })
      #expect(issue.status == .new && issue.knownFlaky == nil)
      #expect(issue.suspects?.map(\.reason) == ["nothing that it ran changed."])
    }

    @Test("Another failure of a test that passed and failed on the same code is not called new")
    func knownFlaky() throws {
      #expect(story.lucky.document.outcome == .succeeded)
      let issue = try #require(story.again.document.issues.first { $0.test?.name == "testLuck" })
      #expect(issue.status == .new && issue.knownFlaky == true)
      #expect(
        story.again.run.output.contains("known flaky: passed and failed on the same code in 4 and 5"))
      #expect(try story.again.report.words("tests.html").contains("Known flaky"))
    }

    @Test("A test in quarantine does not count, and is shown with its reason and its end")
    func quarantine() throws {
      #expect(story.quarantined.document.outcome.isGreen)
      #expect(story.quarantined.test("testLuck")?.state == .failed)
      #expect(story.quarantined.document.tests.silenced == 1)
      #expect(story.quarantined.document.tests.quarantine?.map(\.state) == [.holds])
      let tests = try story.quarantined.report.words("tests.html")
      #expect(tests.contains("depends on luck") && tests.contains("through 31 Dec 2999"))
      #expect(!tests.contains("ShopTests.LuckTests/testLuck:"), "Its row has all of it.")
      let shown = try story.program.run("show", "\(MapStory.bot)/\(story.quarantined.document.number)")
      #expect(shown.output.contains("in quarantine through 31 Dec 2999: “depends on luck”"))
      // It is told once: red tests stand with their quarantine, only the others in a list of their own.
      #expect(!shown.output.contains("(depends on luck)"))
      #expect(try story.program.run("issues", MapStory.bot).status != nil)
    }

    @Test("A quarantine that is over counts no longer, and says so")
    func ended() throws {
      #expect(story.ended.document.outcome == .testFailures)
      #expect(story.ended.document.tests.quarantine?.map(\.state) == [.ended])
      let issue = try #require(story.ended.document.issues.first { $0.test?.name == "testLuck" })
      #expect(issue.silence == nil && issue.endedSilence?.isQuarantine == true)
      #expect(
        try story.ended.report.words("tests.html").contains("its quarantine ended on 31 Jan 2026, so it counts"))
    }

    @Test("The program tells which tests ran a line, and which lines a test ran")
    func asked() throws {
      func ask(_ question: String...) throws -> Program.Run {
        try story.program.run(["show", "\(MapStory.bot)/1"] + question)
      }
      let luck = "ShopTests.LuckTests/testLuck"
      #expect(try ask("--tests-of", "Sources/Shop/Till.swift:3").output == "\(luck)\nShopTests.TillTests/testOpen\n")
      #expect(
        try ask("--tests-of", "Sources/Shop/Cart.swift").output
          == "ShopTests.CartTests/testEmpty\nShopTests.CartTests/testSum\n")
      #expect(try ask("--tests-of", "Sources/Shop/Cart.swift:1").output == "")
      #expect(try ask("--lines-of", luck).output == "Sources/Shop/Till.swift:2-4\n")
      #expect(try ask("--lines-of", "ShopTests.nothing()").output == "")
      let help = "See 'martlet help show'.\n"
      #expect(
        try ask("--tests-of", "Sources/Shop/Cat.swift").errors
          == "error: unknown file 'Sources/Shop/Cat.swift'; did you mean 'Sources/Shop/Cart.swift'? \(help)")
      #expect(
        try ask("--tests-of", "Cart.swift:0").errors
          == "error: 'Cart.swift:0' names no lines: write FILE:LINE or FILE:FIRST-LAST. \(help)")
      #expect(
        try ask("--lines-of", "testLuck").errors
          == "error: 'testLuck' is no full name of a test, such as ShopTests.CartTests/testSum. \(help)")
      #expect(
        try ask("--lines-of", luck, "--json").errors
          == "error: '--json' goes with neither '--tests-of' nor '--lines-of'. \(help)")
    }
  }
}
