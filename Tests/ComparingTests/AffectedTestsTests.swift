import Comparing
import Model
import Testing

@Suite("Affected tests")
struct AffectedTestsTests {
  private static let model = PackageModel(
    name: "Shop",
    targets: [
      .init(name: "Shop", type: "library", path: "Sources/Shop", sources: ["Cart.swift", "Till.swift", "Gone.swift"]),
      .init(name: "CShop", type: "library", path: "Sources/CShop", sources: ["shop.c"]),
      .init(name: "ShopTests", type: "test", path: "Tests/ShopTests", sources: ["CartTests.swift", "Help.swift"]),
      .init(name: "TillTests", type: "test", path: "Tests/TillTests", sources: ["TillTests.swift"]),
    ])

  private static let cart = TestID(module: "ShopTests", suite: "CartTests", name: "testSum")
  private static let label = TestID(module: "ShopTests", suite: "LabelTests", name: "label()")
  private static let till = TestID(module: "TillTests", suite: "TillTests", name: "testOpen")
  private static let fresh = TestID(module: "TillTests", suite: "TillTests", name: "testClose")
  private static let listed = [cart, label, till]

  /// Of the cart, lines 2 to 4 are run by the first test and 6 to 8 by the first two; line 12 is a global value. The till
  /// is run by its own test.
  private static let map = TestMap(
    tests: listed, sets: [[0], [0, 1], [2]],
    files: [
      "Sources/Shop/Cart.swift": .init(
        lines: [.init(lines: 2...4, set: 0), .init(lines: 6...8, set: 1), .init(lines: 12...12, set: 0)],
        functions: [], once: [12...12]),
      "Sources/Shop/Till.swift": .init(lines: [.init(lines: 1...3, set: 2)], functions: []),
    ])

  private func find(
    _ changed: [String: [LineMap.Hunk]?], from old: [String: String] = [:], listed: [TestID] = Self.listed,
    with setting: (inout AffectedTests.Past) -> Void = { _ in }
  ) -> AffectedTests {
    let files = changed.compactMap { path, hunks in
      hunks.map {
        FileDifference(
          status: old[path] == nil ? .modified : .renamed, oldPath: old[path] ?? path, newPath: path,
          lines: LineMap(hunks: $0))
      }
    }
    var past = AffectedTests.Past(
      map: Self.map,
      files: [Self.cart: "Tests/ShopTests/CartTests.swift", Self.till: "Tests/TillTests/TillTests.swift"],
      changed: Set(changed.keys).union(old.values), difference: SourceDifference(files))
    setting(&past)
    return AffectedTests.find(among: listed, since: past, in: Self.model)
  }

  private func hunk(_ old: Range<Int>, _ new: Range<Int>) -> [LineMap.Hunk] { [.init(old: old, new: new)] }

  @Test("are those that ran a changed line, or the lines around new ones")
  func lines() {
    #expect(find(["Sources/Shop/Cart.swift": hunk(3..<4, 3..<4)]) == .some([Self.cart]))
    #expect(find(["Sources/Shop/Cart.swift": hunk(7..<7, 7..<9)]) == .some([Self.cart, Self.label]))
    #expect(find(["Sources/Shop/Till.swift": hunk(2..<3, 2..<2)]) == .some([Self.till]))
    #expect(find(["Sources/Shop/Cart.swift": []]) == .some([]))
  }

  @Test("are all that ran anything in the file where no test ran the lines, or where they serve all tests")
  func declarations() {
    #expect(find(["Sources/Shop/Cart.swift": hunk(10..<11, 10..<11)]) == .some([Self.cart, Self.label]))
    #expect(find(["Sources/Shop/Cart.swift": hunk(12..<13, 12..<13)]) == .some([Self.cart, Self.label]))
    #expect(find(["Sources/Shop/Till.swift": nil]) == .some([Self.till]))
  }

  @Test("are found by the old name of a file")
  func renamed() {
    #expect(
      find(
        ["Sources/Shop/Register.swift": hunk(2..<3, 2..<3)],
        from: ["Sources/Shop/Register.swift": "Sources/Shop/Till.swift"])
        == .some([Self.till]))
  }

  @Test("are all that ran anything of a target with a new file or another resource")
  func targets() {
    #expect(find(["Sources/Shop/New.swift": nil]) == .some(Set(Self.listed)))
    #expect(find(["Sources/Shop/Resources/words.txt": nil]) == .some(Set(Self.listed)))
  }

  @Test("are not all of a target with a new file where others point to the change")
  func guesses() {
    #expect(
      find(["Sources/Shop/New.swift": nil, "Sources/Shop/Till.swift": hunk(2..<3, 2..<3)]) == .some([Self.till]))
  }

  @Test("are those of a changed test file, and all of the target if the file has no tests")
  func testFiles() {
    #expect(find(["Tests/ShopTests/CartTests.swift": nil]) == .some([Self.cart]))
    #expect(find(["Tests/ShopTests/Help.swift": nil]) == .some([Self.cart, Self.label]))
    #expect(find(["Tests/TillTests/Fixtures/a.json": nil]) == .some([Self.till]))
  }

  @Test("are also the new ones and those that were red, but none that is no longer listed")
  func others() {
    #expect(find([:], listed: Self.listed + [Self.fresh]) == .some([Self.fresh]))
    #expect(find([:]) { $0.red = [Self.label] } == .some([Self.label]))
    #expect(find(["Sources/Shop/Till.swift": hunk(2..<3, 2..<3)], listed: [Self.cart]) == .some([]))
  }

  @Test("are none for texts and for what no target holds")
  func texts() {
    #expect(find(["README.md": nil, "Sources/Shop/Shop.md": nil, "script/run": nil]) == .some([]))
  }

  @Test("are unknown if the manifest, versions, the toolchain or a file in C changed")
  func unknown() {
    #expect(find(["Package.swift": nil, "README.md": nil]) == .any(.file("Package.swift")))
    #expect(find(["Package.resolved": nil]) == .any(.file("Package.resolved")))
    #expect(find(["Package@swift-6.1.swift": nil]) == .any(.file("Package@swift-6.1.swift")))
    #expect(find(["Sources/CShop/include/shop.h": nil]) == .any(.file("Sources/CShop/include/shop.h")))
    #expect(find([:]) { $0.toolchainChanged = true } == .any(.toolchain))
    #expect(find([:]) { $0.dependenciesChanged = true } == .any(.dependencies))
  }

  @Test("Those that ran lines of an earlier commit are found wherever the lines are now")
  func moved() {
    let path = "Sources/Shop/Cart.swift"
    let change = SourceDifference([
      FileDifference(
        status: .modified, oldPath: path, newPath: path, lines: LineMap(hunks: hunk(1..<1, 1..<4) + hunk(4..<5, 7..<7)))
    ])
    func tests(_ lines: Int..., change: SourceDifference) -> [TestID] {
      Self.map.tests(ofAny: lines.map { SourceLocation(file: path, line: $0) }, before: change)
    }
    #expect(tests(6, 7, change: SourceDifference([])) == [Self.cart, Self.label])
    #expect(tests(1, change: SourceDifference([])).isEmpty && tests(1, change: change) == [Self.cart])
    #expect(tests(4, change: change).isEmpty, "What was removed ran nowhere.")
  }
}
