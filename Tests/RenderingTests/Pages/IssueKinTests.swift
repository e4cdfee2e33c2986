import Testing

@testable import Model
@testable import Rendering

@Suite("What the page of an issue leads to beside its own history")
struct IssueKinTests {
  private let test = TestID(module: "M", suite: "S", name: "heats()")

  private func record(_ id: String, _ kind: Model.Issue.Kind, _ streak: IssueRecord.Streak) -> IssueRecord {
    IssueRecord(
      id: id, kind: kind, message: "Crashed: too hot", location: nil, test: test, age: 1, streaks: [streak])
  }

  @Test("A test that is red in another way leads from one issue to the other, which says no more of the end")
  func kin() throws {
    var report = GreeterSample.red
    let number = report.integration.number
    var crash = record("c-1", .crash, .init(opened: number - 1, lastSeen: number - 1, closed: number))
    crash.streaks[0].ending = .failsOtherwise
    let hang = record("h-1", .timeOut, .init(opened: number, lastSeen: number))
    report.integration.issueRecords = [crash, hang]
    var issue = Model.Issue(id: "h-1", kind: .timeOut, message: "Timed out: longer than 3 s", test: test)
    issue.status = .new
    report.integration.issues = [Model.Issue(crash), issue]
    let site = try PageSite(report)
    let page = site.text("issues/c-1.html")
    #expect(page.contains(#" crashed, then <a href="../issues/h-1.html">timed out in \#(number)</a></h1>"#))
    #expect(page.contains(" crashed, then timed out in \(number)") && page.contains(">test page in \(number - 1)</a>"))
    let issues = site.text("issues.html")
    #expect(issues.contains(#"<td><a href="issues/h-1.html">timed out in \#(number)</a></td>"#))
    #expect(page.contains(#"<svg class="g big is-canceled""#) && issues.contains(#"<svg class="g is-canceled""#))
    #expect(!page.contains("<span>failed in another way") && !page.contains("open for 1"))
    #expect(
      site.text("issues/h-1.html").contains(
        #"New</span><span><a href="../issues/c-1.html">crashed in \#(number - 1)</a></span>"#))
  }

  @Test("The issue of one red case names it, and has both commands that its test has")
  func redCase() throws {
    var report = GreeterSample.red
    let issue = try #require(report.integration.issues.first { $0.id == "t-a07e" })
    report.integration.issueRecords = [
      IssueRecord(
        id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: issue.test,
        streaks: [.init(opened: report.integration.number, lastSeen: report.integration.number)])
    ]
    let page = try PageSite(report).text("issues/t-a07e.html")
    #expect(page.contains("<h1>“The first hour of each part” failed for (hour → 12, part → .<wbr>afternoon)</h1>"))
    let section = try #require(page.split(separator: #"<h2 id="h-again">"#).last)
    let labels = section.matches(of: #/more-rows">([^<]*:)</#).map { String($0.1) }
    #expect(labels == ["Run in a checkout:", "Run at this commit:"])
    #expect(section.contains("<code>swift test ") && section.contains("<code>martlet run "))
  }

  @Test("That a test passed was no fix once it is known to be flaky: its page and the list name no commit for it")
  func flaky() throws {
    var report = GreeterSample.red
    let number = report.integration.number
    var failure = record("t-9", .testFailure, .init(opened: number - 3, lastSeen: number - 3, closed: number - 2))
    failure.streaks[0].ending = .fixed
    failure.streaks[0].resolution = .init([
      Commit(
        id: CommitID(rawValue: "9f1c2ab0"), summary: "Heat less", author: "Noor", date: report.integration.queuedAt)
    ])
    report.integration.issueRecords = [failure]
    report.integration.issues = []
    let fixed = try PageSite(report)
    #expect(fixed.text("issues/t-9.html").contains(" failed, fixed in "))
    #expect(fixed.text("issues/t-9.html").contains("Fix: "))
    #expect(fixed.text("issues.html").contains("Noor"))
    report.integration.histories[test] = TestHistory([
      .init(
        number: number, commit: report.integration.commit.id, toolchain: "",
        verdict: .init(state: .passed, duration: 1, isFlaky: true))
    ])
    let site = try PageSite(report)
    let (page, list) = (site.text("issues/t-9.html"), site.text("issues.html"))
    #expect(page.contains(" failed, passed again in ") && page.contains("First flaky in \(number)</span>"))
    #expect(!page.contains("Fix: ") && !page.contains("Noor"))
    #expect(!list.contains("Noor") && list.contains("passed again"))
  }

  @Test("What took the place of an issue says where it was fixed, on its page and in the list, with the glyph for that")
  func fixedKin() throws {
    var report = GreeterSample.red
    let number = report.integration.number
    var crash = record("c-1", .crash, .init(opened: number - 2, lastSeen: number - 2, closed: number - 1))
    crash.streaks[0].ending = .failsOtherwise
    var hang = record("h-1", .timeOut, .init(opened: number - 1, lastSeen: number - 1, closed: number))
    hang.streaks[0].ending = .fixed
    let place = Model.SourceLocation(file: "Sources/Kitchen/Pantry.swift", line: 35)
    hang.suspects = [
      Suspect(name: "Jon", email: "", confidence: .high, reason: "changed Pantry.swift:35", place: place)
    ]
    let commit = Commit(
      id: report.integration.commit.id, summary: "End the search", author: "Mira", date: report.integration.queuedAt)
    hang.streaks[0].resolution = .init([commit])
    hang.suspectedHunk = SourceHunk(file: place.file, lines: [.init(number: 35, text: "while true {}", change: .added)])
    report.integration.issueRecords = [crash, hang]
    report.integration.issues = [Model.Issue(crash), Model.Issue(hang)]
    let site = try PageSite(report)
    let (page, list) = (site.text("issues/c-1.html"), site.text("issues.html"))
    #expect(page.contains(">timed out in \(number - 1), fixed in \(number)</a></h1>"))
    #expect(list.contains(">timed out in \(number - 1), fixed in \(number)</a></td>"))
    let then = try #require(page.firstMatch(of: #/<section id="then"(?s:.*?)<\/section>/#)).0
    let leads = page.matches(of: #/<p class="lead"(?! id="fix")(?s:.*?)<\/p>/#).map(\.0)
    #expect(then.contains(">Timed out in \(number - 1)</h2>") && leads.contains { $0.contains("<b>Jon</b>") })
    #expect(then.contains("Sources/Kitchen/Pantry.swift") && then.contains("while"))
    let fix = try #require(page.firstMatch(of: #/<p class="lead" id="fix">(?s:.*?)<\/p>/#)).0
    #expect(fix.contains("Fix: ") && fix.contains("<b>Mira</b>") && fix.contains("End the search"))
    #expect(page.contains(#"<svg class="g big is-passed""#) && !list.contains("is-canceled"))
  }

  @Test("A warning leads to its line in the log, unless this integration did not find it")
  func warningLog() throws {
    let link = ##"<span class="screen"><a href="../log/building.html#L6">log</a></span>"##
    #expect(try PageSite.sample("issues").text("issues/w-e5f4.html").contains(link))
    var report = IssueSample.report
    let index = try #require(report.integration.issues.firstIndex { $0.id == "w-e5f4" })
    (report.integration.issues[index].status, report.integration.issues[index].isCarriedOver) = (.unresolved, true)
    #expect(try !PageSite(report).text("issues/w-e5f4.html").contains(link))
  }

  @Test("An error without a place leads to its line in the log")
  func log() throws {
    var report = GreeterSample.red
    let number = report.integration.number
    let message = "compile command failed due to signal 9"
    report.logs = [
      Report.Log(step: .building, bytes: Array("one\nerror: \(message) (use -v)\n".utf8), folder: "")
    ]
    report.integration.issues = [Model.Issue(id: "e-1", kind: .error, message: message)]
    report.integration.issueRecords = [
      IssueRecord(
        id: "e-1", kind: .error, message: message, location: nil, test: nil, age: 0,
        streaks: [.init(opened: number, lastSeen: number)])
    ]
    let page = try PageSite(report).text("issues/e-1.html")
    #expect(page.contains("<h1>\(message)</h1>"))
    #expect(page.contains(##"<span class="screen"><a href="../log/building.html#L2">log</a></span>"##))
  }

  @Test("A compiler's crash leads to its stack dump in the log, and what it was doing there to the issue of the crash")
  func crash() throws {
    var report = GreeterSample.red
    let number = report.integration.number
    let place = Model.SourceLocation(file: "Sources/A/B.swift", line: 8)
    report.sources[place.file] = Array(String(repeating: "let a = 1\n", count: 24).utf8)
    let log = """
      \(place):11: error: no such type
      error: compile command failed due to signal 4 (use -v)
      Stack dump:
      7.\tWhile type-checking-target starting at \(place):5

      """
    report.logs = [Report.Log(step: .building, bytes: Array(log.utf8), folder: "")]
    let beside = Model.SourceLocation(file: place.file, line: 8, column: 11)
    let errors = [("e-1", "no such type", beside), ("e-2", "compiler crashed while type-checking", place)]
    report.integration.issues = errors.map { Model.Issue(id: $0, kind: .error, message: $1, location: $2) }
    report.integration.issueRecords = errors.map {
      IssueRecord(
        id: $0, kind: .error, message: $1, location: $2, test: nil, age: 0,
        streaks: [.init(opened: number, lastSeen: number)])
    }
    let site = try PageSite(report)
    let page = site.text("issues/e-2.html")
    #expect(page.contains(##"<span class="screen"><a href="../log/building.html#L4">stack dump</a></span>"##))
    #expect(page.contains(#"<tr class="hot"><th class="ln" scope="row">8</th>"#))
    #expect(site.text("issues/e-1.html").contains(##"<a href="../log/building.html#L1">log</a>"##))
    #expect(
      site.text("log/building.html").contains(
        #"<span class="dim"><a href="../issues/e-2.html#source">compiler crashed while type-checking at B.swift:8</a></span>"#
      ))
    #expect(site.text("log/building.html").contains(#"<a href="../issues/e-1.html#source">"#))
  }

  @Test("An error that is gone says so in the heading of its page, and nowhere else")
  func goneError() throws {
    var report = GreeterSample.green
    let number = report.integration.number
    func site(closed: Int) throws -> PageSite {
      var record = IssueRecord(
        id: "e-1", kind: .error, message: "no such type", location: nil, test: nil, age: 1,
        streaks: [.init(opened: closed - 1, lastSeen: closed - 1, closed: closed)])
      record.streaks[0].ending = .fixed
      report.integration.issueRecords = [record]
      report.integration.issues = [Model.Issue(record)]
      return try PageSite(report)
    }
    let page = try site(closed: number).text("issues/e-1.html")
    #expect(page.contains("<h1>“no such type”, fixed in \(number)</h1>") && !page.contains("<span>fixed in"))
    let later = try site(closed: number - 1)
    let link = #"<a class="up" href="../../\#(number - 1)/index.html">\#(number - 1)</a>"#
    #expect(later.text("issues/e-1.html").contains("<h1>“no such type”, fixed in \(link)</h1>"))
    #expect(!later.text("issues/e-1.html").contains("<span>fixed in"))
    #expect(later.text("issues.html").contains(#"<td class="dim"></td>"#), "It has no place.")
  }

  @Test("Where all issues are new there is no column for when they were there")
  func newOnly() throws {
    var report = GreeterSample.red
    let number = report.integration.number
    var issue = try #require(report.integration.issues.first { $0.id == "t-4c81" })
    issue.status = .new
    issue.life = IssueLife(firstSeen: number, streakStart: number, streakAge: 0)
    report.integration.issues = [issue]
    report.integration.histories = [:]
    report.integration.issueRecords = [
      IssueRecord(
        id: issue.id, kind: issue.kind, message: issue.message, location: issue.location, test: issue.test,
        streaks: [.init(opened: number, lastSeen: number)])
    ]
    #expect(try !PageSite(report).text("issues.html").contains(">When</th>"))
    #expect(try PageSite.sample("issues").text("issues.html").contains(">When</th>"))
  }
}
