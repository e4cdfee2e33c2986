@testable import Model
import Testing

@testable import Rendering

@Suite("The page of a failed gate")
struct GatePageTests {
  private static let clock = "Sources/Greeter/Clock.swift"
  private static let greeter = "Sources/Greeter/Greeter.swift"
  private static let places = "Clock.swift:8–9; Greeter.swift:13, 21–24"

  private static var failed: GateResult {
    var gate = GateResult(
      rule: "patch=80", state: .failed,
      sentence: "7 of 31 changed lines never ran: \(clock):8–9; \(greeter):13, 21–24.")
    gate.lines =
      [8, 9].map { Model.SourceLocation(file: clock, line: $0) }
      + [13, 21, 22, 23, 24].map { Model.SourceLocation(file: greeter, line: $0) }
    gate.share = Tally(total: 31, covered: 24)
    return gate
  }

  private static func hunk(_ file: String, _ lines: ClosedRange<Int>) -> SourceHunk {
    SourceHunk(file: file, lines: lines.map { SourceHunk.Line(number: $0, text: "let line = \($0)") })
  }

  /// A gate that failed in one integration and passed in the next.
  ///
  /// - Parameters:
  ///   - closed: where it passed, which is here or earlier.
  ///   - isKnown: whether the memory is of a version that keeps what it found.
  ///   - isMended: whether it is known by which commit it passed.
  private func resolved(closed: Int, isKnown: Bool = true, isMended: Bool = false) throws -> PageSite {
    var report = GreeterSample.green
    var record = IssueRecord(
      id: "g-1", kind: .gate, message: Self.failed.message, location: Self.failed.lines?.first, test: nil,
      streaks: [.init(opened: closed - 1, lastSeen: closed - 1, closed: closed)])
    record.subject = .gate("patch=80")
    record.streaks[0].ending = .fixed
    if isMended { record.streaks[0].resolution = IssueRecord.Resolution([report.integration.commit]) }
    if isKnown {
      record.failedGate = Self.failed
      record.failedLines = [Self.hunk(Self.clock, 4...11), Self.hunk(Self.greeter, 9...28)]
    }
    report.integration.gates = [
      GateResult(rule: "patch=80", state: .passed, sentence: "All 10 lines changed since integration 40 ran.")
    ]
    report.integration.issueRecords = [record]
    report.integration.issues = closed == report.integration.number ? [Model.Issue(record)] : []
    return try PageSite(report)
  }

  @Test("One that passes again tells what it found then, and all of its lines as they were")
  func resolved() throws {
    let number = GreeterSample.green.integration.number
    let site = try resolved(closed: number)
    let page = site.text("issues/g-1.html")
    #expect(page.contains("<h1>80%&nbsp;patch gate passed in \(number)</h1>") && page.contains(">Where it was</h2>"))
    let then = try #require(page.firstRange(of: "In \(number - 1): 24 of 31 changed lines ran; 1 more needed.</p>"))
    #expect(page[then.upperBound...].contains("Now: all 10 lines changed since integration 40 ran."))
    let address = "../../\(number - 1)/index.html?page=issues/g-1.html#source"
    #expect(page.contains("was at <a class=\"up\" href=\"\(address)\">\(Self.places)</a>"))
    let cause = try #require(page.firstRange(of: #"<section id="cause" class=uncovered"#))
    let hot = page[cause.upperBound...].matches(of: /<tr class="hot"><th class="ln" scope="row">(\d+)</).map(\.1)
    #expect(hot == ["8", "9", "13", "21", "22", "23", "24"])
    let link = #"<a class="up" href="../\#(number - 1)/index.html?page=issues/g-1.html#source">"#
    let whole = #"<span class="whole">\#(link)"#
    let places = "\(whole)Clock.swift:8–9</a>;</span> \(whole)Greeter.swift:13</a>,</span> \(whole)21–24</a>"
    #expect(["index.html", "issues.html"].allSatisfy { site.text($0).contains(places) })
  }

  @Test("What it passes again by is a line above its cause, which has lines, if that has none")
  func passing() throws {
    let number = GreeterSample.green.integration.number
    let page = try resolved(closed: number, isMended: true).text("issues/g-1.html")
    #expect(page.contains(#"<section id="cause""#) && !page.contains(#"<section id="fix""#))
    #expect(page.contains(#"<p class="lead" id="fix">Passed: <span class="dots"><span><b>"#))
  }

  @Test("In a later integration only what it found is told, and in which that was")
  func later() throws {
    let number = GreeterSample.green.integration.number
    let page = try resolved(closed: number - 2).text("issues/g-1.html")
    #expect(page.contains(">In \(number - 3): 24 of 31 changed lines ran; 1 more needed.</p>"))
    #expect(!page.contains("Now:") && page.contains(Self.places))
  }

  @Test("Of one that an older version remembered, its first line and what it finds now are told")
  func older() throws {
    let page = try resolved(closed: GreeterSample.green.integration.number, isKnown: false).text("issues/g-1.html")
    #expect(page.contains(">Clock.swift:8</a>") && page.contains(">All 10 lines changed since integration 40 ran.</p>"))
    #expect(!page.contains(#"id="cause""#) && !page.contains("Now:"))
  }

  private static let language = "Sources/Greeter/Phrases/Language.swift"

  /// One that fails for two lines that somebody changed.
  private static var failing: Report {
    var report = GreeterSample.red
    var gate = failed
    gate.lines = [10, 11].map { Model.SourceLocation(file: language, line: $0) }
    report.integration.gates = [gate]
    var record = IssueRecord(
      id: "g-1", kind: .gate, message: gate.message, location: gate.lines?.first, test: nil,
      streaks: [.init(opened: 42, lastSeen: 42)])
    record.subject = .gate("patch=80")
    var issue = Model.Issue(record)
    issue.status = .new
    issue.suspects = [
      Suspect(
        name: "Ada", email: "", confidence: .high, reason: "9f1c2ab changed Language.swift:10.",
        commit: report.integration.commits[0].id, place: gate.lines?.first)
    ]
    report.integration.issueRecords = [record]
    report.integration.issues = [issue]
    return report
  }

  @Test("One that fails names its lines once, and leads to them")
  func open() throws {
    let page = try PageSite(Self.failing).text("issues/g-1.html")
    #expect(page.contains(#"#L10">Language.swift:10–11</a></span>"#))
    #expect(page.matches(of: /Language\.swift:10/).count == 1)
    #expect(page.contains("<b>Ada</b>") && !page.contains("probably"), "Who changed a line is no guess.")
    #expect(page.contains("24 of 31 changed lines ran; 1 more needed, any of these:"))
    let index = try PageSite(Self.failing).text("index.html")
    let row = try #require(index.split(separator: "<tr").first { $0.contains(">80% patch gate</a>") })
    #expect(row.contains(#"80% patch gate</a>: <a href="#))
    #expect(row.contains("24 of 31 changed lines ran; 1 more needed</a></th>"))
    #expect(row.contains(#"<span class="who">Ada</span> <small>changed "#) && row.contains(">New</span>"))
    #expect(!page.contains("h-again"), "What a gate found is the same each time.")
  }

  @Test("The lines that one tells in a sentence lead to their sources, as far as the report has them")
  func sentence() throws {
    var report = Self.failing
    let rule = "no-lost-coverage"
    var gate = GateResult(
      rule: rule, state: .failed,
      sentence: "4 unchanged lines that ran in 41 no longer run: \(Self.language):10, 14; Sources/None.swift:3–4.",
      files: [Self.language, "Sources/None.swift"])
    gate.lines = [Model.SourceLocation(file: Self.language, line: 10)]
    report.integration.gates = [gate]
    report.integration.issueRecords[0].subject = .gate(rule)
    report.integration.issues[0].subject = .gate(rule)
    let page = try PageSite(report).text("issues/g-1.html")
    #expect(page.contains(#"<p class="lead">4 unchanged lines that ran in 41 no longer run: <a href="../"#))
    #expect(page.contains(#"#L10">\#(Self.language):10</a>, <a href="../"#))
    #expect(page.contains(#"#L14">14</a>; Sources/None.swift:3–4.</p>"#))
  }

  @Test(
    "A sentence is parted where it names lines of a file, and not where one file ends as another is called",
    arguments: [
      ("No line.", ["No line."]), ("Lost: A.swift:3.", ["Lost: ", "A.swift:3", "."]),
      ("B/A.swift:1–2, 4 and 2 more.", ["B/A.swift:1–2", ", ", "4", " and 2 more."]),
      ("A.swift: it.", ["A.swift: it."]),
    ])
  func parts(text: String, parts: [String]) {
    #expect(PlacedSentence(text, naming: ["A.swift", "B/A.swift"]).parts.map(\.words) == parts)
  }

  @Test("One that fails names the functions that hold its lines, and that they were never called if they were not")
  func functions() throws {
    func index(called count: UInt64) throws -> String {
      var report = Self.failing
      var function = CoverageSample.function("greet()", 9...11, count: count)
      function.folded = [.init(.closure, count: 0)]
      let file = RenderingTests.file(
        Self.language, lines: [10, 11].map { LineCoverage(line: $0, count: 0, state: .neverRan) },
        functions: [function])
      report.integration.coverage = .available(Coverage(files: [file]))
      return try PageSite(report).text("index.html")
    }
    let uncalled = try index(called: 0)
    #expect(uncalled.contains(#"<span class="say small">never called: <code>"#))
    #expect(uncalled.contains("</code> and 1 closure</span>"), "The coverage below counts it, too.")
    let called = try index(called: 2)
    #expect(called.contains(#"<span class="say small">in <code>"#) && !called.contains("and 1 closure"))
  }

  @Test("The row of a gate says what its issue and the list of issues say, also where a figure counts the same lines")
  func countedBelow() throws {
    var report = ChangeSample.pairs[0].1.report
    var gate = GateResult(rule: "patch=99", state: .failed, sentence: "")
    gate.share = try #require(report.integration.changes?.patch.value?.tally.asTally)
    gate.lines = [Model.SourceLocation(file: ChangeSample.path, line: 2)]
    report.integration.gates = [gate]
    (report.integration.outcome, report.integration.onlyGatesFailed) = (.testFailures, true)
    report.integration.reasons = [.gateFailed(gate)]
    let words = gate.finding(beside: report.integration.baseline?.number)
    let text = try PageSite(report).text("index.html")
    #expect(words.contains(" ran; ") && words.hasSuffix(" more needed"))
    #expect(text.contains(#"99% patch gate</a>: <a href="coverage.html#change">\#(words)</a>"#))
  }

  @Test("The pages of the coverage lead to the issue of a gate, that of a file with its lines to who changed them")
  func fromCoverage() throws {
    let site = try PageSite(Self.failing)
    #expect(site.text("coverage.html").contains(#"<a href="issues/g-1.html">"#))
    let source = try #require(site.html.first { $0.path.hasSuffix("Language.swift.html") }).text
    let finding = "24 of 31 changed lines ran; 1 more needed; changed by <b>Ada</b></p>"
    #expect(source.contains(#"<a href="../issues/g-1.html">80% patch gate failed</a>: \#(finding)"#))
  }

  @Test("One that passed tells how many of the changed lines ran")
  func passedFigure() throws {
    var report = GreeterSample.red
    let file = PatchCoverage.File(path: Self.language, ran: [10], partlyRan: [11], neverRan: [])
    report.integration.changes = CoverageChanges(
      comparison: .unknown(reason: ""), patch: .known(PatchCoverage(origin: .integration(41), files: [file])))
    let sentence = "Both changed lines ran, 1 of them partly."
    report.integration.gates = [
      GateResult(
        rule: "patch=80", state: .passed, sentence: sentence, base: .commit(report.integration.commit.id, number: 41))
    ]
    let index = try PageSite(report).text("index.html")
    #expect(index.contains("<dd>80% patch gate: \(sentence)</dd>"))
    #expect(index.contains(#"Language.swift.html#L11">1 partly ran</a>"#))
  }

  @Test("A gate on changed lines that has none of them passed without judging anything")
  func nothing() throws {
    var report = GreeterSample.red
    report.integration.changes = CoverageChanges(
      comparison: .unknown(reason: ""), patch: .known(PatchCoverage(origin: .integration(41), files: [])))
    var gate = GateResult(
      rule: "patch=80", state: .passed, sentence: "No counted line changed.",
      base: .commit(report.integration.commit.id, number: 41))
    gate.share = Tally(total: 0, covered: 0)
    report.integration.gates = [gate]
    let index = try PageSite(report).text("index.html")
    let row = ##"<use href="#not-run"/></svg>Nothing to judge</span></dt><dd>80% patch gate</dd>"##
    #expect(index.contains(row) && !index.contains("No counted line changed."), "The figure says so.")
  }

  @Test("What another integration changed is told with its commit in the row of the gate, where no excerpt has it")
  func earlierSuspect() throws {
    var report = Self.failing
    let commit = CommitID(rawValue: "51ba1fb4")
    report.integration.issues[0].suspects[0].commit = commit
    let index = try PageSite(report).text("index.html")
    let row = try #require(index.split(separator: "<tr").first { $0.contains(">80% patch gate</a>") })
    #expect(row.contains(#"<span class="who">Ada</span> <small>changed "#) && row.contains(" in \(commit.short)</"))
  }

  @Test("It names the function that a test has to call")
  func uncalled() throws {
    var report = Self.failing
    guard case .available(var coverage) = report.integration.coverage else { return }
    let region = CoverageRegion(
      start: SourcePosition(line: 10, column: 1), end: SourcePosition(line: 11, column: 2), count: 0)
    coverage.files.append(
      FileCoverage(
        path: Self.language, target: "Greeter", lines: [], deadStretches: [],
        functions: [FunctionCoverage(name: "Language.greet()", symbol: "", count: 0, regions: [region])],
        totals: CoverageTotals(), llvmLines: Tally()))
    report.integration.coverage = .available(coverage)
    let told = try PageSite(report).text("issues/g-1.html")
    #expect(told.contains("\(Self.language): Language.greet() was never called"))
  }
}
