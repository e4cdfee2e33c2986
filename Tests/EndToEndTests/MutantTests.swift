import FoundationEssentials
import Model
import Testing

/// A package with functions that are checked in every way, and not.
private struct MutantStory {
  static let told = Result { try MutantStory() }

  static let source = """
    public struct Basket {
      var prices: [Int] = []

      public init() {}

      public mutating func add(_ price: Int) {
        prices.append(price)
      }

      public var total: Int {
        prices.reduce(0, +)
      }

      public func label() -> String {
        "\\(prices.count) things"
      }

      public func isCheap(below limit: Int = 100) -> Bool {
        total < limit
      }

      public var next: Int? {
        prices.first
      }

      public func empty() -> [Int] { [] }

      public func steps(_ end: Int) -> Int {
        var at = 0
        while at < end { at += step(at) }
        return at
      }

      func step(_ at: Int) -> Int {
        at % 2 + 1
      }

      public func copy() -> Basket {
        self
      }

      public func shown(_ limit: Int) -> Int {
        var shown = prices.count
        if shown > limit {
          shown = limit
        }
        let isWhole = shown == prices.count
        return isWhole ? shown : shown + total * 0
      }

      nonisolated(unsafe) private static var known: Int?

      public static func rate() -> Int {
        if let known { return known }
        let rate = Basket().computed()
        known = rate
        return rate
      }

      func computed() -> Int {
        prices.count + 19
      }
    }

    extension Basket: Hashable {
      public func hash(into hasher: inout Hasher) {
        hasher.combine(prices)
      }

      public func check() {
        precondition(prices.count < 9)
      }
    }

    """

  private static let tests = """
    import Testing
    import XCTest
    @testable import Shop

    @Test func prices() {
      var basket = Basket()
      basket.add(3)
      #expect(basket.total == 3)
      _ = basket.label()
      #expect(basket.shown(0) == 0)
      #expect(basket.shown(1) == 1)
      #expect(basket.next != nil)
      #expect(basket.empty() == [])
      basket.check()
      #expect(Set([basket]).count == 1)
    }

    final class OldTests: XCTestCase {
      func testCheap() {
        XCTAssertTrue(Basket().isCheap())
        XCTAssertFalse(Basket().isCheap(below: 0))
        _ = Basket().label()
        XCTAssertEqual(Basket().copy().total, 0)
      }

      func testRate() {
        _ = Basket.rate()
      }

      func testRateAgain() {
        XCTAssertEqual(Basket.rate(), 19)
      }

      func testSteps() {
        XCTAssertGreaterThanOrEqual(Basket().steps(5), 5)
      }
    }

    """

  /// It would miss the body of what the other tests run unchecked.
  private static let redTest = """
    import Testing
    import Shop

    @Test func words() {
      #expect(Basket().label() == "0 thing")
    }

    """

  let all: Integrated
  /// Of a commit that changed what nothing checks, with the gate against that.
  let changed: Integrated
  /// Of one that changed nothing, behind it.
  let held: Integrated
  /// With a red test that checks it, and another change of it.
  let red: Integrated
  let document: String
  private let scratch: ScratchFolder

  private init() throws {
    scratch = try ScratchFolder("mutants")
    let repository = try GitFolder("Shop", in: scratch)
    try repository.commit(
      "Begin",
      [
        "Package.swift": SmallManifest.tested("Shop"),
        "Sources/Shop/Basket.swift": Self.source, "Tests/ShopTests/BasketTests.swift": Self.tests,
      ])
    let program = Program(scratch: scratch)
    all = try program.integrate(
      "--mutants", "all", "--output", scratch.file("report"), repository.path, bot: "Shop")
    document = try scratch.read("report/mutants.json")
    try repository.commit(
      "Say it otherwise", ["Sources/Shop/Basket.swift": Self.source.replacing("things", with: "items")])
    changed = try program.integrate("--gate", "no-unchecked-changes", repository.path, bot: "Shop")
    try repository.commit("Tell it", ["README.md": "Shop\n"])
    held = try program.integrate("--gate", "no-unchecked-changes", repository.path, bot: "Shop")
    try repository.commit(
      "Expect other words",
      ["Sources/Shop/Basket.swift": Self.source, "Tests/ShopTests/LabelTests.swift": Self.redTest])
    red = try program.integrate("--mutants", "changed", repository.path, bot: "Shop")
  }
}

extension Integrations {
  @Suite("When the bodies of functions are taken away")
  struct Mutants {
    private let story: MutantStory

    init() throws { story = try MutantStory.told.get() }

    private func line(_ name: String) -> Substring {
      story.document.split(separator: "\n").first { $0.contains("\"name\":\"Basket.\(name)\"") } ?? "nothing"
    }

    @Test("What some test notices is checked, by failing, by crashing and by coming to no end")
    func checked() {
      #expect(line("add(_:)").contains(#"{"body":"","noticed":"failed","test":"ShopTests.prices()"}"#))
      #expect(line("total").contains(#"{"body":"0","noticed":"failed","test":"ShopTests.prices()"}"#))
      #expect(
        line("isCheap(below:)").contains(#"{"body":"false","noticed":"failed","test":"ShopTests.OldTests/testCheap"}"#))
      #expect(
        line("isCheap(below:)").contains(#"{"body":"true","noticed":"failed","test":"ShopTests.OldTests/testCheap"}"#))
      #expect(line("next").contains(#"{"body":"nil","noticed":"failed","test":"ShopTests.prices()"}"#))
      #expect(line("step(_:)").contains(#"{"body":"0","noticed":"timed-out"}"#))
      #expect(line("step(_:)").contains(#"{"body":"1"}"#))
    }

    @Test("Of those that the tests known to run them miss, another test may notice one")
    func confirmed() {
      let again = #""noticed":"failed","test":"ShopTests.OldTests/testRateAgain"}"#
      #expect(line("computed()").contains(##""tests":1,"mutants":[{"body":"0",\##(again),{"body":"1",\##(again)]"##))
    }

    @Test("What no test notices is told in the documents, on the pages and on the terminal")
    func unchecked() throws {
      #expect(line("label()").contains(##""tests":2,"mutants":[{"body":"\"\""},{"body":"\"A\""}]"##))
      let mutants = try #require(story.all.coverage.mutants)
      #expect(mutants.scope == .all)
      #expect(mutants.unchecked?.map(\.name) == ["Basket.label()"])
      #expect(mutants.unchecked?.first?.bodies == [.emptyString, .letter])
      #expect(mutants.checked == 9)
      let sentence = #"Not checked: none of its 2 tests fails when it only returns "" or "A"."#
      #expect(try story.all.report.words("coverage/Sources-Shop-Basket.swift.html").contains(sentence))
      let page = try story.all.report.words("coverage.html")
      #expect(page.contains("Ran, but not checked"))
      #expect(page.contains("10 functions tried") && page.contains("3 conditions tried"))
      #expect(
        story.all.run.output.contains(
          "\nMutants   1 function and 1 condition that ran are not checked, such as Basket.label() in Sources/Shop/Basket.swift:"
        ))
    }

    @Test("A condition is turned around where it is, and one that no test notices is told beside its line")
    func conditions() throws {
      let conditions = try #require(story.all.coverage.mutants?.conditions)
      #expect(conditions.checked == 2)
      #expect(conditions.unchecked.map(\.name) == ["isWhole"])
      #expect(story.document.contains(##""text":"isWhole","tests":1,"mutants":[{"body":"!"}]"##))
      #expect(
        story.document.contains(
          ##""text":"shown > limit","tests":1,"mutants":[{"body":"!","noticed":"failed","test":"ShopTests.prices()"}]"##
        ))
      #expect(
        story.document.contains(##""text":"at < end","tests":1,"mutants":[{"body":"!","noticed":"failed""##))
      let sentence = "Not checked: its test passes even when `isWhole` is negated."
      #expect(try story.all.report.words("coverage/Sources-Shop-Basket.swift.html").contains(sentence))
      #expect(
        try story.all.report.words("log/mutating.html").contains(
          "`shown > limit`: checked, ShopTests.prices() fails when it is negated"))
    }

    @Test("Of a change only the functions are tried that it touched")
    func changed() throws {
      let mutants = try #require(story.changed.coverage.mutants)
      #expect(mutants.scope == .changed)
      #expect(mutants.unchecked?.map(\.name) == ["Basket.label()"])
      #expect(mutants.unchecked?.first?.changed == true)
      #expect(mutants.checked == 0)
      let words = try story.changed.report.words("index.html")
      #expect(words.contains(#"label(): no test fails when it only returns "" or "A""#), "\(words)")
    }

    @Test("The log of the step says what became of each function")
    func log() throws {
      let log = try story.all.report.words("log/mutating.html")
      #expect(log.contains("Basket.add(_:): checked, ShopTests.prices() fails when it does nothing"))
      #expect(log.contains("Basket.next: checked, ShopTests.prices() fails when it only returns nil"))
      #expect(log.contains("Basket.step(_:): checked, the tests never end when it only returns 0"))
      #expect(
        log.contains(#"Basket.label(): not checked, none of its 2 tests fails when it only returns "" or "A""#))
      #expect(log.contains("Basket.empty(): not tried (with a constant for a body)"))
    }

    @Test("The gate on them fails until a test checks what was changed, also when the next commit changes nothing")
    func gate() throws {
      #expect(story.changed.run.status == 1)
      let gate = try #require(story.changed.document.gates?.first)
      #expect(
        gate.sentence == "1 of 1 changed function is not checked by any test: Sources/Shop/Basket.swift:14.")
      #expect(try story.changed.report.words("index.html").contains("Unchecked-changes gate: 1 function"))
      let held = try #require(story.held.document.gates?.first)
      #expect(story.held.run.status == 1 && held.base?.number == 1)
      #expect(held.sentence.hasPrefix(gate.sentence))
      #expect(story.held.coverage.mutants?.unchecked?.first?.changed == nil)
    }

    @Test("Nothing of it changes the outcome, and a release build says why it tells nothing")
    func outcome() throws {
      #expect(story.all.run.status == 0)
      let release = try ReleaseStory.told.get().integrated
      #expect(release.run.status == 0)
      #expect(
        release.coverage.mutants?.reason
          == "In a release build callers have copies of functions, so these cannot be tried without their bodies.")
      #expect(
        try release.report.words("coverage.html").contains(
          "Which functions are checked is not known. In a release build"))
    }

    @Test("Of what a red test runs it is not said that nothing checks it")
    func red() throws {
      #expect(story.red.run.status == 1)
      let mutants = try #require(story.red.coverage.mutants)
      #expect(mutants.unchecked == [])
      #expect(mutants.notJudged?["tests-not-passed"] == 1)
      #expect(try story.red.report.words("coverage.html").contains("1 run by tests that failed"))
    }

    @Test("A body that is a constant already, a result without a simple value, assertions and hashes are not judged")
    func notJudged() {
      #expect(line("empty()").contains(#""notJudged":"constant""#))
      #expect(line("copy()").contains(#""notJudged":"result""#))
      #expect(line("init()").contains(#""notJudged":"initializer""#))
      #expect(line("check()").contains(#""notJudged":"assertion""#))
      #expect(line("hash(into:)").contains(#""notJudged":"hashing""#))
    }
  }
}
