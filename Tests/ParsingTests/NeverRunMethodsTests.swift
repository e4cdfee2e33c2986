import Model
import Parsing
import Testing

@Suite("Functions that look like tests and are none")
struct NeverRunMethodsTests {
  private func found(_ texts: String..., module: String = "M") -> [String] {
    let sources = texts.enumerated().map { number, text in
      TestDeclarations.Source(module: module, path: "Tests/M/\(number).swift", bytes: Array(text.utf8))
    }
    return NeverRunMethods.find(in: sources).map { "\($0.name) \($0.cause.rawValue) \($0.location.line)" }
  }

  @Test("Private methods, and those with parameters, values or of the class, are told with the reason")
  func causes() {
    let text = """
      import XCTest
      final class ATests: XCTestCase {
        func testRuns() async throws {}
        func testVoid() -> Void {}
        func testEmpty() throws(Oops) -> () {}
        private func testPrivate() {}
        @MainActor fileprivate func testFilePrivate() {}
        func testWith(_ number: Int) {}
        func testDefault(number: Int = 1) {}
        func testValue() async throws -> Int { 1 }
        func testOptional() -> Void? { nil }
        static func testStatic() {}
        override class func testClass() {}
        func helper(_ number: Int) {}
      }
      """
    #expect(
      found(text) == [
        "ATests/testPrivate private 6", "ATests/testFilePrivate private 7", "ATests/testWith parameters 8",
        "ATests/testDefault parameters 9", "ATests/testValue return-value 10", "ATests/testOptional return-value 11",
        "ATests/testStatic static 12", "ATests/testClass static 13",
      ])
  }

  @Test("A method that asserts is told by its name if nothing else could have been meant")
  func misnamed() {
    let text = """
      import XCTest
      final class ATests: XCTestCase {
        func tesTypo() { XCTAssertTrue(true) }
        @MainActor func addsTest() async throws -> Void { let a = try XCTUnwrap(1); _ = { a } }
        func helper() { print("no assertion") }
        func checkOften() { XCTFail("no") }
        func testOften() { checkOften() }
        func spoken() { XCTFail("no") }
        let words = "\\(spoken())"
        override func setUp() { XCTAssertTrue(true) }
        private func hidden() { XCTFail("no") }
        static func shared() { XCTFail("no") }
        public func forOthers() { XCTFail("no") }
        @objc func called() { XCTFail("no") }
        func value() -> Int { XCTFail("no"); return 1 }
        func given(_ number: Int) { XCTFail("no") }
      }
      final class Plain { func asserts() { XCTFail("no") } }
      """
    #expect(found(text) == ["ATests/tesTypo name 3", "ATests/addsTest name 4"])
    #expect(found(text, "/* tesTypo is kept for later */") == ["ATests/addsTest name 4"])
  }

  @Test("A function without @Test that expects something is told if nothing else could have been meant")
  func unmarked() {
    let text = """
      import Testing
      func alone() { #expect(true) }
      struct Suite {
        @Test func first() { checkOften() }
        func forgotten() async throws -> Void { let a = try #require(value()); _ = a }
        func checkOften() { #expect(true) }
        func silent() { print("expects nothing") }
        @Test("A name") func named() { #expect(true) }
        @Sendable func called() { #expect(true) }
        func given(_ number: Int) { #expect(number == 1) }
        private func hidden() { #expect(true) }
        func value() -> Int? { #expect(true); return 1 }
        let closure = { func within() { #expect(true) } }
        #if DEBUG
        func perhaps() { #expect(true) }
        #endif
        @Suite struct Inner {
          @MainActor func deep() { #expect(true) }
          @Test func second() {}
        }
      }
      extension Suite.Inner { func extended() { #expect(true) } }
      struct Delegate { func tellEnd() { #expect(true) } }
      """
    let named = "Suite/forgotten attribute 5"
    #expect(
      found(text) == [
        "alone attribute 2", named, "Suite.Inner/deep attribute 18", "Suite.Inner/extended attribute 22",
      ])
    #expect(found(text, "// alone, deep and extended") == [named])
    #expect(found("struct Delegate { func tellEnd() { #expect(true) } }") == [])
  }

  @Test("A function that a protocol may demand of its type is no forgotten test, unless its name is that of one")
  func demanded() {
    let own = """
      import XCTest
      final class PlayerTests: XCTestCase, PlayerDelegate {
        func playerDidFinish() { XCTAssertTrue(done) }
        private func testEnd() {}
      }
      final class OtherTests: XCTestCase { func otherDidFinish() { XCTAssertTrue(done) } }
      """
    #expect(found(own) == ["PlayerTests/testEnd private 4", "OtherTests/otherDidFinish name 6"])
    #expect(found(own, "extension OtherTests: PlayerDelegate {}") == ["PlayerTests/testEnd private 4"])
    let suites = """
      import Testing
      @Suite struct Player: PlayerDelegate {
        @Test func first() {}
        func playerDidFinish() { #expect(done) }
        @Suite struct Inner {
          @Test func second() {}
          func innerDidFinish() { #expect(done) }
        }
      }
      """
    #expect(found(suites) == ["Player.Inner/innerDidFinish attribute 7"])
    #expect(found(suites, "extension Player.Inner: PlayerDelegate {}") == [])
  }

  @Test("The privacy of a class or an extension is that of its methods")
  func scopes() {
    let text = """
      import XCTest
      private final class Hidden: XCTestCase { func testHidden() {} }
      class Open: XCTestCase { func testRuns() {} }
      fileprivate extension Open { func testExtended() {} }
      """
    #expect(found(text) == ["Hidden/testHidden private 2", "Open/testExtended private 4"])
  }

  @Test("Only classes that the target derives from XCTestCase count, also by way of each other")
  func classes() {
    let base = "import XCTest\nclass Base: XCTestCase {}"
    let text = """
      final class Derived: Base { private func testOne() {} }
      final class Other: Elsewhere { private func testTwo() {} }
      struct Plain { private func testThree() {} }
      final class Outer: Base { final class Inner: Base { private func testFour() {} } }
      """
    #expect(found(text, base) == ["Derived/testOne private 1"])
    #expect(found(text) == [])
  }

  @Test("A helper that something mentions again is none, in whatever source that is")
  func helpers() {
    let text = "import XCTest\nfinal class A: XCTestCase { func testEach(_ n: Int) {}\n func testB() { testEach(1) } }"
    #expect(found(text) == [])
    let other = "extension A { func testC() { testEach(2) } }"
    #expect(found("import XCTest\nfinal class A: XCTestCase { func testEach(_ n: Int) {} }", other) == [])
    let comment = "// testEach(1)\nlet text = \"testEach\""
    #expect(found("import XCTest\nfinal class A: XCTestCase { func testEach(_ n: Int) {} }", comment).count == 1)
  }

  @Test("What a condition of the compiler surrounds is not judged")
  func conditions() {
    let text = """
      import XCTest
      #if os(macOS)
      final class A: XCTestCase { private func testOne() {} }
      #endif
      final class B: XCTestCase {
        #if DEBUG
        private func testTwo() {}
        #endif
        private func testThree() {}
      }
      """
    #expect(found(text) == ["B/testThree private 9"])
  }

  @Test("Comments and strings are no code, whatever they hold")
  func literals() {
    let text = ##"""
      import XCTest
      /* class X: XCTestCase { /* { */ private func testNo() {} */
      final class A: XCTestCase {
        let a = "}", b = #"\("}"# , c = "\(["}": "{"].map { "\($0)}" })"
        let d = """
          } private func testNever() {} " "" \(1)
          """
        private func testOne() {}
      }
      """##
    #expect(found(text) == ["A/testOne private 8"])
  }

  @Test(
    "A source that cannot be read for certain gives nothing for its target",
    arguments: ["final class B {", "let a = \"", "}", "/* never closed", "let s = \"\"\" x"])
  func uncertain(text: String) {
    #expect(found("import XCTest\nfinal class A: XCTestCase { private func testOne() {} }", text) == [])
  }

  @Test("A regular expression may hold what would open a string")
  func regex() {
    #expect(found("import XCTest\nfinal class A: XCTestCase { private func testOne() {} }", "let r = /\"/").count == 1)
  }

  @Test("Bytes that are no text do not disturb it")
  func bytes() {
    let bytes =
      Array("import XCTest\nfinal class A: XCTestCase { private func testOne() {} }\n// ".utf8) + [0xFF, 0, 0x80]
    let source = TestDeclarations.Source(module: "M", path: "a.swift", bytes: bytes)
    #expect(NeverRunMethods.find(in: [source]).count == 1)
  }
}
