import Model
import Testing

@testable import Rendering

@Suite("The first screen of the coverage page")
struct FirstScreenTests {
  /// Files with so many uncovered lines each.
  private func page(_ files: [(path: String, target: String, uncovered: Int)]) throws -> String {
    var report = CoverageSample.report
    report.integration.coverage = .available(
      Coverage(
        files: files.map { path, target, uncovered in
          file(
            path, target: target,
            lines: (1...99).map { LineCoverage(line: $0, count: 1, state: $0 <= uncovered ? .neverRan : .ran) })
        }))
    return String(decoding: try CoverageSite.pages(report).overview().bytes, as: UTF8.self)
  }

  @Test("A failed gate is told once, and one that passed is not")
  func gates() throws {
    var report = CoverageSample.report
    var failed = GateResult(rule: "patch=80", state: .failed, sentence: "1 of 2 changed lines never ran.")
    failed.share = Tally(total: 2, covered: 1)
    report.integration.gates = [failed, GateResult(rule: "ratchet", state: .passed, sentence: "Nothing fell.")]
    let page = String(decoding: try CoverageSite.pages(report).overview().bytes, as: UTF8.self)
    #expect(page.contains("<h1>80% patch gate failed</h1>"))
    #expect(page.contains("<p class=\"lead\">1 of 2 changed lines ran; 1 more needed</p>"))
    #expect(!page.contains("Ratchet"))
  }

  @Test("The worst files are not listed again where all files come right below in the same order")
  func sameOrder() throws {
    let page = try page((1...30).map { ("Sources/A/File\($0).swift", "A", $0) })
    #expect(!page.contains("Worst files"))
    let tree = try #require(page.firstRange(of: "id=\"h-tree\"")).lowerBound
    let blocks = try #require(page.firstRange(of: "id=\"h-blocks\"")).lowerBound
    #expect(tree < blocks)
    #expect(page.matches(of: /id="h-blocks"/).count == 1)
  }

  @Test("The worst files are listed where targets part them")
  func otherOrder() throws {
    let page = try page((1...30).map { ("Sources/A/File\($0).swift", $0.isMultiple(of: 2) ? "A" : "B", $0) })
    #expect(page.contains("Worst files"))
    #expect(page.matches(of: /id="h-blocks"/).count == 1)
  }

  @Test("The key of the bars is on the line of the heading")
  func key() throws {
    let page = try page((1...4).map { ("Sources/A/File\($0).swift", "A", $0) })
    let head = try #require(page.split(separator: "id=\"h-tree\"").last?.split(separator: "</div>").first)
    #expect(head.contains("partly ran</span>"))
  }

  @Test("No files are the worst where more have the same count")
  func equal() throws {
    let page = try page((1...30).map { ("Sources/A/File\($0).swift", $0.isMultiple(of: 2) ? "A" : "B", 3) })
    #expect(!page.contains("Worst files"))
  }

  @Test("Of one target there is no sum besides its own")
  func sum() throws {
    #expect(try !page([("Sources/A/A.swift", "A", 1), ("Sources/A/B.swift", "A", 2)]).contains("All counted files"))
    #expect(try page([("Sources/A/A.swift", "A", 1), ("Sources/C/C.swift", "C", 1)]).contains("All counted files"))
  }

  @Test("Of many uncovered blocks the longest are listed, and it is said of how many")
  func blocks() throws {
    func files(_ count: Int) -> [(path: String, target: String, uncovered: Int)] {
      (1...count).map { ("Sources/A/File\($0).swift", "A", $0) }
    }
    #expect(try page(files(3)).contains("<h2 id=\"h-blocks\">Uncovered blocks</h2><p>3</p>"))
    #expect(try page(files(9)).contains("<h2 id=\"h-blocks\">Uncovered blocks</h2><p>the longest 8 of 9</p>"))
  }

  @Test("Of few files the worst are not listed apart", arguments: [4, 20])
  func few(_ count: Int) throws {
    let page = try page((1...count).map { ("Sources/A/File\($0).swift", $0.isMultiple(of: 2) ? "A" : "B", $0) })
    #expect(!page.contains("Worst files"))
  }

  @Test("Without code there is nothing that passed")
  func noCode() throws {
    var report = CoverageSample.report
    report.integration.coverage = .available(Coverage(files: []))
    let page = String(decoding: try CoverageSite.pages(report).overview().bytes, as: UTF8.self)
    #expect(
      page.contains(
        "<svg class=\"g big is-not-run\" aria-hidden=\"true\"><use href=\"#not-run\"/></svg>\n<h1>There is no code to count</h1>"
      ))
  }

  @Test("The share that never ran is said once, with its lines")
  func share() throws {
    let page = try page([("Sources/A/A.swift", "A", 28), ("Sources/A/B.swift", "A", 0)])
    #expect(page.contains("<dt>Uncovered share</dt><dd>14.1%"))
    #expect(page.contains("28 of 198 lines</dd>"))
    #expect(!page.contains("85.9%"))
  }

  @Test("A glob that leaves out nothing is said among what is left out")
  func idleExclusion() throws {
    var report = CoverageSample.report
    var coverage = try #require(report.integration.coverage.coverage)
    coverage.idleExclusions = ["Sources/<Z>/*"]
    report.integration.coverage = .available(coverage)
    let page = String(decoding: try CoverageSite.pages(report).overview().bytes, as: UTF8.self)
    #expect(
      page.contains(
        "<code>Sources/&lt;Z&gt;/*</code> matched no counted source.</p>"))
    #expect(page.contains("<h2 id=\"h-excluded\">Left out on request</h2><p>nothing</p>"))
    #expect(!page.contains("Files and lines that do not count"))
  }

  private func overview(_ change: (inout Coverage) -> Void) throws -> String {
    var report = CoverageSample.report
    var coverage = try #require(report.integration.coverage.coverage)
    change(&coverage)
    report.integration.coverage = .available(coverage)
    return String(decoding: try CoverageSite.pages(report).overview().bytes, as: UTF8.self)
  }

  @Test("A marker that leaves out nothing is said among what is left out, linked to its line")
  func idleMarker() throws {
    let path = try #require(CoverageSample.files.first?.path)
    let page = try overview {
      $0.idleMarkers = [
        IdleMarker(path: path, line: 3, marker: "coverage:ignore-<end", reason: .unknown),
        IdleMarker(path: "Sources/None.swift", line: 4, marker: "coverage:ignore", reason: .noCode),
      ]
    }
    #expect(page.contains("<h2 id=\"h-excluded\">Left out on request</h2><p>nothing</p>"))
    let notes = page.split(separator: "\n").filter { $0.contains("coverage:ignore") }
    try #require(notes.count == 2)
    #expect(notes[0].hasPrefix("<p class=\"note calm\"><code>coverage:ignore-&lt;end</code> at <a href=\""))
    #expect(
      notes[0].hasSuffix(
        "\">Sources/<wbr>Greeter/<wbr>Greeter.swift:3</a> is not a known marker, so it has no effect.</p>"))
    #expect(
      notes[1]
        == "<p class=\"note calm\"><code>coverage:ignore</code> at Sources/<wbr>None.swift:4 marks no line with code, "
        + "so it has no effect.</p>")
  }

  @Test("Of very many markers without effect, the rest is counted")
  func manyIdleMarkers() throws {
    let page = try overview { coverage in
      coverage.idleMarkers = (1...52).map {
        IdleMarker(path: "Sources/A.swift", line: $0, marker: "coverage:ignore", reason: .noCode)
      }
    }
    #expect(page.ranges(of: "marks no line with code").count == 50)
    #expect(page.contains("<p class=\"faint\">2 more markers without effect; integration.json lists all</p>"))
  }

  @Test("What is never ended is said to be so in its row")
  func neverEnded() throws {
    let page = try overview { coverage in
      var open = CoverageExclusion(
        path: "Sources/A.swift", firstLine: 7, lastLine: 9, lines: LineTally(total: 3), by: "coverage:ignore-start")
      let ended = open
      open.neverEnded = true
      coverage.exclusions = [ended, open]
    }
    #expect(page.ranges(of: "<code>coverage:ignore-start</code></td>").count == 1)
    #expect(page.ranges(of: "<code>coverage:ignore-start</code>, never ended</td>").count == 1)
  }

  @Test("A marker that leaves out but the first line of a function is said to leave the rest")
  func onlyFirstLine() throws {
    let page = try overview { coverage in
      var marker = CoverageExclusion(
        path: "Sources/A.swift", firstLine: 7, lastLine: 7, lines: LineTally(total: 1), by: "coverage:ignore")
      marker.onlyFirstLineOf = "Box<A>.open()"
      coverage.exclusions = [marker]
    }
    #expect(
      page.contains("<code>coverage:ignore</code>, not the rest of <code>Box&lt;A&gt;.<wbr>open()</code></td>"))
  }

  @Test("That figures contain what is left out is only said where a counted file has such lines")
  func stillInFigures() throws {
    let path = try #require(CoverageSample.files.first?.path)
    func isSaid(_ exclusion: CoverageExclusion) throws -> Bool {
      try overview { $0.exclusions = [exclusion] }.contains("still include what a marker leaves out")
    }
    let lines = LineTally(total: 3)
    #expect(try isSaid(CoverageExclusion(path: path, firstLine: 7, lastLine: 9, lines: lines, by: "a")))
    let gone = "Sources/Gone.swift"
    #expect(try !isSaid(CoverageExclusion(path: gone, lines: lines, by: "a")))
    #expect(try !isSaid(CoverageExclusion(path: gone, firstLine: 1, lastLine: 9, lines: lines, by: "a")))
  }

  @Test("Where the change touched no counted line and nothing was lost or gained, no choice and no column is for it")
  func noChoice() throws {
    let same = try CoverageSite.render(ChangeSample(before: ["1|a()", "0|b()"], now: ["2|a()", "0|b()"]).report)
    let page = try #require(same["coverage.html"])
    #expect(page.contains("<h2 id=\"h-change\">This change</h2>") && page.contains(">No counted line changed.</p>"))
    #expect(!page.contains("c-change") && !page.contains("Changed lines never ran"))
    #expect(page.contains("<h2 id=\"h-blocks\">Uncovered blocks</h2>"))
  }

  @Test("A file that gained lines is one of this change")
  func gainedChoice() throws {
    let sample = ChangeSample(before: ["1|a()", "0|b()", "0|c()"], now: ["1|a()", "2|b()", "2|c()"])
    let page = try #require(try CoverageSite.render(sample.report)["coverage.html"])
    #expect(page.contains("id=\"c-change\"") && page.contains("class=\"target t whole changed\""))
    #expect(page.contains("<td class=num data-v=0>2 gained"))
  }
}
