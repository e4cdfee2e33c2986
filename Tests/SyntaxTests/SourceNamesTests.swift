import Model
import Syntax
import Testing

@Suite("The names in a Swift source")
struct SourceNamesTests {
  private func names(_ text: String) -> SourceNames { SourceNames(SourceCode(Array(text.utf8), path: "A.swift")) }

  private func variables(_ text: String) -> [String] {
    names(text).variables.map { "\($0.name)\($0.isPrivate ? " private" : "")\($0.isConstant ? " constant" : "")" }
  }

  @Test(
    "It is told whether a source asks for its lines",
    arguments: [
      ("func log(line: UInt = #line) {}", true), ("let a = #column", true),
      ("let a = #filePath + \"#line\" // #line", false),
      ("#sourceLocation(file: \"A\", line: 2)", false),
    ])
  func readsLines(_ text: String, _ reads: Bool) {
    #expect(names(text).readsLines == reads)
  }

  @Test("Globals and static properties outlive a test; locals, members and what is computed do not")
  func variables() {
    let text = """
      nonisolated(unsafe) var cache: [Int: Int] = [:]
      let doc = parse("a")
      private let secret = 1, other = make()
      let (left, right) = (1, 2)
      var doubled: Int { cache.count * 2 }
      var watched = 1 { didSet { print(watched) } }
      struct Cart {
        static let none = Cart(prices: [])
        private(set) static var shared: Cart?
        @MainActor fileprivate static var current: Cart
        static var total: Int { get { 1 } }
        let prices: [Int]
        lazy var sum = prices.reduce(0, +)
        func add() { var local = 1; let more = make(); struct Inner { static var count = 0 } }
      }
      """
    // One call makes all of a line more than a constant.
    #expect(
      variables(text) == [
        "cache", "doc", "secret private", "other private", "left constant", "right constant", "watched", "none",
        "shared",
        "current private", "count",
      ])
    #expect(names(text).computed == ["doubled", "total"])
  }

  @Test("A variable knows the type that it is declared in")
  func owners() {
    let text = """
      let one = Limit()
      struct Outer<T> where T: Sendable { static let two = Self(1); enum Inner { static let three: Self = make() } }
      extension Outer.Inner { static let four = Self(4)
        static var sum: Int { 1 }
        func run() { struct Local { static let five = Self() }; var sum: Int { 2 } }
      }
      private extension Till { static let six = make(Self.one) }
      final class Store { class func open() {}; static let seven = try! Self.Key(7) }
      let eight = 8
      """
    let found = names(text)
    #expect(found.variables.map(\.name) == ["one", "two", "three", "four", "five", "six", "seven", "eight"])
    #expect(found.variables.map(\.type) == [nil, "Outer", "Inner", "Inner", "Local", "Till", "Store", nil])
    #expect(found.computed == ["sum"])
  }

  @Test(
    "A let is told from variables and from what a pattern declares",
    arguments: [
      ("static let a = f()", true), ("let a: Shop.Cart", true), ("var a = f()", false), ("let (a, b) = f()", false),
      ("let a = 1, b = 2", false),
    ])
  func lets(_ text: String, _ isLet: Bool) {
    #expect(names(text).variables.first?.isLet == isLet)
  }

  @Test("Operators that compare are told with their type and what they mention, and where hashes are made")
  func keys() {
    let found = names(
      """
      struct Name: Hashable {
        static func == (one: Self, other: Self) -> Bool { one.text == other.folded }
        func hash(into hasher: inout Hasher) { hasher.combine(length) }
        func compare(_ other: Self) -> Bool { other.first }
      }
      extension Shop.Name: Comparable {}
      func == (one: Name, other: Int) -> Bool { false }
      func ==<T: Naming>(one: Name, other: T) -> Bool { other.isLike(one) }
      """)
    #expect(
      found.equalities == [
        .init(of: "Name", body: 2...2, words: ["one", "text", "other", "folded"]),
        .init(of: nil, body: 7...7, words: ["false"]), .init(of: nil, body: 8...8, words: ["other", "isLike", "one"]),
      ])
    #expect(found.hashes == ["Name": [3...3]])
    let extended = names("extension Shop.Name { func hash(into hasher: inout Hasher) { hasher.combine(length) } }")
    #expect(extended.hashes == ["Name": [1...1]])
    #expect(found.headers == ["Name": ["struct", "extension", "Name", "Hashable", "Shop", "Comparable"]])
  }

  @Test("A type tells what is stored in it, unless the compiler does not hold that it never changes")
  func stored() {
    let found = names(
      """
      struct Rule { let tag: Tag.Name; var box = Box.shared; static let all = Cache(); var sum: Sum { Sum() }
        func add(_ more: Log) { let local = Local() }
      }
      enum Shape { case none, line(Point), path([Point], Style)
        case pair(a: Pair) }
      struct Call { let make: (Int) -> Rule }
      final class Resolver: Sendable { let rules: [Rule] }
      final class Open { let rules: [Rule] }
      class Heir: Sendable { let rules: [Rule] }
      final class Cache: @unchecked Sendable { var values: [Int] = [] }
      final class Loose: Sendable { nonisolated(unsafe) var count = 0 }
      actor Store { var count = 0 }
      typealias Rules = [Tag.Name: (Rule) -> Bool]
      extension Shop.Rule { struct Part { let kind: Box<Int>.Kind; enum Kind { case of(Shop.Rule) } } }
      """)
    #expect(found.values["Rule"]?.isSuperset(of: ["Tag.Name", "Box", "shared"]) == true)
    #expect(found.values["Rule"]?.isDisjoint(with: ["Tag", "Cache", "Sum", "Log", "Local"]) == true)
    #expect(found.values["Call"] == ["make", "Int", "->", "Rule"])
    #expect(found.values["Rules"] == ["Rules", "Tag.Name", "Rule", "->", "Bool"])
    #expect(found.values["Shop.Rule.Part"] == ["kind", "Box", "Int", ".Kind"])
    #expect(found.values["Shop.Rule.Part.Kind"] == ["Shop.Rule"])
    #expect(found.values["Shape"] == ["Point", "Style", "Pair", "a"])
    #expect(found.classes.map(\.name) == ["Resolver", "Open", "Heir", "Cache", "Loose", "Store"])
    #expect(found.classes.map { $0.constants?.contains("Rule") } == [true, nil, nil, nil, nil, nil])
  }

  @Test(
    "A constant calls nothing for its value",
    arguments: [
      ("1", true), ("\"a\"", true), ("[.a, .b]", true), ("(.a, \"b\")", true), ("other", true), ("-Limits.most", true),
      ("nil\nlet x = f()", true), ("\"\\(a)\"", false), ("f()", false), ("Set<Int>([1])", false), (".init(1)", false),
      ("{ 1 }()", false), ("Calendar(identifier: .gregorian)", true), ("Calendar(identifier: kind())", false),
      ("Calendar.make()", false), ("Set([1])", false), ("a[0]", false), ("f\n  .g()", false), ("#macro(1)", false),
      ("try!\n  f()", false), ("Self(1)", false),
    ])
  func constants(_ value: String, _ isConstant: Bool) {
    #expect(names("static let a = \(value)").variables.first?.isConstant == isConstant)
  }

  @Test("A variable knows the words of its declaration, and every word its lines")
  func words() {
    let found = names("let a: Int =\n  b + `default`\nlet c = \"\\(a) b\"\n// a\na.b()\n")
    #expect(found.variables.map(\.words) == [["a", "Int", "b", "default"], ["c", "a"]])
    #expect(found.lines["a"] == [1, 3, 5] && found.lines["b"] == [2, 5] && found.lines["default"] == [2])
  }

  @Test("Other files can name types, globals and what extensions add, unless it is private")
  func offered() {
    let text = """
      struct Fixture { static let sample = 1; func help() {} }
      func open() { func inner() {} }
      private func hidden() {}
      extension Till.Drawer { func close() {}; private var lock: Int { 1 }; struct Coin { var worth = 1 } }
      private extension Cart { func empty() {}; struct Basket { static let none = 1 } }
      final class Base: XCTestCase { class func setUp() {} }
      """
    #expect(names(text).offered == ["Fixture", "open", "Till", "Drawer", "close", "Coin", "Base"])
  }

  @Test("Classes with an overridden static member, and their superclasses")
  func classes() {
    let text = """
      class BaseCase: XCTestCase { override class func setUp() { boot() } }
      final class A: Support.BaseCase, Helping { override func setUp() {} }
      class B<T>: A { override static var defaultTestSuite: XCTestSuite { .init() } }
      struct C { class func d() {} }
      """
    #expect(names(text).classes.map(\.name) == ["BaseCase", "A", "B"])
    #expect(names(text).classes.map(\.overridesStatic) == [true, false, true])
    #expect(names(text).classes[1].words == ["Support", "BaseCase", "Helping"])
  }

  @Test(
    "Arguments of a test's attribute run outside of the test",
    arguments: [
      ("\"Adds\", .tags(.fast), .timeLimit(.minutes(1)), .bug(\"a\")", true), ("arguments: [1, 2], [\"a\"]", true),
      ("arguments: zip([1], 1...3)", true), ("arguments: [.a, .b(1)]", false), ("arguments: samples()", false),
      (".enabled(if: isReady())", false), (".enabled(if: true)", true), (".retries(3)", false),
      ("arguments: [1].map { $0 }", false), ("arguments: Kind.allCases", true),
    ])
  func attributes(_ arguments: String, _ isConstant: Bool) {
    let found = names("@Test(\(arguments)) @MainActor\nfunc adds(n: Int) {}").attributed
    #expect(found.map(\.name) == ["adds"] && found.first?.isConstant == isConstant)
    #expect(names("@Suite(\(arguments)) final class Cart {}").attributed.map(\.name) == ["Cart"])
  }

  @Test("A test without arguments has none that run outside")
  func plain() {
    #expect(names("@Test func a() {}\n@Testing.Test(.serialized) func b() {}").attributed.map(\.name) == ["b"])
  }

  @Test("Where brackets do not match, every variable may be a global")
  func unbalanced() {
    #expect(variables("func a() {\n#if A\n  if b {\n#else\n  if c {\n#endif\n  var d = 1\n}\n}") == ["d"])
  }
}
