import FoundationEssentials
@testable import Model
import Testing

@testable import Rendering

@Suite("A red test that does not count")
struct SilencedRowTests {
  /// The list of what is silenced on a first page.
  private func silenced(_ index: String) throws -> Substring {
    let parts = index.split(separator: #"<h3 id="issues-silenced">"#)
    #expect(parts.count == 2, "There is one place.")
    return try #require(parts.last?.split(separator: "</table>").first)
  }

  @Test("Is in no count and no row of red ones, and stands with all that is silenced, with the reason")
  func silencedApart() throws {
    let site = try PageSite(IssueSample.report)
    let index = site.text("index.html")
    #expect(index.contains("Tests <b class=is-failed>3 red</b>") && index.contains(#"<a href="tests.html">3 red</a>"#))
    #expect(index.contains(#"<span class="part">1 silenced</span>"#) && index.contains(">3 red tests</a>"))
    #expect(site.text("tests.html").contains("<h1>3 of 39 tests are red, 1 silenced</h1>"))
    #expect(site.text("tests.html").contains("</svg>Red or silenced 4</label>"))
    #expect(try !#require(index.split(separator: "</table>").first).contains("answered<wbr>Before<wbr>Waiting()"))
    let list = try silenced(index)
    let reason = #"&ensp;<small class="beside">silenced by Mira until resolved, at most through 24 Dec 2026: “"#
    #expect(list.contains(">answeredBeforeWaiting()</a>\(reason)") && list.contains("t-77aa"))
    #expect(list.contains(##"<svg class="g is-silenced" aria-hidden="true"><use href="#timed-out"/>"##))
    let sign = ##"<svg class="g big is-silenced" aria-hidden="true"><use href="#timed-out"/>"##
    #expect(site.text("issues/h-6b30.html").contains(sign))
    #expect(!list.contains("Backtrace"))
    var report = IssueSample.report
    for index in report.integration.issues.indices where report.integration.issues[index].id == "h-6b30" {
      report.integration.issues[index].life = IssueLife(firstSeen: 42, streakStart: 42)
    }
    let new = try silenced(try PageSite(report).text("index.html"))
    #expect(new.contains(">answeredBeforeWaiting()</a>: ") && new.contains("<small>silenced by Mira"))
    let row = "silenced by Mira until resolved, at most through 24 Dec 2026: “the bell is being mended &lt;soon&gt;”"
    #expect(site.text("issues.html").contains(row))
  }

  @Test("Where nothing else is red, there is no table of what is, and no command")
  func alone() throws {
    var report = IssueSample.report
    let silenced = Set(report.integration.silencedTests.keys)
    report.integration.tests.results.removeAll {
      $0.endsBadly && !silenced.contains($0.id) || $0.isFlaky || $0.alone != nil
    }
    let gate = GateResult(rule: "patch=80", state: .failed, sentence: "1 of 2 lines ran.")
    var issue = Model.Issue(id: "g-1", kind: .gate, status: .silenced, message: gate.sentence)
    issue.subject = .gate(gate.rule)
    report.integration.gates = [gate]
    report.integration.outcome = .warnings
    report.integration.histories = [:]
    report.integration.issues.append(issue)
    let index = try PageSite(report).text("index.html")
    #expect(!index.contains(#"<th scope="col">Red</th>"#) && !index.contains("Run in a checkout"))
    #expect(try self.silenced(index).contains("g-1"))
  }

  @Test("Is grey where it is compared, with the sign of how it ended")
  func compared() throws {
    var report = ComparisonSample.report
    report.comparison?.tests.broken[0].after?.silenced = true
    let text = try PageSite(report).text("compare.html")
    #expect(text.contains(#"<span class="st is-silenced"><svg class="g is-silenced" aria-hidden="true">"#))
  }

  @Test("Its page names the issue, and says in a line of its own why it does not count")
  func page() throws {
    let site = try PageSite(IssueSample.report)
    let text = site.text(try #require(site.order.first { $0.hasPrefix("tests/") && $0.contains("answeredBefore") }))
    #expect(text.contains(#/<p class="facts"><span>By [^<]* until resolved, at most through 24 Dec 2026: “/#))
    #expect(text.contains(#"<span>issue <span class="sha"><a href="../issues/h-6b30.html">h-6b30</a></span></span>"#))
    #expect(text.ranges(of: "the bell is being mended").count == 1)
  }

  @Test("What a bot's file says of it stands in its row, and below that only what it says of other tests")
  func quarantine() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issues.firstIndex { $0.id == "h-6b30" })
    let test = try #require(report.integration.issues[index].test)
    let entries = [test, TestID(module: "M", suite: "", name: "gone()")].map {
      QuarantinedTest(test: $0, reason: "depends on \($0.name)", lastDay: "2027-01-14")
    }
    let time = Date(timeIntervalSince1970: 0)
    report.integration.issues[index].silence = Silence(entries[0], until: time, since: time, number: 37)
    report.integration.tests.quarantine = [.init(entries[0], .holds), .init(entries[1], .unlisted)]
    let text = try PageSite(report).text("tests.html")
    let list = try #require(text.split(separator: #"id="h-silenced""#).last?.split(separator: "</section>").first)
    let row = #/<span class="say">In quarantine [^<]*: “depends on answeredBeforeWaiting\(\)”<\/span>/#
    #expect(text.matches(of: row).count == 1 && text.ranges(of: "depends on \(test.name)").count == 1)
    #expect(list.ranges(of: "<li>").count == 1 && list.contains("<p>1 issue that does not count</p>"), "\(list)")
    #expect(list.contains("no such test is listed"))
    // That of a test that is gone has no row above.
    let gone = try #require(report.integration.issues.firstIndex { $0.id == "t-77aa" })
    report.integration.issues[gone].silence = report.integration.issues[index].silence
    #expect(try PageSite(report).text("tests.html").contains("<td>Greeter.yml<span"))
  }

  @Test("What does not count is told by its rows, and by no sentence above them")
  func silenceTold() throws {
    var report = IssueSample.report
    report.integration.reasons = [.silenced(1), .quarantined(1)]
    let text = try PageSite(report).text("index.html")
    #expect(!text.contains("not count."))
    // That of a test that is gone has no row among those that ran.
    #expect(text.contains(#"<h3 id="issues-silenced">Silenced"#) && text.contains("t-77aa"))
  }

  @Test("An issue that no command keeps from counting says so, and one in quarantine how it counts again")
  func unsilenceable() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issues.firstIndex { $0.id == "h-6b30" })
    let entry = QuarantinedTest(
      test: try #require(IssueSample.hang).id, reason: "slow", lastDay: "2026-12-24")
    report.integration.issues[index].silence = Silence(
      entry, until: Date(timeIntervalSince1970: 1_798_156_800), since: Date(timeIntervalSince1970: 0), number: 37)
    var page = try PageSite(report).text("issues/h-6b30.html")
    #expect(page.contains("take the test out of the quarantine in Greeter.yml.") && !page.contains("martlet unsilence"))
    (report.integration.issues[index].kind, report.integration.issues[index].status) = (.quit, .unresolved)
    page = try PageSite(report).text("issues/h-6b30.html")
    #expect(page.contains(">A test that ends its process cannot be silenced.</p>") && !page.contains("h-silencing"))
  }

  @Test("The list says if the place of a crash is only where its test is declared")
  func declared() throws {
    var report = IssueSample.report
    let place = try #require(IssueSample.hang?.location)
    let index = try #require(report.integration.issues.firstIndex { $0.id == "h-6b30" })
    func isSaid(_ line: Int) throws -> Bool {
      report.integration.issues[index].location = Model.SourceLocation(file: place.file, line: line)
      return try PageSite(report).text("issues.html").contains(#"declared at <span class="whole">"#)
    }
    #expect(try isSaid(place.line))
    #expect(try !isSaid(place.line + 1))
    let list = try PageSite(report).text("issues.html")
    let row = try #require(list.split(separator: "<tr>").first { $0.contains(">h-6b30<") })
    #expect(!row.contains(#"class="say""#), "What it failed on stands on its page.")
  }
}
