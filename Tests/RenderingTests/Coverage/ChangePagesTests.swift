import FoundationEssentials
import Model
import Testing

@testable import Rendering

@Suite("The pages about what changed")
struct ChangePagesTests {
  private static let page = "coverage/Sources-Greeter-Greeter.swift.html"

  private func main(_ page: String) -> String {
    String(page.split(separator: "<main id=\"content\">\n")[1].split(separator: "</main>")[0])
  }

  /// What stands between two words of a page.
  private func part(of page: String, from start: String, to end: String) throws -> Substring {
    let first = try #require(page.firstRange(of: start), "there is no \(start)")
    let rest = page[first.lowerBound...]
    return rest[..<(try #require(rest.firstRange(of: end)).lowerBound)]
  }

  @Test("The page of a source with each of the twelve categories looks as accepted", arguments: 0..<12)
  func golden(_ index: Int) throws {
    let (category, sample) = ChangeSample.pairs[index]
    #expect(category == ChangeCategory.allCases[index])
    let page = main(try #require(try CoverageSite.render(sample.report)[Self.page]))
    #expect(page.contains(ChangeWords.meaning(of: category, since: 41, byChance: 0)))
    #expect(!page.contains(category.rawValue))
    try GoldenFile("coverage-changes/\(category.rawValue).html").compare(with: page)
  }

  @Test("The first screen of a change looks as accepted")
  func overview() throws {
    var sample = ChangeSample(
      before: ["1|a()", "3|b()", "0|c()", "2|d()", "1|// e"],
      now: ["1|a()", "0|b()", "1|c()", "0|new()", "0|new()", "7|new()", "|// e"],
      hunks: [.init(old: 4..<5, new: 4..<7)])
    sample.oldPath = "Sources/Greeter/Old.swift"
    let site = try CoverageSite.render(sample.report)
    try GoldenFile("coverage-changes/overview.html").compare(with: main(try #require(site["coverage.html"])))
    let page = try #require(site[Self.page])
    #expect(page.contains("<p>was <span class=\"mono\">Sources/Greeter/Old.swift</span></p>"))
    #expect(page.contains(">new, never ran</span>") && !page.contains("changed lines never ran"))
  }

  @Test("Commits and lines that are compared with different integrations name one each")
  func otherOrigin() throws {
    var report = try #require(ChangeSample.pairs.first { $0.0 == .lost }).1.report
    var patch = try #require(report.integration.changes?.patch.value)
    patch.origin = .integration(44)
    report.integration.changes?.patch = .known(patch)
    let page = try #require(try CoverageSite.render(report)["coverage.html"])
    #expect(page.contains("<p>since 44</p>"))
  }

  @Test("The lines of the change are in no other block")
  func otherBlocks() throws {
    func others(_ sample: ChangeSample) throws -> [String] {
      let page = try #require(try CoverageSite.render(sample.report)["coverage.html"])
      guard page.contains("Other uncovered blocks") else { return [] }
      return try part(of: page, from: "Other uncovered blocks", to: "</table>").matches(of: /:([0-9–]+)<\/span>/)
        .map { String($0.1) }
    }
    let before = ["1|a()", "0|b()", "0|c()", "0|d()", "1|e()", "2|f()"]
    let now = ["1|a()", "0|b()", "0|new()", "0|d()", "1|e()", "0|f()"]
    // The sixth line is lost.
    #expect(try others(ChangeSample(before: before, now: now, hunks: [.init(old: 3..<4, new: 3..<4)])) == ["2", "4"])
    #expect(try others(ChangeSample(before: before, now: now, hunks: [.init(old: 2..<5, new: 2..<5)])) == [])
  }

  @Test("How often lost lines ran is told as a fact of all of them, or as the most of them")
  func lostCounts() throws {
    func words(_ before: [String]) throws -> Bool {
      let page = try CoverageSite.render(ChangeSample(before: before, now: ["1|a()", "0|b()", "0|c()"]).report)
      return try #require(page["coverage.html"]).contains("lost, ran up to 3× in 41</small>")
    }
    #expect(try words(["1|a()", "1|b()", "3|c()"]))
    #expect(try !words(["1|a()", "3|b()", "3|c()"]))
  }

  @Test("Where the categories have other sums of regions than the figures, both are said, and why")
  func regionSums() throws {
    let sample = try #require(ChangeSample.pairs.first { $0.0 == .lost }).1
    let words = "the table has 2, 1 of them never ran; the other figures are llvm-cov’s, 3 and 2."
    let same = try CoverageSite.render(sample.report)
    #expect(same["coverage.html"]?.contains("llvm-cov’s") == false && same[Self.page]?.contains("llvm-cov’s") == false)
    var report = sample.report
    var coverage = try #require(report.integration.coverage.coverage)
    coverage.files[0].totals.regions.total += 1
    report.integration.coverage = .available(coverage)
    let other = try CoverageSite.render(report)
    #expect(other["coverage.html"]?.contains(words) == true && other[Self.page]?.contains(words) == true)
  }

  @Test("Signs stand beside the counts, and a lost line says what it was")
  func marks() throws {
    func sign(_ category: ChangeCategory) throws -> String {
      let sample = try #require(ChangeSample.pairs.first { $0.0 == category }).1
      let page = try #require(try CoverageSite.render(sample.report)[Self.page])
      let listing = try part(of: page, from: "<tbody>\n<tr id=", to: "</tbody>")
      return listing.matches(of: /<(?:ins|del)[^>]*>([^<]*)</).map { String($0.1) }.joined()
    }
    #expect(try [.newNeverRan, .newRan].map(sign) == ["+", "+"])
    #expect(try [.lost, .gained].map(sign) == ["▼", "▲"])
    #expect(try [.includedNeverRan, .includedRan].map(sign) == ["i", "i"])
    #expect(try [.excludedNeverRan, .excludedRan].map(sign) == ["e", "e"])
    #expect(try [.stillRan, .stillNeverRan, .deletedRan, .deletedNeverRan].map(sign) == ["", "", "", ""])
    let lost = try #require(ChangeSample.pairs.first { $0.0 == .lost }).1
    #expect(try CoverageSite.render(lost.report)[Self.page]?.contains(">ran 3× in 41</span>") == true)
  }

  @Test("Lines around a change stand with it, and the list of blocks knows the changes")
  func context() throws {
    let before = (1...20).map { "1|a\($0)()" } + ["0|b()"]
    let now = (1...20).map { $0 == 10 ? "0|a10()" : "1|a\($0)()" } + ["0|b()"]
    let page = try #require(try CoverageSite.render(ChangeSample(before: before, now: now).report)[Self.page])
    let rows = try part(of: page, from: "<tbody>\n<tr id=", to: "</tbody>").split(separator: "<tr ").dropFirst()
      .map { String($0.prefix { $0 != ">" }) }
    #expect(
      rows == [
        "id=L1", "id=L7 data-c", "id=L10 class=n data-stop", "id=L11 data-c", "id=L14", "id=L21 class=n data-stop",
      ])
    #expect(page.contains("<li class=\"lost\"><a href=#L10>Line 10</a>\n<li><a href=#L21>Line 21</a>"))
  }

  @Test("Of a long block that holds a change, the first line stands with it, since links lead there")
  func blockContext() throws {
    let before = (1...20).map { 4...18 ~= $0 && $0 != 14 ? "0|a\($0)()" : "1|a\($0)()" }
    let now = (1...20).map { 4...18 ~= $0 ? "0|a\($0)()" : "1|a\($0)()" }
    let page = try #require(try CoverageSite.render(ChangeSample(before: before, now: now).report)[Self.page])
    let rows = try part(of: page, from: "<tbody>\n<tr id=", to: "</tbody>").split(separator: "<tr ").dropFirst()
      .map { String($0.prefix { $0 != ">" }) }
    #expect(
      rows == [
        "id=L1", "id=L4 data-c class=n data-stop", "id=L5 class=n", "id=L11 data-c class=n", "id=L14 class=n",
        "id=L15 data-c class=n", "id=L18 class=n", "id=L19",
      ])
  }

  @Test("The page of a file that is as it was does not speak of the baseline's lines")
  func unchanged() throws {
    let same = ChangeSample(before: ["1|a()", "0|b()"], now: ["1|a()", "0|b()"])
    let page = try #require(try CoverageSite.render(same.report)[Self.page])
    #expect(!page.contains("What changed") && !page.contains("l-change"))
  }

  /// A change of three lines: the second one ran only partly, the first and the third did as given.
  private func partlyChanged(_ first: LineState, _ third: LineState) throws -> String {
    var report = ChangeSample(
      before: ["1|a()", "1|e()"], now: ["1|a()", "1|b()", "1|c ? d : e", "1|f()", "1|e()"],
      hunks: [.init(old: 2..<2, new: 2..<5)]
    ).report
    var file = try #require(report.integration.coverage.coverage?.files.first)
    let states = [2: first, 3: .partlyRan, 4: third]
    for index in file.lines.indices { file.lines[index].state = states[file.lines[index].line] ?? .ran }
    // Of the first stretch nothing is known.
    file.deadStretches = [DeadStretch(line: 3, columns: 1..<2), DeadStretch(line: 3, columns: 5..<6)]
    file.functions = []
    report.integration.coverage = .available(Coverage(files: [file]))
    func lines(_ state: LineState) -> [Int] { states.filter { $0.value == state }.keys.sorted() }
    report.integration.changes?.patch = .known(
      PatchCoverage(
        origin: .integration(41),
        files: [
          .init(
            path: file.path, ran: lines(.ran), partlyRan: lines(.partlyRan),
            neverRan: lines(.neverRan))
        ]))
    return try #require(try CoverageSite.render(report)["coverage.html"])
  }

  @Test("A change of which every line ran, but one partly, says so once and leads to it with the reason")
  func partlyRan() throws {
    let page = try partlyChanged(.ran, .ran)
    #expect(!page.contains("No line of this change is uncovered"), "The figure says so.")
    #expect(page.contains(">of 3 changed lines; 1 partly ran</dd>"))
    #expect(page.contains("<td class=num data-v=0>2 ran, 1 partly"))
    let row = try part(of: page, from: "<tr data-stop><td class=\"num\" data-l=\"line\">", to: "</tr>")
    #expect(row.contains("<a href=\"coverage/Sources-Greeter-Greeter.swift.html#L3\">"))
    #expect(row.contains("<b class=\"sign part\">+</b> new, partly ran</small>"))
    #expect(row.contains("<small class=\"small\">d never ran.</small>"))
  }

  @Test("Changed lines that ran partly come after those that never ran")
  func partlyRanLast() throws {
    let page = try partlyChanged(.ran, .neverRan)
    #expect(!page.contains("No line of this change is uncovered"))
    let signs = page.matches(of: /<b class="sign ([a-z]+)">.<\/b> ([^<]*)</).map { "\($0.1): \($0.2)" }
    #expect(signs == ["part: new, partly ran"], "Of the others the heading says it.")
    let list = try part(
      of: page, from: "<details class=\"more-rows\" open><summary>1 changed line partly ran", to: "</details>")
    #expect(list.contains("Greeter.swift.html#L3\">"))
  }

  @Test("Lines that the change did not touch and that no longer run are lost, not uncovered in it")
  func lostElsewhere() throws {
    let lost = try #require(ChangeSample.pairs.first { $0.0 == .lost }).1
    let page = try #require(try CoverageSite.render(lost.report)["coverage.html"])
    let section = try part(of: page, from: "<section id=\"change\"", to: "</section>")
    let changed = try part(of: String(section), from: "<section", to: "<h3 id=\"lost\">Lost</h3>")
    #expect(
      changed.contains(">This change</h2>") && !changed.contains("<p class=\"note") && !changed.contains("<table"))
    #expect(section.contains("<caption class=\"vh\">Unchanged lines that no longer run</caption>"))
    #expect(page.contains("<dt>Uncovered in this change</dt><dd><a href=\"#change\">–</a></dd>"))
    let both = ChangeSample(
      before: ["1|a()", "3|b()"], now: ["1|a()", "0|b()", "0|c()"], hunks: [.init(old: 3..<3, new: 3..<4)])
    let two = try #require(try CoverageSite.render(both.report)["coverage.html"])
    #expect(two.contains("<h3 id=\"lost\">Lost elsewhere</h3>"))
    let signs = two.matches(of: /<b class="sign worse">.<\/b> ([^<]*)<|<h3 id="lost">/).map {
      $0.1.map(String.init) ?? "lost:"
    }
    #expect(signs == ["lost:", "lost, ran 3× in 41"])
  }

  @Test("Commits without a file are said to have changed nothing")
  func nothingChanged() throws {
    var report = ChangeSample(before: ["1|a()"], now: ["2|a()"]).report
    report.comparison = ComparisonSample.comparison
    var commit = try #require(report.comparison?.commits.added.first)
    (commit.files, commit.filesLeft) = ([], 0)
    report.comparison?.commits = CommitsBetween(.forward, added: [commit], limit: 100)
    func page() throws -> String { try #require(try CoverageSite.render(report)["coverage.html"]) }
    #expect(try page().contains(">Nothing changed since 41.</p>"))
    #expect(try page().contains("nothing changed since 41</dd>"))
    #expect(try PageSite(report).text("index.html").contains("<small>nothing changed since 41</small>"))
    for files in [nil, 1] {
      report.comparison?.commits.added[0].filesLeft = files
      #expect(try page().contains(">No counted line changed.</p>"))
    }
    report.comparison?.commits = CommitsBetween(.same)
    #expect(try page().contains(">Nothing changed since 41.</p>"))
    report.integration.workingTree = WorkingTreeChanges(modified: ["README.md"], added: [], deleted: [])
    #expect(try page().contains(">No counted line changed.</p>"))
  }

  @Test("Lines that run now and did not before are listed, open where they are few places")
  func gained() throws {
    let sample = ChangeSample(
      before: ["1|a()", "0|b()", "0|c()", "|", "0|d()"], now: ["1|a()", "2|b()", "2|c()", "|", "3|d()"])
    let site = try CoverageSite.render(sample.report)
    let page = try #require(site["coverage.html"])
    let list = try part(of: page, from: "<details class=\"more-rows\" open><summary>3 lines gained", to: "</details>")
    #expect(
      list.hasPrefix("<details class=\"more-rows\" open><summary>3 lines gained: did not run in 41, run now<"))
    #expect(page.contains("<dt>Gained</dt><dd>3 <small>lines</small></dd><dd class=\"sub\">and 3 regions</dd>"))
    #expect(list.contains("<b class=\"sign better\">▲</b>") && !page.contains("No counted line changed."))
    #expect(PageMarkup(String(list)).values(of: "href") == ["\(Self.page)#L2", "\(Self.page)#L5"])
    let ids = Set(PageMarkup(try #require(site[Self.page])).values(of: "id"))
    #expect(ids.isSuperset(of: ["L2", "L5"]))
    let many = (0..<12).map { $0 % 2 == 0 ? "0|a()" : "1|b()" }
    let folded = ChangeSample(before: many, now: many.map { _ in "1|a()" })
    #expect(
      try CoverageSite.render(folded.report)["coverage.html"]?
        .contains("<details class=\"more-rows\"><summary>6 lines gained") == true)
    let same = ChangeSample(before: ["1|a()"], now: ["1|a()"])
    #expect(try CoverageSite.render(same.report)["coverage.html"]?.contains("gained:") == false)
  }

  @Test("What is not known is said, and no figure stands for it")
  func unknown() throws {
    var report = try #require(ChangeSample.pairs.first).1.report
    report.integration.changes = CoverageChanges(
      comparison: .unknown(reason: "No earlier integration has complete coverage."),
      patch: .unknown(reason: "The commit is gone."))
    let page = try #require(try CoverageSite.render(report)["coverage.html"])
    #expect(page.contains("No earlier integration has complete coverage."))
    #expect(page.contains("The commit is gone."))
    #expect(!page.contains("No line of this change is uncovered."))
    #expect(!page.contains("All lines compared with"))
  }

  @Test("A change is not clean where a file could not be followed, and the page names it")
  func unmapped() throws {
    var report = ChangeSample(before: ["1|a()"], now: ["2|a()"]).report
    #expect(try CoverageSite.render(report)["coverage.html"]?.contains("No counted line changed.") == true)
    var changes = try #require(report.integration.changes)
    let file = UnmappedFile(path: "Sources/Greeter/Gen.swift", obstacle: .content)
    var (patch, comparison) = (try #require(changes.patch.value), try #require(changes.comparison.value))
    patch.unmapped = [file]
    comparison.unmapped = [file, UnmappedFile(path: "Sources/Greeter/Old.swift", obstacle: .links)]
    changes.patch = .known(patch)
    changes.comparison = .known(comparison)
    report.integration.changes = changes
    let page = try #require(try CoverageSite.render(report)["coverage.html"])
    #expect(!page.contains("No counted line changed."))
    let words = "is not known in Sources/Greeter/Gen.swift, because the diff does not say how the lines moved."
    #expect(page.contains("Which lines changed \(words)"))
    #expect(!page.contains("Whether lines were lost \(words)"))
    #expect(page.contains("Whether lines were lost is not known in Sources/Greeter/Old.swift, because links on"))
    #expect(page.contains("What became of the lines \(words)"))
    #expect(page.contains("of 0 changed lines beside 1 unknown file"))
    let summary = ChangeSummary(changes)
    #expect(summary.patchFigure == "which lines changed is not known in 1 file")
    #expect(summary.patch == "which lines changed is not known in Sources/Greeter/Gen.swift")
    #expect(IntegrationRecord.ChangesSection(changes).patch.unmapped == ["Sources/Greeter/Gen.swift"])
    #expect(
      MarkdownExport(IntegrationRecord(report.integration), lines: nil).text.contains(
        "Patch: which lines changed is not known in 1 file.\n\n- not known: `Sources/Greeter/Gen.swift`"))
  }

  @Test("The first commit of all has no change to speak of")
  func firstCommit() throws {
    var report = try #require(ChangeSample.pairs.first).1.report
    report.integration.changes = CoverageChanges(
      comparison: .unknown(reason: "There is no earlier integration to compare with."),
      patch: .known(PatchCoverage(origin: .nothing, files: [])))
    let page = try #require(try CoverageSite.render(report)["coverage.html"])
    #expect(!page.contains("in this change"))
    #expect(page.contains("Regions never ran</dt>"))
    // As gates say how many changed lines never ran.
    let changes = try #require(report.integration.changes)
    #expect(ChangeSummary(changes).patch == "first commit: every line counts as changed")
  }

  @Test("A first integration whose commit touches no code has none either; a later one says why nothing is compared")
  func firstIntegration() throws {
    var report = try #require(ChangeSample.pairs.first).1.report
    let reason = "There is no earlier integration to compare with."
    report.integration.changes = CoverageChanges(
      comparison: .unknown(reason: reason), patch: .known(PatchCoverage(origin: .parent, files: [])))
    let told = try #require(try CoverageSite.render(report)["coverage.html"])
    #expect(told.components(separatedBy: reason).count == 2, "It says so once.")
    report.integration.baseline = nil
    let page = try #require(try CoverageSite.render(report)["coverage.html"])
    #expect(!page.contains(reason))
    #expect(page.contains("Regions never ran</dt>"))
  }

  @Test("A sentence says how much of the patch ran, and which lines did not")
  func sentences() {
    let changes = ChangeSample(
      before: ["1|a()", "3|b()"], now: ["1|a()", "0|b()", "0|c()", "0|d()", "1|e()"],
      hunks: [.init(old: 3..<3, new: 3..<6)]
    ).changes
    let summary = ChangeSummary(changes)
    #expect(summary.patch == "1 of 3 changed lines ran; 2 never: \(ChangeSample.path):3–4")
    #expect(summary.lostSentence == "1 unchanged line that ran in 41 no longer runs: \(ChangeSample.path):2")
    #expect(ChangeSummary(changes, notRun: 5).lostSentence == nil, "One of them may run it.")
    var single = IntegrationRecord.ChangesSection(ChangeSample(before: ["1|a()"], now: ["2|a()"]).changes)
    single.patch.lines = LineTally(total: 1, covered: 1, partial: 1)
    #expect(ChangeSummary(single).patch.hasPrefix("the changed line partly ran"))
    let clean = ChangeSummary(ChangeSample(before: ["1|a()"], now: ["2|a()"]).changes)
    #expect(clean.patch == "no counted line changed")
    #expect(clean.lostSentence == nil)
  }

  @Test("Markdown tells the change and the gates")
  func markdown() {
    var report = ChangeSample.pairs[0].1.report
    report.integration.gates = [
      GateResult(rule: "patch=80", state: .failed, sentence: "1 of 1 changed line never ran: A.swift:2."),
      GateResult(rule: "ratchet", state: .notJudged, sentence: "There was nothing to lose."),
    ]
    #expect(
      MarkdownExport(IntegrationRecord(report.integration), lines: nil).text.contains(
        """
        ### Coverage of the change

        Patch: 0 of 1 changed line ran; 1 never.

        - `Sources/Greeter/Greeter.swift:2`

        - Failed: 80% patch. 1 of 1 changed line never ran: A.swift:2.
        - Not judged: ratchet. There was nothing to lose.
        """))
  }

  @Test("What ran only in a failed attempt of the integration before is said to have run there")
  func chanceBefore() {
    var changes = IntegrationRecord(ChangeSample.pairs[0].1.report.integration).coverage.changes
    changes?.files?[0].byChance = [1, 2]
    changes?.flakyTests = [TestID(module: "ATests", suite: "", name: "isEven()")]
    changes?.byChance = CategoryCounts([ChangeCategory.lost, .lost])
    #expect(
      changes.map { ChangeSummary($0) }?.chanceFigure
        == "2 unchanged lines ran by chance in 41: isEven() was flaky there, and no other test runs them")
    changes?.byChance = CategoryCounts([ChangeCategory.gained, .gained])
    #expect(
      changes.map { ChangeSummary($0) }?.chanceFigure
        == "2 unchanged lines ran by chance: isEven() was flaky, and no other test runs them")
  }

  @Test("Markdown calls lines that run by chance neither lost nor gained, because both are among them")
  func markdownOfChance() {
    var document = IntegrationRecord(ChangeSample.pairs[0].1.report.integration)
    document.coverage.changes?.files?[0].byChance = [1, 2]
    document.coverage.changes?.witnesses = [43]
    document.coverage.changes?.baselineWitnesses = [43]
    #expect(
      MarkdownExport(document, lines: nil).text.contains(
        """

        Neither lost nor gained: 2 unchanged lines run by chance: integration 43, of the same commit as 41, differs in them.

        - `Sources/Greeter/Greeter.swift:1–2`
        """))
  }
}
