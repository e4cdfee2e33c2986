import Model
import Testing

@testable import Rendering

@Suite("Names and parts of source pages")
struct SourcePartsTests {
  @Test("A short file has one part, an empty one too")
  func one() {
    #expect(SourceParts.lines(of: [], brought: 0, extra: [:], limit: 1000) == [1..<1])
    #expect(SourceParts.lines(of: Array("a\nb".utf8), brought: 0, extra: [:], limit: 1000) == [1..<3])
  }

  @Test("The parts of a long file are its lines in order, each once")
  func several() {
    let bytes = Array(String(repeating: "let a = 1\n", count: 100).utf8)
    let parts = SourceParts.lines(of: bytes, brought: 3000, extra: [50: 3000], limit: 5000)
    #expect(parts.first?.lowerBound == 1 && parts.last?.upperBound == 101)
    #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    #expect(parts.allSatisfy { !$0.isEmpty })
    #expect(parts.count > 3)
  }

  @Test(
    "No page of markup is larger than its bound, whatever the text",
    arguments: ["1+", "a,", "&", "\u{1}", "\u{202E}", "\"", "@a ", "\"\\(", "é", "let x = 1; "])
  func bound(_ piece: String) {
    let line = String(repeating: piece, count: 200) + "\n"
    let source = HighlightedSource(Array(String(repeating: line, count: 60).utf8), path: "a.swift")
    let states = (1...60).map { LineCoverage(line: $0, count: 1 << 40, state: $0 % 3 == 0 ? .neverRan : .partlyRan) }
    let dead = (1...60).flatMap { line in
      stride(from: 1, to: 200, by: 7).map { DeadStretch(line: line, columns: $0..<($0 + 4)) }
    }
    let coverage = file(lines: states, dead: dead)
    let limit = 60_000
    let brought = coverage.extraWeight(stops: coverage.stops.count)
    #expect(coverage.extraWeights.values.reduce(0, +) <= brought)
    let parts = SourceParts.lines(of: source.bytes, brought: brought, extra: coverage.extraWeights, limit: limit)
    for part in parts where part.count > 1 {
      let size = SourceListing(source, coverage: coverage).html(lines: part).bytes.count
      #expect(size <= limit, "\(piece.debugDescription)")
    }
  }

  @Test(
    "A text that is not weighed is no larger than what is taken for its most",
    arguments: [
      (")", 14), ("a,", 14), ("&", 14), ("\"", 14), ("@a ", 14), ("\t", 14), ("\u{1}", 27), ("\u{202E}", 27), ("é", 27),
      ("\u{7F}", 27), ("\u{E0041}", 27),
    ])
  func unweighed(_ piece: String, perByte: Int) throws {
    let bytes = Array(String(repeating: String(repeating: piece, count: 40) + "\n", count: 20).utf8)
    let most = bytes.count * perByte + 20 * 110
    // At its most a text is one page without a look at its lines, and one byte below that they are looked at.
    var looks = 0
    func look() -> [Int: Int] {
      looks += 1
      return [:]
    }
    #expect(SourceParts.lines(of: bytes, brought: 0, extra: look(), limit: most) == [1..<21])
    #expect(looks == 0)
    _ = SourceParts.lines(of: bytes, brought: 0, extra: look(), limit: most - 1)
    #expect(looks == 1)
    let source = HighlightedSource(bytes, path: "a.swift")
    let lines = (1...20).map { LineCoverage(line: $0, count: UInt64($0), state: .ran) }
    let size = SourceListing(source, coverage: file(lines: lines)).html().bytes.count
    #expect(size <= most, "\(piece.debugDescription)")
    // And the weights themselves are no more than that.
    let weight = (1...20).reduce(0) { $0 + SourceParts.weight(of: source.range(ofLine: $1), in: bytes) }
    #expect(weight <= bytes.count * perByte)
  }

  /// The greatest page about source of a report with one file of 200 short lines.
  private func greatestPage(_ change: (inout Report, String) -> Void) throws -> Int {
    var report = CoverageSample.report
    let path = "Sources/Greeter/Greeter.swift"
    report.sources[path] = Array(String(repeating: "let a = 1\n", count: 200).utf8)
    change(&report, path)
    return try CoverageSite.render(report).values.map(\.utf8.count).max() ?? 0
  }

  @Test("No page is over a megabyte, whatever was deleted from a short file")
  func manyRemoved() throws {
    let text = Array(String(repeating: "let removed = (1, \"two\", three)\n", count: 100).utf8)
    let size = try greatestPage { report, path in
      report.integration.changes = ChangeSample(before: ["1|a"], now: ["1|a"]).changes
      report.integration.changes?.removed[path] = (1...200).map {
        RemovedLines(before: $0, first: $0, text: text, count: 100, code: Tally())
      }
    }
    #expect(size > 100_000 && size < 1_000_000)
  }

  @Test("No page is over a megabyte, whatever tests said about a short file")
  func manyBubbles() throws {
    let message = String(repeating: "&", count: 2000)
    let size = try greatestPage { report, path in
      let failures = (1...50).flatMap { line in
        (1...20).map { TestFailure(location: SourceLocation(file: path, line: line), message: "\($0)\(message)") }
      }
      report.integration.tests.results[0].failures = failures
    }
    #expect(size > 300_000 && size < 1_000_000)
  }

  @Test("What is said behind the last line stands with it, and weighs there")
  func behind() {
    let bytes = Array(String(repeating: "let a = 1\n", count: 10).utf8)
    #expect(SourceParts.lines(of: bytes, brought: 5000, extra: [11: 4500], limit: 5000) == [1..<10, 10..<11])
  }

  @Test("The lines of each part that never ran are counted once")
  func counts() {
    var names = PageNames(folder: .counted)
    let lines = (1...100).map { LineCoverage(line: $0 * 2, count: 0, state: $0 % 4 == 0 ? .neverRan : .ran) }
    let plan = SourcePlan(
      path: "a.swift", fileName: "a.swift", coverage: file(lines: lines),
      bytes: Array(String(repeating: "let a = 1\n", count: 150).utf8),
      remarks: SourceRemarks(), page: names.claim("a.swift"), names: &names, limit: 8_000)
    #expect(plan.parts.count > 2 && plan.neverRanOfParts.reduce(0, +) == 18)
    for (part, count) in zip(plan.parts, plan.neverRanOfParts) {
      #expect(count == lines.count { $0.state == .neverRan && part.contains($0.line) })
    }
  }

  @Test("A name is the path with hyphens, without what does not suit an address")
  func names() {
    var names = PageNames(folder: .counted)
    #expect(names.claim("Sources/A/Foo+Bar.swift") == "coverage/Sources-A-Foo+Bar.swift.html")
    #expect(names.claim("Sources/A/Ä b?.swift") == "coverage/Sources-A-___b_.swift.html")
    #expect(names.claim("../.hidden") == "coverage/_..-.hidden.html")
    #expect(names.claim("Sources/A/Foo+Bar.swift", part: 2) == "coverage/Sources-A-Foo+Bar.swift.2.html")
  }

  @Test("No two pages share a name, also where letters have no case")
  func collisions() {
    var names = PageNames(folder: .counted)
    let paths = ["a-b/c", "a/b-c", "A/B/C", "a/b/c", "a-b-c.2", "", "/"]
    var claimed = paths.map { names.claim($0) }
    claimed.append(names.claim("a/b/c", part: 2))
    claimed.append(names.claim(String(repeating: "x", count: 500) + "1"))
    claimed.append(names.claim(String(repeating: "x", count: 500) + "2"))
    #expect(Set(claimed.map { $0.lowercased() }).count == claimed.count)
    #expect(claimed.allSatisfy { $0.utf8.count < 250 })
    #expect(claimed[0] == "coverage/a-b-c.html" && claimed[1] == "coverage/a-b-c-2.html")
  }

  @Test("The parts of a bar never hide what is there")
  func bar() {
    func bar(_ lines: LineTally) -> String {
      String(decoding: CoverageBar(lines: lines, width: 100).html().bytes, as: UTF8.self)
        .replacing(#"<svg class=bar viewBox="0 0 100 6" preserveAspectRatio=none aria-hidden=true>"#, with: "")
        .replacing(" height=6 />", with: ">").replacing("</svg>", with: "").replacing("rect class=", with: "")
    }
    #expect(bar(LineTally(total: 4, covered: 4, partial: 0)) == #"<f-green width=100>"#)
    #expect(bar(LineTally(total: 4, covered: 0, partial: 0)) == #"<f-red width=100>"#)
    #expect(bar(LineTally()) == #"<f-track width=100>"#)
    #expect(
      bar(LineTally(total: 100_000, covered: 99_999, partial: 1))
        == #"<f-green width=100><f-amber x=2 width=2><f-red width=2>"#)
    #expect(
      bar(LineTally(total: 100_000, covered: 2, partial: 1))
        == #"<f-green width=100><f-amber x=96 width=2><f-red width=96>"#)
    #expect(
      bar(LineTally(total: 8, covered: 7, partial: 2))
        == #"<f-green width=100><f-amber x=12.5 width=25><f-red width=12.5>"#)
  }

  @Test("The strip has a mark for lines that follow each other")
  func minimap() {
    let lines = [
      LineCoverage(line: 1, count: 1, state: .ran), LineCoverage(line: 2, count: 0, state: .neverRan),
      LineCoverage(line: 3, count: 0, state: .neverRan), LineCoverage(line: 7, count: 1, state: .partlyRan),
    ]
    let html = String(decoding: Minimap(file(lines: lines), lines: 1..<11).html.bytes, as: UTF8.self)
    #expect(html.contains(#"<path class=s-red d="M7 10v20"/>"#))
    #expect(html.contains(#"<path class=s-amber d="M10 60v10"/>"#))
    #expect(PageMarkup(html).nestingFault == nil)
  }
}
