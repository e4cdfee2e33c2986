import Foundation
import Model
import Testing

/// A package of which a bot runs only the tests that reach what changed.
struct OnlyAffectedStory {
  static let told = Result { try OnlyAffectedStory() }
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

  private static let bag = """
    public enum Bag {
      public static func isFull() -> Bool {
        false
      }
    }

    """

  /// Two users of a value that a process makes once.
  private static let limit = """
    struct Limit {
      static let most = Limit(make())
      let count: Int
      init(_ count: Int) {
        self.count = count
      }
      static func make() -> Int {
        3
      }
    }
    public enum Shelf {
      public static func isFull(_ count: Int) -> Bool {
        count >= Limit.most.count
      }
    }
    public enum Rack {
      public static func isFull(_ count: Int) -> Bool {
        count > Limit.most.count
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
      func testEmpty() { XCTAssertEqual(Cart.sum([]), 0) }
    }

    final class TillTests: XCTestCase {
      func testOpen() { XCTAssertTrue(Till.open()) }
      func testLuck() { XCTAssertNotEqual(Till.open(), FileManager.default.fileExists(atPath: "\(chance)")) }
    }

    final class BagTests: XCTestCase {
      func testFull() { XCTAssertFalse(Bag.isFull()) }
      func testFullAgain() { XCTAssertFalse(Bag.isFull()) }
    }

    final class LimitTests: XCTestCase {
      func testRack() { XCTAssertTrue(Rack.isFull(4)) }
      func testShelf() { XCTAssertFalse(Shelf.isFull(2)) }
    }

    @Test func sums() { #expect(Cart.sum([2]) == 2) }
    @Test func opens() { #expect(Till.open()) }

    """
  }

  let program: Program
  /// Of the first commit.
  let first: Integrated
  /// The cart sums otherwise.
  let cart: Integrated
  /// The till does not open.
  let broken: Integrated
  /// The cart sums as in the first commit, and the till still does not open.
  let still: Integrated
  /// The till is as in the first commit.
  let mended: Integrated
  /// A person asks for the cart's other way once more, and a test of the till has bad luck.
  let asked: Integrated
  /// What one of two users of a value does changes, while the till's test is still red.
  let shelf: Integrated
  /// The cart gets another function.
  let declared: Integrated
  /// What makes the value changes.
  let limit: Integrated
  private let scratch: ScratchFolder

  private init() throws {
    scratch = try ScratchFolder("only-affected")
    let scratch = scratch
    let repository = try GitFolder(Self.bot, in: scratch)
    let chance = scratch.file("bad-luck")
    try repository.commit(
      "Begin",
      [
        "Package.swift": SmallManifest.tested("Shop"),
        "Sources/Shop/Cart.swift": Self.cart, "Sources/Shop/Till.swift": Self.till,
        "Sources/Shop/Bag.swift": Self.bag, "Sources/Shop/Limit.swift": Self.limit,
        "Tests/ShopTests/ShopTests.swift": Self.tests(chance),
      ])
    let program = Program(scratch: scratch)
    self.program = program
    var number = 0
    func integrate(_ message: String? = nil, _ files: [String: String] = [:], cause: Cause = .commit) throws
      -> Integrated
    {
      if let message { try repository.commit(message, files) }
      number += 1
      var bot = Bot(name: Self.bot, repository: repository.path)
      // In the sandbox, tests do not see what brings bad luck.
      bot.sandbox.mode = .off
      bot.tests.only = .affected
      bot.coverage.gates = [.patch(atLeast: 50)]
      let commit = try repository.head
      let order = IntegrationOrder(
        bot: bot, number: number, commit: commit, branch: "main", cause: cause, queuedAt: Date())
      return try program.integrate(order)
    }
    let otherwise = ["Sources/Shop/Cart.swift": Self.cart.replacing("0, +", with: "0, (+)")]
    first = try integrate()
    cart = try integrate("Sum otherwise", otherwise)
    broken = try integrate(
      "Break the till", ["Sources/Shop/Till.swift": Self.till.replacing("true", with: "false")])
    still = try integrate("Sum as before", ["Sources/Shop/Cart.swift": Self.cart])
    mended = try integrate("Mend the till", ["Sources/Shop/Till.swift": Self.till])
    try repository.commit("Sum otherwise again", otherwise)
    try scratch.write("", to: "bad-luck")
    asked = try integrate(cause: .person)
    try FileManager.default.removeItem(atPath: chance)
    let filled = Self.limit.replacing("count >= ", with: "(count) >= ")
    shelf = try integrate("Fill shelves otherwise", ["Sources/Shop/Limit.swift": filled])
    declared = try integrate(
      "Count", ["Sources/Shop/Cart.swift": Self.cart + "public func count(_ prices: [Int]) -> Int { prices.count }\n"])
    limit = try integrate(
      "Limit otherwise", ["Sources/Shop/Limit.swift": filled.replacing("    3\n", with: "    1 + 2\n")])
  }
}
