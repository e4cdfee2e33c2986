import Model
import Testing

@testable import Rendering

@Suite("The heading and the figures of a change")
struct ChangeFiguresTests {
  /// The names of the figures, in their order.
  private func names(_ page: String) throws -> [String] {
    let figures = try #require(page.split(separator: "<dl class=\"figures\">").dropFirst().first)
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
    #expect(try names(clean).prefix(3) == ["Uncovered share", "Lost", "Uncovered in this change"])
    #expect(clean.contains("<dt>Lost</dt><dd class=\"worse\">"))
    let both = try page(["1|a()", "0|b()", "0|c()"])
    #expect(both.contains("<h1>1 of 1 changed line never ran, 1 lost</h1>"))
    #expect(try names(both).prefix(3) == ["Uncovered share", "Uncovered in this change", "Lost"])
  }

  @Test("A gate that counts from an earlier integration leads to its lines of earlier changes, which have a table")
  func earlierGate() throws {
    var report = ChangeSample(
      before: ["1|a()", "0|old()"], now: ["1|a()", "0|old()", "0|new()"], hunks: [.init(old: 3..<3, new: 3..<4)]
    ).report
    var gate = GateResult(rule: "patch=80", state: .failed, sentence: "2 of 2 changed lines never ran.")
    gate.share = Tally(total: 2, covered: 0)
    gate.lines = [2, 3].map { SourceLocation(file: ChangeSample.path, line: $0) }
    func page(since number: Int) throws -> String {
      gate.base = .commit(report.integration.commit.id, number: number)
      report.integration.gates = [gate]
      return try #require(try CoverageSite.render(report)["coverage.html"])
    }
    let earlier = try page(since: 40)
    let finding = "0 of 2 changed lines ran, counted since 40"
    #expect(earlier.contains(">80% patch gate failed: <a href=\"#change\">\(finding)</a></p>"))
    let table = try #require(
      earlier.split(separator: "<h2 id=\"h-earlier\">Lines of earlier changes that never ran</h2>").last)
    #expect(table.prefix(200).contains("<p>counted by the gate since <a class=\"up\" href=\"../40/index.html\">40</a>"))
    let change = try #require(
      earlier.split(separator: "<section id=\"change\"").last?.split(separator: "</section>").first)
    #expect(!change.contains("Greeter.swift.html#L2\""))
    #expect(table.prefix(1000).contains("Greeter.swift.html#L2\""))
    #expect(earlier.contains(">of 1 line changed since 41</dd>"))
    let same = try page(since: 41)
    #expect(same.contains(">80% patch gate failed: <a href=\"#change\">0 of 2 changed lines ran</a></p>"))
    #expect(!same.contains("id=\"earlier\""))
    #expect(same.contains(">of 1 changed line</dd>"))
    // So it is where the files beside it count from another integration.
    report.integration.baseline?.number = 40
    #expect(try page(since: 41).contains(">of 1 line changed since 41</dd>"))
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
    #expect(changed.contains("1 of 2 changed lines never ran") && changed.contains("What changed"))
  }
}
