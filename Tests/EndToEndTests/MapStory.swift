import Foundation
import Model
import Testing

/// A package whose tests are mapped, with a fault that some of them reach and a test that fails by chance.
struct MapStory {
  static let told = Result { try MapStory() }
  static let bot = "Shop"

  private static let cart = """
    public enum Cart {
      public static func sum(_ prices: [Int]) -> Int {
        prices.reduce(0, +)
      }
    }

    """

  private static let till = """
    public enum Till {
      public static func open() -> Bool {
        true
      }
    }

    """

  /// - Parameter chance: the file that makes a test fail.
  private static func tests(_ chance: String) -> String {
    """
    import Foundation
    import Testing
    import XCTest
    @testable import Shop

    final class CartTests: XCTestCase {
      func testSum() { XCTAssertEqual(Cart.sum([1, 2]), 3) }
      // What only one test runs may be run for the others as well.
      func testEmpty() { XCTAssertEqual(Cart.sum([]), 0) }
    }

    final class LuckTests: XCTestCase {
      func testLuck() { XCTAssertNotEqual(Till.open(), FileManager.default.fileExists(atPath: "\(chance)")) }
    }

    final class TillTests: XCTestCase {
      func testOpen() { XCTAssertTrue(Till.open()) }
    }

    @Test func nothing() { #expect(1 + 1 == 2) }

    """
  }

  /// Of the first commit.
  let first: Integrated
  /// The till does not open.
  let broken: Integrated
  /// The till is mended.
  let mended: Integrated
  /// The cart changed, and the test has bad luck.
  let unlucky: Integrated
  /// The same commit once more, with better luck.
  let lucky: Integrated
  /// The next commit, with bad luck again.
  let again: Integrated
  /// The same as a bot integrates it that has the test in quarantine, and one whose quarantine is over.
  let quarantined: Integrated
  let ended: Integrated
  let program: Program
  private let scratch: ScratchFolder

  private init() throws {
    scratch = try ScratchFolder("map")
    let repository = try GitFolder(Self.bot, in: scratch)
    let chance = scratch.file("bad-luck")
    try repository.commit(
      "Begin",
      [
        "Package.swift": SmallManifest.tested("Shop"),
        "Sources/Shop/Cart.swift": Self.cart, "Sources/Shop/Till.swift": Self.till,
        "Tests/ShopTests/ShopTests.swift": Self.tests(chance),
      ])
    let program = Program(scratch: scratch)
    self.program = program
    func integrate() throws -> Integrated {
      // In the sandbox, tests do not see what brings bad luck.
      try program.integrate("--map", "--sandbox", "off", "--quiet", repository.path, bot: Self.bot)
    }
    first = try integrate()
    try Self.prolong(first, to: 100_000)
    try repository.commit("Break the till", ["Sources/Shop/Till.swift": Self.till.replacing("true", with: "false")])
    broken = try integrate()
    try repository.commit("Mend the till", ["Sources/Shop/Till.swift": Self.till])
    // Not so long that a second process would pay.
    try Self.prolong(broken, to: 1)
    mended = try integrate()
    try repository.commit("Sum otherwise", ["Sources/Shop/Cart.swift": Self.cart.replacing("0, +", with: "0, (+)")])
    try scratch.write("", to: "bad-luck")
    unlucky = try integrate()
    try FileManager.default.removeItem(atPath: chance)
    lucky = try integrate()
    try repository.commit("Sum as before", ["Sources/Shop/Cart.swift": Self.cart])
    try scratch.write("", to: "bad-luck")
    again = try integrate()
    let commit = try repository.head
    func order(_ number: Int, until day: String) throws -> Integrated {
      var bot = Bot(name: Self.bot, repository: repository.path)
      bot.sandbox.mode = .off
      bot.coverage.map = true
      let luck = TestID(module: "ShopTests", suite: "LuckTests", name: "testLuck")
      bot.quarantine = [QuarantinedTest(test: luck, reason: "depends on luck", lastDay: day)]
      let order = IntegrationOrder(
        bot: bot, number: number, commit: commit, branch: "main", cause: .commit,
        queuedAt: Date(timeIntervalSince1970: 1_790_000_000))
      return try program.integrate(order)
    }
    let next = (program.numbers(of: Self.bot).max() ?? 0) + 1
    quarantined = try order(next, until: "2999-12-31")
    ended = try order(next + 1, until: "2026-01-31")
  }

  /// Has the tests of an integration seem to have taken so long that their order matters.
  private static func prolong(_ integrated: Integrated, to seconds: Double) throws {
    let file = URL(filePath: "\(integrated.kept)/integration.json")
    var document = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    var tests = try #require(document["tests"] as? [String: Any])
    tests["cases"] = try #require(tests["cases"] as? [[String: Any]]).map {
      $0.merging(["duration": seconds / 100]) { $1 }
    }
    document["tests"] = tests
    document["steps"] = try #require(document["steps"] as? [[String: Any]]).map { step in
      step.merging(["duration": seconds]) { $1 }
    }
    try JSONSerialization.data(withJSONObject: document).write(to: file)
  }
}
