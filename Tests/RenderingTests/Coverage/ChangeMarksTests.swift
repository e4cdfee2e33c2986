import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("Lost parts, and what runs by chance")
struct ChangeMarksTests {
  private static let page = "coverage/Sources-Greeter-Greeter.swift.html"

  @Test("Lines that run by chance have a list of their own, and are neither lost nor gained")
  func byChance() throws {
    var report = ChangeSample(
      before: ["1|a()", "3|b()", "0|c()", "2|d()"], now: ["1|a()", "0|b()", "2|c()", "2|d()"]
    ).report
    var comparison = try #require(report.integration.changes?.comparison.value)
    for index in 1...2 { comparison.files[0].lines[index].isByChance = true }
    comparison.files[0].partsByChance = [4]
    comparison.witnesses = [39, 40]
    comparison.baselineWitnesses = [39]
    report.integration.changes?.comparison = .known(comparison)
    let site = try CoverageSite.render(report)
    let page = try #require(site["coverage.html"])
    let figure =
      "3 unchanged lines run by chance: integration 39, of the same commit as 41, and integration 40, of this commit, differ in them"
    let details = "<details class=\"more-rows\" open><summary>\(figure)<"
    let list = try #require(page.components(separatedBy: details).last?.components(separatedBy: "</details>").first)
    let signs = list.matches(of: /<b class="sign dim">(.)<\/b> ([^<]*)</).map { "\($0.1) \($0.2)" }
    #expect(
      signs == [
        "~ by chance: ran in 41, not here", "~ by chance: ran here, not in 41",
        "~ by chance: a part ran in 41, not here",
      ])
    let sameCode = CountText.witnesses([41], ofBaseline: [41], baseline: 41, before: "41")
    #expect(sameCode == "integration 41, of the same code, differs")
    let links = PageMarkup(list).values(of: "href")
    #expect(links == ["\(Self.page)#L2", "\(Self.page)#L3", "\(Self.page)#L4"])
    let source = try #require(site[Self.page])
    #expect(Set(PageMarkup(source).values(of: "id")).isSuperset(of: ["L2", "L3", "L4"]))
    for words in ["runs by chance, ran 3× in 41", "runs by chance, not in 41", "a part of it runs by chance, as in 41"]
    {
      #expect(source.contains("<ins class=c title=\"\(words)\">~</ins>"))
      #expect(source.contains("()<span class=\"go\">\(words)</span><"))
    }
    #expect(source.contains("<span class=\"mark-key\"><ins class=c>~</ins> runs by chance</span>"))
    #expect(!source.contains("<del>"))
    #expect(!page.contains("lost since 41") && !page.contains("gained:"))
    for meaning in ["ran in 41, no longer; by chance in 1 line", "did not run in 41, runs now; by chance in 1 line"] {
      #expect(page.contains(meaning) && source.contains(meaning))
    }
  }

  @Test("The page of the only flaky test has the lines that only its failed attempt ran")
  func different() throws {
    let id = TestID(module: "ATests", suite: "", name: "isEven()")
    var report = ChangeSample(before: ["1|a()", "0|b()"], now: ["1|a()", "2|b()"]).report
    report.integration.tests = TestReport(results: [
      TestResult(
        id: id, library: .swiftTesting, state: .passed, isFlaky: true,
        attempts: [TestAttempt(state: .failed, duration: 1), TestAttempt(state: .passed, duration: 1)])
    ])
    var comparison = try #require(report.integration.changes?.comparison.value)
    comparison.files[0].lines[1].isByChance = true
    func page(_ flaky: [TestID], _ witnesses: [Int] = []) throws -> String {
      (comparison.flakyTests, comparison.witnesses) = (flaky, witnesses)
      report.integration.changes?.comparison = .known(comparison)
      return try PageSite(report).text(ReportPaths(tests: [id]).page(of: id))
    }
    let text = try page([id])
    #expect(text.contains("What was different</h2><p>only the failed attempt ran Greeter.swift:2</p>"))
    #expect(text.contains(#"<tr class="hot"><th class="ln" scope="row">2</th>"#))
    let cause = #"<span class="say dim">Only the failed attempt ran Greeter.swift:2</span>"#
    #expect(try PageSite(report).text("index.html").contains(cause))
    #expect(try !page([]).contains("h-different") && !page([id], [39]).contains("h-different"))
    #expect(try !page([id, TestID(module: "ATests", suite: "", name: "other()")]).contains("h-different"))
  }

  @Test("What is said about a line stands behind it, and under it where it is too long for that")
  func remarks() throws {
    let wide = [("a", 1), ("b", 67), ("c", 68), ("\t\td", 60)].map { "\($0)(\(String(repeating: "x", count: $1)))" }
    let before = wide.enumerated().map { "\($0 + 2)|\($1)" }
    let sample = ChangeSample(before: before, now: wide.map { "0|\($0)" })
    let page = try #require(try CoverageSite.render(sample.report)[Self.page])
    let remarks = page.matches(of: /x\)<span class="([^"]*)">([^<]*)<\/span></).map { "\($0.1): \($0.2)" }
    #expect(
      remarks == [
        "go was: ran 2× in 41", "go was: ran 3× in 41", "go was far: ran 4× in 41", "go was far: ran 5× in 41",
      ])
  }

  @Test("Lines are chosen by kind where there are several, and only where some would be left out")
  func choices() throws {
    func page(_ before: [String], _ now: [String], _ hunks: [LineMap.Hunk] = []) throws -> String {
      let quiet = Array(repeating: "1|q()", count: 20)
      let sample = ChangeSample(before: before + quiet, now: now + quiet, hunks: hunks)
      return try #require(CoverageSite.render(sample.report)[Self.page])
    }
    let one = try page(["3|a()"], ["0|a()"])
    #expect(one.contains("id=\"l-change\"") && !one.contains("id=\"l-lost\""))
    #expect(one.contains("class=\"o-change\">Coverage changes</label>"), "Its lines are the same.")
    let added = try page(["3|a()"], ["3|a()", "0|b()"], [LineMap.Hunk(old: 2..<2, new: 2..<3)])
    #expect(added.contains("class=\"o-change\">Changes</label>"))
    #expect(one.contains("<span class=\"mark-key\"><del>▼</del> ran in 41, no longer</span></p></details>"))
    let two = try page(["3|a()", "0|b()"], ["0|a()", "2|b()"])
    #expect(two.contains("id=\"l-change\"") && two.contains("id=\"l-lost\"") && two.contains("id=\"l-gained\""))
    #expect(!two.contains("<span class=\"mark-key\">"))
  }

  @Test("A part that a line gained is marked in the source, and told of its function")
  func gainedPart() throws {
    let sample = ChangeSample(before: ["1|a()", "0|b()", "3|c()"], now: ["1|a()", "0|b()", "3|c()"])
    var report = sample.report
    var comparison = try #require(report.integration.changes?.comparison.value)
    comparison.files[0].gainedPartLines = [3]
    comparison.files[0].regions[.gained] = 1
    report.integration.changes?.comparison = .known(comparison)
    let source = try #require(try CoverageSite.render(report)[Self.page])
    #expect(source.contains("<ins class=g title=\"a part did not run in 41, runs now\">▲</ins>"))
    #expect(source.contains("\">a part did not run in 41, runs now</span>") && !source.contains("\"mark-key\""))
    let files = try #require(report.integration.coverage.coverage).files
    let lists = FunctionLists(files, changes: report.integration.changes) { path, _ in path }
    let functions = String(decoding: try #require(lists.html(of: ChangeSample.path)).bytes, as: UTF8.self)
    #expect(functions.contains("<td>1 gained in part\n"))
  }

  @Test("A part that a line lost is told where lost lines are")
  func lostPart() throws {
    let sample = ChangeSample(before: ["1|a()", "3|b()"], now: ["1|a()", "3|b()"])
    var changes = sample.changes
    var comparison = try #require(changes.comparison.value)
    let part = CoverageRegion(
      start: SourcePosition(line: 2, column: 2), end: SourcePosition(line: 2, column: 3), count: 0)
    comparison.files[0].lostRegions = [part]
    comparison.files[0].regions[.lost] = 1
    changes.comparison = .known(comparison)
    let summary = ChangeSummary(changes)
    #expect(summary.lostSentence == nil)
    #expect(
      summary.lostPartsSentence
        == "1 line now runs only partly: \(ChangeSample.path):2")
    var report = sample.report
    report.integration.changes = changes
    let site = try CoverageSite.render(report)
    #expect(site["coverage.html"]?.contains("a part is lost, it ran in 41") == true)
    let source = try #require(site[Self.page])
    #expect(source.contains("<del title=\"a part of it ran in 41\">▼</del>"))
    #expect(source.contains("<span class=\"mark-key\"><del>▼</del> a part ran in 41, no longer</span>"))
    #expect(
      MarkdownExport(IntegrationRecord(report.integration), lines: nil).text.contains(
        "Lost: 1 line now runs only partly.\n\n- `\(ChangeSample.path):2`"))
  }

  @Test("Lines of earlier changes that a failed gate counts are marked, ran or not, and say since when it counts them")
  func earlier() throws {
    let lines = ["1|a()", "0|b()", "0|c()", "2|d()"]
    var report = ChangeSample(before: lines, now: lines).report
    func page() throws -> String { try #require(try CoverageSite.render(report)[Self.page]) }
    #expect(try !page().contains("<ins"))
    let base = GateResult.Base.commit(CommitID(rawValue: "c"), number: 40)
    var gate = GateResult(rule: "patch=80", state: .failed, sentence: "Too little ran.", base: base)
    gate.share = Tally(total: 3, covered: 1)
    gate.lines = [2, 3].map { Model.SourceLocation(file: ChangeSample.path, line: $0) }
    report.integration.gates = [gate]
    let touched = PatchCoverage.File(path: ChangeSample.path, ran: [4], partlyRan: [], neverRan: [2, 3])
    report.integration.changes?.counted = [PatchCoverage(origin: .integration(40), files: [touched])]
    let words = "new since 40, counted by the gate"
    #expect(try page().matches(of: #/<ins title="new since 40, counted by the gate">\+<\/ins>/#).count == 3)
    #expect(try !page().contains("<span class=\"go"), "The mark and the key are enough.")
    let finding = "80% patch gate failed: 1 of 3 changed lines ran (since 40); 2 more needed"
    #expect(try page().contains("<p class=\"lead\">\(finding)</p>"))
    report.integration.gates[0].share = Tally(total: 9, covered: 2)
    let here = "80% patch gate failed: here 1 of 3 changed lines ran (since 40)</p>"
    #expect(try page().contains(here), "It counts other files as well.")
    let name = "\(report.integration.bot) \(report.integration.number)"
    #expect(try page().contains("<title>\(name): Greeter.swift: "), "It is of this integration only.")
    #expect(try page().contains("<span class=\"mark-key\"><ins>+</ins> \(words)</span>"))
  }

  @Test("New lines are marked with code or without, and those that ran in part are told apart from those that ran")
  func newLines() throws {
    var report = ChangeSample(
      before: ["1|a()"], now: ["1|a()", "|// b", "1|c()", "1|d()", "|}"], hunks: [.init(old: 2..<2, new: 2..<6)]
    ).report
    var comparison = try #require(report.integration.changes?.comparison.value)
    #expect(comparison.files[0].newWithoutCode == [2, 5])
    comparison.files[0].newPartlyRan = [3]
    report.integration.changes?.comparison = .known(comparison)
    let site = try CoverageSite.render(report)
    let source = try #require(site[Self.page])
    #expect(source.matches(of: /<ins>\+<\/ins>/).count == 5, "One is in the key.")
    for page in [source, try #require(site["coverage.html"])] {
      let rows = [("part", "new, partly ran", "1", "–"), ("better", "new, ran in full", "1", "2")]
      for (tone, words, lines, regions) in rows {
        #expect(
          page.contains(
            "<span class=\"\(tone)\">\(words)</span></th><td class=\"num\">\(lines)</td><td class=\"num\">\(regions)</td>"
          ))
      }
    }
  }

  @Test("Without a baseline the lines of the patch are marked as new, those with comments alone, too")
  func patchOnly() throws {
    let sample = ChangeSample(before: ["1|a()"], now: ["1|a()", "0|b()", "0|// c", "1|d()"])
    var report = sample.report
    var file = PatchCoverage.File(
      path: ChangeSample.path, ran: [4], partlyRan: [], neverRan: [2])
    file.silent = [3]
    var patch = PatchCoverage(origin: .parent, files: [file])
    patch.newLines[ChangeSample.path] = [2, 3, 4]
    report.integration.changes = CoverageChanges(
      comparison: .unknown(reason: "There is no earlier integration to compare with."), patch: .known(patch))
    let site = try CoverageSite.render(report)
    #expect(try #require(site[Self.page]).matches(of: /<ins>\+<\/ins>/).count == 4)
    #expect(site["coverage.html"]?.contains("<h1>1 of 2 changed lines never ran</h1>") == true)
  }
}
