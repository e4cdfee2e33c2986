import Model
import Testing

@testable import Rendering

@Suite("Failures of several cases")
struct CaseFailuresTests {
  /// The page of a test of which cases fail at the same place, each with another value, and one elsewhere.
  private func page(ofCases values: [String], elsewhere line: Int?) throws -> String {
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
    if let line {
      failure.location?.line = line
      failures.append(failure)
    }
    report.integration.tests.results[index].failures = failures
    report.integration.tests.results[index].arguments = failures.enumerated().map { offset, failure in
      TestArgument(display: "case \(offset)", state: .failed, failures: [failure])
    }
    let site = try PageSite(report)
    return site.text(try #require(site.order.first { $0.hasPrefix("tests/GreeterTests-PartOfDayTests-firstHour") }))
  }

  @Test("Where several cases fail at one place, its source, its expression and the author's note are there once")
  func samePlace() throws {
    let text = try page(ofCases: [".afternoon", ".evening", ".night"], elsewhere: nil)
    for number in 1...3 { #expect(text.contains(#"<section id="message-\#(number)""#)) }
    #expect(text.ranges(of: #"<p class="expression"><code>"#).count == 1)
    #expect(text.ranges(of: "note:</span> a day has four parts").count == 1)
    #expect(text.contains(#"<section id="source-1""#) && !text.contains(#"<section id="source-2""#))
    #expect(text.ranges(of: ##"<a href="#source-1">"##).count == 3, "Each leads to the lines.")
    #expect(!text.contains("whose source is not part of this report"))
  }

  @Test("Where one fails elsewhere, that place is shown, too")
  func otherPlace() throws {
    let text = try page(ofCases: [".afternoon", ".evening"], elsewhere: 22)
    #expect(text.contains(#"<section id="source-1""#) && text.contains(#"<section id="source-3""#))
    #expect(text.ranges(of: #"<p class="expression"><code>"#).count == 2)
  }
}
