import Model
import Testing

extension Integrations {
  @Suite("What tests print")
  struct LifeCycleTests {
    private let story: ExamplesStory

    init() throws {
      story = try ExamplesStory.told.get()
    }

    /// The lines of a page, in the order in which they are wanted; nil when one is missing or comes too early.
    private func areInOrder(_ lines: [String], in words: String) -> Bool {
      var rest = words[...]
      for line in lines {
        guard let found = rest.firstRange(of: line) else { return false }
        rest = rest[found.upperBound...]
      }
      return true
    }

    /// The tests of a suite, which others ran beside.
    private func cases(of suite: String, in part: Integrated) -> [IntegrationRecord.Case] {
      part.document.tests.cases.filter { $0.id.suite == suite }
    }

    /// The page of a test, or the page of all tests when it has none of its own.
    private func words(of test: String, in part: Integrated) throws -> String {
      let files = try part.report.files()
      let page = files.first { $0.hasPrefix("tests/") && $0.contains("-\(test)-") } ?? "tests.html"
      return try part.report.words(page)
    }

    @Test("A test that only fails is told with its message")
    func testZero() throws {
      let part = try story.part("ZeroTests")
      #expect(part.run.status == 1)
      let cases = cases(of: "ZeroTests", in: part)
      #expect(cases.map(\.state) == [.failed])
      #expect(cases.first?.failures.map(\.message) == ["failed - Tests not yet implemented in MyClassTests"])
    }

    @Test("Two plain tests are two results, and the other library adds none")
    func plain() throws {
      let part = try story.part("PlainTests")
      let cases = cases(of: "PlainTests", in: part)
      #expect(cases.map(\.id.name) == ["test_methodOne", "test_methodTwo"])
      #expect(cases.allSatisfy { $0.state == .passed })
      #expect(part.document.tests.source == ["XCTest": "observer"])
      #expect(try areInOrder([">> methodOne", ">> methodTwo"], in: part.report.words("log/testing.html")))
    }

    @Test("The transcript of a failing test has the failure between the lines that it printed")
    func failing() throws {
      let part = try story.part("FailingTests")
      let words = try words(of: "test_methodOne", in: part)
      let lines = [">> MyClass.init() #1", ">> methodOne", "failed - Failed, yo", ">> MyClass.deinit #1"]
      let transcript = try #require(words.firstRange(of: lines[0]).map { words[$0.lowerBound...] })
      #expect(areInOrder(lines, in: String(transcript)))
      #expect(!words.contains("MyClass.init() #2"))
      #expect(part.test("test_methodOne")?.failures.map(\.line) == [ExamplesPackage.lifeCycle.line(with: "Failed, yo")])
      #expect(cases(of: "FailingTests", in: part).map(\.state) == [.failed, .passed])
    }

    @Test("What is printed before the first test belongs to none")
    func wrongWay() throws {
      let part = try story.part("WrongTests")
      #expect(cases(of: "WrongTests", in: part).map(\.state) == [.passed, .passed])
      let words = try part.report.words("tests.html")
      #expect(areInOrder([">> MyClass.init() #1", ">> MyClass.init() #2"], in: words))
      #expect(!words.contains("MyClass.deinit"))
    }

    @Test("What setUp and tearDown print belongs to the test")
    func rightWay() throws {
      let part = try story.part("RightTests")
      #expect(cases(of: "RightTests", in: part).map(\.state) == [.passed, .passed])
      #expect(
        try areInOrder(
          [
            ">> MyClass.init() #1", ">> methodOne", ">> MyClass.deinit #1", ">> MyClass.init() #2", ">> methodTwo",
            ">> MyClass.deinit #2",
          ], in: part.report.words("log/testing.html")))
      let words = try part.report.words("tests.html")
      let outside = words.firstRange(of: "Printed outside any test").map { words[$0.upperBound...] } ?? ""
      #expect(!outside.contains(">> "))
    }

    @Test("What is printed after the last test belongs to none")
    func trailing() throws {
      let part = try story.part("TrailingTests")
      #expect(part.document.outcome == .succeeded)
      #expect(try part.report.words("tests.html").contains("ViewController.deinit"))
    }
  }
}
