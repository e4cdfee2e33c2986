import Model
import Testing

extension Histories {
  @Suite("A bot that runs only the tests that reach what changed")
  struct OnlyAffectedTests {
    private let story: OnlyAffectedStory

    init() throws {
      story = try OnlyAffectedStory.told.get()
    }

    private func left(_ integrated: Integrated) -> [String] {
      integrated.document.tests.cases.filter { $0.unaffected == true }.map(\.id.name)
    }

    @Test("Everything runs first, is mapped, and says why")
    func first() {
      #expect(story.first.document.outcome == .succeeded && left(story.first).isEmpty)
      #expect(story.first.document.tests.only?.everything == .unknown)
      #expect(story.first.coverage.testMap?.tests == 10)
      #expect(story.first.document.reasons.isEmpty)
    }

    @Test("After a change of a body only the tests run that ran it, and that is said first everywhere")
    func body() throws {
      let document = story.cart.document
      #expect(document.outcome == .succeeded && story.cart.addsUp)
      #expect(
        left(story.cart) == ["opens()", "testFull", "testFullAgain", "testRack", "testShelf", "testLuck", "testOpen"])
      #expect(document.tests.passed == 3 && document.tests.skipped == 7 && document.tests.listed == 10)
      #expect(document.reasonCodes?.first?.code == "only-affected")
      #expect(
        try story.cart.report.words("index.html").contains("3 of 10 tests, those that reach the change: 3 passed"))
      let shown = try story.program.run("show", "Shop/2").output
      #expect(shown.hasPrefix("Shop 2: succeeded with 3 of 10 tests, those that reach the change, "))
      #expect(shown.contains("Tests     10 listed: 3 passed, 7 left out\n"))
      let junit = try story.program.run("export", "Shop/2", "--format", "junit").output
      #expect(junit.contains("left out: it reaches nothing that changed since integration 1"))
      #expect(junit.contains(#"skipped="7""#))
    }

    @Test("What left out tests has no coverage, judges no gate, and loses no test")
    func coverage() {
      #expect(!story.cart.coverage.available)
      #expect(story.cart.coverage.reason == "Not measured: only 3 of 10 tests ran.")
      #expect(story.cart.document.gates?.map(\.state) == [.notJudged])
      #expect(story.cart.document.tests.changes == nil && story.declared.document.tests.changes == nil)
    }

    @Test("A fault is found by the tests that reach it, which run until they pass")
    func broken() {
      #expect(story.broken.document.outcome == .testFailures)
      #expect(story.broken.test("testOpen")?.state == .failed && story.broken.test("opens()")?.state == .failed)
      #expect(story.still.document.outcome == .testFailures && story.still.test("testOpen")?.state == .failed)
      let issues = story.still.document.issues.filter { $0.test?.name == "testOpen" }
      #expect(issues.map(\.status) == [.unresolved])
    }

    @Test("A red test runs again although nothing that it reaches differs, and its issue is resolved by that")
    func mended() {
      #expect(story.mended.document.outcome == .succeeded)
      #expect(story.mended.test("testOpen")?.state == .passed)
      #expect(
        left(story.mended) == ["sums()", "testFull", "testFullAgain", "testEmpty", "testSum", "testRack", "testShelf"])
      #expect(story.mended.document.issues.filter { $0.test?.name == "testOpen" }.map(\.status) == [.resolved])
    }

    @Test("Who asks gets everything, and red tests that would have been left out are counted on every report after it")
    func misses() throws {
      let only = story.asked.document.tests.only
      #expect(only?.everything == .asked && only?.missed?.map(\.name) == ["testLuck"])
      #expect(only?.misses == OnlyAffected.Misses(integrations: 1, red: 1, missed: 1))
      let sentence = "In 1 full run, 1 of 1 red test would have been left out."
      #expect(try story.asked.report.words("tests.html").contains(sentence))
      #expect(story.shelf.document.reasons.first?.hasSuffix(sentence) == true)
      #expect(try story.program.run("show", "Shop/6").output.contains(sentence))
      #expect(story.shelf.test("testLuck")?.state == .passed)
    }

    @Test("Who only uses a value that another test made runs where the code that makes it changes, and not else")
    func values() throws {
      let others = ["opens()", "sums()", "testFull", "testFullAgain", "testEmpty", "testSum"]
      #expect(story.shelf.document.outcome == .succeeded && story.shelf.test("testShelf")?.state == .passed)
      // What was red runs as well.
      #expect(left(story.shelf) == others + ["testRack", "testOpen"])
      #expect(story.limit.document.outcome == .succeeded && story.limit.document.tests.passed == 2)
      #expect(left(story.limit) == others + ["testLuck", "testOpen"])
    }

    @Test("After a change of more than bodies everything runs")
    func declared() throws {
      #expect(left(story.declared).isEmpty && story.declared.document.tests.passed == 10)
      guard case .declarations(let place) = story.declared.document.tests.only?.everything else {
        Issue.record("\(String(describing: story.declared.document.tests.only))")
        return
      }
      #expect(place.file == "Sources/Shop/Cart.swift")
      #expect(
        try story.declared.report.words("tests.html").contains(
          "Everything ran: a declaration changed since integration 6: Sources/Shop/Cart.swift:5."
        ))
    }
  }
}
