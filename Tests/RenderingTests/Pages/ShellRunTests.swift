import Testing

@testable import Model
@testable import Rendering

@Suite("The report of a run from a shell")
struct ShellRunTests {
  private static var report: Report {
    var report = GreeterSample.green
    (report.integration.cause, report.integration.number, report.integration.baseline) = (.person, 1, nil)
    report.comparison = nil
    let commit = report.integration.commit
    report.integration.commits = [commit]
    report.logs = [Report.Log(step: .testing, bytes: Array("x\n".utf8))]
    report.parentChange = CommitChange(
      id: commit.id, author: commit.author, date: commit.date, message: commit.summary,
      files: [CommitChange.File(path: "Sources/Greeter/Door.swift", status: .modified, added: 2, removed: 1)],
      filesLeft: 0)
    return report
  }

  @Test("It says neither that a person started it nor how to print its log; that of a bot does")
  func unsaid() throws {
    var report = Self.report
    var site = try PageSite(report)
    #expect(!site.text("index.html").contains("started by a person"))
    #expect(site.text("log/testing.html").contains("<b>1 line</b>"))
    #expect(!site.text("log/testing.html").contains("martlet log"))
    report.integration.rerunCommand = "martlet rerun Greeter/1"
    site = try PageSite(report)
    #expect(site.text("index.html").contains("<span>started by a person</span>"))
    #expect(site.text("log/testing.html").contains("<code>martlet log Greeter/1 testing</code>"))
  }

  @Test("The files that its commit changed in its parent are listed, with no link to a page that compares")
  func changedFiles() throws {
    let index = try PageSite(Self.report).text("index.html")
    #expect(
      index.contains(
        #"<h2 id="h-files">Changed files</h2><span>1 file</span><span class="faint nowrap">+2 −1</span></summary>"#))
    #expect(index.contains("Sources/Greeter/Door.swift") && !index.contains("compare.html"))
  }

  @Test("The first of all does not say that nothing came before it")
  func first() throws {
    var report = try #require(ChangeSample.pairs.first).1.report
    let reason = "There is no earlier integration to compare with."
    let path = try #require(report.integration.coverage.coverage?.files.first?.path)
    let file = PatchCoverage.File(path: path, ran: [], partlyRan: [], neverRan: [1])
    report.integration.changes = CoverageChanges(
      comparison: .unknown(reason: reason), patch: .known(PatchCoverage(origin: .parent, files: [file])))
    report.integration.baseline = nil
    let later = try #require(try CoverageSite.render(report)["coverage.html"])
    #expect(later.contains(reason))
    report.integration.number = 1
    let page = try #require(try CoverageSite.render(report)["coverage.html"])
    #expect(page.contains("since the commit&#39;s parent") && !page.contains(reason))
  }

  @Test(
    "Its one file is called after the repository, the commit, the number and what it came to",
    arguments: [
      "/srv/git/Greeter.git", "/srv/ada/Greeter", "/srv/ada/Greeter/.git", "https://example.org/Greeter.git",
    ])
  func title(repository: String) throws {
    var report = Self.report
    (report.integration.bot, report.integration.repository) = ("Greeter-run", repository)
    let sentence = VerdictSentence(report.integration).sentence
    let name = "Greeter \(report.integration.commit.id.short), integration \(report.integration.number)"
    let file = try SingleFile(of: report.integration, library: try PageSite.templates()) { _ in nil }
    let text = String(decoding: file.bytes, as: UTF8.self)
    let escaped = String(decoding: SafeHTML.escaping(sentence).bytes, as: UTF8.self)
    #expect(text.contains("<title>\(name): \(escaped) · Martlet</title>"))
    #expect(text.contains(#"<span aria-current="page">\#(name)</span>"#), "The heading below has the rest.")
  }
}
