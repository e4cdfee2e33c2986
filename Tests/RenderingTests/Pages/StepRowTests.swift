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

  @Test("A step that had nothing to do has no row")
  func idle() throws {
    var report = GreeterSample.green
    report.integration.steps.append(StepRecord(name: .mutating, duration: 0.0003))
    let row = #"<th scope="row">Mutating</th>"#
    #expect(try !PageSite(report).text("index.html").contains(row))
    report.integration.steps[report.integration.steps.count - 1].duration = 0.3
    #expect(try PageSite(report).text("index.html").contains(row))
  }

  @Test("What a failed before-trigger left undone has rows if the reference did it, and its sentence stands once")
  func afterTrigger() throws {
    var report = GreeterSample.green
    let (said, subject) = ("The trigger “make” failed with exit status 7.", IssueSubject(.beforeTrigger, name: "make"))
    var issue = Model.Issue(id: "x-1", kind: .triggerError, message: said)
    issue.subject = subject
    report.integration.outcome = .triggerError
    report.integration.reasons = [.triggerFailed(subject, said: said)]
    report.integration.issues = [issue]
    (report.integration.tests, report.integration.coverage) = (TestReport(), .unavailable(reason: ""))
    (report.integration.changes, report.integration.practice, report.integration.gates) = (nil, nil, [])
    report.integration.steps = [
      StepRecord(name: .checkout, duration: 1), StepRecord(name: .beforeTriggers, duration: 1),
    ]
    report.integration.baseline?.stepDurations = [.building: 1, .analyzing: 1]
    let text = try PageSite(report).text("index.html")
    let rows = text.split(separator: "<tr>").filter { $0.contains(#"<span class="faint">did not run</span>"#) }
    #expect(rows.count == 2 && rows[0].contains(">Building</th>") && rows[1].contains(">Analyzing</th>"))
    #expect(text.ranges(of: said).count == 1)
  }

  @Test("A before-trigger that failed has a row with what it printed last, and the page of its issue has all")
  func failedTrigger() throws {
    var report = GreeterSample.green
    let subject = IssueSubject(.beforeTrigger, name: "trigger \"echo …\"")
    var issue = Model.Issue(id: "s-1", kind: .triggerError, status: .new, message: "The trigger “echo …” failed.")
    issue.subject = subject
    (report.integration.outcome, report.integration.issues) = (.triggerError, [issue])
    report.integration.reasons = [.triggerFailed(subject, said: issue.message)]
    report.integration.issueRecords = [
      IssueRecord(
        id: "s-1", kind: .triggerError, message: issue.message, location: nil, test: nil,
        streaks: [.init(opened: 42, lastSeen: 42, age: 0)])
    ]
    let log = "$ # trigger 1: true\n$ # exit status 0 after 0.1 s\n$ # trigger 2: echo …\nno oil\nno lamp\n\n"
    func site(_ more: String = "") throws -> PageSite {
      let bytes = Array((log + "$ # exit status 7 after 0.2 s\n" + more).utf8)
      var report = report
      report.logs = [Report.Log(step: .beforeTriggers, bytes: bytes, folder: "")]
      return try PageSite(report)
    }
    let text = try site().text("index.html")
    let row = try #require(text.split(separator: "<tr data-stop>").dropFirst().first)
    #expect(row.contains(#"<a class="name" href="issues/s-1.html">The trigger “echo …” failed.</a>"#))
    let link = #"href="log/before-triggers.html#L5""#
    #expect(row.contains("Last line printed: <code>no lamp</code>"), "One link to it is enough.")
    #expect(row.contains("<a \(link)>log line 5</a>"))
    #expect(text.ranges(of: issue.message).count == 1, "It is not among the issues again.")
    let page = try site().text("issues/s-1.html")
    #expect(page.contains("<pre class=\"log\" tabindex=\"0\">no oil\nno lamp\n</pre>"))
    #expect(page.contains(#"href="../log/before-triggers.html#L5">log</a>"#))
    let two = try site("$ # trigger 3: false\n$ # exit status 1 after 0.1 s\n")
    #expect(!two.text("index.html").contains("Last line") && !two.text("issues/s-1.html").contains(#"id="output""#))
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

  @Test("What ended before anything was tested says why once, with no figures, tabs or steps that there are not")
  func stopped() throws {
    var report = GreeterSample.green
    let reason = "There is no Package.swift in Sources."
    (report.integration.outcome, report.integration.reasons) = (.checkoutError, [.stopped(reason)])
    (report.integration.tests, report.integration.coverage) = (TestReport(), .unavailable(reason: reason))
    (report.integration.changes, report.integration.practice, report.integration.gates) = (nil, nil, [])
    (report.integration.issues, report.integration.commits) = ([], [report.integration.commit])
    (report.integration.steps, report.logs) = ([], [])
    let text = try PageSite(report).text("index.html")
    #expect(text.contains("The commit could not be integrated") && text.ranges(of: reason).count == 1)
    #expect(!text.contains("no tests found") && !text.contains("not measured") && !text.contains(#"id="logs""#))
    #expect(!text.contains("<dt>Duration") && !text.contains(#"<dl class="figures"#))
    report.integration.steps = [StepRecord(name: .checkout, duration: 0.1)]
    let single = try PageSite(report).text("index.html")
    #expect(single.contains(#"scope="row">Checkout</th>"#) && !single.contains(#"<svg class="bar""#))
    #expect(!single.contains(">Logs</a>"), "It has no log.")
    #expect(ReportFacts(report.integration, hasSteps: false).tabs.map(\.label) == ["Summary"])
    #expect(ReportFacts(report.integration).tabs.map(\.label) == ["Summary", "Logs"])
  }

  @Test("A commit without the package says so in the heading, with what may mend it and what changed right below")
  func withoutPackage() throws {
    var report = ComparisonSample.report
    let hint = "Write 'package: lamp' into Beacon.yml."
    report.integration.outcome = .checkoutError
    report.integration.reasons = [.packageMissing("folder light", another: "lamp"), .hint(hint)]
    (report.integration.tests, report.integration.coverage) = (TestReport(), .unavailable(reason: hint))
    func page() throws -> String {
      let text = try PageSite(report).text("index.html")
      #expect(text.contains("Checkout error: no folder light; a package is in lamp/</h1>"))
      #expect(text.contains(#"<p class="lead">Write &#39;package: lamp&#39; into"#))
      #expect(!text.contains("There is no folder"))
      let files = try #require(text.firstRange(of: #"<section class="folded" id="files""#))
      #expect(text[files.upperBound...].prefix(60).contains("<details open>"))
      #expect(text[..<files.lowerBound].contains(#"id="verdict""#) && !text[..<files.lowerBound].contains("<section"))
      return text
    }
    report.comparison?.commits.files = [CommitChange.File(path: "Package.swift", status: .deleted)]
    report.comparison?.commits.filesLeft = 0
    #expect(try page().contains("<code>Package.swift</code> deleted"))
    report.comparison?.commits.files = [
      CommitChange.File(path: "b/A.swift", oldPath: "a/A.swift", status: .renamed, added: 0, removed: 0)
    ]
    #expect(try page().contains("<code>b/A.swift</code> renamed from <code>a/A.swift</code></li>"))
    report.integration.commits = [report.integration.commit]
    _ = try page()
  }

  @Test("A package without tests says so in the heading, and has no figures of what there is not")
  func withoutTests() throws {
    var report = GreeterSample.green
    report.integration.outcome = .incomplete
    report.integration.reasons = [.noTestTarget, .hintToOnlyBuild(bot: "Tiny")]
    (report.integration.tests, report.integration.coverage) = (TestReport(), .unavailable(reason: ""))
    (report.integration.changes, report.integration.practice, report.integration.gates) = (nil, nil, [])
    let text = try PageSite(report).text("index.html")
    #expect(text.contains("Incomplete: the package has no test target</h1>"))
    #expect(text.contains(#"<p class="lead">To only build it, "#) && !text.contains("The package has no test target"))
    #expect(!text.contains("<dt>Tests</dt>") && !text.contains("not measured") && text.contains("<dt>Duration</dt>"))
    #expect(ReportFacts(report.integration).tabs.map(\.label).contains("Tests") == false)
  }

  @Test("Tests that failed only of what is silenced did not make their step fail, which says why their process did")
  func silenced() throws {
    func row(_ status: Model.Issue.Status) throws -> Substring {
      var report = GreeterSample.green
      let step = try #require(report.integration.steps.firstIndex { $0.name == .testing })
      report.integration.steps[step].exitStatus = 1
      let index = try #require(report.integration.tests.results.firstIndex { $0.state == .passed })
      report.integration.tests.results[index].state = .failed
      let test = report.integration.tests.results[index].id
      report.integration.issues.append(
        Model.Issue(id: "t-1", kind: .testFailure, status: status, message: "", test: test))
      let text = try PageSite(report).text("index.html")
      return try #require(text.split(separator: "<tr>").first { $0.contains(#"<th scope="row">Testing</th>"#) })
    }
    let quiet = try row(.silenced)
    #expect(quiet.contains(#"aria-label="Succeeded""#) && quiet.contains("exit status 1: 1 silenced failure<"))
    let red = try row(.unresolved)
    #expect(red.contains(#"aria-label="Failed""#) && red.contains("1 red test<"))
  }
}
