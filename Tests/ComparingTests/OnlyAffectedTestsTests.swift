import Comparing
import Model
import Testing

@Suite("Only affected tests")
struct OnlyAffectedTestsTests {
  private static let model = PackageModel(
    name: "Shop",
    targets: [
      .init(name: "Shop", type: "library", path: "Sources/Shop", sources: ["Cart.swift", "Till.swift"]),
      .init(name: "CShop", type: "library", path: "Sources/CShop", sources: ["shop.c"]),
      .init(name: "Maker", type: "plugin", path: "Plugins/Maker", sources: ["Maker.swift"]),
      .init(name: "ShopTests", type: "test", path: "Tests/ShopTests", sources: ["CartTests.swift", "Help.swift"]),
      .init(name: "TillTests", type: "test", path: "Tests/TillTests", sources: ["TillTests.swift"]),
    ])

  private static let sum = TestID(module: "ShopTests", suite: "CartTests", name: "testSum")
  private static let empty = TestID(module: "ShopTests", suite: "CartTests", name: "testEmpty")
  private static let inherited = TestID(module: "ShopTests", suite: "BigCartTests", name: "testSum")
  private static let open = TestID(module: "TillTests", suite: "TillTests", name: "testOpen")
  private static let close = TestID(module: "TillTests", suite: "TillTests", name: "testClose")
  private static let fresh = TestID(module: "TillTests", suite: "TillTests", name: "testNew")
  private static let listed = [inherited, empty, sum, close, open]

  /// The first function of the cart is run by its tests, the second only by one of them; behind them is one that only the
  /// inherited test runs. The getter of the till, and its setter, which is no function of its own, are run by its tests.
  private static let map = TestMap(
    tests: listed, sets: [[1, 2], [2], [3, 4], [0]],
    files: [
      "Sources/Shop/Cart.swift": .init(
        lines: [
          .init(lines: 2...4, set: 0), .init(lines: 6...8, set: 1), .init(lines: 14...16, set: 3),
        ],
        functions: [
          .init(start: .init(line: 2, column: 20), set: 0), .init(start: .init(line: 6, column: 20), set: 1),
          .init(start: .init(line: 14, column: 3), set: 3),
        ]),
      "Sources/Shop/Till.swift": .init(
        lines: [.init(lines: 1...3, set: 2), .init(lines: 5...7, set: 2)],
        functions: [.init(start: .init(line: 1, column: 9), set: 2)]),
    ])

  private func body(_ lines: ClosedRange<Int>, after head: Int? = nil) -> SourceEdit {
    .bodies([.init(head: (head ?? lines.lowerBound)...lines.lowerBound, body: lines)])
  }

  private func decide(
    _ edits: [String: SourceEdit?], listed: [TestID] = Self.listed, in model: PackageModel = Self.model,
    cause: Cause = .commit, after failure: OnlyAffected.Everything? = nil,
    with setting: (inout OnlyAffectedTests.Evidence) -> Void = { _ in }
  ) -> OnlyAffectedTests {
    let past = AffectedTests.Past(
      map: Self.map,
      files: [
        Self.sum: "Tests/ShopTests/CartTests.swift", Self.empty: "Tests/ShopTests/CartTests.swift",
        Self.open: "Tests/TillTests/TillTests.swift", Self.close: "Tests/TillTests/TillTests.swift",
      ],
      changed: Set(edits.keys), difference: SourceDifference([]))
    var evidence = OnlyAffectedTests.Evidence(
      past: past, edits: edits.compactMapValues { $0 }, lines: [Self.sum: 5, Self.empty: 9, Self.open: 4])
    setting(&evidence)
    return OnlyAffectedTests(among: listed, since: evidence, in: model, cause: cause, every: 10, after: failure)
  }

  private func run(_ decision: OnlyAffectedTests, of listed: [TestID] = Self.listed) -> Set<TestID> {
    #expect(decision.everything == nil)
    return Set(listed).subtracting(decision.leftOut)
  }

  private static let till = "Sources/Shop/Till.swift"
  private static let cart = "Sources/Shop/Cart.swift"

  @Test("Are those that ran a function whose body changed")
  func bodies() {
    #expect(run(decide([Self.till: body(1...3)])) == [Self.open, Self.close])
    #expect(run(decide([Self.cart: body(2...4)])) == [Self.sum, Self.empty])
    #expect(
      run(decide([Self.cart: body(2...4), Self.till: body(1...3)]))
        == [Self.sum, Self.empty, Self.open, Self.close])
  }

  @Test("Are those that ran an accessor whose body changed; all where none did")
  func accessors() {
    #expect(run(decide([Self.till: body(5...7)])) == [Self.open, Self.close])
    #expect(decide([Self.till: body(9...11)]).everything == .unreached(.init(file: Self.till, line: 9)))
  }

  @Test("Are with them those that are new, were red, or always run")
  func others() {
    let listed = Self.listed + [Self.fresh]
    #expect(run(decide([Self.cart: body(2...4)], listed: listed), of: listed) == [Self.sum, Self.empty, Self.fresh])
    #expect(
      run(decide([Self.cart: body(2...4)]) { $0.past.red = [Self.open] }) == [Self.sum, Self.empty, Self.open])
    #expect(
      run(decide([Self.cart: body(2...4)]) { $0.always = [Self.close] }) == [Self.sum, Self.empty, Self.close])
  }

  @Test("Are with them those whose names hold a line of a source that changed, and were those of others")
  func placed() {
    let file = "Tests/TillTests/TillTests.swift"
    let placed = TestID(module: "TillTests", suite: "TillTests", name: "test(_:)/TillTests.swift:9:4")
    let listed = Self.listed + [placed]
    func run(_ edits: [String: SourceEdit?]) -> Set<TestID> {
      let decision = decide(edits, listed: listed) {
        $0.past.map.tests.append(placed)
        $0.past.map.sets[0].append(5)
        $0.past.files[placed] = file
      }
      return self.run(decision, of: listed)
    }
    #expect(!run([Self.till: body(1...3)]).contains(placed))
    #expect(run([Self.till: body(1...3), file: .bodies([])]).contains(placed))
  }

  @Test("Are also those that ran nothing of the package, which may start its programs")
  func idle() {
    let listed = Self.listed + [Self.fresh]
    let decision = decide([Self.till: body(1...3)], listed: listed) {
      $0.past.map.tests.append(Self.fresh)
    }
    #expect(run(decision, of: listed) == [Self.open, Self.close, Self.fresh])
  }

  @Test("Are a changed test and those that inherit it, or all of the target where no test changed")
  func tests() {
    let file = "Tests/ShopTests/CartTests.swift"
    #expect(run(decide([file: body(5...7)])) == [Self.sum, Self.inherited])
    #expect(run(decide([file: body(10...12, after: 8)])) == [Self.empty])
    #expect(run(decide([file: body(20...22)])) == [Self.sum, Self.empty, Self.inherited])
    #expect(run(decide(["Tests/ShopTests/Help.swift": body(1...3)])) == [Self.sum, Self.empty, Self.inherited])
    #expect(run(decide([file: .declarations(line: 1)])) == [Self.sum, Self.empty, Self.inherited])
  }

  @Test("Are all without a reason to leave out any: then it is said why")
  func everything() {
    #expect(decide([Self.cart: .declarations(line: 7)]).everything == .declarations(.init(file: Self.cart, line: 7)))
    #expect(decide([Self.cart: body(40...42)]).everything == .unreached(.init(file: Self.cart, line: 40)))
    #expect(decide([:]).everything == .nothing)
    #expect(decide([Self.till: .bodies([])]).everything == .nothing)
    #expect(
      decide([Self.till: body(1...3)]) { $0.always = Set(Self.listed) }.everything == .all)
  }

  @Test("Are those too that make hashes of what the changed function compares, and all if that is not known")
  func keys() {
    func changed(_ name: String) -> SourceEdit { .bodies([.init(name, head: 6...6, body: 6...8)]) }
    let equality = SourceNames.Equality(of: "Cart", body: 6...8, words: ["folded"])
    func decide(_ name: String, _ names: SourceNames, in path: String = Self.cart) -> OnlyAffectedTests {
      self.decide([Self.cart: changed(name)]) { $0.sources[path] = names }
    }
    // The second test makes hashes: it ran the lines from 2 on.
    var names = SourceNames(equalities: [equality], hashes: ["Cart": [2...4]])
    let hashing = run(self.decide([Self.cart: body(2...4)]))
    #expect(!hashing.isEmpty && !hashing.isSubset(of: [Self.sum]))
    #expect(run(decide("==", names)) == hashing.union([Self.sum]))
    names.hashes = ["Till": [1...3]]
    let unknown = OnlyAffected.Everything.ofKeys(.init(file: Self.cart, line: 6))
    for name in ["==", "folded"] {
      #expect(decide(name, names).everything == nil && run(decide(name, names)) == [Self.sum])
    }
    names.headers = ["Cart": ["enum", "Cart", "Equatable"]]
    #expect(decide("==", names).everything == unknown)
    names.headers = ["Cart": ["struct", "Cart", "Equatable"]]
    #expect(run(decide("==", names)) == [Self.sum])
    names.headers = ["Cart": ["Cart", "Hashable"]]
    #expect(decide("==", names).everything == unknown && decide("folded", names).everything == unknown)
    names.equalities[0].type = nil
    #expect(decide("folded", names).everything == unknown)
  }

  @Test("Is one alone that alone ran a function")
  func alone() {
    #expect(run(decide([Self.cart: body(6...8)])) == [Self.sum])
  }

  @Test(
    "Are all if a file changed of which nobody knows what it affects",
    arguments: [
      "Package.swift", "Package.resolved", "Package@swift-6.1.swift", "Sources/CShop/shop.c",
      "Sources/CShop/include/shop.h", "Sources/Shop/words.txt", "Sources/Shop/New.swift", "Plugins/Maker/Maker.swift",
      "Tests/ShopTests/Fixtures/a.json", "README.md", ".martlet.yml", "script/generate.swift",
    ])
  func files(_ path: String) {
    #expect(decide([Self.till: body(1...3), path: nil]).everything == .file(path))
    #expect(decide([Self.till: body(1...3), path: body(1...3)]).everything != nil)
  }

  @Test("Are those too that ran what stands in other lines now, where the product asks for its lines")
  func lines() {
    let edit = SourceEdit.bodies([.init(head: 6...6, body: 6...8)], moved: [.init(head: 14...14, body: 14...16)])
    func tests(_ readers: String...) -> Set<TestID> {
      run(
        decide([Self.cart: edit]) { evidence in
          for path in readers { evidence.sources[path] = SourceNames(readsLines: true) }
        })
    }
    #expect(tests() == [Self.sum] && tests("Tests/ShopTests/Help.swift") == [Self.sum])
    #expect(tests(Self.till) == [Self.sum, Self.inherited])
  }

  @Test("Are all if code changed that runs while the package is built, whichever tests ran it too")
  func tools() {
    var model = Self.model
    model.targets[0].runsInBuild = true
    #expect(decide([Self.cart: body(6...8)], in: model).everything == .file(Self.cart))
  }

  @Test("Are all if the conditions are others, or the map is not whole")
  func conditions() {
    func reason(_ setting: (inout OnlyAffectedTests.Evidence) -> Void) -> OnlyAffected.Everything? {
      decide([Self.till: body(1...3)], with: setting).everything
    }
    #expect(reason { $0.past.toolchainChanged = true } == .toolchain)
    #expect(reason { $0.past.dependenciesChanged = true } == .dependencies)
    #expect(reason { $0.localDependency = "/srv/Dep" } == .localDependency("/srv/Dep"))
    #expect(reason { $0.circumstance = "environment.API" } == .circumstance("environment.API"))
    #expect(reason { $0.past.map.gaps = ["One is missing."] } == .incompleteMap)
    let unknown = OnlyAffectedTests(among: Self.listed, since: nil, in: Self.model, cause: .commit, every: 10)
    #expect(unknown.everything == .unknown && unknown.leftOut.isEmpty)
  }

  @Test("Are all while something is failing that only a run of everything can tell again")
  func failures() {
    func decision(_ edits: [String: SourceEdit?], _ failure: OnlyAffected.Everything) -> OnlyAffectedTests {
      decide(edits, after: failure)
    }
    #expect(decision([Self.till: body(1...3)], .gates).everything == .gates)
    #expect(decision([Self.till: .bodies([])], .outsideTests).everything == .outsideTests)
    #expect(decision([Self.till: body(1...3)], .gates).leftOut == [Self.sum, Self.empty, Self.inherited])
    let unknown = OnlyAffectedTests(
      among: Self.listed, since: nil, in: Self.model, cause: .commit, every: 10, after: .outsideTests)
    #expect(unknown.everything == .outsideTests)
  }

  @Test("Are all every so often, and where a person asks; it is known then which would have been left out")
  func turns() {
    let others: Set = [Self.sum, Self.empty, Self.inherited]
    func decision(_ cause: Cause = .commit, _ setting: (inout OnlyAffectedTests.Evidence) -> Void = { _ in })
      -> OnlyAffectedTests
    {
      decide([Self.till: body(1...3)], cause: cause, with: setting)
    }
    #expect(decision { $0.count = 8 }.everything == nil)
    #expect(decision { $0.count = 9 }.everything == .turn(every: 10))
    #expect(decision { $0.age = 8 * 86_400 }.everything == .age)
    #expect(decision(.schedule).everything == nil)
    for cause in [Cause.person, .rerun, .toolchain, .idle] { #expect(decision(cause).everything == .asked) }
    #expect(decision { $0.count = 9 }.leftOut == others && decision(.person).leftOut == others)
  }
}
