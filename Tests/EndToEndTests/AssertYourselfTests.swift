import Model
import Testing

extension Integrations {
  @Suite("Failure messages of XCTest")
  struct AssertYourselfTests {
    private let assertions: Integrated
    private let others: Integrated
    private let file = "Tests/AssertYourselfTests/AssertYourselfTests.swift"

    init() throws {
      let story = try ExamplesStory.told.get()
      assertions = try story.part("AssertYourselfTests.AssertYourselfTests")
      others = try story.part("OtherTests")
    }

    @Test(
      "Each assertion's message is told as XCTest words it",
      arguments: [
        ("test_fail", "failed - "),
        ("test_fail_withSimpleMessage", "failed - We have a problem"),
        ("test_fail_withInterpolatedMessage", "failed - The Answer to the Great Question is 42"),
        ("test_avoidConditionalCode", "failed - "),
        ("test_assertTrue", "XCTAssertTrue failed - "),
        ("test_assertNil", #"XCTAssertNil failed: "123" - "#),
        ("test_assertNil_withSimpleStruct", #"XCTAssertNil failed: "SimpleStruct(x: 1, y: 2)" - "#),
        ("test_assertNil_withSelfDescribingType", #"XCTAssertNil failed: "(1, 2)" - "#),
        ("test_assertEqual", #"XCTAssertEqual failed: ("actual") is not equal to ("expected") - "#),
        (
          "test_assertEqual_withOptional",
          #"XCTAssertEqual failed: ("Optional("foo")") is not equal to ("Optional("bar")") - "#
        ),
        ("test_floatingPointDanger", #"XCTAssertEqual failed: ("0.30000000000000004") is not equal to ("0.3") - "#),
        (
          "test_messageOverkill",
          #"XCTAssertEqual failed: ("actual") is not equal to ("expected") - Expected "expected" but got "actual""#
        ),
      ])
    func message(name: String, message: String) throws {
      let test = try #require(assertions.test(name))
      #expect(test.state == .failed)
      #expect(test.failures.map(\.message) == [message])
      #expect(test.failures.map(\.file) == [file])
      let declared = try #require(ExamplesPackage.assertYourself.line(with: "func \(name)()"))
      #expect(test.line == declared)
      let line = try #require(test.failures[0].line)
      #expect(line > declared && line <= declared + 2)
    }

    @Test("Of thirteen assertions twelve fail and one passes, and what was not selected is counted as filtered out")
    func counts() {
      let cases = assertions.document.tests.cases.filter { $0.id.suite == "AssertYourselfTests" }
      #expect(cases.count == 13)
      #expect(cases.count { $0.state == .failed } == 12)
      #expect(cases.count { $0.state == .passed } == 1)
      #expect(assertions.test("test_floatingPointFixed")?.state == .passed)
      // With the unusual failures, and two that pass, beside them.
      #expect(assertions.document.tests.listed == 23)
      #expect(assertions.document.tests.failed == 18)
      #expect(assertions.document.tests.passed == 3)
      #expect(assertions.document.tests.filteredOut > 40)
      #expect(assertions.addsUp)
      #expect(assertions.run.status == 1)
      #expect(assertions.document.reasons == ["18 tests failed."])
    }

    @Test("The message reaches the page of its test as it is")
    func page() throws {
      let page = try #require(
        try assertions.report.files().first { $0.hasPrefix("tests/") && $0.contains("test_messageOverkill") })
      let words = try assertions.report.words(page)
      #expect(words.contains(#"Expected "expected" but got "actual""#))
      #expect(try assertions.report.brokenLinks() == [])
    }

    @Test(
      "Unusual failures keep their order, their lines and their words",
      arguments: [
        (
          "test_accuracy",
          [#"XCTAssertEqual failed: ("0.30000000000000004") is not equal to ("0.4") +/- ("0.0001") - "#]
        ),
        ("test_notNil", ["XCTAssertNotNil failed - button"]),
        ("test_optionalFalse", [#"XCTAssertEqual failed: ("nil") is not equal to ("Optional(false)") - "#]),
        ("test_twoFailures", ["failed - call count", "failed - request"]),
        ("test_messageOfTwoLines", ["failed - first\nerror: second"]),
      ])
    func unusual(name: String, messages: [String]) throws {
      let test = try #require(others.test(name))
      #expect(test.state == .failed)
      #expect(test.failures.map(\.message) == messages)
    }

    @Test("A skip is told with its reason, when it has one")
    func skips() {
      #expect(others.test("test_skip")?.state == .skipped)
      #expect(others.test("test_skip")?.skipReason == "not now")
      #expect(others.test("test_bareSkip")?.state == .skipped)
      #expect(others.test("test_bareSkip")?.skipReason == nil)
      #expect(others.document.tests.skipped == 2)
    }

    @Test("A thrown error has no place of its own; the test's declaration stands for it")
    func thrown() throws {
      let test = try #require(others.test("test_throws"))
      #expect(test.state == .failed)
      #expect(test.failures.map(\.message) == [#"threw error "TestError(message: "oh no")""#])
      #expect(test.failures[0].file == nil)
      let declared = try #require(ExamplesPackage.assertYourself.line(with: "func test_throws()"))
      #expect(test.line == declared)
      #expect(test.file == file)
      #expect(
        others.run.output.contains(
          "failed: AssertYourselfTests.OtherTests/test_throws\n  \(file):\(declared): threw error \"TestError(message: \"oh no\")\"\n"
        ))
      let issue = others.document.issues.first { $0.test == test.id }
      #expect(issue?.file == file)
      #expect(issue?.line == declared)
    }
  }
}
