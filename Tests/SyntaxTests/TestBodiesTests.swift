import Syntax
import Testing

@Suite("What stays of a test that is renamed")
struct TestBodiesTests {
  private func bodies(_ text: String) -> TestBodies { TestBodies(SourceCode(Array(text.utf8), path: "A.swift")) }

  @Test("Its parameters and its body, without comments and blanks")
  func renamed() {
    let old = bodies("import Testing\n@Test func one() { #expect(one() == 1) }\n")
    let new = bodies(
      "import Testing\n\n@Test(.tags(.slow))\nfunc first() {\n  // Still red.\n  #expect(one() == 1)\n}\n")
    let text = old.text(of: "one()", at: 2)
    #expect(text != nil)
    #expect(new.text(of: "first()", at: 3) == text)
    #expect(new.text(of: "first()", at: 4) == text)
    #expect(new.lines(of: "first()", at: 4) == 4...7 && old.lines(of: "one()", at: 2) == 2...2)
    #expect(new.lines(of: "second()", at: 4) == nil)
    #expect(bodies("@Test func one() { #expect(one() == 2) }\n").text(of: "one()", at: 1) != text)
    #expect(bodies("@Test func one(_ n: Int) { #expect(one() == 1) }\n").text(of: "one(_:)", at: 1) != text)
  }

  @Test("Only of the function with this name at the line, which may be quoted, or a method of XCTest")
  func places() {
    let code = bodies(
      """
      final class ATests: XCTestCase {
        func testOne() throws { one() }
        @Test func `in words`() { two() }
      }

      """)
    #expect(code.text(of: "testOne", at: 2) != nil)
    #expect(code.text(of: "`in words`()", at: 3) != nil)
    #expect(code.text(of: "testTwo", at: 2) == nil)
    #expect(code.text(of: "testOne", at: 3) == nil)
    #expect(bodies("@Test func one() { #expect(one() == 1) \n").text(of: "one()", at: 1) == nil, "It is not whole.")
  }
}
