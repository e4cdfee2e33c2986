import Comparing
import FoundationEssentials
@testable import Model
import Testing

@testable import Rendering

@Suite("The page that compares two integrations")
struct ComparisonPageTests {
  private static let time = LocalTime { _ in 3600 }

  private static func page(_ comparison: IntegrationComparison) throws -> String {
    let templates = try PageSite.reportTemplates()
    let files = try ComparisonReport(templates: templates, time: time).files(of: comparison)
    #expect(files.map(\.path) == ["style.css", "martlet.js", "index.html"])
    return String(decoding: files.last?.bytes ?? [], as: UTF8.self)
  }

  @Test("The page of a report is what was accepted, and its links lead somewhere")
  func inReport() throws {
    let site = try PageSite(ComparisonSample.report)
    let text = site.text("compare.html")
    try GoldenFile("comparison/report.html").compare(with: text)
    let markup = PageMarkup(text)
    #expect(markup.nestingFault == nil)
    for link in markup.values(of: "href") where !link.hasPrefix("#") && !link.hasPrefix("..") {
      let path = PageMarkup.resolve(String(link.prefix { $0 != "#" }), from: "compare.html")
      #expect(site.pages[path] != nil, "\(link) leads nowhere")
    }
    #expect(site.text("index.html").contains(#"<a href="compare.html">Compare <b>with 41</b></a>"#))
  }

  @Test("The page of its own is what was accepted, and leads out of its folder nowhere")
  func alone() throws {
    let text = try Self.page(ComparisonSample.comparison)
    try GoldenFile("comparison/alone.html").compare(with: text)
    #expect(PageMarkup(text).values(of: "href").allSatisfy { !$0.contains("/") })
  }

  @Test("Measured values of any unit are sorted by what was measured")
  func measuredOrder() throws {
    let text = try Self.page(ComparisonSample.comparison)
    #expect(text.contains(#"<td class="num" data-l="before:" data-v="0.31">310 ms</td>"#))
    #expect(text.contains(#"<td class="num" data-l="before:"><span class="faint">not measured</span></td>"#))
    #expect(text.contains(#"<td class="num" data-l="after:" data-v="640.0">640 kB</td>"#))
  }

  @Test("What has no coverage is compared with nothing, and no table of files says so a second time")
  func noCoverage() throws {
    var comparison = ComparisonSample.comparison
    #expect(try Self.page(comparison).contains("Uncovered lines by file in both integrations"))
    comparison.coverage.lines = CategoryCounts([.newRan])
    let new = try Self.page(comparison)
    #expect(new.contains(">New, ran</th>") && !new.contains(">Removed</th>"), "It would have only dashes.")
    comparison.coverage.after = nil
    comparison.coverage.afterReason = "The tests were not reached."
    let page = try Self.page(comparison)
    #expect(page.contains(">42 has no coverage: The tests were not reached.</p>"))
    #expect(!page.contains("Uncovered lines by file in both integrations"))
  }

  @Test("Where the categories have other sums of regions than the figures, both are said")
  func regionSums() throws {
    let words = "the table has 4, 1 of them never ran; the other figures are llvm-cov’s, 5 and 1."
    var comparison = ComparisonSample.comparison
    var regions = CategoryCounts()
    (regions[.stillRan], regions[.lost]) = (3, 1)
    comparison.coverage.regions = regions
    comparison.coverage.after?.regions = Tally(total: 5, covered: 4)
    #expect(try Self.page(comparison).contains(words))
    comparison.coverage.regions = CategoryCounts()
    let none =
      "The table has no regions: all are left out or were not compared. Of llvm-cov’s 5, 1 never ran."
    #expect(try Self.page(comparison).contains(none))
    comparison.coverage.regions = regions
    comparison.coverage.after?.regions = regions.now
    #expect(try !Self.page(comparison).contains("llvm-cov"))
  }

  @Test("A build that failed, unknown commits and missing coverage are said, not counted as nothing")
  func gaps() throws {
    var after = OtherSamples.buildErrors.integration
    after.coverage = .unavailable(reason: "The build failed.")
    let comparison = IntegrationComparison(
      from: IntegrationRecord(GreeterSample.green.integration), to: IntegrationRecord(after),
      coverage: .unknown(reason: "no lines"),
      commits: CommitsBetween(.unknown, reason: "The repository of Greeter 44 could not be read."))
    let text = try Self.page(comparison)
    #expect(text.contains("did not build, so tests and coverage are not compared.</p>"))
    #expect(!text.contains("were not reached") && !text.contains("has no coverage"))
    #expect(text.contains("The repository of Greeter 44 could not be read."))
    #expect(!text.contains("removed</td>"))
    #expect(!text.contains("Uncovered lines by file in both integrations"))
  }

  @Test("Each issue links to its page in the newer report, where it has one")
  func issueLinks() throws {
    var report = IssueSample.report
    var comparison = ComparisonSample.comparison
    let flat = try #require(IntegrationRecord(report.integration).issues.first { $0.id == "w-e5f4" })
    comparison.issues = IssueChanges(new: [flat], gone: [], both: [], notReached: [])
    report.comparison = comparison
    let text = try PageSite(report).text("compare.html")
    #expect(text.contains(#"<a href="issues/w-e5f4.html">w-e5f4</a>"#))
    #expect(try !Self.page(comparison).contains("issues/w-e5f4.html"))
  }

  @Test("A test that is red names who probably broke it, with the commit where it is not the only one")
  func suspects() throws {
    var comparison = ComparisonSample.comparison
    let test = try #require(comparison.tests.broken.first)
    var issue = IntegrationRecord.FlatIssue(
      Issue(id: "t-0b0e", kind: .testFailure, message: "it rang twice", test: test.id))
    issue.suspects = [
      Suspect(
        name: "Mira", email: "", confidence: .high, reason: "",
        place: SourceLocation(file: "Sources/Doorbell/Doorbell.swift", line: 4))
    ]
    comparison.issues.new = [issue]
    let words = "<small class=\"small\">probably <b>Mira</b>, changed Doorbell.swift:4"
    #expect(try Self.page(comparison).contains("\(words)</small>"))
    comparison.tests.stillRed = [test]
    comparison.tests.stillRed[0].before?.state = .failed
    comparison.tests.broken = []
    #expect(try Self.page(comparison).contains("\(words)</small>"))
    let commit = try #require(comparison.commits.added.first)
    comparison.issues.new[0].suspects?[0].commit = commit.id
    #expect(try Self.page(comparison).contains("\(words) in \(commit.id.short)</small>"))
    comparison.commits = CommitsBetween(.forward, added: [commit])
    #expect(try Self.page(comparison).contains("\(words)</small>"))
  }

  @Test("The headline names what matters most, and no more than three things")
  func headline() {
    let words = ComparisonWords(ComparisonSample.comparison)
    var chance = ComparisonSample.comparison
    chance.tests = TestChanges()
    chance.tests.passedByChance = ComparisonSample.comparison.tests.fixed
    #expect(ComparisonWords(chance).headline.contains("1 flaky test passed again"))
    #expect(ComparisonWords(chance).testGroups.map(\.word) == ["passed again (flaky)"])
    let fixed = ComparisonSample.comparison.tests.fixed[0].quotedTitle
    #expect(words.headline == "Greeter 41 → 42: 4 tests went red, \(fixed) fixed and 3 more lines uncovered")
    #expect(
      words.caution
        == "These differ, too: toolchain and tests.retries."
    )
    #expect(words.commitLine == "3 commits by jon and mira")
  }

  @Test("What is still red comes first, unless more went red")
  func stillRed() {
    var comparison = ComparisonSample.comparison
    let broken = comparison.tests.broken
    comparison.tests = TestChanges()
    comparison.counts = [CountChange(.red, before: 1, after: 1), CountChange(.uncoveredLines, before: 7, after: 5)]
    var gate = Issue(id: "g-1", kind: .gate, message: "m")
    gate.subject = .gate("patch=80")
    comparison.issues = IssueChanges(
      new: [], gone: [], both: [IntegrationRecord.FlatIssue(gate)], notReached: [])
    comparison.tests.stillRed = [broken[0]]
    #expect(ComparisonWords(comparison).testSummary == "1 still red")
    #expect(
      ComparisonWords(comparison).headline
        == "Greeter 41 → 42: 1 test still red, 80% patch gate still fails and 2 fewer lines uncovered")
    comparison.tests.broken = [broken[0]]
    comparison.counts[0] = CountChange(.red, before: 1, after: 2)
    #expect(
      ComparisonWords(comparison).headline
        == "Greeter 41 → 42: \(broken[0].quotedTitle) went red and 2 fewer lines uncovered")
  }

  @Test("Gates that failed or no longer fail are named, above the issues and not among them")
  func gates() throws {
    func gate(_ rule: String, _ message: String) -> IntegrationRecord.FlatIssue {
      var issue = Issue(id: "g-\(rule)", kind: .gate, message: message)
      issue.subject = .gate(rule)
      return IntegrationRecord.FlatIssue(issue)
    }
    var comparison = ComparisonSample.comparison
    comparison.tests = TestChanges()
    comparison.counts = []
    let failed = gate("patch=80", "80% patch gate: 6 of 7 changed lines never ran.")
    let passed = gate("no-lost-coverage", "Lost-coverage gate: 1 line.")
    comparison.issues = IssueChanges(new: [failed], gone: [passed], both: [], notReached: [])
    #expect(
      ComparisonWords(comparison).headline
        == "Greeter 41 → 42: 80% patch gate failed and lost-coverage gate no longer fails")
    var result = GateResult(rule: "patch=80", state: .failed, sentence: "6 of 7 changed lines never ran.")
    result.share = Tally(total: 7, covered: 1)
    comparison.after.gates = [result]
    let page = try Self.page(comparison)
    let rows = page.split(separator: "\n").filter { $0.contains("gate") && $0.contains("<tr>") }
    #expect(rows.first?.contains(">80% patch gate</th>") == true && rows.first?.contains(">not judged</span>") == true)
    let said = "</svg>Failed</span><small class=\"small\">1 of 7 changed lines ran; 5 more needed</small>"
    #expect(rows.first?.contains(said) == true)
    #expect(rows.first?.hasSuffix("<td>failed</td></tr>") == true)
    #expect(rows.last?.contains(">Lost-coverage gate</th>") == true)
    #expect(rows.last?.hasSuffix("<td>no longer fails</td></tr>") == true)
    #expect(!page.contains("h-issues"))
    comparison.issues.new[0].suspects = [Suspect(name: "Mira", email: "", confidence: .high, reason: "")]
    #expect(
      try Self.page(comparison).contains(">80% patch gate<small class=\"small\"><b>Mira</b></small></th>"))
    comparison.issues.gone[0].ending = .fixed
    comparison.issues.new[0].life = IssueLife(firstSeen: 12, streak: 2, streakStart: 42, cameBackFrom: 30)
    #expect(ComparisonWords(comparison).gatePhrases(.failed) == ["80% patch gate failed again"])
    #expect(ComparisonWords(comparison).gatePhrases(.gone) == ["lost-coverage gate passes"])
    #expect(try Self.page(comparison).contains("<td>failed again, before in 30</td>"))
    comparison.issues.gone[0].life = IssueLife(firstSeen: 12, streak: 2, streakStart: 41, cameBackFrom: 30)
    #expect(ComparisonWords(comparison).gatePhrases(.gone) == ["lost-coverage gate passes again"])
    comparison.issues.new[0].life = nil
    comparison.issues.gone[0].ending = nil
    comparison.issues.new.append(gate("ratchet", "Ratchet gate: fewer."))
    #expect(ComparisonWords(comparison).gatePhrases(.failed) == ["2 gates failed"])
    #expect(ComparisonWords(comparison).gatePhrases(.gone) == ["lost-coverage gate no longer fails"])
  }

  @Test("Counts that stay are not shown, those of warnings neither")
  func warnings() throws {
    var comparison = ComparisonSample.comparison
    comparison.counts = [
      CountChange(.warnings, before: 2, after: 2), CountChange(.analyzerWarnings, before: 0, after: 0),
      CountChange(.passed, before: 3, after: 3),
    ]
    #expect(ComparisonWords(comparison).changedCounts.isEmpty)
    #expect(try !Self.page(comparison).contains("h-counts"))
  }

  @Test("A test that passed only on retry before, and at once now, is not flaky this time")
  func steady() throws {
    var comparison = ComparisonSample.comparison
    var test = try #require(comparison.tests.fixed.first)
    test.before?.state = .passed
    test.before?.isFlaky = true
    comparison.tests = TestChanges()
    comparison.tests.changed = [test]
    #expect(ComparisonWords(comparison).testGroups.map(\.word) == ["not flaky this time"])
    #expect(ComparisonWords(comparison).testSummary.hasPrefix("1 not flaky this time"))
  }

  @Test("A test that was flaky before is flaky again, and a new one that is flaky is both")
  func flakyAgain() throws {
    var comparison = ComparisonSample.comparison
    var test = try #require(comparison.tests.fixed.first)
    test.before?.state = .passed
    test.after?.isFlaky = true
    comparison.tests = TestChanges()
    comparison.tests.changed = [test]
    comparison.counts = []
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: \(test.quotedTitle) became flaky")
    (comparison.tests.changed[0].flakySince, comparison.tests.changed[0].lastFlaky) = (12, 30)
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: \(test.quotedTitle) flaky again")
    #expect(try Self.page(comparison).contains("<td>flaky again, before in 30</td>"))
    test.before = nil
    (comparison.tests.changed, comparison.tests.added) = ([], [test])
    comparison.after.outcome = .warnings
    comparison.after.isOnlyFlaky = true
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: 1 new test flaky")
    #expect(try Self.page(comparison).contains("</b>: flaky, <span"))
  }

  @Test("A renamed test is told with the name that it had")
  func renamed() throws {
    var comparison = ComparisonSample.comparison
    var test = try #require(comparison.tests.fixed.first)
    test.was = TestID(module: "GreeterTests", suite: "Door", name: "rings()")
    test.before?.state = .passed
    comparison.tests = TestChanges()
    comparison.tests.renamed = [test]
    comparison.counts = []
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: 1 test renamed")
    #expect(ComparisonWords.course(of: test) == "passed, was GreeterTests.Door/rings()")
    #expect(try Self.page(comparison).contains("was GreeterTests.Door/rings()</small>"))
  }

  @Test("A red test that was marked as a known issue is not called fixed")
  func markedAsKnown() throws {
    var comparison = ComparisonSample.comparison
    comparison.tests.fixed[0].after?.state = .expectedFailure
    let marked = try #require(comparison.tests.fixed.first)
    comparison.tests = TestChanges()
    comparison.tests.changed = [marked]
    comparison.counts = []
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    let words = ComparisonWords(comparison)
    #expect(words.headline.contains("1 test marked as a known issue"))
    #expect(words.testGroups.map(\.word) == ["marked as a known issue"])
  }

  @Test("A test that was red before is red again, and not newly red")
  func redAgain() throws {
    var comparison = ComparisonSample.comparison
    let broken = comparison.tests.broken
    comparison.tests = TestChanges()
    comparison.tests.broken = Array(broken.prefix(2))
    comparison.tests.broken[1].lastRed = 30
    comparison.counts = []
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    // Their names make it a heading of two lines.
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: 2 tests went red (1 again)")
    #expect(ComparisonWords(comparison).testGroups.map(\.word) == ["went red", "red again"])
    #expect(ComparisonWords(comparison).testSummary == "2 went red (1 again)")
    (comparison.tests.broken[0].displayName, comparison.tests.broken[1].displayName) = ("Opens", "Shuts")
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: “Opens” went red and “Shuts” red again")
    #expect(try Self.page(comparison).contains("<td>red again, before in 30</td>"))
  }

  @Test("What the first integration did not get to is not called new, and resolved if it is gone")
  func notReachedBefore() throws {
    let flat = try #require(IntegrationRecord(IssueSample.report.integration).issues.first { $0.id == "w-e5f4" })
    var gone = flat
    gone.status = .resolved
    var comparison = ComparisonSample.comparison
    comparison.tests = TestChanges()
    comparison.counts = []
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [], notReachedBefore: [flat, gone])
    let page = try Self.page(comparison)
    #expect(page.contains(">Open 1 <span>in 42, not checked in 41</span>"))
    #expect(page.contains(">Resolved 1 <span>open before 42</span>"))
    #expect(page.contains(#"<h2 id="h-issues">Issues</h2></div>"#))
    #expect(!ComparisonWords(comparison).headline.contains("warning"))
  }

  @Test("What did not change has no section, but a word beside the commits")
  func unchanged() throws {
    var comparison = ComparisonSample.comparison
    let same = comparison.coverage.after
    comparison.tests = TestChanges()
    comparison.tests.same = 9
    comparison.issues = IssueChanges(new: [], gone: [], both: comparison.issues.both, notReached: [])
    comparison.coverage = CoverageSides(before: same, after: same, files: [])
    let page = try Self.page(comparison)
    #expect(page.contains("<p class=\"lead\">9 tests as before; coverage as before, "))
    for id in ["tests", "coverage", "issues"] { #expect(!page.contains("<section id=\"\(id)\""), "\(id)") }
  }

  @Test("Only what is known to have built does not build any more")
  func neverBuilt() {
    var comparison = ComparisonSample.comparison
    (comparison.tests, comparison.after.flakyTests) = (TestChanges(), nil)
    comparison.tests.reason = "The tests of 42 were not reached, because it did not build."
    comparison.counts = []
    comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
    comparison.after.outcome = .buildErrors
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: no longer builds")
    comparison.before.outcome = .buildErrors
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: neither builds")
    #expect(
      ComparisonWords(comparison).limit == "41 and 42 did not build, so tests and coverage are not compared.")
    for outcome in [Outcome.checkoutError, .canceled, .internalError, .triggerError] {
      comparison.before.outcome = outcome
      #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: the tests are not compared", "\(outcome)")
    }
    comparison.before.outcome = .buildErrors
    comparison.after.outcome = .succeeded
    #expect(ComparisonWords(comparison).headline == "Greeter 41 → 42: builds again")
  }

  @Test("What became of one destination's build is not told of the others")
  func buildsOfDestinations() {
    func headline(_ before: [Outcome?], _ after: [Outcome?]) -> String {
      func results(_ outcomes: [Outcome?]) -> [DestinationResult] {
        zip(["debug", "release"], outcomes).map { name, outcome in
          var destination = Destination()
          destination.name = name
          return DestinationResult(destination, leads: name == "debug", outcome: outcome)
        }
      }
      var comparison = ComparisonSample.comparison
      comparison.tests = TestChanges()
      comparison.counts = []
      comparison.issues = IssueChanges(new: [], gone: [], both: [], notReached: [])
      (comparison.before.destinations, comparison.after.destinations) = (results(before), results(after))
      return String(ComparisonWords(comparison).headline.dropFirst("Greeter 41 → 42: ".count))
    }
    #expect(headline([.succeeded, .buildErrors], [.succeeded, .succeeded]) == "release builds again")
    #expect(headline([.succeeded, .succeeded], [.succeeded, .buildErrors]) == "release no longer builds")
    #expect(headline([.succeeded, .buildErrors], [.succeeded, .buildErrors]) == "release still does not build")
    #expect(headline([.buildErrors, .buildErrors], [.succeeded, .succeeded]) == "builds again")
    #expect(!headline([.succeeded, .buildErrors], [.succeeded, nil]).contains("build"))
  }

  @Test("One commit twice is said to be one, with what differs or with nothing to blame")
  func sameCommit() {
    var comparison = ComparisonSample.comparison
    comparison.commits = CommitsBetween(.same)
    #expect(
      ComparisonWords(comparison).caution
        == "Same commit, but different: toolchain and tests.retries.")
    comparison.circumstances = []
    #expect(
      ComparisonWords(comparison).caution
        == "Same commit, same circumstances: the difference is chance, or comes from outside.")
    comparison.commits = CommitsBetween(.forward)
    #expect(ComparisonWords(comparison).caution == nil)
    comparison.after.bot = "Other"
    #expect(ComparisonWords(comparison).after == "Other 42")
  }
}
