import Model
import Testing

@testable import Rendering

@Suite("The row of a test among all tests")
struct TestRowTests {
  /// Returns the rows of a test with cases.
  private func rows(red: Int, passed: Int) throws -> String {
    var report = GreeterSample.red
    let index = try #require(
      report.integration.tests.results.firstIndex { $0.id.name == "firstHour(hour:part:)" && $0.state == .failed })
    var test = report.integration.tests.results[index]
    let failure = try #require(test.failures.first)
    test.failures = Array(repeating: failure, count: red)
    test.arguments =
      (0..<red).map { TestArgument(display: "red \($0)", state: .failed, failures: [failure]) }
      + (0..<passed).map { TestArgument(display: "green \($0)", state: .passed) }
    test.serialRun = TestAttempt(state: .failed, duration: 0.004)
    report.integration.tests.results[index] = test
    let rows = try PageSite(report).text("tests.html").split(separator: #"<tr class="t l2 "#)
    return String(try #require(rows.first { $0.contains("PartOfDayTests-firstHour") }))
  }

  @Test("Of many red cases the first three have rows, and the others are folded, as those are that passed")
  func folds() throws {
    let many = try rows(red: 5, passed: 4)
    #expect(many.contains("<summary>2 more failed cases</summary>"))
    #expect(many.contains("<summary>4 passed cases</summary>"))
    #expect(many.ranges(of: #"<tr class="t l3 case red-t">"#).count == 4)
    #expect(many.contains(#"<li>red 4: <span class="val a">"#) && many.contains("<li>green 0</li>"))
    let few = try rows(red: 3, passed: 3)
    #expect(!few.contains("<summary>") && few.ranges(of: #"<tr class="t l3 case "#).count == 6)
  }

  @Test("Of a test all of whose cases passed, their number is the fold that lists them")
  func allPassed() throws {
    let text = try PageSite(GreeterSample.red).text("tests.html")
    let row = try #require(text.split(separator: #"<tr class="t l2 "#).first { $0.contains("everyHour(hour:)") })
    #expect(row.contains("<details><summary>24 cases</summary><ul><li>hour → 0</li>"))
    #expect(!row.contains("passed cases") && !row.contains(#"<span class="say">24 cases"#))
  }

  @Test("An assertion that nobody gave words has none in the list of what is silenced, either")
  func dash() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issues.firstIndex { $0.id == "t-77aa" })
    report.integration.issues[index].message = #"XCTAssertEqual failed: ("7") is not equal to ("9") - "#
    let text = try PageSite(report).text("tests.html")
    let list = try #require(text.split(separator: #"id="h-silenced""#).last?.split(separator: "</section>").first)
    #expect(list.contains(#"<span class="small">7 ≠ 9</span>"#))
  }

  @Test("How many cases are red, and in how many runs, is one line")
  func count() throws {
    let row = try rows(red: 5, passed: 4)
    #expect(row.contains(#"<span class="say">5 of 9 cases failed, in 2 of 2 runs</span>"#))
    #expect(!row.contains("5 failures") && row.ranges(of: "runs</span>").count == 1)
  }

  @Test("A red row says who is suspected, and the changed line")
  func suspect() throws {
    var report = GreeterSample.red
    let index = try #require(report.integration.issues.firstIndex { $0.id == "t-4c81" })
    report.integration.issues[index].suspects = [
      Suspect(
        name: "Jon", email: "", confidence: .high, reason: "he changed it.", commit: report.integration.commit.id,
        place: Model.SourceLocation(file: "Sources/Greeter/Phrases/Language.swift", line: 8))
    ]
    let text = try PageSite(report).text("tests.html")
    #expect(text.contains(#"<span class="who">Jon</span> · changed <a href="#))
  }

  @Test("A target is told from the class of its name")
  func target() throws {
    let text = try PageSite.sample("red").text("tests.html")
    #expect(text.contains(#"GreeterTests <small class="faint">target</small>"#))
  }

  @Test("Where a crash is known to be is not told once more as the process named it")
  func statedPlace() throws {
    var report = GreeterSample.red
    let index = try #require(report.integration.tests.results.firstIndex { $0.crash?.location != nil })
    let test = report.integration.tests.results[index]
    let place = try #require(test.crash?.location)
    func page() throws -> String { try PageSite(report).text(ReportPaths(tests: [test.id]).page(of: test.id)) }
    #expect(try page().contains("<dt>Reported at</dt>"))
    report.integration.tests.results[index].crash?.statedPlace = Model.SourceLocation(
      file: "Greeter/\(Model.SourceLocation.fileName(of: place.file))", line: place.line)
    #expect(try !page().contains("<dt>Reported at</dt>"))
  }
}
