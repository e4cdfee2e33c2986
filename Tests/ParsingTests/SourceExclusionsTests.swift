import Model
import TestGround
import Testing

@testable import Parsing

@Suite("What is left out of the coverage on request")
struct SourceExclusionsTests {
  private func file(_ path: String, lines: Int) -> FileCoverage {
    let all = (1...lines).map {
      LineCoverage(line: $0, count: $0.isMultiple(of: 2) ? 0 : 1, state: $0.isMultiple(of: 2) ? .neverRan : .ran)
    }
    return FileCoverage(
      path: path, target: "A", lines: all, deadStretches: [DeadStretch(line: 3, columns: 1..<2)], functions: [],
      totals: CoverageTotals(
        lines: LineTally(total: lines, covered: (lines + 1) / 2), regions: Tally(total: 9, covered: 5),
        functions: Tally(total: 3, covered: 1)), llvmLines: Tally(total: lines, covered: (lines + 1) / 2))
  }

  private func apply(_ source: String, globs: [String] = [], lines: Int = 6) -> (
    file: FileCoverage?, exclusions: [CoverageExclusion]
  ) {
    let result = result(source, globs: globs, lines: lines)
    return (result.file, result.exclusions)
  }

  private func result(_ source: String, globs: [String] = [], lines: Int = 6) -> SourceExclusions.Result {
    SourceExclusions(globs: globs).apply(to: file("Sources/A/A.swift", lines: lines), source: Array(source.utf8))
  }

  @Test(
    "A glob means a file or a folder",
    arguments: [
      ("Sources/A/A.swift", true), ("Sources/A", true), ("Sources/A/", true), ("Sources/*", true), ("**/A.swift", true),
      ("**", true), ("Sources/**/A.swift", true), ("Sources/?/A.swift", true), ("*.swift", false), ("Sources", true),
      ("Source", false), ("A.swift", false), ("Sources/*.swift", false), ("sources/A", false), ("", false),
    ])
  func globs(_ glob: String, _ isMatch: Bool) {
    #expect(Glob(glob).matches(path: "Sources/A/A.swift") == isMatch)
  }

  @Test("Many stars take no longer than the lengths allow")
  func stars() {
    let glob = Glob(String(repeating: "*a**", count: 40) + "c")
    #expect(!glob.matches(path: String(repeating: "a/", count: 200) + "b"))
  }

  @Test("A file that a glob names is gone, and listed with its lines")
  func wholeFile() {
    let (file, exclusions) = apply("", globs: ["Tests", "Sources/A"])
    #expect(file == nil)
    #expect(
      exclusions == [
        CoverageExclusion(path: "Sources/A/A.swift", lines: LineTally(total: 6, covered: 3), by: "Sources/A")
      ])
    #expect(apply("a\n// coverage:ignore-file\n").exclusions.map(\.by) == ["coverage:ignore-file"])
  }

  @Test("A glob that matches no file is told apart, one whose files another glob takes first is not")
  func idle() {
    let exclusions = SourceExclusions(globs: ["Sources/Z/*", "Sources/A", "**/A.swift", "Tests/**"])
    #expect(exclusions.idle(among: ["Sources/A/A.swift", "Sources/B.swift"]) == ["Sources/Z/*", "Tests/**"])
    #expect(exclusions.idle(among: []) == ["Sources/Z/*", "Sources/A", "**/A.swift", "Tests/**"])
  }

  @Test("Marked lines are in no figure of lines, and listed; the other totals stay llvm-cov's")
  func lines() {
    let (file, exclusions) = apply(
      "1\n2 // coverage:ignore\n  //  coverage:ignore-start\n4\n// coverage:ignore-end\n6")
    #expect(file?.lines.map(\.line) == [1, 6])
    #expect(file?.leftOut == [2, 3, 4, 5])
    #expect(file?.deadStretches == [])
    #expect(file?.totals.lines == LineTally(total: 2, covered: 1))
    #expect(file?.totals.regions == Tally(total: 9, covered: 5))
    #expect(
      exclusions == [
        CoverageExclusion(
          path: "Sources/A/A.swift", firstLine: 2, lastLine: 2, lines: LineTally(total: 1), by: "coverage:ignore"),
        CoverageExclusion(
          path: "Sources/A/A.swift", firstLine: 3, lastLine: 5, lines: LineTally(total: 3, covered: 2),
          by: "coverage:ignore-start"),
      ])
  }

  @Test("A marker that is never ended goes to the end of the file")
  func unended() {
    let (file, exclusions) = apply("1\n2\n// coverage:ignore-start")
    #expect(file?.lines.map(\.line) == [1, 2])
    #expect(exclusions.map(\.lastLine) == [6])
    #expect(exclusions.map(\.neverEnded) == [true])
    #expect(
      exclusions.map(\.neverEndedSentence) == ["coverage:ignore-start at Sources/A/A.swift:3 is never ended"])
    let ended = apply("1\n2\n// coverage:ignore-start\n4\n// coverage:ignore-end").exclusions
    #expect(ended.map(\.neverEndedSentence) == [nil])
  }

  @Test("Of the lines that are left out a file names those that hold code")
  func leftOut() {
    var sparse = file("Sources/A/A.swift", lines: 6)
    sparse.lines.removeAll { [2, 4].contains($0.line) }
    let source = "1\n// coverage:ignore-start\n3\n\n// coverage:ignore-end\n6"
    let rest = SourceExclusions(globs: []).apply(to: sparse, source: Array(source.utf8)).file
    #expect(rest?.lines.map(\.line) == [1, 6])
    #expect(rest?.leftOut == [3, 5])
    #expect(apply("1\n2").file?.leftOut == [])
  }

  @Test("A start and an end behind code take their own lines with them")
  func behindCode() {
    let result = result("1\nf() { // coverage:ignore-start\n3\n} // coverage:ignore-end\n5\n6")
    #expect(result.file?.lines.map(\.line) == [1, 5, 6])
    var exclusion = CoverageExclusion(
      path: "Sources/A/A.swift", firstLine: 2, lastLine: 4, lines: LineTally(total: 3, covered: 1),
      by: "coverage:ignore-start")
    (exclusion.firstHoldsCode, exclusion.lastHoldsCode) = (true, true)
    #expect(result.exclusions == [exclusion])
    #expect(result.idle == [])
  }

  @Test(
    "It is told of a stretch whether code may stand beside the markers that begin and end it",
    arguments: [
      ("1\n// coverage:ignore-start\n3\n// coverage:ignore-end", nil, nil),
      ("1\nf() // coverage:ignore-start\n3\n// coverage:ignore-end", true, nil),
      ("1\n// coverage:ignore-start\n3\nf() // coverage:ignore-end", nil, true),
      ("1\n// coverage:ignore-start\n3\n4", nil, true),
      ("1\n// coverage:ignore-start\n3\n4\n5\n6\n\n// coverage:ignore-end", nil, true),
      ("1\nf() // coverage:ignore", nil, nil),
    ] as [(String, Bool?, Bool?)])
  func markerLines(_ text: String, _ first: Bool?, _ last: Bool?) {
    let exclusions = apply(text).exclusions
    #expect(exclusions.map(\.firstHoldsCode) == [first])
    #expect(exclusions.map(\.lastHoldsCode) == [last])
  }

  @Test("A marker that leaves out nothing is told, with its reason")
  func idleMarkers() {
    let result = result(
      """
      // coverage:ignore-end
      f() // coverage:ignore-next
      f() // coverage:ignore-file
      // coverage:ignore-start
      // coverage:ignore-start
      // coverage:ignore-end because
      // coverage:ignore
      // coverage:ignore-end
      // coverage:ignored-by-everyone-who-reads-it
      let a = "// coverage:ignore-end" // see coverage:ignore-end
      """)
    #expect(
      result.idle.map(\.sentence) == [
        "coverage:ignore-end at Sources/A/A.swift:1 ends nothing that was started",
        "coverage:ignore-next at Sources/A/A.swift:2 is not a known marker",
        "coverage:ignore-file at Sources/A/A.swift:3 counts only on a line of its own",
        "coverage:ignore at Sources/A/A.swift:7 marks no line with code",
        "coverage:ignore-end at Sources/A/A.swift:8 ends nothing that was started",
        "coverage:ignored-by-everyone-who-reads-… at Sources/A/A.swift:9 is not a known marker",
      ])
    #expect(result.exclusions.map(\.firstLine) == [4])
    #expect(self.result("// coverage:ignore-end\n// coverage:ignore-file").idle == [])
    #expect(self.result("// coverage:ignore-end", globs: ["**"]).idle == [])
  }

  private static let textsWithoutMarker: [String] = [
    "coverage:ignore", "/ coverage:ignore", "// coverage:ignored", "// coverage:ignore-never", "// coverage: ignore",
    "// coverage:ignore-end", "f() // coverage:ignore-end", "\"coverage:ignore\"", "// coverage:ignore.",
    "// coverage:ignore-file!",
    "/// Write `// coverage:ignore-file` anywhere in a file.", "// The generator writes \"// coverage:ignore-start\".",
    "// See coverage:ignore-file", "let a = \"// coverage:ignore\"", "let a = \"\\(b(\"x\")) // coverage:ignore\"",
    "let a = 1  // coverage:ignore-file", "let a = \"\"\"\n  b\n  \"\"\" // coverage:ignore-file",
    "\"\"\"\n  // coverage:ignore-file\n  \"\"\"",
    "#\"\"\"\n  \"\"\"\n// coverage:ignore-file\n\"\"\"#", "\"\"\"\n\\(\"a\")\n// coverage:ignore\n\"\"\"",
    "/*\n// coverage:ignore-file\n*/", "/* /* */\n// coverage:ignore\n*/", "/* coverage:ignore */",
    "let a = #\"\\\" // coverage:ignore\"#", "f() // not now // coverage:ignore",
    "let a = #/\\/\\/ b // coverage:ignore/#", "let a = #/\n  // coverage:ignore-file\n/#",
    "let a = /b\\// coverage:ignore/",
    "let `// coverage:ignore` = 1",
  ]

  @Test("What only looks like a marker leaves nothing out", arguments: textsWithoutMarker)
  func lookalikes(_ text: String) {
    let (file, exclusions) = apply(text)
    #expect(file == self.file("Sources/A/A.swift", lines: 6) && exclusions.isEmpty)
  }

  @Test(
    "A marker stands behind whatever code, and may have a reason",
    arguments: [
      "f() // coverage:ignore", "f() /// coverage:ignore", "f() //coverage:ignore\r", "f() //\tcoverage:ignore because",
      "let a = \"//\" // coverage:ignore", "let a = \"\\(b[\"//\"] ?? \"\\(c)\")\" // coverage:ignore",
      "let a = #\"\"\"# // coverage:ignore", "let a = ##\"\"#\"## // coverage:ignore", "/* a */ f() // coverage:ignore",
      "let a = \"\\\"\" // coverage:ignore", "let a = \"\" // coverage:ignore", "let a = 4 / 2 // coverage:ignore",
      "let a = #/[/*]+/#\nf() // coverage:ignore", "let a = #/\"\"\"/#\nf() // coverage:ignore",
      "let a = /[\"*]/\nf() // coverage:ignore", "f(/[/*\"]\\/*/)\ng() // coverage:ignore",
      "let a = ##/\n  /# \"\"\" /*\n/##\nf() // coverage:ignore", "let a = b /c // coverage:ignore",
      "let `a/*` = 1 // coverage:ignore", "#!/usr/bin/\"*\nf() // coverage:ignore",
      "let a = \"unfinished\nlet b = 1 // coverage:ignore", "\"\"\"\n\\(a(\"b\"))\n\"\"\" // coverage:ignore",
    ])
  func marked(_ text: String) {
    #expect(apply(text).exclusions.map(\.by) == ["coverage:ignore"])
    #expect(apply(text).exclusions.map(\.firstLine) == [text.split(separator: "\n").count])
  }

  @Test(
    "A file is left out by a comment of its own line only",
    arguments: [
      "// coverage:ignore-file", "\t/// coverage:ignore-file made by a tool", "\"\"\"\n\"\"\"\n// coverage:ignore-file",
    ])
  func wholeFileMarker(_ text: String) {
    #expect(apply(text).exclusions.map(\.by) == ["coverage:ignore-file"])
  }

  @Test(
    "Sources in C have markers by the rules of C",
    arguments: [
      ("f(); // coverage:ignore", true), ("char a = '\"'; // coverage:ignore", true),
      ("int a = 1'000; // coverage:ignore", true), ("/* /* */ f(); // coverage:ignore", true),
      ("#define A \"//\" // coverage:ignore", true), ("puts(\"// coverage:ignore\");", false),
      ("/*\n// coverage:ignore\n*/", false), ("auto a = R\"(\n// coverage:ignore-start\n\" /* it's\n)\";", false),
      ("auto a = R\"(\n\" /* it's\n)\"; // coverage:ignore", true),
      ("auto a = u8R\"b()\" // coverage:ignore\n)b\";", false),
      ("auto a = xR\"(\"; // coverage:ignore", true), ("puts(\"\\\n// coverage:ignore\\\n\");", false),
      ("auto a = L'\"'; // coverage:ignore", true), ("// \\\n// coverage:ignore", false),
    ])
  func sourcesInC(_ text: String, _ isMarked: Bool) {
    let file = file("Sources/A/a.c", lines: 6)
    let exclusions = SourceExclusions(globs: []).apply(to: file, source: Array(text.utf8)).exclusions
    #expect(exclusions.isEmpty != isMarked)
  }

  @Test("Thousands of markers take no longer than as many lines")
  func manyMarkers() {
    let growth = Growth.atFourTimes(2_500) { count in
      file("a.swift", lines: 2 * count)
    } _: { file in
      let count = file.lines.count / 2
      let source = Array(String(repeating: "f() // coverage:ignore\nf()\n", count: count).utf8)
      let result = SourceExclusions(globs: []).apply(to: file, source: source)
      let (rest, exclusions) = (result.file, result.exclusions)
      #expect(rest?.lines.count == count && exclusions.count == count)
      #expect(rest?.lines.allSatisfy { $0.line.isMultiple(of: 2) } == true)
      #expect(exclusions.allSatisfy { $0.lines.total == 1 })
    }
    #expect(growth < Growth.inProportion)
  }

  @Test("A file of which nothing is left is gone")
  func nothingLeft() {
    let (file, exclusions) = apply("// coverage:ignore-start", lines: 4)
    #expect(file == nil && exclusions.map(\.lines.total) == [4])
  }
}
