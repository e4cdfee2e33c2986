import Model
import Testing

@testable import Parsing

@Suite("Results: one failing test per XCTest assertion")
struct ResultsAssertionTests {
  /// What one failing test is expected to show.
  struct Row: Sendable, CustomTestStringConvertible {
    var test: String
    var line: Int?
    var message: String
    var parsed: ParsedFailure
    var testDescription: String { test }
  }

  private static func run() throws -> ParsedTestRun {
    try ResultsFixture.console("assertions", asked: ResultsFixture.listed("AssertionTests"))
  }

  static let book: [Row] = [
    Row(test: "test_fail", line: 5, message: "failed - ", parsed: .init(assertion: "XCTFail")),
    Row(
      test: "test_fail_withSimpleMessage", line: 8, message: "failed - We have a problem",
      parsed: .init(assertion: "XCTFail", note: "We have a problem")),
    Row(
      test: "test_fail_withInterpolatedMessage", line: 12, message: "failed - The Answer to the Great Question is 42",
      parsed: .init(assertion: "XCTFail", note: "The Answer to the Great Question is 42")),
    Row(test: "test_avoidConditionalCode", line: 17, message: "failed - ", parsed: .init(assertion: "XCTFail")),
    Row(
      test: "test_assertTrue", line: 22, message: "XCTAssertTrue failed - ", parsed: .init(assertion: "XCTAssertTrue")),
    Row(
      test: "test_assertNil", line: 26, message: #"XCTAssertNil failed: "123" - "#,
      parsed: .init(assertion: "XCTAssertNil", first: "123")),
    Row(
      test: "test_assertNil_withSimpleStruct", line: 31,
      message: #"XCTAssertNil failed: "SimpleStruct(x: 1, y: 2)" - "#,
      parsed: .init(assertion: "XCTAssertNil", first: "SimpleStruct(x: 1, y: 2)")),
    Row(
      test: "test_assertNil_withSelfDescribingType", line: 36, message: #"XCTAssertNil failed: "(1, 2)" - "#,
      parsed: .init(assertion: "XCTAssertNil", first: "(1, 2)")),
    Row(
      test: "test_assertEqual", line: 40,
      message: #"XCTAssertEqual failed: ("actual") is not equal to ("expected") - "#,
      parsed: equal("actual", "expected")),
    Row(
      test: "test_assertEqual_withOptional", line: 44,
      message: #"XCTAssertEqual failed: ("Optional("foo")") is not equal to ("Optional("bar")") - "#,
      parsed: equal(#"Optional("foo")"#, #"Optional("bar")"#)),
    Row(
      test: "test_floatingPointDanger", line: 47,
      message: #"XCTAssertEqual failed: ("0.30000000000000004") is not equal to ("0.3") - "#,
      parsed: equal("0.30000000000000004", "0.3")),
    Row(
      test: "test_messageOverkill", line: 54,
      message:
        #"XCTAssertEqual failed: ("actual") is not equal to ("expected") - Expected "expected" but got "actual""#,
      parsed: equal("actual", "expected", note: #"Expected "expected" but got "actual""#)),
  ]

  static let more: [Row] = [
    Row(
      test: "test_accuracy", line: 7,
      message: #"XCTAssertEqual failed: ("0.30000000000000004") is not equal to ("0.4") +/- ("0.0001") - "#,
      parsed: equal("0.30000000000000004", "0.4", accuracy: "0.0001")),
    Row(
      test: "test_notNil", line: 10, message: "XCTAssertNotNil failed - button",
      parsed: .init(assertion: "XCTAssertNotNil", note: "button")),
    Row(
      test: "test_optionalBool", line: 11,
      message: #"XCTAssertEqual failed: ("nil") is not equal to ("Optional(false)") - "#,
      parsed: equal("nil", "Optional(false)")),
    Row(
      test: "test_newlineError", line: 17, message: "failed - first line\nerror: second line\n\nlast",
      parsed: .init(assertion: "XCTFail", note: "first line\nerror: second line\n\nlast")),
    Row(
      test: "test_newlineOperands", line: 18,
      message: "XCTAssertEqual failed: (\"one\ntwo\") is not equal to (\"one\nthree\") - why\nnot",
      parsed: equal("one\ntwo", "one\nthree", note: "why\nnot")),
    Row(
      test: "test_throws", line: nil, message: #"threw error "TestError(message: "oh no")""#,
      parsed: .init(assertion: "threw error", first: #"TestError(message: "oh no")"#)),
    Row(
      test: "test_wait", line: 40,
      message: """
        Asynchronous wait failed - Exceeded timeout of 0.01 seconds, with unfulfilled expectations: handleResults called
        """,
      parsed: .init(
        assertion: "Asynchronous wait", first: "handleResults called",
        relation: "Exceeded timeout of 0.01 seconds, with unfulfilled expectations")),
    Row(
      test: "test_colon", line: 54,
      message: "failed - path/File.swift:12: error: AssertionKindTests.test_colon : failed - nested",
      parsed: .init(
        assertion: "XCTFail", note: "path/File.swift:12: error: AssertionKindTests.test_colon : failed - nested")),
  ]

  static func equal(
    _ first: String, _ second: String, accuracy: String? = nil, note: String? = nil
  ) -> ParsedFailure {
    ParsedFailure(
      assertion: "XCTAssertEqual", first: first, second: second, relation: "is not equal to", accuracy: accuracy,
      note: note)
  }

  @Test("A failing assertion has its message, its line and its operands", arguments: book)
  func failure(_ row: Row) throws {
    try expect(row, in: "Tests/AssertionTests/AssertYourselfTests.swift")
  }

  @Test("Accuracy, optionals, line breaks and errors are taken apart too", arguments: more)
  func other(_ row: Row) throws {
    try expect(row, in: "Tests/AssertionTests/AssertionKindTests.swift")
  }

  private func expect(_ row: Row, in file: String) throws {
    let result = try Self.run().result(row.test)
    let location = row.line.map { SourceLocation(file: file, line: $0) }
    #expect(result.state == .failed)
    #expect(result.failures.map(\.location) == [location])
    #expect(result.failures.map(\.message) == [row.message])
    #expect(result.failures.map(\.parsed) == [row.parsed])
  }

  @Test("Thirteen tests give twelve failures and one pass")
  func counts() throws {
    let results = try Self.run().results.filter { $0.id.suite == "AssertYourselfTests" }
    let counts = TestCounts(of: results)
    #expect(counts.listed == 13)
    #expect(counts.failed == 12)
    #expect(counts.passed == 1)
  }

  @Test("The whole run agrees with XCTest's own totals and contradicts itself nowhere")
  func totals() throws {
    let run = try Self.run()
    #expect(run.sawTerminalRecord)
    #expect(run.anomalies.isEmpty)
    #expect(run.openTests.isEmpty)
    #expect(run.results.count == 67)
    #expect(run.results.flatMap(\.failures).count == 59)
    #expect(run.counts().skipped == 5)
    #expect(run.results.flatMap(\.failures).allSatisfy { $0.parsed != nil })
  }

  @Test("Two failures of one test keep their order")
  func order() throws {
    let failures = try Self.run().result("test_twoFailures").failures
    #expect(failures.map(\.parsed?.note) == ["call count", "request"])
  }

  @Test(
    "A skipped test keeps its author's reason, without XCTest's condition, which has the values the wrong way round",
    arguments: [
      ("test_skipReason", "not now"), ("test_skipBare", nil), ("test_skipIf", nil),
      ("test_skipUnless", "needs network"),
    ])
  func skip(test: String, reason: String?) throws {
    let result = try Self.run().result(test)
    #expect(result.state == .skipped)
    #expect(result.skipReason == reason)
    #expect(result.failures.isEmpty)
  }

  @Test("An error thrown by setUp is a failure, though XCTest calls the test skipped as well")
  func setUpThrows() throws {
    let result = try Self.run().result("SetUpThrowsTests/test_never")
    #expect(result.state == .failed)
    #expect(result.failures.map(\.message) == [#"threw error "TestError(message: "setUp gave up")""#])
    #expect(result.failures.map(\.location) == [nil])
    #expect(result.skipReason == nil)
  }

  @Test("A place that is no path in the package is kept as it is printed")
  func fileID() throws {
    let failure = try #require(Self.run().result("test_fileID").failures.first)
    #expect(failure.location == SourceLocation(file: "AssertionTests/AssertionKindTests.swift", line: 48))
  }

  @Test("A measurement is an event of the transcript")
  func measurement() throws {
    let result = try Self.run().result("test_measure")
    let line = try #require(result.transcript.first)
    #expect(result.state == .passed)
    #expect(line.kind == .event)
    #expect(line.text.hasPrefix("measured [Time, seconds] average: 0.000, relative standard deviation: "))
  }

  @Test("An inherited test counts for each class that has it")
  func inherited() throws {
    let run = try Self.run()
    #expect(try run.result("BaseTests/test_inherited").state == .passed)
    #expect(try run.result("DerivedTests/test_inherited").state == .failed)
  }
}
