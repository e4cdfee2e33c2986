import Model
import Rendering
import Testing

@Suite("Comparisons with an integration that did not build")
struct UnbuiltComparisonTests {
  @Test("Beside a build that failed it is said what the coverage is compared with instead")
  func otherCoverage() {
    var comparison = ComparisonSample.comparison
    comparison.before.outcome = .buildErrors
    comparison.after.coverageBaseline = 40
    #expect(
      ComparisonWords(comparison).limit
        == "41 did not build, so tests and coverage are not compared. The report of 42 compares its coverage with 40."
    )
  }

  @Test("Beside a build that failed there is a page that compares with what built")
  func built() throws {
    var report = ComparisonSample.report
    report.comparison?.before.outcome = .buildErrors
    report.comparison?.after.coverageBaseline = 40
    var other = ComparisonSample.comparison
    other.before.number = 40
    report.otherComparisons[.built] = other
    var commit = try #require(report.comparison?.commits.added.first)
    (commit.files, commit.filesLeft) = ([.init(path: "A.swift", status: .modified, added: 1, removed: 1)], 0)
    report.comparison?.commits = CommitsBetween(.forward, added: [commit], limit: 100)
    let site = try PageSite(report)
    #expect(
      site.text("compare.html").contains("<details open><summary class=\"head\"><h2 id=\"h-files\">"),
      "There is little else.")
    let comparison = try #require(report.comparison)
    let (red, passed) = (comparison.count(.red)?.after ?? 0, comparison.count(.passed)?.after ?? 0)
    let lines = try #require(comparison.coverage.after?.lines)
    #expect(
      site.text("compare.html").contains(
        "41 did not build, so tests and coverage are not compared. "
          + "42: \(red) red, \(passed) passed, \(lines.uncovered) of \(lines.total) lines never ran. "
          + "<a href=\"compare-built.html\">Compare tests and coverage with 40</a></p>"
      ))
    let steps = #"<details><summary class="head"><h2 id="h-steps">Steps</h2></summary>"#
    #expect(site.text("compare.html").contains(steps), "Half of them did not run.")
    let page = site.text("compare-built.html")
    #expect(!page.contains(steps))
    #expect(page.contains(#"<span><a href="compare.html">compare with 41, which did not build</a></span>"#))
    #expect(page.contains(#"<a href="compare-built.html" aria-current=page>Compare <b>with 40</b></a>"#))
    #expect(!page.contains("Compare <b>with 41</b>"))
  }
}
