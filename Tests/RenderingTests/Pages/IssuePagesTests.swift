import FoundationEssentials
@testable import Model
import Testing

@testable import Rendering

@Suite("Pages about issues and the history of tests")
struct IssuePagesTests {
  private let site: PageSite

  init() throws { site = try PageSite.sample("issues") }

  @Test("Each issue that was followed has a page under its name, and one that is gone does too")
  func pages() {
    let paths = site.order.filter { $0.hasPrefix("issues/") }
    let plain = ["h-6b30", "s-0a11", "t-4c81", "w-e5f4"].map { "issues/\($0).html" }
    #expect(Set(paths).isSuperset(of: plain))
    #expect(paths.count == 5)
    #expect(!paths.contains { $0.contains("<") })
  }

  @Test("The page of an issue tells its streaks, its suspects and how to silence it")
  func issue() {
    let text = site.text("issues/t-4c81.html")
    #expect(text.contains(#"<span class="pill new">Came back</span><span>before in 12–30</span>"#))
    #expect(!text.contains("came back in 42"))
    #expect(text.contains("9f1c2ab changed line 20 of the test."))
    #expect(text.contains(#"<a class="up" href="../../31/index.html">31</a>"#))
    #expect(
      text.contains(
        "martlet silence <span class=whole>t-4c81</span> <span class=whole>--bot</span> Greeter <span class=whole>--reason<"
      ))
    #expect(text.contains(#"href="../tests/GreeterTests-GreetingTests-test_greeting_atNoon"#))
  }

  @Test(
    "The page of an open issue has the command that repeats it, and that of what is gone has none; only that of a gate has gates"
  )
  func repeats() throws {
    #expect(site.text("issues/t-4c81.html").contains("for run in $(seq 50); do swift test "), "It is flaky.")
    #expect(site.text("issues/w-e5f4.html").contains("<h2 id=\"h-again\">Reproduce it</h2>"))
    var report = IssueSample.report
    report.integration.repeatCommand = "martlet run . --gate patch=80"
    report.integration.buildCommand = "swift build --build-tests"
    let page = try PageSite(report).text("issues/w-e5f4.html")
    #expect(page.contains("--build-tests</span> <span class=whole>--scratch-path</span> ") && !page.contains("--gate"))
    #expect(!site.text("issues/s-0a11.html").contains("Reproduce it"))
    #expect(!site.text("issues/w-odd-54d4546a.html").contains("Reproduce it"))
  }

  @Test("An issue whose flaky test passed again is not plainly resolved, and says since when the test is flaky")
  func flakyPassedAgain() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    let test = try #require(report.integration.issueRecords[index].test)
    report.integration.issues.removeAll { $0.id == "t-4c81" }
    report.integration.histories[test] = TestHistory([
      TestHistory.Moment(
        number: 42, commit: CommitID(rawValue: "c"), branch: "main", toolchain: "t",
        verdict: TestVerdicts.Verdict(state: .passed, duration: 1, isFlaky: true))
    ])
    func site(_ ending: IssueRecord.Ending) throws -> PageSite {
      report.integration.issueRecords[index].streaks = [.init(opened: 36, lastSeen: 36, closed: 37)]
      report.integration.issueRecords[index].streaks[0].ending = ending
      return try PageSite(report)
    }
    let chance = try site(.passedAgain)
    #expect(chance.text("issues/t-4c81.html").contains(#"<span class="pill old">First flaky in 36</span>"#))
    #expect(
      chance.text("issues.html").contains(
        #"</a><small>first flaky in <a class="up" href="../36/index.html">36</a></small></td>"#))
    let fixed = try site(.fixed)
    #expect(!fixed.text("issues/t-4c81.html").contains("Resolved"), "The heading says it.")
    #expect(fixed.text("issues.html").contains("first flaky in"), "Nothing was fixed where the test is flaky.")
  }

  @Test("A resolved issue names who caused it, the commits that fixed it, and the line")
  func resolved() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    report.integration.issues.removeAll { $0.id == "t-4c81" }
    let commit = Commit(
      id: CommitID(rawValue: "e83f1640"), summary: "Ring at noon", author: "Mira", date: Date(timeIntervalSince1970: 0))
    var record = report.integration.issueRecords[index]
    record.streaks = [.init(opened: 40, lastSeen: 41, closed: 42, age: 2)]
    record.suspects = [Suspect(name: "Ada", email: "", confidence: .high, reason: "9f1c2ab changed line 20.")]
    func texts(_ commits: [Commit], _ ending: IssueRecord.Ending? = .fixed) throws -> (page: String, list: String) {
      record.streaks[0].resolution = IssueRecord.Resolution(commits)
      record.streaks[0].ending = ending
      report.integration.issueRecords[index] = record
      let site = try PageSite(report)
      return (site.text("issues/t-4c81.html"), site.text("issues.html"))
    }
    let chance = try texts([], .passedAgain)
    #expect(chance.page.contains(", passed again in 42</h1>") && !chance.page.contains("Fix:"))
    #expect(
      chance.list.contains(#"<td>passed again in 42<small>first flaky in <a class="up" href="../32/index.html?page=t"#)
        && !chance.list.contains("Mira</span>"))
    report.integration.histories = [:]
    let one = try texts([commit])
    #expect(
      one.page.contains(
        #"Cause: <span class="dots"><span>probably <b>Ada</b></span><span>9f1c2ab changed line 20.</span></span>"#))
    let commitLink = #"<a class="up" href="../../42/index.html#commits">e83f164</a>"#
    #expect(
      one.page.contains(
        "Fix: <span class=\"dots\"><span><b>Mira</b></span><span>\(commitLink)</span><span>Ring at noon</span></span>"))
    #expect(
      one.list.contains(#"<td>Mira</td><td>fixed in 42</td><td class="dim" data-l="open for">3 integrations</td>"#))
    #expect(
      one.page.contains(", fixed in 42</h1>")
        && one.page.contains("</span><span>open for 3 integrations</span>")
        && !one.page.contains("<span>fixed in 42</span>"))
    #expect(!one.page.contains(#"id="streaks""#))
    // By now something else may stand on its line.
    #expect(!one.page.contains(#"id="source""#))
    func by(_ author: String) -> Commit { Commit(id: commit.id, summary: "", author: author, date: commit.date) }
    let several = try texts([commit, by("Jonas"), by("Ada")])
    #expect(several.page.contains("Fix: <span class=\"dots\"><span>3 commits up to \(commitLink)</span></span></p>"))
    #expect(try texts([], nil).list.contains("<td>resolved in 42</td>"))
    #expect(try texts([commit], .testDeleted).page.contains("Test deleted: <span"))
    #expect(several.list.contains("<td>3 commits up to e83f164</td>") && !several.list.contains(">Mira<"))
  }

  @Test(
    "A resolved issue has the lines that changed, with what they replaced; a later integration leads to no line of its own"
  )
  func hunks() throws {
    var report = IssueSample.report
    let index = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    report.integration.issues.removeAll { $0.id == "t-4c81" }
    report.integration.histories = [:]
    let commit = Commit(
      id: CommitID(rawValue: "e83f1640"), summary: "Ring at noon", author: "Mira", date: Date(timeIntervalSince1970: 0))
    var resolution = try #require(IssueRecord.Resolution([commit]))
    resolution.hunks = [
      SourceHunk(
        file: "Sources/greet/Options.swift",
        lines: [
          .init(number: 7, text: "switch hour {"), .init(number: 8, text: "case 0..<13: \"a <b>\"", change: .removed),
          .init(number: 8, text: "case 0..<12: \"a <b>\"", change: .added), .init(number: 9, text: "}"),
        ])
    ]
    func page(closedIn closed: Int) throws -> String {
      var streak = IssueRecord.Streak(opened: 40, lastSeen: closed - 1, closed: closed)
      streak.resolution = resolution
      report.integration.issueRecords[index].streaks = [streak]
      return try PageSite(report).text("issues/t-4c81.html")
    }
    let now = try page(closedIn: 42)
    let rows = now.split(separator: "\n").filter { $0.contains(#"<th class="ln""#) }
    #expect(rows.count == 4)
    #expect(rows[1].hasPrefix(#"<tr class="went"><th class="ln" scope="row"><del aria-label="removed">−</del>8"#))
    #expect(rows[2].hasPrefix(#"<tr class="hot"><th class="ln" scope="row"><ins aria-label="added">+</ins>8"#))
    #expect(now.contains(#"href="../coverage/Sources-greet-Options.swift.html"#) && !now.contains("<b>\""))
    #expect(try !page(closedIn: 41).contains("whole file"))
  }

  @Test("What caused an issue stands apart from what fixed it, each with its change, also when it is resolved")
  func causeAndFix() throws {
    func hunk(_ text: String) -> SourceHunk {
      SourceHunk(file: "Sources/greet/Options.swift", lines: [.init(number: 8, text: text, change: .added)])
    }
    var report = IssueSample.report
    let index = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    report.integration.issues.removeAll { $0.id == "t-4c81" }
    let commit = Commit(
      id: CommitID(rawValue: "e83f1640"), summary: "Ring at noon", author: "Mira", date: Date(timeIntervalSince1970: 0))
    var streak = IssueRecord.Streak(opened: 40, lastSeen: 41, closed: 42)
    (streak.resolution, streak.ending) = (IssueRecord.Resolution([commit]), .fixed)
    streak.resolution?.hunks = [hunk("let mended = 1")]
    report.integration.issueRecords[index].streaks = [streak]
    report.integration.issueRecords[index].suspects = [
      Suspect(
        name: "Ada", email: "", confidence: .high, reason: "9f1c2ab changed Options.swift:8.",
        commit: CommitID(rawValue: "9f1c2ab0"),
        place: Model.SourceLocation(file: "Sources/greet/Options.swift", line: 8))
    ]
    (report.integration.issueRecords[index].suspectedHunk, report.integration.histories) = (hunk("let broken = 1"), [:])
    let text = try PageSite(report).text("issues/t-4c81.html")
    let cause = try #require(text.firstRange(of: #"<section id="cause""#)?.lowerBound)
    let fix = try #require(text.firstRange(of: #"<section id="fix""#)?.lowerBound)
    #expect(cause < fix)
    #expect(text[cause..<fix].contains("broken") && !text[cause..<fix].contains("mended"))
    #expect(text[..<cause].contains(#"<a class="up" href="../../40/index.html#commits">9f1c2ab</a>"#))
    #expect(text[..<cause].contains(#"<p class="lead">Fix: <span class="dots"><span><b>Mira</b></span>"#))
    #expect(text[fix...].contains("mended") && !text[fix...].contains("broken") && !text.contains("Options.swift:8<"))
  }

  @Test("The page of a new issue has the change that speaks for its suspect, and leads to the commit and the line")
  func suspected() throws {
    var report = IssueSample.report
    let record = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    report.integration.issueRecords[record].suspectedHunk = SourceHunk(
      file: "Sources/Greeter/Phrases/Language.swift", lines: [.init(number: 10, text: "case polite", change: .added)])
    let index = try #require(report.integration.issues.firstIndex { $0.id == "t-4c81" })
    let place = Model.SourceLocation(file: "Sources/Greeter/Phrases/Language.swift", line: 10)
    report.integration.issues[index].suspects = [
      Suspect(
        name: "Ada", email: "", confidence: .high, reason: "it changed a line.",
        commit: report.integration.commit.id, place: place)
    ]
    let text = try PageSite(report).text("issues/t-4c81.html")
    #expect(text.contains(#"<span>probably <b>Ada</b></span><span><a href="../index.html#commits">"#))
    #expect(text.contains("<span>\(report.integration.commit.summary)</span>") && !text.contains("it changed a line."))
    let section = try #require(text.firstRange(of: #"<section id="cause""#)?.lowerBound)
    let hot = try #require(text[section...].firstRange(of: #"<tr class="hot">"#)?.upperBound)
    #expect(text[hot...].hasPrefix(#"<th class="ln" scope="row"><ins aria-label="added">+</ins>10</th>"#))
    #expect(!site.text("issues/t-4c81.html").contains(#"<section id="cause""#))
  }

  @Test("The page of an issue leads to the page of its test, in the last integration where it was red if not here")
  func testPage() throws {
    var report = IssueSample.report
    let page = "tests/GreeterTests-GreetingTests-test_greeting_atNoon"
    #expect(site.text("issues/t-4c81.html").contains(#"<a href="../\#(page)"#))
    let index = try #require(report.integration.issueRecords.firstIndex { $0.id == "t-4c81" })
    report.integration.issues.removeAll { $0.id == "t-4c81" }
    report.integration.issueRecords[index].streaks = [.init(opened: 40, lastSeen: 41, closed: 42, age: 2)]
    report.integration.tests.results.removeAll { $0.id == report.integration.issueRecords[index].test }
    let text = try PageSite(report).text("issues/t-4c81.html")
    #expect(
      text.contains(#"<a class="up" href="../../41/index.html?page=\#(page)"#) && text.contains(">test page in 41</a>"))
  }

  @Test("The list says since which integration an issue is there, with a link to that")
  func since() throws {
    let text = site.text("issues.html")
    #expect(!text.contains("since 42") && !text.contains(">Since<"))
    // That it is new or came back, its group says.
    #expect(text.contains(#"<td class="age"></td>"#) && !text.contains(#""age">in "#) && !text.contains("came back in"))
    let own = try #require(IssueSample.noon.map { "?page=" + ReportPaths(tests: [$0.id]).page(of: $0.id) })
    let links = [(37, ""), (40, own), (41, "")].map { #"<a class="up" href="../\#($0)/index.html\#($1)">\#($0)</a>"# }
    #expect(text.contains("\"age\">before in 12–30; flaky in \(links.joined(separator: ", ")) and 3 more</td>"))
    #expect(text.contains(#"since <a class="up" href="../37/index.html">37</a>"#))
    #expect(text.contains(#"since <a class="up" href="../1/index.html">1</a>"#) && !text.contains(">1</a> or earlier"))
  }

  @Test("The lines of a failed gate lead to their sources, and it is said how many more there are")
  func linesOfGate() throws {
    var report = IssueSample.report
    let path = "Tests/GreeterTests/GreetingTests.swift"
    var gate = GateResult(rule: "patch=80", state: .failed, sentence: "9 of 9 changed lines never ran.")
    gate.lines = [10, 11, 12, 14, 17, 20, 22, 24, 26].map { SourceLocation(file: path, line: $0) }
    var issue = Model.Issue(id: "g-1", kind: .gate, status: .new, message: gate.message, age: 0)
    issue.subject = .gate(gate.rule)
    report.integration.gates = [gate]
    report.integration.issues.append(issue)
    report.integration.issueRecords.append(
      IssueRecord(
        id: issue.id, kind: .gate, message: issue.message, location: nil, test: nil,
        streaks: [.init(opened: 42, lastSeen: 42, age: 0)]))
    let text = try PageSite(report).text("issues.html")
    let page = "test-sources/Tests-GreeterTests-GreetingTests.swift.html"
    #expect(
      text.contains(
        ##"<span class="whole"><a href="\##(page)#L10">Greeting<wbr>Tests.swift:10–12</a>,</span> <span class="whole"><a href="\##(page)#L14">14</a>,</span> "##
      ))
    #expect(text.contains("</span> and 2 more lines</td>"))
    #expect(!text.contains(#"<small class="small">gate"#) && !text.contains(#"<small class="small">test failure"#))
  }
  @Test("A silence is told on every page that profits from it, with author, end and reason")
  func silence() {
    let (words, ended) = ("the bell is being mended &lt;soon&gt;", "ended on 24 Dec 2026: “")
    let test = site.order.first { $0.hasPrefix("tests/DoorbellTests-DoorbellTests-answeredBeforeWaiting") } ?? ""
    for path in ["index.html", "tests.html", "issues.html", "issues/h-6b30.html", test] {
      let text = site.text(path)
      #expect(text.replacing(ended + words, with: "").contains(words), "\(path)")
      #expect(text.contains("Mira") && !text.contains("Mira &lt;"), "\(path)")
      #expect(text.contains("through 24 Dec 2026"), "\(path)")
    }
    #expect(
      site.text("issues/h-6b30.html").contains(
        "martlet unsilence <span class=whole>h-6b30</span> <span class=whole>--bot</span> Greeter"))
    #expect(site.text("issues/w-e5f4.html").contains("Counts again: the silence by Mira"))
  }

  @Test("The last day of a silence is the one that was written, wherever that day ends", arguments: [-11, 0, 13, 14])
  func lastDay(hoursAhead: Int) {
    var silence = IssueSample.silence
    silence.until = Date(timeIntervalSince1970: 1_798_156_800 - Double(hoursAhead) * 3600)
    silence.lastDay = "2026-12-24"
    #expect(IssueWords.extent(of: silence).hasSuffix("through 24 Dec 2026"))
    #expect(IssueWords.end(of: silence).contains(" ended on 24 Dec 2026: "))
    silence.lastDay = "24th <of> December"
    silence.until = IssueSample.silence.until
    #expect(IssueWords.extent(of: silence).hasSuffix("through 24 Dec 2026"))
  }

  @Test("The list tells what is open and what is gone")
  func list() {
    let text = site.text("issues.html")
    let facts = "<span>1 new</span><span>1 came back</span></p>"
    let parts = ["<h1>3 issues open, 1 silenced</h1>", facts, #"id="issues-resolved""#]
    #expect(parts.allSatisfy { text.contains($0) })
    #expect(text.contains(">1</a>") && !text.contains(">1</a> or earlier"), "Nothing is before the first.")
    #expect(text.contains(#"<td>resolved in <a class="up" href="../9/index.html">9</a></td>"#))
    #expect(site.text("index.html").contains("All issues (1 resolved)"))
  }

  @Test("A test's page tells since when it is red, and its durations")
  func history() {
    let path = site.order.first { $0.hasPrefix("tests/DoorbellTests-DoorbellTests-answeredBeforeWaiting") } ?? ""
    let text = site.text(path)
    #expect(text.contains("Never passed in 13 integrations."))
    #expect(text.contains(#"every known integration, since <a class="up" href="../../30/index.html">30</a> (7 "#))
    #expect(text.contains("How long the test took, by integration"))
    let noon = site.order.first { $0.hasPrefix("tests/GreeterTests-GreetingTests-test_greeting_atNoon") } ?? ""
    #expect(site.text(noon).contains("Passed and failed on the same commit in"))
  }

  @Test("The page of all tests lists what is silenced of others, and deleted ones")
  func lists() {
    let text = site.text("tests.html")
    for id in ["silenced", "changed"] { #expect(text.contains(#"<section id="\#(id)""#), "\(id)") }
    #expect(text.contains("test_&lt;gone&gt;"))
    #expect(text.contains("was GreeterTests.Old/test_was"))
    #expect(text.contains(#"<h2 id="h-changed">Deleted tests</h2><p>1 since 41</p>"#))
  }

  @Test("Of very many issues all are counted, and those with a page are the first")
  func many() throws {
    var report = IssueSample.report
    report.integration.issues = (1...(IssueIndex.most + 100)).map { number in
      var issue = Issue(id: "w-\(number)", kind: .warning, message: "careless", age: 3)
      issue.status = .unresolved
      return issue
    }
    report.integration.issueRecords = report.integration.issues.map {
      IssueRecord(
        id: $0.id, kind: $0.kind, message: $0.message, location: nil, test: nil,
        streaks: [.init(opened: 3, lastSeen: 42)])
    }
    let site = try PageSite(report)
    #expect(site.text("issues.html").contains("<h1>600 warnings open</h1>"))
    #expect(site.text("issues.html").contains("<span class=\"dim\">600</span>"))
    #expect(site.text("issues.html").contains("100 more issues, listed in integration.json."))
    #expect(site.order.filter { $0.hasPrefix("issues/") }.count == IssueIndex.most)
  }

  @Test(
    "An issue's line ends without the dash of an assertion that has no words of its own",
    arguments: [
      ("XCTAssertTrue failed - ", "XCTAssertTrue failed"), ("XCTAssertTrue failed -", "XCTAssertTrue failed"),
      ("XCTAssertTrue failed - it rang", "XCTAssertTrue failed - it rang"), ("a-", "a-"), ("-", "-"), (" -", " -"),
      ("", ""),
    ])
  func dash(message: String, line: String) {
    #expect(FailureLine.headline(of: message) == line)
  }

  @Test("The list of what is silenced says how many issues it does not show")
  func silenced() throws {
    var report = IssueSample.report
    let first = try #require(report.integration.issues.first { $0.id == "t-77aa" })
    report.integration.issues = (1...203).map { number in
      var issue = first
      issue.id = "t-\(number)"
      return issue
    }
    #expect(try PageSite(report).text("tests.html").contains("3 more issues."))
  }

  @Test("The time before is that of a run, not of a test that did not come to run")
  func slowBefore() throws {
    var report = IssueSample.report
    let slow = try #require(report.integration.slowTests.first?.id)
    let moments = try #require(report.integration.histories[slow]?.moments)
    var idle = moments[1]
    idle.verdict = .init(state: .notRun, duration: 0, isFlaky: false)
    report.integration.histories[slow] = TestHistory([moments[0], idle] + moments[2...])
    let cell = ">\(DurationText.fine(Double(moments[2].verdict.duration) / 1000))</td>"
    #expect(try PageSite(report).text("tests-by-duration.html").contains(cell))
  }

  @Test("Without a followed issue there is no page of issues, and no link to one")
  func none() throws {
    let site = try PageSite.sample("red")
    #expect(!site.order.contains { $0.hasPrefix("issues") })
    #expect(!site.text("index.html").contains("issues.html"))
  }

  @Test("A silenced warning of a red test does not silence the test, nor say since when it is red")
  func silencedWarning() throws {
    let noon = try #require(IssueSample.noon)
    var report = IssueSample.report
    for kind in [Model.Issue.Kind.warning, .sanitizer] {
      var other = Model.Issue(
        id: "w-0001", kind: kind, status: .silenced, message: "odd", age: 90, test: noon.id)
      other.silence = IssueSample.silence
      other.life = IssueLife(firstSeen: 2, streakStart: 2, streakAge: 90)
      report.integration.issues.append(other)
    }
    let site = try PageSite(report)
    let path = site.order.first { $0.hasPrefix("tests/GreeterTests-GreetingTests-test_greeting_atNoon") } ?? ""
    #expect(site.text(path).contains("GreeterTests"))
    #expect(!site.text(path).contains("Silenced"))
    #expect(!site.text(path).contains("since 2<"))
  }
}
