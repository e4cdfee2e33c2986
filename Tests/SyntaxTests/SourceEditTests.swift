import Model
import Syntax
import Testing

@Suite("What changed in a Swift source")
struct SourceEditTests {
  private static let shop = """
    import Foundation

    public struct Cart: Equatable {
      static let none = Cart(prices: [])
      var prices: [Int] = []
      var count: Int { prices.count }
      var sum: Int {
        get { prices.reduce(0, +) }
        set { prices = [newValue] }
      }
      var watched = 1 {
        didSet { print(watched) }
      }
      subscript(index: Int) -> Int { prices[index] }

      init(prices: [Int] = [1]) {
        self.prices = prices
      }

      // What is added comes last.
      @discardableResult
      mutating func add(_ price: Int) -> Int {
        prices.append(price)
        return [1].map { $0 + 1 }[0]
      }

      @inlinable func twice(_ number: Int) -> Int { number * 2 }
      static func == (one: Cart, other: Cart) -> Bool { one.prices == other.prices }
    }

    protocol Priced {
      var price: Int { get }
      func add()
    }

    extension Priced {
      func add() { print("add") }
    }

    """

  private func edit(_ old: String, _ new: String) -> SourceEdit? {
    guard Self.shop.contains(old) else { return nil }
    return SourceEdit(
      from: SourceCode(Array(Self.shop.utf8), path: "A.swift"),
      to: SourceCode(Array(Self.shop.replacing(old, with: new).utf8), path: "A.swift"))
  }

  @Test("Comments and blanks are nothing")
  func silent() {
    #expect(edit("added comes last", "added comes first") == .bodies([]))
    #expect(edit("{ prices[index] }", "{ /* the price */ prices[index] }") == .bodies([]))
  }

  @Test(
    "The body of a function, accessor, initializer, subscript or operator is told by its lines",
    arguments: [
      ("prices.append(price)", "prices.append(0)", "add", 21...22, 22...25),
      ("$0 + 1", "$0 + 2", "add", 21...22, 22...25),
      ("{ prices.count }", "{ prices.count + 1 }", "count", 4...6, 6...6),
      ("get { prices.reduce(0, +) }", "get { 0 }", "sum", 8...8, 8...8),
      ("set { prices = [newValue] }", "set { }", "sum", 9...9, 9...9),
      ("{ prices[index] }", "{ 0 }", nil, 14...14, 14...14),
      ("self.prices = prices", "self.prices = []", nil, 16...16, 16...18),
      ("{ number * 2 }", "{ number * 3 }", "twice", 27...27, 27...27),
      ("one.prices == other.prices", "true", "==", 28...28, 28...28),
      ("print(\"add\")", "print(\"more\")", "add", 37...37, 37...37),
      ("prices.count }", "prices .count }", "count", 4...6, 6...6),
    ] as [(String, String, String?, ClosedRange<Int>, ClosedRange<Int>)])
  func bodies(_ old: String, _ new: String, _ name: String?, _ head: ClosedRange<Int>, _ body: ClosedRange<Int>) {
    // The head begins behind the last brace, comments aside.
    guard case .bodies(let functions, moved: []) = edit(old, new) else {
      Issue.record("\(String(describing: edit(old, new)))")
      return
    }
    #expect(functions.map(\.name) == [name] && functions.map(\.head) == [head] && functions.map(\.body) == [body])
  }

  @Test("What lines of code move is told, the function around them and those below")
  func moved() {
    let edit = edit("    self.prices = prices\n", "\n    // As they are.\n    self.prices = prices\n\n")
    guard case .bodies([], let moved) = edit else {
      Issue.record("\(String(describing: edit))")
      return
    }
    #expect(moved.map(\.body) == [16...18, 22...25, 27...27, 28...28, 37...37])
  }

  @Test("A changed function tells the words that it held and holds")
  func words() {
    let edit = edit("self.prices = prices", "self.prices = Price.all")
    #expect(edit == .bodies([.init(head: 16...16, body: 16...18, words: ["self", "prices", "Price", "all"])]))
  }

  @Test(
    "Everything else is a declaration",
    arguments: [
      ("import Foundation", "import Glibc", 1), ("Cart: Equatable", "Cart: Hashable", 3),
      ("Cart(prices: [])", "Cart(prices: [2])", 4), ("prices: [Int] = []", "prices: [Int] = [3]", 5),
      ("print(watched)", "print(1)", 12), ("[Int] = [1]", "[Int] = [2]", 16),
      ("@discardableResult\n", "", 21), ("-> Int {\n", "-> Int? {\n", 22),
      ("{ get }", "{ get set }", 32), ("func add()\n", "func add()\n  func more()\n", 34),
      ("extension Priced {", "extension Priced {\n  func more() {}", 37),
      ("  static func == (one: Cart, other: Cart) -> Bool { one.prices == other.prices }\n", "", 28),
      ("var count: Int { prices.count }", "let count: Int", 6),
    ])
  func declarations(_ old: String, _ new: String, _ line: Int) {
    #expect(edit(old, new) == .declarations(line: line))
  }

  @Test("A source that is not whole, or not Swift, is not looked into")
  func unknown() {
    let old = SourceCode(Array("func a() { 1 }".utf8), path: "A.swift")
    #expect(
      SourceEdit(from: old, to: SourceCode(Array("func a() { 1".utf8), path: "A.swift")) == .declarations(line: 1))
    let c = SourceCode(Array("int a() { return 1; }".utf8), path: "a.c")
    #expect(SourceEdit(from: c, to: c) == .declarations(line: 1))
  }

  @Test("What stands at the top of a program is a declaration, and so is what a macro or a value takes in braces")
  func top() {
    func line(_ old: String, _ new: String) -> SourceEdit {
      SourceEdit(
        from: SourceCode(Array(old.utf8), path: "A.swift"), to: SourceCode(Array(new.utf8), path: "A.swift"))
    }
    #expect(line("if a {\n  b()\n}\n", "if a {\n  c()\n}\n") == .declarations(line: 2))
    #expect(line("let a = {\n  1\n}()\n", "let a = {\n  2\n}()\n") == .declarations(line: 2))
    #expect(line("#Preview {\n  1\n}\n", "#Preview {\n  2\n}\n") == .declarations(line: 2))
    #expect(line("var a: Int = f {\n  1\n}\n", "var a: Int = f {\n  2\n}\n") == .declarations(line: 2))
  }
}
