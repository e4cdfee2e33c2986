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
    values: [TestMap.Value]? = nil, inProcess: [TestMap.Lines]? = nil
  ) -> Set<TestID> {
    let sorted = Self.listed.sorted { $0.description < $1.description }
    func set(_ tests: TestID...) -> [Int] { tests.compactMap(sorted.firstIndex).sorted() }
    var map = TestMap(
      tests: sorted, sets: [set(Self.one), set(Self.two, Self.four), set(Self.three)],
      files: [
        Self.cart: .init(
          lines: [.init(lines: 1...3, set: 0), .init(lines: 5...7, set: 1)],
          functions: [
            .init(start: .init(line: 1, column: 9), set: 0), .init(start: .init(line: 5, column: 9), set: 1),
          ]),
        Self.level: .init(
          lines: [.init(lines: 1...1, set: 2)], functions: [.init(start: .init(line: 1, column: 9), set: 2)]),
      ], values: values)
    map.files[Self.cart]?.inProcess = inProcess
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

  @Test("Are not those that ran a line with a variable only in a program that they started, which was alone with it")
  func programs() {
    let cache = SourceNames.Variable("cache")
    let sources = [Self.cart: names(["cache": [2, 6]], [cache])]
    #expect(run(sources, inProcess: []) == [Self.one])
    #expect(run(sources, inProcess: [.init(lines: 1...3, set: 0)]) == [Self.one])
    #expect(run(sources, inProcess: [.init(lines: 5...7, set: 1)]) == [Self.one])
    #expect(run(sources, words: ["cache"], inProcess: [.init(lines: 5...7, set: 1)]) == [Self.one, Self.two])
  }

  /// A value by the lines of the cart that ran to make it, and those of the level.
  private func value(
    _ name: String, _ cart: [ClosedRange<Int>] = [], level: [ClosedRange<Int>] = [], of owner: String? = nil,
    in module: String = "Shop", as type: String = "Swift.Int"
  ) -> TestMap.Value {
    TestMap.Value(
      name: name, module: module, owner: owner, type: type,
      ran: [Self.cart: cart, Self.level: level].filter { !$0.value.isEmpty })
  }

  /// Runs with a `let` that all tests mention but the third; what changed is in the lines 1 to 3, and nobody ran lines from 8 on.
  private func run(
    _ limit: SourceNames.Variable, _ others: [SourceNames.Variable] = [], computed: Set<String> = [],
    values: [TestMap.Value]?
  ) -> Set<TestID> {
    var source = names(["limit": [2, 6]], [limit] + others)
    source.computed = computed
    source.values = ["Limit": ["count", "Int"], "Wrapped": ["Store"], "Double": ["Wrapped"], "Locked": ["Mutex"]]
    source.values["Client"] = ["session", "Session"]
    source.values["Handler"] = ["call", "Int", "->"]
    source.values["Other"] = ["Limit"]
    source.values.merge([
      "Till.Part": ["Int"], "Bag.Part": ["Store"], "Till": ["Part"], "Bag": ["Part"], "Lone": ["Part"],
      "Named": ["Till.Part"], "Unnamed": [".Part"], "Kinds": ["Limited.Type"],
    ]) { $1 }
    source.classes = [
      .init("Rules", constants: ["Limit"]), .init("Guarded", constants: ["Mutex"]), .init("Store"),
      .init("LiveSession", words: ["Session", "Int"]),
    ]
    return run([Self.cart: source], values: values)
  }

  private static let limit = SourceNames.Variable("limit", isLet: true)

  @Test("Share a value that never changes only if what changed ran to make it, whoever made it")
  func values() {
    let limit = Self.limit
    #expect(run(limit, values: [value("limit", [8...9])]) == [Self.one])
    #expect(run(limit, values: [value("limit", level: [1...9])]) == [Self.one])
    // The same code makes it in the process of the other library, though none of its tests was seen to run it.
    #expect(run(limit, values: [value("limit", [3...4])]) == [Self.one, Self.two, Self.four])
    // No test needed it.
    #expect(run(limit, values: [value("limit")]) == [Self.one])
    // What made it is not known, or nothing but its name.
    #expect(run(limit, values: nil) == [Self.one, Self.two])
    #expect(run(limit, values: []) == [Self.one, Self.two])
    #expect(run(limit, values: [TestMap.Value(name: "limit")]) == [Self.one, Self.two])
    #expect(run(SourceNames.Variable("limit"), values: [value("limit", [8...9])]) == [Self.one, Self.two])
  }

  @Test("Tell values of one name apart by module and type, and those that are private to files not at all")
  func sameName() {
    let another = SourceNames.Variable("limit", of: "Till", isLet: true)
    #expect(run(Self.limit, [another], values: [value("limit", [8...9])]) == [Self.one, Self.two])
    let both = [value("limit", [8...9]), value("limit", of: "Till")]
    #expect(run(Self.limit, [another], values: both) == [Self.one])
    #expect(
      run(Self.limit, values: [value("limit", [8...9]), value("limit", [3...4], of: "Till")]) == [Self.one])
    #expect(run(Self.limit, values: [value("limit", [3...4], in: "Other")]) == [Self.one, Self.two])
    let hidden = SourceNames.Variable("limit", isPrivate: true, isLet: true)
    func runHidden(_ values: TestMap.Value...) -> Set<TestID> {
      run([Self.cart: names(["limit": [2, 6]], [hidden]), Self.level: names([:], [hidden])], values: values)
    }
    #expect(runHidden(value("limit", [8...9])) == [Self.one, Self.two])
    #expect(runHidden(value("limit", [8...9]), value("limit", level: [1...1])) == [Self.one])
  }

  @Test("Share what looks like a constant where code was seen to make it, as of an operator")
  func literals() {
    let limit = SourceNames.Variable("limit", isConstant: true, isLet: true)
    #expect(run(limit, values: [value("limit", [3...4])]) == [Self.one, Self.two, Self.four])
    #expect(run(limit, values: [value("limit", [8...9])]) == [Self.one])
    #expect(run(limit, values: [value("limit")]) == [Self.one] && run(limit, values: nil) == [Self.one])
    // One that is made of it.
    let more = SourceNames.Variable("limit", isConstant: true, isLet: true, words: ["limit", "base"])
    let base = SourceNames.Variable("base", isConstant: true, isLet: true)
    let both = [value("limit"), value("base", [3...4])]
    #expect(run(more, [base], values: both) == [Self.one, Self.two, Self.four])
  }

  @Test(
    "Share a value only if its type lets it never change, in all that is stored in it",
    arguments: [
      // A class whose properties never change is a value, too; one inside of a type of the package, and of Foundation.
      ("Shop.Limit", true), ("Shop.Rules", true), ("Shop.Store.Limit", true), ("Foundation.Calendar", true),
      ("[Swift.String : Shop.Limit]?", true), ("(least: Swift.Int, most: Shop.Limit)", true), ("()", true),
      ("Swift.Set<Swift.Int>", true), ("Shop.Other", true), ("Shop.Kinds", true),
      // Types of one name are told apart by what is around them, or by their full names.
      ("Shop.Till", true), ("Shop.Till.Part", true), ("Shop.Named", true), ("Shop.Bag", false),
      ("Shop.Bag.Part", false), ("Shop.Lone", false), ("Shop.Unnamed", false),
      // What is stored in it may change, or another module's type is meant.
      ("Shop.Wrapped", false), ("Shop.Double", false), ("Shop.Locked", false), ("Shop.Store", false),
      ("Shop.Guarded", false), ("Shop.Client", false), ("Shop.Handler", false), ("Other.Limit", false),
      ("Other.Shop.Limit", false), ("Shop.Cache", false), ("[Shop.Store]", false), ("Swift.Set<Shop.Wrapped>", false),
      ("(Swift.Int) -> Swift.Int", false), ("Any", false), ("any Shop.Limited", false), ("__C.stat", false),
    ])
  func types(_ type: String, _ isFixed: Bool) {
    #expect(
      run(Self.limit, values: [value("limit", [8...9], as: type)]) == (isFixed ? [Self.one] : [Self.one, Self.two]))
    // What ran to make it counts besides.
    #expect(run(Self.limit, values: [value("limit", [3...4], as: type)]) == [Self.one, Self.two, Self.four])
  }

  /// What changed ran to make `base`, and the third test mentions `limit`.
  private func runMaking(
    _ limit: SourceNames.Variable, from base: SourceNames.Variable, in path: String, ran: ClosedRange<Int>
  ) -> Set<TestID> {
    var sources = [Self.cart: names([:]), Self.level: names(["base": [5], "limit": [1]])]
    sources[Self.cart]?.variables = [limit]
    sources[path]?.variables.append(base)
    return run(sources, values: [value("base", [3...3]), value("limit", level: [ran])])
  }

  @Test("Share a value that is made from another one by what ran to make it")
  func made() {
    let base = SourceNames.Variable("base", isLet: true)
    let hidden = SourceNames.Variable("base", isPrivate: true, isLet: true)
    // A variable may change besides, and is made once like a value.
    for limit in [SourceNames.Variable("limit", isLet: true), SourceNames.Variable("limit")] {
      #expect(runMaking(limit, from: base, in: Self.cart, ran: 5...6) == [Self.one, Self.three])
      #expect(runMaking(limit, from: base, in: Self.cart, ran: 7...8) == [Self.one])
      // The lines of another file mean another one of that name than the private one.
      #expect(runMaking(limit, from: hidden, in: Self.cart, ran: 5...6) == [Self.one])
      #expect(runMaking(limit, from: hidden, in: Self.level, ran: 5...6) == [Self.one, Self.three])
    }
    let declared = SourceNames.Variable("limit", isLet: true, words: ["limit", "base"])
    #expect(runMaking(declared, from: base, in: Self.cart, ran: 7...8) == [Self.one, Self.three])
  }

  @Test("Share a variable that what makes a value may change, but no value")
  func makers() {
    func run(_ cache: SourceNames.Variable) -> Set<TestID> {
      let limit = SourceNames.Variable("limit", isLet: true)
      return self.run(
        [Self.cart: names(["cache": [4]], [limit, cache]), Self.level: names(["cache": [1]])],
        values: [value("limit", [3...4]), value("cache", [8...9])])
    }
    #expect(run(SourceNames.Variable("cache")) == [Self.one, Self.three])
    #expect(run(SourceNames.Variable("cache", isLet: true)) == [Self.one])
  }

  @Test("Share what the code of a value now mentions in each process that may make the value")
  func mentions() {
    let variables = [SourceNames.Variable("limit", isLet: true), SourceNames.Variable("cache")]
    let source = names(["cache": [6]], variables)
    func run(_ ran: ClosedRange<Int>) -> Set<TestID> {
      self.run([Self.cart: source], words: ["cache"], values: [value("limit", [ran]), value("cache")])
    }
    #expect(run(3...4) == [Self.one, Self.two, Self.four])
    #expect(run(8...9) == [Self.one, Self.two])
  }

  @Test("Share what a test source makes once from a value of the product")
  func fixtures() {
    func run(_ ran: ClosedRange<Int>) -> Set<TestID> {
      self.run(
        [
          Self.cart: names([:], [SourceNames.Variable("base", isLet: true)]), Self.level: names(["base": [5]]),
          Self.fixture: SourceNames(
            lines: ["Shop": [1]], offered: ["sample"], variables: [SourceNames.Variable("sample", isLet: true)]),
          "Tests/ShopTests/BTests.swift": names(["sample": [1]]),
        ], values: [value("base", [3...3]), value("sample", level: [ran], in: "ShopTests")])
    }
    #expect(run(5...6) == [Self.one, Self.two])
    #expect(run(7...8) == [Self.one])
  }

  @Test("Share what is public with those only whose module imports it, perhaps by way of another")
  func modules() {
    let level = names(["level": [2]], [SourceNames.Variable("level")])
    let user = "Tests/ShopTests/BTests.swift"
    func run(_ lines: [String: [Int]], _ fixture: [String: [Int]] = [:]) -> Set<TestID> {
      self.run([Self.cart: level, user: names(lines), Self.fixture: names(fixture)])
    }
    #expect(run(["level": [1]]) == [Self.one])
    #expect(run(["level": [1], "Shop": [1]]) == [Self.one, Self.two])
    #expect(run(["level": [1]], ["Shop": [1]]) == [Self.one, Self.two])
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
    #expect(run([Self.cart: level, b: names(["level": [1], "Shop": [1]])]) == [Self.one, Self.two])
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
