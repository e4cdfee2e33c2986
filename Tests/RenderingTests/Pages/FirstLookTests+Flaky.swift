import Testing

@testable import Model
@testable import Rendering

extension FirstLookTests {
  @Test("A flaky test has a command that runs it until it fails")
  func untilItFails() throws {
    let test = TestResult(id: TestID(module: "M", suite: "S", name: "it's"), library: .xctest)
    #expect(
      RepeatCommands(test, testCommand: nil).untilItFails
        == #"for run in $(seq 50); do swift test --filter '^M\.' || break; done"#)
    let text = try page(of: "echoFadesInTime", in: try PageSite.sample("unsteady"))
    let commands = text.split(separator: #"<div class="cmd"#).dropFirst().map { String($0) }
    let commit = UnsteadySample.report.integration.commit.id.short
    let switching = "<code>git switch <span class=whole>--detach</span> \(commit) &amp;&amp; "
    let start = "\(switching)for run in $(seq 50); do swift test <span class=whole>--filter</span>"
    #expect(commands.first?.contains(start) == true)
    #expect(commands.count == 1, "To run it once shows nothing.")
    #expect(try PageSite.sample("unsteady").text("index.html").contains(start))
  }

  @Test("A test that is flaky from its first run on names who added it, with the commit")
  func flakyAuthor() throws {
    var report = UnsteadySample.report
    let test = try #require(report.integration.tests.results.first { $0.isFlaky })
    var commit = report.integration.commit
    commit.author = "Tomas"
    report.integration.commits = [commit]
    #expect(try !PageSite(report).text("index.html").contains(">Tomas</span> <small>"))
    report.integration.testChanges = TestListChanges(added: [test.id])
    #expect(
      try PageSite(report).text("index.html").contains(
        #"<td class="by-whom"><span class="who">Tomas</span> <small>added in <a href="index.html#commits">"#))
    report.integration.testChanges = nil
    let number = report.integration.number - 1
    report.integration.flakyAdditions = [test.id: TestAddition(author: "Tomas", number: number)]
    let link = #"<a class="up" href="../\#(number)/index.html">\#(number)</a>"#
    #expect(try PageSite(report).text("index.html").contains(#"Tomas</span> <small>added in \#(link)"#))
  }

  @Test("Beside a red test, a flaky one has a command of its own")
  func besideRed() throws {
    var report = UnsteadySample.report
    let flaky = try #require(report.integration.tests.results.first { $0.isFlaky })
    let red = try #require(report.integration.tests.results.firstIndex { !$0.isFlaky && $0.state == .passed })
    #expect(try !PageSite(report).text("index.html").contains("\(flaky.title): run "))
    report.integration.tests.results[red].state = .failed
    let page = try PageSite(report).text("index.html")
    #expect(page.contains("\(flaky.title): run ") && page.contains("Run in a checkout:"))
  }

  @Test("A flaky test has how often it failed and since when, and its glyph stands for what is only flaky")
  func flaky() throws {
    var report = UnsteadySample.report
    let test = try #require(report.integration.tests.results.first { $0.isFlaky })
    report.integration.histories[test.id] = TestHistory(
      [true, false, true].enumerated().map { index, isFlaky in
        TestHistory.Moment(
          number: report.integration.number - index, commit: CommitID(rawValue: "\(index)"), branch: "main",
          toolchain: "t",
          verdict: TestVerdicts.Verdict(state: .passed, duration: 1, isFlaky: isFlaky))
      })
    let mixed = try PageSite(report).text("index.html")
    #expect(mixed.contains("</span> <small>in 2 of 3 integrations</small>") && !mixed.contains("flaky in 2"))
    let first = report.integration.number - 2
    let path = ReportPaths(tests: [test.id]).page(of: test.id)
    let link = #"<a class="up" href="../\#(first)/index.html?page=\#(path)">\#(first)</a>"#
    #expect(mixed.contains("first flaky in \(link)"))
    #expect(mixed.contains("g big is-warning"))
    let own = #"on the same commit in <a class="up" href="../../\#(first)/index.html"#
    let page = try PageSite(report).text(path)
    #expect(page.contains(own) && page.contains(#"<p class="facts"><span>flaky in 2 of 3 integrations</span>"#))
    report.integration.reasons = [.testsFlaky([test.title])]
    #expect(try PageSite(report).text("index.html").contains("g big is-flaky"))
  }
}
