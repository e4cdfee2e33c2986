import Testing

@testable import Model
@testable import Rendering

@Suite("Issues that an integration did not come to")
struct UncheckedIssueTests {
  @Test("What an integration did not come to stands apart from what it found")
  func carriedOver() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issues.firstIndex { $0.status == .unresolved })
    report.integration.issues[index].isCarriedOver = true
    let page = try PageSite(report).text("index.html")
    #expect(page.contains(">Not checked 1</h3>"))
    let told = try #require(page.firstRange(of: ">Not checked 1</h3>")?.upperBound)
    #expect(!page[told...].prefix(2000).contains("; not checked"), "The heading says so.")
    #expect(try !PageSite.sample("issues").text("index.html").contains("issues-not-checked"))
    let list = try PageSite(report).text("issues.html")
    #expect(list.contains("<h1>3 issues open, 1 of them not checked"))
    #expect(list.contains(#"id="issues-not-checked""#))
    #expect(list.contains("Issues <b>3</b>"))
    let own = try PageSite(report).text("issues/\(report.integration.issues[index].id).html")
    #expect(own.contains(">Open</span>") && own.contains("<span>not checked in 42</span>"))
    #expect(own.contains("<span>last seen in 42</span>"))
  }

  @Test("What was not checked stands below what is still red, also on the page of the bot")
  func order() throws {
    var integration = IssueSample.report.integration
    integration.issues = [(Model.Issue.Kind.crash, true), (.timeOut, false)].map { kind, isCarriedOver in
      var issue = Model.Issue(id: "\(kind)", kind: kind, status: .unresolved, message: "\(kind) again")
      issue.isCarriedOver = isCarriedOver
      return issue
    }
    var bot = BotHistory(
      name: "Mill", entries: [SiteSample.entry(42, .testFailures, red: 1), SiteSample.entry(41, .succeeded)],
      withReport: [42])
    bot.issues = BotIssueList(of: IntegrationRecord(integration)) { _ in false }
    let pages = try SiteSample.pages().pages(of: bot, asOf: nil)
    let page = String(decoding: try #require(pages.first { $0.path == "index.html" }).bytes, as: UTF8.self)
    let places = try ["timeOut again", "crash again"].map { try #require(page.ranges(of: $0).last?.lowerBound) }
    #expect(places[0] < places[1])
  }

  @Test("The issue of a test that passed on retry is that of a flaky test, in lists and on its page")
  func flaky() throws {
    var report = IssueSample.report
    let test = try #require(report.integration.tests.results.first { $0.state == .passed })
    var record = IssueRecord(
      id: "t-1", kind: .testFailure, message: "no luck", location: test.location, test: test.id,
      streaks: [.init(opened: report.integration.number - 1, lastSeen: report.integration.number - 1, age: 1)])
    record.displayName = test.displayName
    var issue = Model.Issue(record)
    (issue.isCarriedOver, issue.passedOnRetry) = (true, true)
    report.integration.issues = [issue]
    report.integration.issueRecords = [record]
    let site = try PageSite(report)
    let list = site.text("issues.html")
    #expect(list.contains("<h1>1 flaky test open") && list.contains("#flaky") && !list.contains("test failure"))
    let page = site.text("issues/t-1.html")
    #expect(page.contains("failed, then passed on retry</h1>") && page.contains(">Flaky</span>"))
    #expect(!page.contains("has failed since"))
  }

  @Test("The issue of a red test that is known to be flaky says where it was, and repeats the test until it fails")
  func knownFlaky() throws {
    var report = IssueSample.report
    let issue = try #require(report.integration.issues.first { $0.id == "t-4c81" })
    let test = try #require(issue.test)
    func moment(_ number: Int, _ state: TestState, isFlaky: Bool = false) -> TestHistory.Moment {
      TestHistory.Moment(
        number: number, commit: CommitID(rawValue: "\(number)"), toolchain: "",
        verdict: .init(state: state, duration: 1, isFlaky: isFlaky))
    }
    report.integration.histories[test] = TestHistory([moment(report.integration.number, .failed)])
    #expect(try !PageSite(report).text("issues/t-4c81.html").contains("flaky in"))
    report.integration.histories[test] = TestHistory(
      [moment(report.integration.number, .failed)] + [38, 36, 34, 32].map { moment($0, .passed, isFlaky: true) })
    let site = try PageSite(report)
    let page = site.text("issues/t-4c81.html")
    let own = ReportPaths(tests: [test]).page(of: test)
    func past(_ root: String) -> String {
      let links = [34, 36, 38].map { #"<a class="up" href="\#(root)\#($0)/index.html?page=\#(own)">\#($0)</a>"# }
      return "flaky in \(links.joined(separator: ", ")) and 1 more"
    }
    #expect(page.contains("<span>\(past("../../"))</span>") && page.contains(" || break; done"))
    #expect(site.text("issues.html").contains(past("../")))
  }

  @Test("One whose line was changed meanwhile says so, and nothing that no longer shows it")
  func changed() throws {
    var report = IssueSample.report
    let number = report.integration.number
    var record = IssueRecord(
      id: "w-1", kind: .warning, message: "never used",
      location: Model.SourceLocation(file: "Sources/Greeter/Phrases/Language.swift", line: 5), test: nil,
      streaks: [.init(opened: number - 1, lastSeen: number - 1, age: 1)])
    let commit = Commit(
      id: CommitID(rawValue: "dae2c530"), summary: "Count", author: "Ben", date: report.integration.commit.date)
    var resolution = try #require(IssueRecord.Resolution([commit]))
    resolution.integrations = number...number
    record.streaks[0].unchecked = IssueRecord.Unchecked(resolution, ending: .fixed)
    var issue = Model.Issue(record)
    issue.isCarriedOver = true
    report.integration.issues = [issue]
    report.integration.issueRecords = [record]
    let site = try PageSite(report)
    let page = site.text("issues/w-1.html")
    #expect(page.contains(">Open</span><span>since "))
    #expect(
      page.contains("<span>not checked in \(number)</span><span>line changed in \(number) (dae2c53)</span>"))
    #expect(!page.contains("last seen in") && !page.contains("Reproduce it") && !page.contains("Silence it"))
    let list = site.text("issues.html")
    #expect(list.contains("<h1>1 warning open, not checked") && list.contains("open since <a"))
  }

  @Test("What is no longer checked is listed as that, neither open nor resolved", arguments: [0, 1])
  func dropped(age: Int) throws {
    var report = IssueSample.report
    let number = report.integration.number
    var record = IssueRecord(
      id: "m-1", kind: .sanitizer, message: "ThreadSanitizer: data race", location: nil, test: nil,
      streaks: [.init(opened: number - 2, lastSeen: number - 2, age: 1 + age)])
    record.streaks[0].droppedIn = number - age
    // Only the first integration that did not look for it tells it.
    report.integration.issues = age == 0 ? [Model.Issue(record)] : []
    report.integration.issueRecords = [record]
    let site = try PageSite(report)
    let list = site.text("issues.html")
    #expect(list.contains("<h1>No issue is open") && list.contains(#"id="issues-no-longer-checked""#))
    #expect(!list.contains("Resolved"))
    #expect(site.words("issues.html").contains("opened in \(number - 2), no longer checked since \(number - age)"))
    let page = site.text("issues/m-1.html")
    #expect(page.contains(">Not checked</span>") && !page.contains("Resolved") && !page.contains("Silence it"))
    #expect(site.words("issues/m-1.html").contains("no longer checked since \(number - age)"))
    #expect(site.text("index.html").contains(">No longer checked 1</h3>") == (age == 0))
  }

  @Test("What was not checked is open, and is no change")
  func change() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issues.firstIndex { $0.status == .unresolved })
    report.integration.issues[index].isCarriedOver = true
    report.integration.baseline?.issues = []
    let page = try PageSite(report).text("issues.html")
    #expect(page.contains("<h1>3 issues open, 1 of them not checked, 1 silenced</h1>"), "\(page)")
    #expect(page.contains("<span>1 new</span><span>1 came back</span></p>"))
  }
}
