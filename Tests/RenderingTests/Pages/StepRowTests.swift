import Model
import Testing

@testable import Rendering

@Suite("The rows of the steps")
struct StepRowTests {
  @Test("The tests that a failed build left undone have a row")
  func undone() throws {
    let text = try PageSite(OtherSamples.buildErrors).text("index.html")
    let row = try #require(text.split(separator: "<tr>").first { $0.contains(#"<th scope="row">Testing</th>"#) })
    #expect(row.contains(#"<span class="faint">did not run</span>"#))
    #expect(try !PageSite(GreeterSample.green).text("index.html").contains("did not run"))
  }

  @Test("A clean build that explains why a step is not compared says so once among the steps")
  func cleanBuild() throws {
    var report = GreeterSample.green
    report.integration.steps[1].warm = false
    report.integration.baseline?.isWarm = true
    report.integration.baseline?.stepDurations[.testing] = 90
    let text = try PageSite(report).text("index.html")
    let row = try #require(text.split(separator: "<tr>").first { $0.contains(#"<th scope="row">Building</th>"#) })
    #expect(row.contains(#"data-l="change"><span class="faint">–</span></td>"#))
    #expect(row.ranges(of: #"<span class="faint">clean build</span>"#).count == 1, "\(row)")
  }
}
