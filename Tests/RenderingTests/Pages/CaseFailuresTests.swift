import Model
import Testing

@testable import Rendering

@Suite("Failures of several cases")
struct CaseFailuresTests {
  /// The page of a test of which cases fail at the same place, each with another value, and some elsewhere.
  private func page(ofCases values: [String], elsewhere lines: [Int]) throws -> String {
    let site = try site(ofCases: values, elsewhere: lines)
    return site.text(try #require(site.order.first { $0.hasPrefix("tests/GreeterTests-PartOfDayTests-firstHour") }))
  }

  /// - Parameter failsBackwards: whether the failure of the last case came first.
  private func site(ofCases values: [String], elsewhere lines: [Int], failsBackwards: Bool = false) throws -> PageSite {
    var report = GreeterSample.red
    let index = try #require(
      report.integration.tests.results.firstIndex { $0.id.name == "firstHour(hour:part:)" && $0.state == .failed })
    var failure = try #require(report.integration.tests.results[index].failures.first)
    failure.parsed?.note = "a day has four parts"
    var failures = values.map { value in
      var other = failure
      other.parsed?.second = value
      return other
    }
    for line in lines {
      failure.location?.line = line
      failures.append(failure)
    }
    report.integration.tests.results[index].failures = failsBackwards ? failures.reversed() : failures
    report.integration.tests.results[index].arguments = failures.enumerated().map { offset, failure in
      TestArgument(display: "case \(offset)", state: .failed, failures: [failure])
    }
    let number = report.integration.number
    report.integration.issueRecords = report.integration.issues.filter { $0.id == "t-a07e" }.map { issue in
      IssueRecord(
        id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: issue.test, age: 0,
        streaks: [.init(opened: number, lastSeen: number)])
    }
    return try PageSite(report)
  }

  @Test("The page of its issue says how many cases are red, and of which one the failure is")
  func issue() throws {
    let words = try site(ofCases: [".afternoon", ".evening"], elsewhere: []).words("issues/t-a07e.html")
    #expect(words.contains("2 of 2 cases red") && words.contains("For (case 0): .morning ≠ .afternoon"))
  }

  @Test("A comparison has the name of that case, too")
  func compared() throws {
    var report = GreeterSample.red
    let index = try #require(
      report.integration.tests.results.firstIndex { $0.id.name == "firstHour(hour:part:)" && $0.state == .failed })
    let failure = try #require(report.integration.tests.results[index].failures.first)
    report.integration.tests.results[index].arguments = [
      TestArgument(display: "case 0", state: .failed, failures: [failure])
    ]
    let context = ReportContext(report, library: try PageSite.templates(), time: .utc)
    let test = report.integration.tests.results[index].id
    #expect(context.line(of: test, for: nil)?.hasPrefix("For (case 0): ") == true)
    #expect(context.line(of: test, for: "release") == nil)
  }

  @Test("A failure on the summary has the name of the case that it belongs to", arguments: [false, true])
  func ownCase(failsBackwards: Bool) throws {
    let site = try site(ofCases: [".afternoon", ".evening"], elsewhere: [], failsBackwards: failsBackwards)
    let words = site.words("index.html")
    let told = failsBackwards ? "(case 1): .morning ≠ .evening" : "(case 0): .morning ≠ .afternoon"
    #expect(words.contains("Failed for \(told)"))
  }

  @Test("Where no case has the failure, none is named unless it alone ended so")
  func endOfNoCase() throws {
    var test = TestResult(id: TestID(module: "M", suite: "", name: "a(_:)"), library: .swiftTesting, state: .timedOut)
    test.failures = [.timeOut("10 s", at: nil)]
    test.arguments = ["1", "2"].map { TestArgument(display: $0, state: .timedOut) }
    #expect(test.redCase(with: test.firstFailure) == nil)
    test.arguments?[0].state = .failed
    #expect(test.redCase(with: test.firstFailure)?.display == "2")
  }

  @Test("Of cases that fail on one expectation, the first has a section, and the rows tell the values of all")
  func samePlace() throws {
    let text = try page(ofCases: [".afternoon", ".evening", ".night"], elsewhere: [])
    #expect(text.contains(#"<section id="message-1""#) && !text.contains(#"<section id="message-2""#))
    let words = text.replacing(/<[^>]*>/, with: "")
    for value in [".afternoon", ".evening", ".night"] {
      #expect(words.contains(".morning ≠ \(value) · a day has four parts"))
    }
    #expect(words.contains("3 of 3 cases red"))
    #expect(text.contains("<span>case (case 0), the first of 3 red cases</span>"))
    #expect(text.ranges(of: #"<p class="expression"><code>"#).count == 1)
    #expect(text.ranges(of: "note:</span> a day has four parts").count == 1)
    #expect(text.contains(#"<section id="source-1""#) && !text.contains(#"<section id="source-2""#))
    #expect(text.ranges(of: ##"<a href="#source-1">"##).count == 1)
    #expect(!text.contains("whose source is not part of this report"))
  }

  @Test("Several arguments of a case are in parentheses in a sentence, a single one is not")
  func arguments() {
    func words(_ display: String, _ name: String) -> String {
      TestHeadline.arguments(display, of: TestID(module: "M", suite: "S", name: name))
    }
    #expect(words("60, 80, 100", "distance(east:north:length:)") == "(60, 80, 100)")
    #expect(words("(1, 2)", "sum(of:)") == "(1, 2)" && words("3", "`a: b`(_:)") == "3")
  }

  @Test("Where one fails elsewhere, that place is shown, too")
  func otherPlace() throws {
    let text = try page(ofCases: [".afternoon", ".evening"], elsewhere: [22])
    #expect(text.contains(#"<section id="source-1""#) && text.contains(#"<section id="source-2""#))
    #expect(text.ranges(of: #"<p class="expression"><code>"#).count == 2)
  }

  @Test("A value that does not fit in a row has a section, and many sections are folded behind the first ones")
  func sections() throws {
    let long = String(repeating: "a very long afternoon, ", count: 20)
    let text = try page(ofCases: [".afternoon", long], elsewhere: Array(22...26))
    let parts = text.split(separator: "<summary>2 more messages</summary>")
    #expect(parts.count == 2)
    #expect(parts[0].contains(#"<section id="message-2""#) && parts[0].contains(#"<section id="message-5""#))
    #expect(parts.last?.contains(#"<section id="message-6""#) == true)
    #expect(parts.last?.contains(#"<section id="message-7""#) == true)
  }
}
