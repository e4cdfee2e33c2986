import Comparing
import Model
import Testing

@Suite("Tests that share state")
struct SharedStateTests {
  private static let model = PackageModel(
    name: "Shop",
    targets: [
      .init(name: "Shop", type: "library", path: "Sources/Shop", sources: ["Cart.swift", "Level.swift"]),
      .init(
        name: "ShopTests", type: "test", path: "Tests/ShopTests",
        sources: ["ATests.swift", "BTests.swift", "CTests.swift", "Fixture.swift"]),
    ])

  private static let (cart, level) = ("Sources/Shop/Cart.swift", "Sources/Shop/Level.swift")
  private static let fixture = "Tests/ShopTests/Fixture.swift"
  private static func test(_ letter: String, _ name: String) -> TestID {
    TestID(module: "ShopTests", suite: "\(letter)Tests", name: name)
  }

  /// `one` runs lines 1 to 3 of the cart, `two` lines 5 to 7, and `three` line 1 of the level; `four()` runs what `two` does.
  private static let (one, two, three, four) = (
    test("A", "testOne"), test("B", "testTwo"), test("C", "testThree"), test("C", "four()")
  )
  private static let listed = [one, two, three, four]

  private func run(
    _ sources: [String: SourceNames], words: Set<String> = [], body: ClosedRange<Int> = 1...3,
    once: [ClosedRange<Int>] = []
  ) -> Set<TestID> {
    let sorted = Self.listed.sorted { $0.description < $1.description }
    func set(_ tests: TestID...) -> [Int] { tests.compactMap(sorted.firstIndex).sorted() }
    let map = TestMap(
      tests: sorted, sets: [set(Self.one), set(Self.two, Self.four), set(Self.three)],
      files: [
        Self.cart: .init(
          lines: [.init(lines: 1...3, set: 0), .init(lines: 5...7, set: 1)],
          functions: [
            .init(start: .init(line: 1, column: 9), set: 0), .init(start: .init(line: 5, column: 9), set: 1),
          ],
          once: once),
        Self.level: .init(
          lines: [.init(lines: 1...1, set: 2)], functions: [.init(start: .init(line: 1, column: 9), set: 2)]),
      ])
    let past = AffectedTests.Past(
      map: map,
      files: Dictionary(
        uniqueKeysWithValues: Self.listed.map { ($0, "Tests/ShopTests/\($0.suite).swift") }),
      changed: [Self.cart], difference: SourceDifference([]))
    var all = sources
    for path in ["ATests", "BTests", "CTests"].map({ "Tests/ShopTests/\($0).swift" }) where all[path] == nil {
      all[path] = SourceNames()
    }
    let edit = SourceEdit.bodies([.init(head: body, body: body, words: words)])
    let evidence = OnlyAffectedTests.Evidence(past: past, edits: [Self.cart: edit], sources: all)
    let decision = OnlyAffectedTests(among: Self.listed, since: evidence, in: Self.model, cause: .commit, every: 10)
    return Set(Self.listed).subtracting(decision.leftOut)
  }

  private func names(_ lines: [String: [Int]], _ variables: [SourceNames.Variable] = []) -> SourceNames {
    SourceNames(lines: lines, variables: variables)
  }

  @Test("Run with those that ran a line with a variable of which they ran one")
  func product() {
    let cache = SourceNames.Variable("cache")
    #expect(
      run([Self.cart: names(["cache": [2, 9]], [cache]), Self.level: names(["cache": [1]])]) == [Self.one, Self.three])
    // Nobody but the file itself can mean a private one, a constant serves nobody, and a variable not its process.
    let hidden = SourceNames.Variable("cache", isPrivate: true)
    #expect(run([Self.cart: names(["cache": [2]], [hidden]), Self.level: names(["cache": [1]])]) == [Self.one])
    let constant = SourceNames.Variable("cache", isConstant: true)
    #expect(run([Self.cart: names(["cache": [2]], [constant]), Self.level: names(["cache": [1]])]) == [Self.one])
    #expect(run([Self.cart: names(["cache": [2, 6]], [cache])]) == [Self.one, Self.two])
  }

  @Test("Share a value that never changes only if one of them made it")
  func values() {
    func run(_ type: String?, once: [ClosedRange<Int>]) -> Set<TestID> {
      let made = SourceNames.Variable("limit", letType: type)
      var source = names(["limit": [2, 6]], [made])
      source.values = ["Limit": ["count", "Int"], "Wrapped": ["Store"], "Double": ["Wrapped"], "Locked": ["Mutex"]]
      source.classes = [
        .init("Rules", constants: ["Limit"]), .init("Guarded", constants: ["Mutex"]), .init("Store"),
      ]
      return self.run([Self.cart: source], once: once)
    }
    #expect(run("Limit", once: [6...6]) == [Self.one])
    #expect(run("Limit", once: [2...2]) == [Self.one, Self.two])
    // Who made it is not known, or it may be changed.
    #expect(run("Limit", once: []) == [Self.one, Self.two])
    #expect(run("Cache", once: [6...6]) == [Self.one, Self.two] && run(nil, once: [6...6]) == [Self.one, Self.two])
    // A class whose properties never change is a value, too; one inside of a type of the package, and of Foundation.
    for type in ["Rules", "Store.Limit", "Calendar"] { #expect(run(type, once: [6...6]) == [Self.one]) }
    // What is stored in it may change, or another module's type is meant.
    for type in ["Wrapped", "Double", "Locked", "Store", "Guarded", "Other.Limit"] {
      #expect(run(type, once: [6...6]) == [Self.one, Self.two], "\(type)")
    }
  }

  @Test("Are also those that share what the changed function now mentions")
  func words() {
    let source = names(["cache": [6]], [SourceNames.Variable("cache")])
    #expect(run([Self.cart: source]) == [Self.one])
    #expect(run([Self.cart: source], words: ["cache"]) == [Self.one, Self.two])
  }

  @Test("Share a variable that is made from another, and a constant that is made by code")
  func chains() {
    let made = [SourceNames.Variable("made", words: ["made", "cache"]), SourceNames.Variable("cache")]
    #expect(run([Self.cart: names(["made": [2]], made), Self.level: names(["cache": [1]])]) == [Self.one, Self.three])
    #expect(run([Self.cart: names(["cache": [2]], made), Self.level: names(["made": [1]])]) == [Self.one, Self.three])
    var source = names(["limit": [2]], [SourceNames.Variable("limit", isConstant: true, words: ["limit", "standard"])])
    #expect(run([Self.cart: source, Self.level: names(["limit": [1]])]) == [Self.one])
    source.computed = ["standard"]
    #expect(run([Self.cart: source, Self.level: names(["limit": [1]])]) == [Self.one, Self.three])
  }

  @Test("Mention what the sources of their target mention that they can reach")
  func testSources() {
    func user(_ word: String) -> SourceNames { names([word: [1]]) }
    let fixture = SourceNames(offered: ["sample"], variables: [SourceNames.Variable("sample")])
    let (a, b, c) = ("Tests/ShopTests/ATests.swift", "Tests/ShopTests/BTests.swift", "Tests/ShopTests/CTests.swift")
    #expect(run([Self.fixture: fixture, a: user("sample"), b: user("sample")]) == [Self.one, Self.two])
    #expect(run([Self.fixture: fixture, b: user("sample"), c: user("sample")]) == [Self.one])
    // By way of another source.
    let helper = SourceNames(lines: ["sample": [1]], offered: ["help"])
    #expect(
      run([Self.fixture: fixture, a: user("help"), b: helper, c: user("sample")]) == [Self.one, Self.two, Self.three])
    // A variable of the product that a test names itself.
    let level = names(["level": [2]], [SourceNames.Variable("level")])
    #expect(run([Self.cart: level, b: user("level")]) == [Self.one, Self.two])
  }

  @Test("Always run where a class sets up for all of its tests, by itself or an heir of one that does")
  func setUp() {
    let base = SourceNames(classes: [SourceNames.Class("BaseCase", overridesStatic: true)])
    let heirs = SourceNames(classes: [
      SourceNames.Class("Middle", words: ["BaseCase"]), SourceNames.Class("BTests", words: ["Middle"]),
    ])
    #expect(run([Self.fixture: base]) == [Self.one])
    #expect(run([Self.fixture: base, "Tests/ShopTests/BTests.swift": heirs]) == [Self.one, Self.two])
  }

  @Test("Always run where the arguments of their attribute, or of their suite's, run code")
  func attributes() {
    func attributed(_ name: String, _ isConstant: Bool, _ words: Set<String> = []) -> SourceNames {
      SourceNames(computed: ["samples"], attributed: [.init(name, isConstant: isConstant, words: words)])
    }
    #expect(run([Self.fixture: attributed("four", true)]) == [Self.one])
    #expect(run([Self.fixture: attributed("four", false)]) == [Self.one, Self.four])
    #expect(run([Self.fixture: attributed("four", true, ["samples"])]) == [Self.one, Self.four])
    #expect(run([Self.fixture: attributed("CTests", false)]) == [Self.one, Self.three, Self.four])
  }
}
