import Model
import Parsing
import Testing

@Suite("Declarations of XCTest's tests")
struct TestDeclarationsTests {
  private func places(_ text: String, module: String = "M") -> [String: Int] {
    let source = TestDeclarations.Source(module: module, path: "Tests/M/T.swift", bytes: Array(text.utf8))
    let found = TestDeclarations.find(in: [source])
    return Dictionary(uniqueKeysWithValues: found.map { ($0.key.description, $0.value.line) })
  }

  @Test("A method is found under its class, in extensions and in classes derived from it, too")
  func classes() {
    let found = places(
      """
      import XCTest
      final class ATests: XCTestCase {
        func testOne() {}
        @MainActor override class func setUp() {}
        func testTwo() async throws {
        }
      }
      class BTests: ATests {
        func testOne() {}
      }
      extension ATests { func testThree() {} }
      """)
    #expect(
      found == [
        "M.ATests/testOne": 3, "M.ATests/testTwo": 5, "M.ATests/testThree": 11, "M.BTests/testOne": 9,
        "M.BTests/testTwo": 5, "M.BTests/testThree": 11,
      ])
  }

  @Test("Comments, strings and other types are no classes")
  func words() {
    let found = places(
      """
      /// A class that holds tests.
      class ATests: XCTestCase {
        // The class of all others.
        func testOne() { check("<p class=\\"x\\">") }
        func testTwo() {
          let source = \"""
            class Other { func testNever() {} }
            \"""
          struct Local { func testLocal() {} }
        }
        struct Inner { func testInner() {} }
        func testThree() {}
      }
      """)
    #expect(found == ["M.ATests/testOne": 4, "M.ATests/testTwo": 5, "M.ATests/testThree": 12])
  }

  @Test("An inherited method is found where it is declared, unless the class has its own")
  func inherited() {
    let files = ["class Base: XCTestCase { func testA() {}\nfunc testB() {} }", "class B: Base { func testB() {} }"]
    let sources = files.enumerated().map {
      TestDeclarations.Source(module: "M", path: "\($0.offset).swift", bytes: Array($0.element.utf8))
    }
    let found = TestDeclarations.find(in: sources)
    #expect(found[TestID(module: "M", suite: "B", name: "testA")] == SourceLocation(file: "0.swift", line: 1))
    #expect(found[TestID(module: "M", suite: "B", name: "testB")] == SourceLocation(file: "1.swift", line: 1))
    let circle = "class A: B { func testA() {} }\nclass B: A {}"
    #expect(places(circle) == ["M.A/testA": 1, "M.B/testA": 1])
  }

  @Test("A source whose brackets do not match is read line by line")
  func unmatched() {
    let found = places("#if A\nclass A: XCTestCase {\n#else\nclass A: Other {\n#endif\n  func testX() {}\n}")
    #expect(found == ["M.A/testX": 6])
  }

  @Test("A method outside every class, or not named like a test, is passed over")
  func others() {
    #expect(places("func testFree() {}\nclass A {\n  func helper() {}\n  var testing = 1\n}").isEmpty)
  }

  @Test("The first of two declarations counts, and any bytes are accepted")
  func oddities() {
    #expect(places("class A {\n  func testX() {}\n  func testX() {}\n}") == ["M.A/testX": 2])
    let bytes = (0...255).map(UInt8.init) + Array("\nclass A { func testY() {} }".utf8)
    let source = TestDeclarations.Source(module: "M", path: "p", bytes: bytes)
    #expect(TestDeclarations.find(in: [source]).count == 1)
  }
}
