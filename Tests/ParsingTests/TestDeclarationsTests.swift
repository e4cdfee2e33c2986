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

  @Test("A method is found under the class that was opened last, extensions included")
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
      found == ["M.ATests/testOne": 3, "M.ATests/testTwo": 5, "M.BTests/testOne": 9, "M.ATests/testThree": 11])
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
