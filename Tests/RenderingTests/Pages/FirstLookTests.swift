import Testing

@testable import Model
@testable import Rendering

@Suite("What a reader looks for first")
struct FirstLookTests {
  func page(of name: String, in site: PageSite) throws -> String {
    site.text(try #require(site.order.first { $0.hasPrefix("tests/") && $0.contains(name) }))
  }

  @Test("Among tests without a result, the one that was running when the process ended comes first")
  func cutOff() throws {
    var report = OtherSamples.incomplete
    let last = try #require(report.integration.tests.results.lastIndex { $0.state == .notRun })
    report.integration.tests.results[last].duration = 0.8
    let title = report.integration.tests.results[last].title
    let site = try PageSite(report)
    let index = site.text("index.html")
    let rows = index.split(separator: "<tr data-stop>").dropFirst()
    let name = String(decoding: SafeHTML.name(title).bytes, as: UTF8.self)
    #expect(rows.first?.contains(">\(name)</a>") == true)
    #expect(rows.map { $0.contains("Was running when the process ended") } == [true, false, false, false, false])
    #expect(site.text("tests.html").contains(#"<span class="say">was running when the process ended</span>"#))
    #expect(site.text("tests.html").contains(#"<td class="num">800 ms</td>"#))
  }

  @Test("Without coverage and gates the figure says why, and no section below it says so again")
  func noCoverage() throws {
    var report = OtherSamples.incomplete
    let index = try PageSite(report).text("index.html")
    #expect(index.contains("No process left its counters"))
    #expect(index.contains(#"<div id="coverage"></div>"#) && !index.contains("h-coverage"))
    report.integration.gates = [GateResult(rule: "ratchet", state: .notJudged, sentence: "No coverage.")]
    #expect(try PageSite(report).text("index.html").contains("h-coverage"))
  }

  @Test("A change that leaves the coverage as it was has no list of what it changed there")
  func sameCoverage() throws {
    func index(_ sample: ChangeSample) throws -> String { try PageSite(sample.report).text("index.html") }
    let list = "<dl class=\"facts-list\">\n"
    let lost = try #require(ChangeSample.pairs.first { $0.0 == .lost }).1
    #expect(try index(lost).contains("\(list)<dt>Lost</dt>"))
    var failed = lost.report
    failed.integration.gates = [GateResult(rule: "no-lost-coverage", state: .failed, sentence: "A line was lost.")]
    #expect(try !PageSite(failed).text("index.html").contains("<dt>Lost</dt>"), "The row of the gate has it.")
    let same = try index(ChangeSample(before: ["1|a()"], now: ["1|a()"]))
    #expect(!same.contains("\(list)</dl>"))
    #expect(same.contains(#"<div id="coverage"></div>"#), "All of it ran, as the figures say.")
  }

  @Test("A build error leads to its line, in which it is marked, and to the changed line, and the build stands below")
  func buildError() throws {
    var report = OtherSamples.buildErrors
    let place = try #require(report.integration.issues[0].location)
    report.integration.issues[0].suspects = [
      Suspect(
        name: "Jon", email: "", confidence: .high, reason: "he changed it.",
        place: SourceLocation(file: place.file, line: place.line))
    ]
    report.integration.issueRecords = [
      IssueRecord(
        id: "e-1", kind: .error, message: report.integration.issues[0].message, location: place, test: nil,
        streaks: [.init(opened: 44, lastSeen: 44)])
    ]
    report.integration.buildCommand = "swift build --build-tests"
    let site = try PageSite(report)
    let index = site.text("index.html")
    #expect(index.contains(#"<a href="issues/e-1.html#source">Language.swift:14:16</a>"#))
    #expect(index.matches(of: /swift build <span class=whole>--build-tests/).count == 1, "It stands below the errors.")
    #expect(index.contains(#"<code class="line"><b>return</b> <mark>known</mark>[index]</code>"#))
    #expect(
      index.contains(
        #"<td class="by-whom"><span class="who">Jon</span> <small>changed <a href="issues/e-1.html#source">"#),
      "It is certain, and says why as a red test does.")
    #expect(index.contains(#"<a class="name" href="issues/e-1.html">"#))
    #expect(site.text("issues/e-1.html").contains("<mark>known</mark>[index]</td>"))
  }

  @Test(
    "The word or the sign at a column is marked, of characters of any length, from within a word the rest of the line",
    arguments: [
      (15, "<b>let</b> größe = <mark>other</mark> &lt; <var>2</var>"),
      (5, "<b>let</b> <mark>größe</mark> = other &lt; <var>2</var>"),
      (21, "<b>let</b> größe = other <mark>&lt;</mark> <var>2</var>"),
      (17, "<b>let</b> größe = ot<mark>her &lt; <var>2</var></mark>"),
      (24, "<b>let</b> größe = other &lt; <var>2</var>"), (nil, "<b>let</b> größe = other &lt; <var>2</var>"),
    ])
  func column(column: Int?, html: String) {
    // Two letters of the first name have two bytes each.
    let source = HighlightedSource(Array("let größe = other < 2".utf8), path: "A.swift")
    #expect(String(decoding: source.html(ofLine: 1, marking: column).bytes, as: UTF8.self) == html)
  }

  @Test("Of an operator all characters are marked", arguments: ["+=", "&&", "=="])
  func sign(sign: String) {
    let source = HighlightedSource(Array("drawn \(sign) 1".utf8), path: "A.swift")
    let html = String(decoding: source.html(ofLine: 1, marking: 7).bytes, as: UTF8.self)
    #expect(html.replacing("&amp;", with: "&").contains("<mark>\(sign)</mark>"))
  }

  @Test(
    "Of a macro its name and all its arguments on the line are marked",
    arguments: [
      ("try #expect(f(1) == 2) // no", 5, "<mark>#expect(f(1) == 2)</mark>"), ("#sum (1)", 1, "<mark>#sum</mark>"),
      ("#expect(a,", 1, "<mark>#expect(a,</mark>"), ("#expect(a[0]", 9, "<mark>a</mark>"),
    ])
  func macro(line: String, column: Int, marked: String) throws {
    let source = HighlightedSource(Array("\(line)\n== 1)".utf8), path: "A.swift")
    let html = String(decoding: source.html(ofLine: 1, marking: column).bytes, as: UTF8.self)
    #expect(html.replacing(/<(?!\/?mark>)[^>]+>/, with: "").contains(marked))
  }

  @Test("Each place in the lists of tests leads to a line of its own")
  func places() throws {
    var report = GreeterSample.red
    let file = "Tests/GreeterTests/GreetingTests.swift"
    report.integration.tests.neverRun = (1...40).map { line in
      NeverRunMethod(
        target: "GreeterTests", name: "S/test\(line)", cause: .isPrivate,
        location: SourceLocation(file: file, line: line))
    }
    let site = try PageSite(report)
    let links = site.text("tests.html").matches(of: /href="(test-sources\/[^"#]*GreetingTests[^"#]*)#(L\d+)"/)
    #expect(links.count >= 40)
    let page = try #require(links.first.map { site.text(String($0.1)) })
    let ids = Set(page.matches(of: /\sid="?([^"\s>]*)/).map { String($0.1) })
    #expect(Set(links.map { String($0.2) }).subtracting(ids) == [])
  }

  @Test("A green package has its targets behind a fold, without a column for red tests")
  func targets() throws {
    var report = GreeterSample.green
    report.integration.tests.results.removeAll { $0.state != .passed }
    report.integration.baseline = nil
    let index = try PageSite(report).text("index.html")
    #expect(index.contains("Tests</h2><span>2 targets</span>"))
    #expect(!index.contains(#"data-l="red""#))
    #expect(try !PageSite.sample("red").text("index.html").contains("<span>2 targets</span>"))
  }

  @Test("The row of a test that died has the line where it did, and its calls behind a fold")
  func stack() throws {
    let index = try PageSite.sample("red").text("index.html")
    let rows = index.split(separator: "<tr data-stop>")
    let hang = try #require(rows.first { $0.contains("answered<wbr>Before<wbr>Waiting()") })
    #expect(hang.contains("· Waiting for a lock or a queue that is taken</span>"))
    #expect(hang.contains("<b>if</b>") && hang.contains("<summary>Backtrace</summary>"))
    #expect(hang.contains("<li><code>Doorbell.untilAnswered()</code> <a href="))
    #expect(hang.contains(#"<li class="faint">2 calls of libc.so.6</li>"#))
    #expect(rows.filter { $0.contains("<summary>Backtrace</summary>") }.count == 2)
  }

  @Test("A hang without a thread in the package's code has no section of stacks to say that once more")
  func suspended() throws {
    var report = GreeterSample.red
    let index = try #require(report.integration.tests.results.firstIndex { $0.hang != nil })
    report.integration.tests.results[index].hang = HangReport(
      rule: "longer than 8 s", kind: .suspended, otherThreads: 4)
    let text = try page(of: "answeredBeforeWaiting", in: try PageSite(report))
    #expect(text.contains("Probably suspended at an await") && !text.contains("h-hang"))
  }

  @Test("What changed stands before the commands and the place of the failure, with the lines that went")
  func changed() throws {
    var report = GreeterSample.red
    let file = "Sources/Greeter/Phrases/Language.swift"
    let index = try #require(report.integration.issues.firstIndex { $0.id == "t-4c81" })
    report.integration.issues[index].suspects = [
      Suspect(
        name: "Jon", email: "", confidence: .high, reason: "he changed it.", commit: report.integration.commit.id,
        place: SourceLocation(file: file, line: 8))
    ]
    var changes = CoverageChanges(comparison: .unknown(reason: ""), patch: .unknown(reason: ""))
    changes.removed = [
      file: [
        RemovedLines(before: 8, first: 7, text: Array("let index = 1\n".utf8), count: 1, code: Tally()),
        RemovedLines(before: 1, first: 1, text: Array("import Far\n".utf8), count: 1, code: Tally()),
      ]
    ]
    report.integration.changes = changes
    let text = try page(of: "atNoon", in: try PageSite(report))
    let changed = try #require(text.firstRange(of: #"<section id="suspected""#)?.lowerBound)
    let failed = try #require(text.firstRange(of: #"<section id="source-1""#)?.lowerBound)
    let command = try #require(text.firstRange(of: #"<div class="cmd">"#)?.lowerBound)
    #expect(changed < command && command < failed)
    let part = text[changed..<failed]
    #expect(part.contains(#"<tr class="went"><th class="ln" scope="row"><del aria-label="removed">−</del>7</th>"#))
    #expect(part.contains(#"<tr class="hot"><th class="ln" scope="row">8</th>"#))
    #expect(!part.contains("Far"))
    // Who is suspected of an earlier integration changed something else.
    report.integration.issues[index].suspects[0].commit = CommitID(rawValue: "0123")
    #expect(try !page(of: "atNoon", in: try PageSite(report)).contains(#"<tr class="went">"#))
  }

  @Test("A test that hangs shows where it waits, which is its only await if no thread ran its code")
  func waits() throws {
    var report = GreeterSample.red
    let index = try #require(report.integration.tests.results.firstIndex { $0.hang != nil })
    let file = "Tests/DoorbellTests/Own.swift"
    report.sources[file] = Array("@Test func rings() async {\n  await bell()\n}\n".utf8)
    report.integration.tests.results[index].location = SourceLocation(file: file, line: 1)
    report.integration.tests.results[index].hang = HangReport(rule: "no output for 30 s", kind: .suspended)
    let rows = try PageSite(report).text("index.html").split(separator: "<tr data-stop>")
    let row = try #require(rows.first { $0.contains("no output for 30 s") })
    #expect(row.contains(#"<code class="line">"#) && row.contains("bell"))
    #expect(row.contains(">Own.swift:2</a>"))
  }

  @Test("The heading has the glyph of what all red tests have in common")
  func headingGlyph() throws {
    var report = GreeterSample.red
    #expect(try PageSite(report).text("index.html").contains("g big is-failed"))
    report.integration.tests.results.removeAll { $0.state.isRed && $0.hang == nil }
    report.integration.gates = []
    report.integration.reasons = [.testsRed(failed: 0, crashed: 0, timedOut: 1)]
    #expect(try PageSite(report).text("index.html").contains("g big is-timed-out"))
  }

  @Test("A branch that came from another one stands in the heading, and below it what it is compared with")
  func aside() throws {
    var report = GreeterSample.green
    #expect(try PageSite(report).text("index.html").contains("<span>branch <b>main</b></span>"))
    report.integration.branch = "feature/tax"
    report.integration.branchPoint = 41
    report.integration.baseline?.branch = "main"
    let index = try PageSite(report).text("index.html")
    #expect(index.contains(#"<h1><span class="tag">feature/tax</span> "#))
    #expect(index.contains("<span>compared with 41 on <b>main</b></span>"), "\(index)")
    #expect(index.contains("<title>Greeter \(report.integration.number) on feature/tax: "))
    #expect(!index.contains("<span>branch "))
  }

  @Test(
    "A gate for a share of the changed lines says how many more have to run",
    arguments: [
      ("patch=80", 7, 1, "5 more needed"), ("patch=80", 5, 3, "1 more needed"),
      ("patch=66.6", 3, 1, "1 more needed"), ("patch-fully-covered", 7, 1, nil),
      ("ratchet", 7, 1, nil),
    ] as [(String, Int, Int, String?)])
  func need(rule: String, total: Int, covered: Int, words: String?) {
    var gate = GateResult(rule: rule, state: .failed, sentence: "")
    gate.share = Tally(total: total, covered: covered)
    #expect(gate.need == words)
  }

  @Test("A green integration with warnings shows them first, the new ones above, and not once more among its issues")
  func warnings() throws {
    var report = GreeterSample.green
    report.integration.outcome = .warnings
    let place = Model.SourceLocation(file: "Sources/Greeter/Phrases/Language.swift", line: 14, column: 7)
    func warning(_ id: String, _ message: String, _ status: Model.Issue.Status, at place: Model.SourceLocation)
      -> Model.Issue
    {
      Model.Issue(id: id, kind: .warning, status: status, message: message, location: place, age: 1)
    }
    var other = place
    other.line = 15
    report.integration.issues = [
      warning("w-1", "'old' is deprecated", .unresolved, at: place),
      warning("w-2", "never used", .new, at: place), warning("w-3", "never used", .new, at: other),
    ]
    let index = try PageSite(report).text("index.html")
    let rows = index.split(separator: "<tr data-stop>").dropFirst().prefix(2).map(String.init)
    #expect(rows[0].contains("never used") && rows[0].contains(">Language.swift:14:7<"))
    #expect(
      rows[0].contains("<small>and 1 more place</small>") && rows[0].contains(#"<span class="pill new">New</span>"#))
    #expect(rows[1].contains("is deprecated") && !rows[1].contains(">New<"))
    #expect(!index.contains("h-issues"))
    report.integration.outcome = .testFailures
    #expect(try PageSite(report).text("index.html").contains("h-issues"))
  }

  @Test("A test that each attempt ended alike says how often", arguments: [0, 1, 3])
  func repeated(attempts: Int) throws {
    var report = GreeterSample.red
    let index = try #require(report.integration.tests.results.firstIndex { $0.hang != nil })
    report.integration.tests.results[index].attempts = (0..<attempts).map { _ in
      TestAttempt(state: .timedOut, duration: 8)
    }
    let words = attempts > 1 ? "Timed out every time: no output" : "Timed out: no output"
    #expect(try PageSite(report).text("index.html").contains(words))
  }

  @Test("The summary of a failed build says that no test ran")
  func unbuilt() throws {
    let text = try PageSite(OtherSamples.buildErrors).text("index.html")
    #expect(text.contains("<dt>Tests</dt><dd>did not run"))
  }

  @Test("The change of a figure stands beside the number that changed")
  func change() throws {
    let text = try PageSite.sample("red").text("index.html")
    let tail = #/<dt>Tests</dt>.*? red</a> <span class="tail"> <span class="d [^"]*">[^<]*</span> <small>of \d+/#
    #expect(text.contains(tail))
  }

  @Test("The page of the tests of a failed build has its errors, and there is no page of the slowest")
  func tests() throws {
    var report = OtherSamples.buildErrors
    report.integration.reasons = [.buildFailed(.package, errors: 2)]
    let site = try PageSite(report)
    let text = site.text("tests.html")
    #expect(text.contains("<h1>Tests did not run</h1>"))
    #expect(text.contains(#"<p class="lead">The build failed with"#))
    #expect(text.contains(#"<caption class="vh">Errors of the build</caption>"#))
    #expect(!text.contains("<b>0</b> passed") && !site.order.contains(SlowestTestsPage.path))
  }

  @Test("The values of a failed assertion stand below the heading, before the command that repeats it")
  func values() throws {
    let text = try page(of: "atNoon", in: try PageSite.sample("red"))
    let values = try #require(text.firstRange(of: #"<tr class="first"><th scope="row">Left</th>"#)?.lowerBound)
    let command = try #require(text.firstRange(of: #"<div class="cmd">"#)?.lowerBound)
    #expect(values < command)
    #expect(text.contains(#"<tr class="second"><th scope="row">Right</th><td class="how">≠</td>"#))
  }

  @Test(
    "A hang says how often and how long it was waited for",
    arguments: [
      ([], ""), ([TestState.timedOut, .timedOut], " every time, 16.4 s in all"),
      ([.timedOut, .timedOut, .timedOut], " every time, 24.6 s in all"),
      ([.timedOut, .passed], " in 1 of 2 runs, 16.4 s in all"),
    ])
  func waited(attempts: [TestState], words: String) {
    var test = TestResult(
      id: TestID(module: "M", suite: "S", name: "hang()"), library: .swiftTesting, state: .timedOut, duration: 8.2)
    test.attempts = attempts.map { TestAttempt(state: $0, duration: 8.2) }
    #expect(HangReport(rule: "longer than 8 s").extent(of: test) == words)
  }

  @Test("The list of tests has a filter for what is new among the red")
  func chips() throws {
    let text = try PageSite.sample("red").text("tests.html")
    #expect(text.contains(#"class="show-new">Newly red 3</label>"#))
  }

  @Test("The filters of the list of tests add up to all of them, flaky ones too", arguments: ["red", "unsteady"])
  func sums(sample: String) throws {
    let text = try PageSite.sample(sample).text("tests.html")
    let all = try #require(text.firstMatch(of: /id="f-all" checked>All (\d+)</).flatMap { Int($0.1) })
    let parts = text.matches(of: /class="show-(\w+)">.*? (\d+)<\/label>/).filter { $0.1 != "new" }
    #expect(parts.compactMap { Int($0.2) }.reduce(0, +) == all)
    for part in parts {
      let rows = text.matches(of: /<tr class="t l2 ([^"]*)"/).count {
        $0.1.split(separator: " ").contains("\(part.1)-t")
      }
      #expect("\(rows)" == part.2, "\(part.1)")
    }
  }
}
