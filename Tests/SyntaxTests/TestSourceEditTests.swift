import Syntax
import Testing

@Suite("What changed in a source of tests")
struct TestSourceEditTests {
  private static let source = """
    import Testing
    import XCTest

    private let price = 5

    @Suite struct Letters {
      let till = Till()
      @Test(arguments: [1, 2]) func reminders(times: Int) { #expect(price == times) }
      @Test func clock() async { #expect(now() == 0) }
      @MainActor
      @Test func `in words`() { #expect(word == "\\(clock)") }

      func now() -> Int { 0 }
    }

    final class TillTests: XCTestCase {
      var till = Till()
      override func setUp() { till = Till() }
      func testSum() throws { check() }
      func testCheck() { testSteps() }
      func testSteps() { till.open() }
      func testValue() -> Int { 1 }
      func check() { XCTAssertEqual(till.sum, 5) }
    }

    """

  private func edit(_ old: String, _ new: String) -> TestSourceEdit? {
    guard Self.source.contains(old) else { return nil }
    return TestSourceEdit(
      from: SourceCode(Array(Self.source.utf8), path: "A.swift"),
      to: SourceCode(Array(Self.source.replacing(old, with: new).utf8), path: "A.swift"))
  }

  @Test(
    "The change of a test, with its attributes, is of no concern to another",
    arguments: [
      ("price == times", "price > times", ["reminders"]), ("[1, 2]", "[1, 2, 3]", ["reminders"]),
      ("now() == 0", "now() == 1", ["clock"]), ("throws { check() }", "{ check() }", ["testSum"]),
      ("{ testSteps() }", "{ testSteps(); testSteps() }", ["testCheck"]),
      ("word == \"", "word != \"", ["in words"]), ("@MainActor\n", "", ["in words"]),
    ])
  func changed(_ old: String, _ new: String, _ names: [String]) {
    #expect(edit(old, new) == .tests(Set(names)))
  }

  @Test("So is a test that is new, gone or moved")
  func listed() {
    #expect(edit("  func testSum() throws { check() }\n", "") == .tests(["testSum"]))
    #expect(edit("  @Test func clock() async { #expect(now() == 0) }\n", "") == .tests(["clock"]))
    #expect(
      edit("  func now()", "  @Test func more() { #expect(now() == 2) }\n  func now()") == .tests(["more"]))
    #expect(edit("func testSum() throws", "func testTotal() throws") == .tests(["testSum", "testTotal"]))
    #expect(edit("private let price", "// In cents.\nprivate let price") == .tests([]))
  }

  @Test(
    "What tests share concerns each of them, whether it is run or only declared",
    arguments: [
      ("import XCTest", "@testable import Shop\nimport XCTest"), ("price = 5", "price = 6"),
      ("let till = Till()", "let till = Till(open: true)"), ("var till = Till()", "var till = Till(open: true)"),
      ("{ till = Till() }", "{ till = Till(open: true) }"), ("func now() -> Int { 0 }", "func now() -> Int { 1 }"),
      ("{ XCTAssertEqual(till.sum, 5) }", "{ XCTAssertEqual(till.sum, 6) }"),
      ("@Suite struct", "@Suite(.serialized) struct"),
      ("Int { 1 }", "Int { 2 }"),
      // It is named like a test, but another one calls it.
      ("{ till.open() }", "{ till.close() }"),
    ])
  func shared(_ old: String, _ new: String) {
    #expect(edit(old, new) == .shared)
  }

  @Test("A source that is not whole, or not Swift, may have changed in any way")
  func unknown() {
    let old = SourceCode(Array("@Test func a() { 1 }".utf8), path: "A.swift")
    #expect(TestSourceEdit(from: old, to: SourceCode(Array("@Test func a() { 1".utf8), path: "A.swift")) == .shared)
    let c = SourceCode(Array("int a() { return 1; }".utf8), path: "a.c")
    #expect(TestSourceEdit(from: c, to: c) == .shared)
  }

  @Test("A test is known by the name of its function")
  func names() {
    let edit = TestSourceEdit.tests(["reminders", "testSum", "in words"])
    for name in ["reminders(times:)", "testSum", "`in words`()"] { #expect(edit.concerns(name), "\(name)") }
    for name in ["clock()", "testCheck"] { #expect(!edit.concerns(name), "\(name)") }
    #expect(TestSourceEdit.shared.concerns("clock()"))
  }
}
