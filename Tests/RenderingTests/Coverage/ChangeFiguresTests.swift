import Model
import Testing

@testable import Rendering

@Suite("The heading and the figures of a change")
struct ChangeFiguresTests {
  /// The names of the figures, in their order.
  private func names(_ page: String) throws -> [String] {
    let figures = try #require(page.split(separator: "<dl class=\"figures of-").dropFirst().first)
    return try #require(figures.split(separator: "</dl>").first).matches(of: /<dt>([^<]*)</).map { String($0.1) }
  }

  @Test("A loss stands first where the change left nothing uncovered, and what is uncovered does elsewhere")
  func lossFirst() throws {
    func page(_ now: [String]) throws -> String {
      var report = ChangeSample(
        before: ["1|a()", "3|b()", "0|e()"], now: now + ["0|e()"], hunks: [.init(old: 3..<3, new: 3..<4)]
      ).report
      report.integration.gates = [GateResult(rule: "no-lost-coverage", state: .failed, sentence: "1 line lost.")]
      return try #require(try CoverageSite.render(report)["coverage.html"])
    }
    let clean = try page(["1|a()", "0|b()", "1|c()"])
    #expect(clean.contains("<h1>2 lines never ran, 1 of them lost</h1>") && !clean.contains("No line of this change"))
    let others = ["Partly ran", "Functions never called"]
    #expect(try names(clean) == ["Uncovered share", "Lost", "Uncovered in this change"] + others)
    #expect(clean.contains("<dt>Lost</dt><dd class=\"worse\">"))
    let both = try page(["1|a()", "0|b()", "0|c()"])
    #expect(both.contains("<h1>1 of 1 changed line never ran, 1 lost</h1>"))
    // The heading has what is uncovered.
    #expect(try names(both) == ["Uncovered share", "Lost"] + others + ["Regions never ran"])
    let only = try page(["1|a()", "3|b()", "0|c()"])
    #expect(only.contains("<h1>1 of 1 changed line never ran</h1>") && only.contains("<dl class=\"figures of-4\">"))
    #expect(try names(only) == ["Uncovered share"] + others + ["Regions never ran"])
  }

  @Test("A gate that counts from an earlier integration leads to its lines of earlier changes, which have a table")
  func earlierGate() throws {
    var report = ChangeSample(
      before: ["1|a()", "0|old()"], now: ["1|a()", "0|old()", "0|new()"], hunks: [.init(old: 3..<3, new: 3..<4)]
    ).report
    let touched = PatchCoverage.File(path: ChangeSample.path, ran: [1], partlyRan: [], neverRan: [2, 3])
    report.integration.changes?.counted = [PatchCoverage(origin: .integration(40), files: [touched])]
    var gate = GateResult(rule: "patch=80", state: .failed, sentence: "2 of 2 changed lines never ran.")
    gate.share = Tally(total: 2, covered: 0)
    gate.lines = [2, 3].map { SourceLocation(file: ChangeSample.path, line: $0) }
    func page(since number: Int) throws -> String {
      gate.base = .commit(report.integration.commit.id, number: number)
      report.integration.gates = [gate]
      return try #require(try CoverageSite.render(report)["coverage.html"])
    }
    let earlier = try page(since: 40)
    let finding = "0 of 2 changed lines ran (since 40)"
    #expect(earlier.contains("<p class=\"lead\">80% patch gate failed: \(finding); 2 more needed</p>"))
    let table = try #require(
      earlier.split(separator: "<h2 id=\"h-earlier\">Lines of earlier changes that never ran</h2>").last)
    #expect(table.prefix(200).contains("<p>counted by the gate since <a class=\"up\" href=\"../40/index.html\">40</a>"))
    let change = try #require(
      earlier.split(separator: "<section id=\"change\"").last?.split(separator: "</section>").first)
    #expect(!change.contains("Greeter.swift.html#L2\""))
    #expect(table.prefix(1000).contains("Greeter.swift.html#L2\""))
    #expect(table.split(separator: "</table>").first?.contains("Greeter.swift.html#L1\"") == false, "It ran.")
    let same = try page(since: 41)
    #expect(same.contains(">80% patch gate failed: 0 of 2 changed lines ran; 2 more needed</p>"))
    #expect(!same.contains("id=\"earlier\""))
    // So it is where the files beside it count from another integration.
    report.integration.baseline?.number = 40
    #expect(try PageSite(report).text("index.html").contains("<small>of 1 line changed since 41</small>"))
    // Without a baseline, the heading is about all lines.
    report.integration.baseline = nil
    #expect(try page(since: 40).contains(">of 1 line changed since 41</dd>"))
    #expect(try page(since: 41).contains(">of 1 changed line</dd>"))
  }

  @Test("A gate that failed for lines of earlier changes comes first where the change itself leaves none uncovered")
  func gateFirst() throws {
    var report = ChangeSample(
      before: ["1|a()", "0|old()"], now: ["1|a()", "0|old()", "2|new()"], hunks: [.init(old: 3..<3, new: 3..<4)]
    ).report
    let touched = PatchCoverage.File(path: ChangeSample.path, ran: [3], partlyRan: [], neverRan: [2])
    report.integration.changes?.counted = [PatchCoverage(origin: .integration(40), files: [touched])]
    var gate = GateResult(
      rule: "patch=80", state: .failed, sentence: "1 of 2 changed lines never ran.",
      base: .commit(report.integration.commit.id, number: 40))
    gate.share = Tally(total: 2, covered: 1)
    gate.lines = [SourceLocation(file: ChangeSample.path, line: 2)]
    report.integration.gates = [gate]
    let page = try #require(try CoverageSite.render(report)["coverage.html"])
    #expect(page.contains("<h1>80% patch gate failed</h1>"))
    #expect(page.contains("<p class=\"lead\">1 of 2 changed lines ran (since 40); 1 more needed</p>"))
    #expect(page.contains("<p class=\"facts\"><span>1 line never ran, as many as in 41</span></p>"))
    #expect(!page.contains("> never ran</small>"), "The heading of the table says so.")
    #expect(page.contains("<dt>Uncovered in this change</dt><dd>0</dd>") && !page.contains("id=\"change\""))
    report.integration.gates = []
    let plain = try #require(try CoverageSite.render(report)["coverage.html"])
    #expect(plain.contains("<h1>1 line never ran, as many as in 41</h1>") && !plain.contains("<p class=\"facts\">"))
  }

  @Test("A file that changed back since the baseline is said not to differ, with a way to the comparison")
  func changedBack() throws {
    var report = ChangeSample(before: ["1|a()", "0|b()"], now: ["1|a()", "2|b()"]).report
    report.comparison = ComparisonSample.comparison
    var commit = try #require(report.comparison?.commits.added.first)
    (commit.files, commit.filesLeft) = ([.init(path: ChangeSample.path, status: .modified, added: 1, removed: 1)], 0)
    report.comparison?.commits = CommitsBetween(.forward, added: [commit], limit: 100)
    let path = "coverage/Sources-Greeter-Greeter.swift.html"
    let link = "<a href=\"../compare.html#commits\">commits since 43</a>"
    let commits = "The \(link) changed this file, but no line of it differs"
    let words = "\(commits) from 41.</p>"
    report.integration.commits = [report.integration.commit, report.integration.commit]
    #expect(try CoverageSite.render(report)[path]?.contains(words) == false)
    report.integration.baseline?.number = 43
    report.integration.baseline?.coverageFrom = 41
    #expect(try CoverageSite.render(report)[path]?.contains(words) == true)
    report.integration.commits.removeLast()
    let one = words.replacing("commits since", with: "commit since")
    #expect(try CoverageSite.render(report)[path]?.contains(one) == true)
    report.integration.commits.append(report.integration.commit)
    var built = ComparisonSample.comparison
    built.before.number = 41
    report.otherComparisons = [.built: built]
    let linked = "\(commits) from <a href=\"../compare-built.html\">41</a>.</p>"
    #expect(try CoverageSite.render(report)[path]?.contains(linked) == true)
    let index = try PageSite(report).text("index.html")
    #expect(index.contains("<small>no counted line differs from 41</small>"))
    var green = GreeterSample.green
    green.integration.baseline?.number = 42
    green.integration.baseline?.coverageFrom = 41
    green.otherComparisons = [.built: built]
    let summary = try PageSite(green).text("index.html")
    #expect(summary.contains("<a href=\"compare-built.html\">compared with 41</a>"))
    #expect(summary.contains(", compared with <a href=\"compare-built.html\">41</a></p>"))
  }

  @Test("A file that came with the change is called new, and has its figures once")
  func newFile() throws {
    var sample = ChangeSample(
      before: [], now: ["1|a()", "0|b()"], hunks: [LineMap.Hunk(old: 1..<1, new: 1..<3)], isAdded: true)
    let page = try #require(try CoverageSite.render(sample.report)["coverage/Sources-Greeter-Greeter.swift.html"])
    #expect(page.contains("Greeter.swift: 1 of 2 lines never ran</h1>") && page.contains("<span>new file</span>"))
    #expect(!page.contains("changed line") && !page.contains("What changed") && !page.contains("not counted before"))
    sample.isAdded = false
    sample.before = ["0|c()"]
    sample.hunks = [LineMap.Hunk(old: 1..<2, new: 1..<3)]
    let changed = try #require(try CoverageSite.render(sample.report)["coverage/Sources-Greeter-Greeter.swift.html"])
    #expect(changed.contains("What changed") && !changed.contains("changed lines never ran"), "The changes tell it.")
  }

  @Test("Beside lost lines stands which tests were deleted since they ran, and in which commit")
  func deletedTests() throws {
    var report = try #require(ChangeSample.pairs.first { $0.0 == .lost }).1.report
    let commit = report.integration.commit
    let number = try #require(report.integration.changes?.comparison.value?.baseline)
    report.integration.commits = [commit]
    report.integration.baseline?.number = number
    #expect(try CoverageSite.render(report)["coverage.html"]?.contains(" deleted in ") == false)
    report.integration.testChanges = TestListChanges(deleted: [TestID(module: "M", suite: "S", name: "t()")])
    let page = try #require(try CoverageSite.render(report)["coverage.html"])
    let words = "1 test deleted in \(commit.id.short) by \(commit.author)"
    let link = #"<a href="tests.html#changed">\#(words)</a></span>"#
    #expect(page.contains(#"<h3 id="lost">Lost <span>\#(link)</h3>"#))
    #expect(try PageSite(report).text("index.html").contains(#"<span class="place">\#(link)</dd>"#))
  }
}
