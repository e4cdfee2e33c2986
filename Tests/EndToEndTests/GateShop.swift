import Model

/// A package whose first commit tests all of its lines, or leaves some untested, for gates to judge.
///
/// All of its tests build it in one place, one after the other.
struct GateShop {
  private static let manifest = SmallManifest.tested("Shop")

  private static let source = """
    public func price() -> Int {
      3
    }

    public func discount() -> Int {
      1
    }

    """

  static func tests(_ line: String) -> String {
    "import Testing\nimport Shop\n\n@Test func sells() {\n  \(line)\n}\n"
  }

  static let poor = tests("#expect(price() == 3)")
  static let rich = tests("#expect(price() + discount() == 4)")

  let scratch: ScratchFolder
  let repository: GitFolder
  let program: Program

  private static let shared = Result { try ScratchFolder("holding") }

  /// What the one before left is gone then, but for what was built.
  init() throws {
    scratch = try Self.shared.get()
    try scratch.beginAnew()
    repository = try GitFolder("Shop", in: scratch)
    program = Program(scratch: scratch)
  }

  /// Commits a package, with all of its lines tested or not.
  func begin(_ tests: String) throws {
    try repository.commit(
      "Begin",
      [
        "Package.swift": Self.manifest, "Sources/Shop/Shop.swift": Self.source,
        "Tests/ShopTests/ShopTests.swift": tests,
      ])
  }

  func test(_ message: String, _ tests: String) throws {
    try repository.commit(message, ["Tests/ShopTests/ShopTests.swift": tests])
  }

  /// Adds a source that no test reaches.
  func add(_ name: String, by author: String) throws {
    try repository.commit(
      "Add \(name)", ["Sources/Shop/\(name).swift": "public func \(name.lowercased())() -> Int {\n  2\n}\n"],
      as: author)
  }

  /// Puts other tests into the last commit, and clears away what the commit was.
  func amend(_ tests: String, andForget forgets: Bool) throws {
    try repository.write(tests, to: "Tests/ShopTests/ShopTests.swift")
    try repository.git("commit", "--quiet", "--all", "--amend", "--allow-empty", "--message", "Other")
    guard forgets else { return }
    try repository.git("reflog", "expire", "--expire=now", "--all")
    try repository.git("gc", "--quiet", "--prune=now")
  }

  func integrate(_ gates: String..., in path: String? = nil) throws -> Integrated {
    let arguments = [path ?? repository.path, "--quiet", "--sandbox", "off"] + gates.flatMap { ["--gate", $0] }
    return try program.integrate(arguments, bot: "Shop")
  }

  /// Silences the open issue of a gate.
  func silence(_ integrated: Integrated) throws -> Program.Run {
    let issue = integrated.document.issues.first { $0.kind == .gate && $0.status.isOpen }
    guard let issue else { throw NoIntegration(run: integrated.run) }
    return try program.run(["silence", issue.id, "--reason", "taken as it is"])
  }
}

/// A gate that the first commit of all failed, and another one that the package's own file is of no help against.
struct HeldGateStory {
  static let told = Result { try HeldGateStory() }

  /// 1: lines are not tested.
  let first: Integrated
  /// 2: another gate is asked for.
  let other: Integrated
  /// 3: the first one is asked for again.
  let held: Integrated
  /// 4: all lines are tested.
  let passed: Integrated
  /// 5: from here on for lost coverage; the package leaves all of it out.
  let hidden: Integrated
  /// 6: less is tested; and then silenced.
  let lost: Integrated
  let silencing: Program.Run
  /// 7: the same commit.
  let silenced: Integrated
  /// 8: nothing is tested.
  let lostMore: Integrated
  /// 9: the package turns its tests off.
  let built: Integrated
  /// 10: the package leaves its test out.
  let skipped: Integrated

  private init() throws {
    let shop = try GateShop()
    try shop.begin(GateShop.poor)
    first = try shop.integrate("patch-fully-covered")
    try shop.repository.commit("Explain", ["README.md": "Shop\n"])
    other = try shop.integrate("patch=0")
    try shop.repository.commit("Explain more", ["README.md": "A shop\n"])
    held = try shop.integrate("patch-fully-covered")
    try shop.test("Test", GateShop.rich)
    passed = try shop.integrate("patch-fully-covered")

    try shop.repository.commit("Hide", [".martlet.yml": "coverage: {exclude: [\"**\"]}\n"])
    hidden = try shop.integrate("no-lost-coverage")
    try shop.test("Test less", GateShop.poor)
    lost = try shop.integrate("no-lost-coverage")
    silencing = try shop.silence(lost)
    silenced = try shop.integrate("no-lost-coverage")
    try shop.test("Test nothing", GateShop.tests("#expect(Bool(true))"))
    lostMore = try shop.integrate("no-lost-coverage")
    try shop.repository.commit("Build alone", [".martlet.yml": "actions: [build]\n"])
    built = try shop.integrate("no-lost-coverage")
    try shop.repository.commit("Leave it out", [".martlet.yml": "tests: {skip: [sells]}\n"])
    skipped = try shop.integrate("no-lost-coverage")
  }
}

/// A first commit that is amended and forgotten, and what others add to it afterwards.
struct AmendedGateStory {
  static let told = Result { try AmendedGateStory() }

  /// 1: all lines are tested.
  let first: Integrated
  /// 2: the commit is another one, with less tests.
  let lost: Integrated
  /// The links of its pages that lead nowhere.
  let brokenLinks: [String]
  /// 3: what it was is gone.
  let gone: Integrated
  /// 4: the same commit.
  let again: Integrated
  /// 5: Ben adds untested lines; for what changed, too, and from here on for that alone.
  let till: Integrated
  /// 6: Cleo adds some.
  let cart: Integrated
  /// Its page of what Ben added.
  let page: String
  let silencing: Program.Run
  /// 7: after that was silenced.
  let taken: Integrated
  /// 8: Dora adds some.
  let coin: Integrated

  private init() throws {
    let shop = try GateShop()
    try shop.begin(GateShop.rich)
    first = try shop.integrate("no-lost-coverage")
    try shop.amend(GateShop.poor, andForget: false)
    lost = try shop.integrate("no-lost-coverage")
    brokenLinks = try lost.report.brokenLinks()
    try shop.amend(GateShop.poor, andForget: true)
    gone = try shop.integrate("no-lost-coverage")
    again = try shop.integrate("no-lost-coverage")

    try shop.add("Till", by: "Ben")
    till = try shop.integrate("no-lost-coverage", "patch-fully-covered")
    try shop.add("Cart", by: "Cleo")
    cart = try shop.integrate("patch-fully-covered")
    page = try cart.report.text("coverage/Sources-Shop-Till.swift.html")
    silencing = try shop.silence(cart)
    try shop.repository.commit("Explain", ["README.md": "Shop\n"])
    taken = try shop.integrate("patch-fully-covered")
    try shop.add("Coin", by: "Dora")
    coin = try shop.integrate("patch-fully-covered")
  }
}
