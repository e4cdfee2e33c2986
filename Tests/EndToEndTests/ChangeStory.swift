import FoundationEssentials
import Model

/// A package of several commits: what each of them changed in the coverage.
struct ChangeStory {
  static let told = Result { try ChangeStory() }

  static let basket = """
    public struct Basket {
      public var items: [String] = []
      public init() {}

      public mutating func add(_ item: String) {
        items.append(item)
      }

      public func describe() -> String {
        if items.isEmpty {
          return "nothing"
        }
        return items.joined(separator: ", ")
      }
    }

    """

  static let tests = """
    import Testing
    @testable import Shop

    @Test func adds() {
      var basket = Basket()
      basket.add("pear")
      #expect(basket.describe() == "pear")
    }

    @Test func empty() {
      #expect(Basket().describe() == "nothing")
    }

    """

  /// Everything is new.
  let first: Integrated
  /// A branch without a test; the test of another one is gone.
  let second: Integrated
  /// The file has another name, and a comment; gates pass.
  let third: Integrated
  /// An uncommitted function.
  let uncommitted: Integrated
  /// On from the second commit: more without a test, and tests that do not build; then tests that do; then tests for
  /// all of it.
  let broken: Integrated
  let held: Integrated
  let mended: Integrated
  /// On from the third commit: new files alone, all of which are left out.
  let hidden: Integrated
  let scratch: ScratchFolder
  let repository: GitFolder
  let program: Program

  private init() throws {
    scratch = try ScratchFolder("change")
    repository = try GitFolder("Shop", in: scratch)
    program = Program(scratch: scratch)
    let (repository, program) = (repository, program)
    func integrate(_ arguments: String...) throws -> Integrated { try integrate(arguments) }
    func integrate(_ arguments: [String]) throws -> Integrated {
      try program.integrate([repository.path, "--quiet"] + arguments, bot: "Shop")
    }
    try repository.commit(
      "Begin",
      [
        "Package.swift": SmallManifest.tested("Shop"),
        "Sources/Shop/Basket.swift": Self.basket, "Tests/ShopTests/ShopTests.swift": Self.tests,
      ])
    first = try integrate("--gate", "no-lost-coverage")

    let limited = Self.basket.replacing(
      "    items.append(item)\n",
      with: "    if items.count > 9 {\n      items.removeAll()\n    }\n    items.append(item)\n")
    let poorTests = Self.tests.replacing("  #expect(Basket().describe() == \"nothing\")\n", with: "")
    try repository.commit(
      "Limit the basket",
      ["Sources/Shop/Basket.swift": limited, "Tests/ShopTests/ShopTests.swift": poorTests])
    second = try integrate("--gate", "patch-fully-covered", "--gate", "no-lost-coverage")

    try repository.git("mv", "Sources/Shop/Basket.swift", "Sources/Shop/Trolley.swift")
    try repository.commit("Call it a trolley", ["Sources/Shop/Trolley.swift": "// What it was.\n" + limited])
    third = try integrate("--gate", "patch=100", "--gate", "ratchet")

    try repository.write(
      "// What it was.\n" + limited + "\nfunc unused() {\n}\n", to: "Sources/Shop/Trolley.swift")
    uncommitted = try integrate("--working-tree")
    try repository.commit("Keep what was never integrated")
    let last = try repository.head.rawValue

    // The branch is moved, because another one would be built from nothing; runs by hand go by the history alone.
    let gates = ["--gate", "patch-fully-covered", "--gate", "no-lost-coverage"]
    try repository.git("reset", "--quiet", "--hard", second.document.commit.id.rawValue)
    try repository.commit(
      "Sell apples",
      [
        "Sources/Shop/Apple.swift": "func apple() -> String {\n  \"apple\"\n}\n",
        "Tests/ShopTests/ShopTests.swift": poorTests + "\nlet broken: Int = \"\"\n",
      ])
    broken = try integrate(gates)
    try repository.commit("Mend the tests", ["Tests/ShopTests/ShopTests.swift": poorTests])
    held = try integrate(gates)
    try repository.commit(
      "Test all of it",
      [
        "Tests/ShopTests/ShopTests.swift": Self.tests + """
          @Test func sells() {
            var basket = Basket()
            for _ in 0..<11 { basket.add(apple()) }
            #expect(basket.items.count == 1)
          }

          """
      ])
    mended = try integrate(gates)

    try repository.git("reset", "--quiet", "--hard", third.document.commit.id.rawValue)
    let untested = "func %() -> Int {\n  1\n}\n"
    try repository.commit(
      "Hide what is new",
      [
        "Sources/Shop/Hidden.swift": "// coverage:ignore-file\n" + untested.replacing("%", with: "hidden"),
        "Sources/Shop/Made/Made.swift": untested.replacing("%", with: "made"),
        "Sources/Shop/Marked.swift": "// coverage:ignore-start\n" + untested.replacing("%", with: "marked"),
      ])
    hidden = try integrate("--gate", "patch=100", "--coverage-exclude", "Sources/Shop/Made")
    try repository.git("reset", "--quiet", "--hard", last)
  }
}
