import Comparing
import FoundationEssentials
@testable import Model
import Testing

@testable import Rendering

@Suite("The page of a comparison from top to bottom")
struct ComparisonOrderTests {
  private static func page(_ comparison: IntegrationComparison) throws -> String {
    let templates = try PageSite.reportTemplates()
    let files = try ComparisonReport(templates: templates, time: .utc).files(of: comparison)
    return String(decoding: files.last?.bytes ?? [], as: UTF8.self)
  }

  @Test("The commits are below the heading: one with its id, subject and author, several with their authors")
  func commits() throws {
    var comparison = ComparisonSample.comparison
    #expect(
      try Self.page(comparison).contains(##"<p class="lead"><a href="#commits">3 commits by jon and mira</a></p>"##))
    comparison.commits.added = [comparison.commits.added[1]]
    let commit = comparison.commits.added[0]
    let words = "1 commit: 5fe1586 Keep the parts of the day in one table, add quiet hours, mira"
    #expect(ComparisonWords(comparison).commitLine == words)
    let page = try Self.page(comparison)
    #expect(page.contains(#"id="commits">1 commit: <span class="sha">5fe1586</span> <span class="name">"#))
    #expect(
      page.contains(#"add quiet hours</span>, mira, <time datetime="2026-11-20T08:02:05+00:00">20 Nov 2026, 08:02<"#))
    #expect(page.contains(#"<h2 id="h-files">Changed files</h2><span>13 files</span>"#))
    #expect(!page.contains("h-commits"))
    (comparison.commits.added[0].files, comparison.commits.added[0].filesLeft) = ([], 0)
    #expect(ComparisonWords(comparison).commitLine == "\(words), no file changed")
    let bare = try Self.page(comparison)
    #expect(bare.contains(", no file changed</p>") && bare.contains(#"<span class="sha">5fe1586</span>"#))
    #expect(!bare.contains("h-files"))
    comparison.commits = CommitsBetween(.backward, dropped: [commit])
    #expect(ComparisonWords(comparison).commitLine?.hasPrefix("back 1 commit: 5fe1586 ") == true)
    comparison.commits.dropped += [commit]
    #expect(ComparisonWords(comparison).commitLine == "back 2 commits by mira")
    comparison.commits = CommitsBetween(.diverged, added: [commit], dropped: [commit, commit])
    #expect(ComparisonWords(comparison).commitLine == "1 commit by mira only in 42, 2 commits by mira only in 41")
    comparison.commits = CommitsBetween(.forward, added: [commit, commit], limit: 2)
    #expect(ComparisonWords(comparison).commitLine == "at least 2 commits by mira")
    comparison.commits = CommitsBetween(.same)
    #expect(ComparisonWords(comparison).commitLine == nil)
    #expect(try !Self.page(comparison).contains("h-commits"))
  }

  @Test("Of several commits the files that differ in the end are listed, and those that changed back are named")
  func changedBack() throws {
    func commit(_ paths: String...) -> CommitChange {
      CommitChange(
        id: CommitID(rawValue: paths.joined()), author: "mira", date: Date(timeIntervalSince1970: 0), message: "Change",
        files: paths.map { .init(path: $0, status: .modified, added: 1, removed: 1) })
    }
    var comparison = ComparisonSample.comparison
    comparison.commits = CommitsBetween(.forward, added: [commit("A.swift"), commit("A.swift", "B.swift")], limit: 50)
    #expect(try !Self.page(comparison).contains("h-files"), "An older document does not tell.")
    comparison.commits.files = [.init(path: "B.swift", status: .modified, added: 1, removed: 1)]
    comparison.commits.filesLeft = 0
    let page = try Self.page(comparison)
    #expect(page.contains(#"<h2 id="h-files">Changed files</h2><span>1 file</span>"#))
    #expect(page.contains(#"<p class="small more-rows">Changed and changed back: A.swift.</p>"#))
    comparison.commits.filesLeft = 1
    #expect(try !Self.page(comparison).contains("changed back"))
    comparison.commits.filesLeft = 0
    comparison.commits.relation = .diverged
    #expect(try !Self.page(comparison).contains("changed back"), "Both may have made the same change.")
  }

  @Test("The name of the only commit stands once, above the integration of it")
  func commitOnce() throws {
    var comparison = ComparisonSample.comparison
    let name = #"<span class="sha">\#(comparison.after.commit.id.short)</span>"#
    comparison.commits.added[0].id = comparison.after.commit.id
    #expect(try Self.page(comparison).contains(", \(name)"), "Of several it is in the line of its integration.")
    comparison.commits.added = [comparison.commits.added[0]]
    let page = try Self.page(comparison)
    #expect(page.contains(#"id="commits">1 commit: \#(name)"#) && page.ranges(of: name).count == 1)
  }

  @Test("A commit leads to the newest integration of it, where one is known")
  func integrations() throws {
    var report = IssueSample.report
    var comparison = ComparisonSample.comparison
    comparison.commits.added[1].id = CommitID(rawValue: "c19")
    comparison.commits.added[2].id = CommitID(rawValue: "d19")
    report.comparison = comparison
    let page = try PageSite(report).text("compare.html")
    #expect(
      page.contains(##">c19</span><small class="small">in <a class="up" href="../39/index.html">39</a></small></td>"##))
    #expect(page.contains(">d19</span></td>"))
  }

  @Test("What changed comes first, then the commits, then counts and steps, whether or not it built")
  func order() throws {
    var comparison = ComparisonSample.comparison
    func sections() throws -> [String] {
      try Self.page(comparison).matches(of: #/aria-labelledby="h-([a-z]+)"/#).map { String($0.output.1) }
    }
    #expect(
      try sections() == [
        "tests", "issues", "measured", "places", "coverage", "commits", "circumstances", "steps",
      ])
    comparison.after.outcome = .buildErrors
    comparison.tests = TestChanges()
    #expect(try sections() == ["issues", "places", "commits", "circumstances", "counts", "steps"])
  }

  private static func gate(_ rule: String) -> IntegrationRecord.FlatIssue {
    var issue = Issue(id: "g-\(rule)", kind: .gate, message: "It found something.")
    issue.subject = .gate(rule)
    return IntegrationRecord.FlatIssue(issue)
  }

  @Test("Gates that fail now come before those that still do, which are listed, too, and lost lines are said once")
  func gates() throws {
    var comparison = ComparisonSample.comparison
    comparison.tests = TestChanges()
    comparison.counts = [CountChange(.uncoveredLines, before: 7, after: 9)]
    var lines = CategoryCounts()
    lines[.lost] = 2
    (comparison.coverage.lines, comparison.coverage.byChance) = (lines, nil)
    var lost = GateResult(rule: "no-lost-coverage", state: .failed, sentence: "Two lines.")
    lost.lines = [4, 6].map { SourceLocation(file: "Sources/Doorbell/Doorbell.swift", line: $0) }
    comparison.after.gates = [lost]
    comparison.issues = IssueChanges(
      new: [Self.gate("no-lost-coverage")], gone: [], both: [Self.gate("patch=50")], notReached: [])
    #expect(
      ComparisonWords(comparison).headline
        == "Greeter 41 → 42: lost-coverage gate failed (2 lines) and 50% patch gate still fails")
    #expect(try Self.page(comparison).contains("<td>still fails</td>"))
    comparison.issues.new.append(Self.gate("ratchet"))
    #expect(
      ComparisonWords(comparison).headline
        == "Greeter 41 → 42: 2 gates failed, 50% patch gate still fails and 2 lines no longer run")
  }

  @Test("A count of warnings that changed by those that are listed is not shown again")
  func listedWarnings() throws {
    var comparison = ComparisonSample.comparison
    let warning = Issue(id: "w-1", kind: .warning, message: "unused", location: .init(file: "A.swift", line: 3))
    comparison.issues = IssueChanges(
      new: [], gone: [IntegrationRecord.FlatIssue(warning)], both: [], notReached: [])
    comparison.counts = [CountChange(.warnings, before: 1, after: 0)]
    #expect(try !Self.page(comparison).contains("h-counts"))
    comparison.counts = [CountChange(.warnings, before: 3, after: 0)]
    #expect(try Self.page(comparison).contains("<th scope=\"row\">Warnings</th>"))
  }

  @Test("Issues open in both are counted, but for those of tests and gates, which stand above")
  func issueCounts() throws {
    var comparison = ComparisonSample.comparison
    var test = Issue(id: "t-1", kind: .testFailure, message: "m")
    test.test = try #require(comparison.tests.broken.first).id
    let warning = Issue(id: "w-1", kind: .warning, message: "unused", location: .init(file: "A.swift", line: 3))
    comparison.issues = IssueChanges(
      new: [IntegrationRecord.FlatIssue(test)], gone: [IntegrationRecord.FlatIssue(warning)],
      both: [IntegrationRecord.FlatIssue(test), IntegrationRecord.FlatIssue(warning)], notReached: [])
    let page = try Self.page(comparison)
    #expect(page.contains(#"<h2 id="h-issues">Resolved issues</h2><p>1 open in both</p>"#))
    #expect(!page.contains("issues-resolved"), "A single list needs no heading of its own.")
    comparison.issues.both[1].status = .silenced
    #expect(try Self.page(comparison).contains("<p>1 silenced in both</p>"))
    comparison.issues.both = [IntegrationRecord.FlatIssue(test), Self.gate("patch=50")]
    #expect(try !Self.page(comparison).contains("in both</p>"))
  }

  @Test("The change of uncovered lines has no column of its own beside the only lines that make it")
  func changeOfLines() throws {
    var comparison = ComparisonSample.comparison
    var lines = CategoryCounts()
    lines[.lost] = 2
    var file = try #require(comparison.coverage.files.first)
    (file.before, file.after) = (LineTally(total: 9, covered: 9), LineTally(total: 9, covered: 7))
    (file.lines, file.linesByChance) = (lines, nil)
    (comparison.coverage.lines, comparison.coverage.byChance, comparison.coverage.files) = (lines, nil, [file])
    let head = #"Uncovered in 42</th><th scope="col" class="num">"#
    #expect(try Self.page(comparison).contains("\(head)Lost</th>"))
    comparison.coverage.files[0].after = LineTally(total: 9, covered: 6)
    #expect(try Self.page(comparison).contains("\(head)Change</th>"))
  }

  @Test("Tests that got worse come first, then those only different, those that got better, and those as red as before")
  func worseFirst() {
    var comparison = ComparisonSample.comparison
    var red = comparison.tests.fixed[0]
    comparison.tests.slower = [red]
    red.before = nil
    red.after?.state = .failed
    var silencedRed = red
    var silenced = comparison.tests.broken[0]
    silencedRed.after?.silenced = true
    silenced.after?.silenced = true
    comparison.tests.added += [red, silencedRed]
    comparison.tests.stillRed = [comparison.tests.broken[0], silenced]
    #expect(
      ComparisonWords(comparison).testGroups.map(\.word) == [
        "went red", "added (red)", "added (red, silenced)", "slower", "added", "deleted", "fixed", "faster",
        "still red", "still red (silenced)",
      ])
  }

  @Test("A count that a section tells is not told again below; those of the coverage are in its section")
  func toldCounts() throws {
    var comparison = ComparisonSample.comparison
    func rows(in section: String) throws -> [String] {
      let parts = try Self.page(comparison).split(separator: "id=\"h-\(section)\"")
      let table = parts.count > 1 ? parts[1].split(separator: "</table>").first ?? "" : ""
      return table.matches(of: #/<tr><th scope="row">([^<]*)<\/th><td class="num">[0-9]/#).map { String($0.output.1) }
    }
    func ofCoverage() throws -> [String] {
      let head = try Self.page(comparison).firstMatch(of: #/id="h-coverage">Coverage<\/h2><p>(.*?)<\/p>/#)?.1 ?? ""
      return head.matches(of: #/&nbsp;· [0-9]+ ([a-z ]+) <span class="d/#).map { String($0.1) }
    }
    #expect(try ofCoverage() == ["lines partly ran", "uncovered regions", "functions and closures never called"])
    #expect(try rows(in: "coverage") == [], "The table of files has other columns.")
    let untold = try rows(in: "counts")
    #expect(!untold.contains("Red tests") && !untold.contains("Partly ran") && !untold.contains("Uncovered lines"))
    comparison.after.outcome = .buildErrors
    #expect(try rows(in: "counts").first == "Red tests", "Neither tests nor lines have a section.")
    #expect(try ofCoverage() == [])
  }

  @Test("A file has a row only if its figures changed, and is among those as before if not")
  func sameFigures() throws {
    var comparison = ComparisonSample.comparison
    let tally = LineTally(total: 9, covered: 9, partial: 2)
    var file = CoverageSides.File(path: "Sources/A/Only.swift", target: "A", before: tally, after: tally)
    file.after?.partial = 1
    file.gainedParts = [CoverageSides.Place(.gained, first: 3, last: 3)]
    file.lines = CategoryCounts([.stillRan])
    (comparison.coverage.lines, comparison.coverage.byChance) = (nil, nil)
    file.after?.partial = 0
    (comparison.coverage.files, comparison.coverage.sameFiles) = ([file], 2)
    #expect(try Self.page(comparison).contains("partly ran in 41, runs wholly now</span>"))
    file.after?.partial = 1
    comparison.coverage.files = [file]
    let none = try Self.page(comparison)
    #expect(none.contains("Gained in part <span>1 unchanged line partly ran in 41, more of it runs now</span>"))
    #expect(none.contains(#"<span class="d better">▲</span> "#))
    #expect(!none.contains("Uncovered lines by file in both integrations") && !none.contains("as before.</p>"))
    var other = file
    (other.path, other.after) = ("Sources/B/Other.swift", LineTally(total: 9, covered: 8))
    other.target = "B"
    comparison.coverage.files.append(other)
    let one = try Self.page(comparison)
    #expect(one.contains(">2 other files as before.</p>"), "More of the first one runs now.")
    let table = try #require(one.split(separator: "Uncovered lines by file in both integrations").last)
    #expect(table.contains("Other.swift") && !table.contains(">Only.swift"))
  }

  @Test("A table in which no figure moved is folded")
  func unmoved() throws {
    var comparison = ComparisonSample.comparison
    let tally = LineTally(total: 9, covered: 8)
    var file = CoverageSides.File(path: "Sources/A/Same.swift", target: "A", before: tally, after: tally)
    file.lines = CategoryCounts([.newRan, .deletedRan])
    (comparison.coverage.lines, comparison.coverage.byChance) = (file.lines, nil)
    (comparison.coverage.files, comparison.coverage.sameFiles) = ([file], 3)
    let table = "Uncovered lines by file in both integrations"
    let page = try Self.page(comparison)
    #expect(page.contains("<summary>1 changed file</summary>") && page.contains(">3 other files as before.</p>"))
    #expect(page.contains("Same.swift") && !page.contains(table))
    comparison.coverage.files[0].after = LineTally(total: 9, covered: 7)
    let moved = try Self.page(comparison)
    #expect(moved.contains(table) && !moved.contains("1 changed file</summary>"))
  }

  @Test("The time between steps is what is left of the milliseconds of documents, on the page of an integration, too")
  func betweenSteps() throws {
    var report = GreeterSample.red
    report.integration.steps = [
      StepRecord(name: .checkout, duration: 0.0124), StepRecord(name: .building, duration: 0.4744, exitStatus: 0),
    ]
    report.integration.endedAt = report.integration.startedAt.addingTimeInterval(0.5221)
    report.comparison = IntegrationComparison(
      from: IntegrationRecord(GreeterSample.green.integration), to: IntegrationRecord(report.integration),
      coverage: .unknown(reason: ""), commits: CommitsBetween(.same))
    let site = try PageSite(report)
    let row = #"<th scope="row">Between steps</th><td class="num">"#
    #expect(site.text("index.html").contains("\(row)36 ms</td>"))
    // The steps of the other one add up to its total.
    #expect(site.text("compare.html").contains("\(row)–</td><td class=\"num\">36 ms</td>"))
  }

  @Test("A gate without a changed line to judge is not said to have passed")
  func nothingToJudge() throws {
    var comparison = ComparisonSample.comparison
    var gate = GateResult(rule: "patch=50", state: .passed, sentence: "No counted line changed.")
    gate.share = Tally(total: 0, covered: 0)
    comparison.before.gates = [gate]
    comparison.issues = IssueChanges(new: [Self.gate("patch=50")], gone: [], both: [], notReached: [])
    #expect(
      try Self.page(comparison).contains(
        ##"<use href="#not-run"/></svg>Nothing to judge</span><small class="small">No counted line changed.</small>"##))
  }

  @Test("A column without a figure is not there")
  func columns() throws {
    var comparison = ComparisonSample.comparison
    let change = #"<th scope="col" class="num">Change</th></tr></thead>"#
    comparison.counts = []
    comparison.tests = TestChanges()
    #expect(try Self.page(comparison).contains(change))
    comparison.steps = []
    comparison.after.duration = comparison.before.duration
    #expect(try !Self.page(comparison).contains(change))
    #expect(try !Self.page(comparison).contains(">Function</th>"), "No place of the sample is in a function.")
  }

  @Test("Tests that became slow have one row, which leads to the list by duration")
  func slowNow() throws {
    var report = ComparisonSample.report
    var comparison = ComparisonSample.comparison
    var tests = Array(comparison.tests.fixed.prefix(1) + comparison.tests.added.prefix(1))
    for index in tests.indices { tests[index].before = tests[index].after }
    comparison.tests = TestChanges()
    comparison.tests.slowNow = TestChanges.SlowNow(mark: 0.1, tests: tests)
    report.comparison = comparison
    let text = try PageSite(report).text("compare.html")
    #expect(text.contains(#"<td><a href="tests-by-duration.html">now over 100 ms</a></td></tr>"#))
    #expect(text.contains(#"<small class="small">and 1 other test</small>"#))
  }

  @Test("The lines of a failed test, of an issue and the files of a commit are links")
  func places() throws {
    let links = ComparisonPage.Links(
      issue: { "issues/\($0).html" }, source: { "source/\($0)#L\($1 ?? 0)" }, file: { "file/\($0)" })
    let page = ComparisonPage(ComparisonSample.comparison, links: links, time: .utc)
    let library = try PageSite.templates()
    let frame = PageFrame(title: page.title, root: "", trail: [], asOf: nil)
    let text = try String(decoding: library.render("compare", in: frame, page.record), as: UTF8.self)
    #expect(text.contains(#/<small class="small"><a href="source/[^"]+#L21">Part<wbr>Of[^ ]+Tests.swift:21</a>: /#))
    #expect(text.contains(#/<td><a href="source/[^"]+#L23">Doorbell<wbr>Tests.swift:23</a></td>/#))
    #expect(text.contains(#"<td><a href="issues/w-0001.html">A.swift:3</a></td>"#), "The line is that of the first.")
    #expect(text.contains(#"<a href="file/Sources/Doorbell/File0.swift"><code>"#))
  }

  @Test("A resolved issue leads to its line as it was, and says where it was fixed and by whom")
  func fixed() throws {
    let commit = IssueSample.report.integration.commit
    var resolution = try #require(IssueRecord.Resolution([commit]))
    resolution.hunks = [
      SourceHunk(
        file: "Sources/greet/Options.swift",
        lines: [.init(number: 7, text: "one"), .init(number: 8, text: "two", change: .added)])
    ]
    let (report, issue) = try #require(IssueSample.fixed("t-4c81", by: resolution))
    let page = try PageSite(report).text("compare.html")
    #expect(
      page.contains(
        #"<small>fixed by <b>\#(commit.author)</b> at <a href="coverage/Sources-greet-Options.swift.html"#))
    #expect(page.contains(#"<code class="line"><ins aria-label="added">+</ins>two</code></td>"#))
    let place = String(decoding: SafeHTML.name(try #require(issue.location).short).bytes, as: UTF8.self)
    let address = "../\(report.integration.number - 1)/index.html?page=issues/t-4c81.html#source"
    #expect(page.contains(#"<td><a class="up" href="\#(address)">\#(place) in 41</a>"#))
  }

  @Test("Beside a build that failed it is said how many tests are flaky, which no list compares")
  func flaky() {
    var comparison = ComparisonSample.comparison
    comparison.before.outcome = .buildErrors
    comparison.after.outcome = .warnings
    comparison.tests = TestChanges()
    comparison.tests.reason = "The tests of 41 were not reached, because it did not build."
    comparison.counts = []
    comparison.after.flakyTests = ["ticks()"]
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    comparison.coverage = CoverageSides(before: nil, after: nil, files: [])
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: builds again and ticks() is flaky")
  }

  @Test("A suspect of an earlier integration leads to the page of the issue, which has the line as it was")
  func rememberedSuspect() {
    let place = Model.SourceLocation(file: "A.swift", line: 4)
    var issue = Issue(id: "t-1", kind: .testFailure, message: "late")
    issue.suspects = [Suspect(name: "Ada", email: "", confidence: .high, reason: "", place: place)]
    func link(_ status: Model.Issue.Status) -> String {
      issue.status = status
      let links = ComparisonPage.Links(issue: { "issues/\($0).html" }, source: { "\($0)#L\($1 ?? 0)" })
      return "\(ComparisonPage(ComparisonSample.comparison, links: links, time: .utc).suspect(of: issue))"
    }
    #expect(link(.new).contains("A.swift#L4"))
    #expect(link(.unresolved).contains("issues/t-1.html#cause") && !link(.unresolved).contains("#L4"))
  }
}
