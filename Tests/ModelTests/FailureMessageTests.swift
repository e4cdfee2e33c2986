import Testing

@testable import Model

@Suite("Failure messages taken apart")
struct FailureMessageTests {
  @Test(
    "XCTest's shapes",
    arguments: [
      (
        #"XCTAssertEqual failed: ("say "hi" (now)") is not equal to ("say ") is not equal to (" - x") - "#,
        .init(
          assertion: "XCTAssertEqual", first: #"say "hi" (now)"#, second: #"say ") is not equal to (" - x"#,
          relation: "is not equal to")
      ),
      (
        #"XCTAssertEqual failed: ("["a": "b - c"]") is not equal to ("["a": "d"]") - see ("x") - y"#,
        .init(
          assertion: "XCTAssertEqual", first: #"["a": "b - c"]"#, second: #"["a": "d"]"#, relation: "is not equal to",
          note: #"see ("x") - y"#)
      ),
      (
        #"XCTAssertEqual failed: ("") is not equal to (" ") - "#,
        .init(assertion: "XCTAssertEqual", first: "", second: " ", relation: "is not equal to")
      ),
      (
        #"XCTAssertEqual failed: (":)") is not equal to (":(") - "#,
        .init(assertion: "XCTAssertEqual", first: ":)", second: ":(", relation: "is not equal to")
      ),
      (
        #"XCTAssertNotEqual failed: ("0.1") is equal to ("0.1") +/- ("0.5") - near"#,
        .init(
          assertion: "XCTAssertNotEqual", first: "0.1", second: "0.1", relation: "is equal to", accuracy: "0.5",
          note: "near")
      ),
      (
        #"XCTAssertGreaterThanOrEqual failed: ("1") is less than ("2") - "#,
        .init(assertion: "XCTAssertGreaterThanOrEqual", first: "1", second: "2", relation: "is less than")
      ),
      (
        #"XCTAssertIdentical failed: ("nil") is not identical to ("x") - same"#,
        .init(
          assertion: "XCTAssertIdentical", first: "nil", second: "x", relation: "is not identical to", note: "same")
      ),
      (
        "XCTAssertThrowsError failed: did not throw error - must throw",
        .init(assertion: "XCTAssertThrowsError", relation: "did not throw error", note: "must throw")
      ),
      (
        #"XCTAssertNoThrow failed: threw error "E("x")" - calm"#,
        .init(assertion: "XCTAssertNoThrow", first: #"E("x")"#, relation: "threw error", note: "calm")
      ),
      (
        #"XCTAssertEqual threw error "E()" - "#,
        .init(assertion: "XCTAssertEqual", first: "E()", relation: "threw error")
      ),
      (
        #"XCTUnwrap failed: expected non-nil value of type "Int" - needed"#,
        .init(assertion: "XCTUnwrap", relation: #"expected non-nil value of type "Int""#, note: "needed")
      ),
      (
        "Asynchronous wait failed - Fulfilled inverted expectation 'never'",
        .init(assertion: "Asynchronous wait", relation: "Fulfilled inverted expectation 'never'")
      ),
      (
        "Failed due to expectation fulfilled in incorrect order: requires 'a', actually fulfilled 'b'",
        .init(assertion: "Asynchronous wait", first: "b", second: "a", relation: "was fulfilled before")
      ),
    ] as [(String, ParsedFailure)])
  func xctest(message: String, parsed: ParsedFailure) {
    #expect(FailureMessage.xctest(message) == parsed)
  }

  @Test(
    "Swift Testing's shapes",
    arguments: [
      (
        "Expectation failed: (a → \"one\ntwo\") == (b → \"one\nthree\")", "note one\nnote two",
        .init(
          assertion: "Expectation", first: "\"one\ntwo\"", second: "\"one\nthree\"", relation: "==",
          note: "note one\nnote two", expression: "a == b")
      ),
      (
        #"Expectation failed: (a → "say "hi" (now)") == ("x → == \"y\"" → "x → == "y"")"#, nil,
        .init(
          assertion: "Expectation", first: #""say "hi" (now)""#, second: #""x → == "y"""#, relation: "==",
          expression: #"a == "x → == \"y\"""#)
      ),
      ("Expectation failed: x → nil", nil, .init(assertion: "Expectation", first: "nil", expression: "x")),
      (
        "Expectation failed: .success → .exitCode(3)", nil,
        .init(assertion: "Expectation", first: ".exitCode(3)", expression: ".success")
      ),
      (
        "Expectation failed: (a → 3) is (String → Int)", nil,
        .init(assertion: "Expectation", first: "3", second: "Int", relation: "is", expression: "a is String")
      ),
      ("Expectation failed: flag", nil, .init(assertion: "Expectation", expression: "flag")),
      (
        #"Expectation failed: expected error of type Bad, but "E()" was thrown instead"#, nil,
        .init(
          assertion: "Expectation", first: "E()", second: "error of type Bad", relation: "was thrown instead of")
      ),
      (
        #"Expectation failed: an error was expected but none was thrown and "3" was returned"#, nil,
        .init(assertion: "Expectation", first: "3", relation: "an error was expected but none was thrown")
      ),
      ("Caught error: .divideByZero", nil, .init(assertion: "Caught error", first: ".divideByZero")),
      ("Issue recorded", "my own words", .init(assertion: "Issue recorded", note: "my own words")),
      ("Issue recorded: my own words", nil, .init(assertion: "Issue recorded", note: "my own words")),
      (
        "Confirmation was confirmed 0 times, but expected to be confirmed 1 time", "called",
        .init(
          assertion: "Confirmation", first: "0 times", second: "1 time", relation: "but expected to be confirmed",
          note: "called")
      ),
      (
        "Time limit was exceeded: 60.000 seconds", nil,
        .init(assertion: "Time limit", first: "60.000 seconds", relation: "was exceeded")
      ),
    ] as [(String, String?, ParsedFailure)])
  func swiftTesting(headline: String, note: String?, parsed: ParsedFailure) {
    #expect(FailureMessage.swiftTesting(headline: headline, note: note) == parsed)
  }

  @Test(
    "The two conditions of a logical expression stand as in the source; those of more are grouped as printed",
    arguments: [
      ("(a → false) || (b == 1 → false)", ["a", "b == 1"]), ("(a → true) && (b() → false)", ["a", "b()"]),
      ("(a → 1) == (b → 2)", nil), ("!(a → true)", nil),
      ("((x || y) → false) || (b → false)", ["(x || y)", "b"]),
      ("(a == 1 && !b → false) && (c → <not evaluated>)", ["a == 1 && !b", "c"]),
    ] as [(String, [String]?)])
  func conditions(text: String, parts: [String]?) {
    let parsed = FailureMessage.swiftTesting(headline: "Expectation failed: \(text)", note: nil)
    #expect(parsed?.conditions.map { [$0.first, $0.second] } == parts)
  }

  @Test(
    "A text without a known shape is left whole",
    arguments: ["", "failed", "XCT", "XCTAssertEqual failed: (\"a", "something else", "XCTAssertNil failed: \"", "\n"])
  func unknown(message: String) {
    #expect(FailureMessage.xctest(message) == nil)
    #expect(FailureMessage.swiftTesting(headline: message, note: nil) == nil)
  }

  @Test("Thousands of nested quotes are no burden")
  func many() {
    let operand = String(repeating: #"") is not equal to (""#, count: 3000)
    let message = "XCTAssertEqual failed: (\"\(operand)\") is not equal to (\"b\") - "
    #expect(FailureMessage.xctest(message) != nil)
  }

  @Test("A skip or failure is complete only where nothing can follow")
  func completeness() {
    #expect(FailureMessage.isComplete("XCTAssertTrue failed - "))
    #expect(FailureMessage.isComplete("Test skipped"))
    #expect(FailureMessage.isComplete(#"threw error "E()""#))
    #expect(!FailureMessage.isComplete(#"threw error ""#))
    #expect(!FailureMessage.isComplete("failed - text"))
    #expect(FailureMessage.isUnfinished("XCTAssertEqual failed: (\"one"))
    #expect(!FailureMessage.isUnfinished("failed - text"))
  }
}
