import Model
import Parsing
import Testing

@Suite("Lines from segments")
struct CoverageLineTests {
  private func walk(_ segments: String) throws -> LineWalk {
    let export = try CoverageExport.read(exportText(segments: segments))
    return LineWalk(export.segments[export.files[0].segments])
  }

  @Test("Lines and counts equal the DA records of llvm-cov's LCOV export", arguments: CoverageFixture.cases)
  func equalsLCOV(name: String) throws {
    let export = try CoverageFixture.export(name)
    var ours: [String: [String]] = [:]
    for file in export.files {
      ours[file.name] = LineWalk(export.segments[file.segments]).lines.map { "\($0.line),\($0.count)" }
    }
    #expect(!ours.isEmpty)
    #expect(ours == lineRecords(try CoverageFixture.bytes("\(name).lcov")))
  }

  @Test("A line on which a dead region starts is partly ran; one that it fills never ran")
  func startOfDeadRegion() throws {
    let walk = try walk(
      """
      [[1,10,2,true,true,false],[2,8,0,true,true,false],[4,6,2,true,false,false],[4,9,1,true,true,false],
       [5,2,0,false,false,false]]
      """)
    #expect(
      walk.lines == [
        LineCoverage(line: 1, count: 2, state: .ran), LineCoverage(line: 2, count: 2, state: .partlyRan),
        LineCoverage(line: 3, count: 0, state: .neverRan), LineCoverage(line: 4, count: 1, state: .ran),
        LineCoverage(line: 5, count: 1, state: .ran),
      ])
    #expect(
      walk.deadStretches == [
        DeadStretch(line: 2, columns: 8..<Int.max), DeadStretch(line: 4, columns: 1..<6),
      ])
  }

  @Test("Neighbouring dead regions are one stretch")
  func joinedStretches() throws {
    let walk = try walk(
      """
      [[1,1,5,true,true,false],[1,4,0,true,true,false],[1,7,0,true,true,false],[1,9,5,true,false,false],
       [1,12,0,true,true,false],[1,14,0,false,false,false]]
      """)
    #expect(walk.lines == [LineCoverage(line: 1, count: 5, state: .partlyRan)])
    #expect(
      walk.deadStretches == [DeadStretch(line: 1, columns: 4..<9), DeadStretch(line: 1, columns: 12..<14)])
  }

  @Test("A gap region is neither a reason for a partial line nor dead")
  func gapRegion() throws {
    let walk = try walk("[[1,1,5,true,true,false],[1,4,0,true,true,true],[2,3,0,false,false,false]]")
    #expect(walk.lines.map(\.state) == [.ran, .neverRan])
    #expect(walk.lines.map(\.count) == [5, 0])
    #expect(walk.deadStretches.isEmpty)
  }

  @Test("Skipped code and lines between functions hold no code")
  func unmappedLines() throws {
    let walk = try walk(
      """
      [[1,1,3,true,true,false],[2,1,0,false,true,false],[4,1,3,true,false,false],[5,2,0,false,false,false],
       [8,1,1,true,true,false],[8,9,0,false,false,false]]
      """)
    // Line 4 continues the function but no region reaches it from above or starts on it.
    #expect(walk.lines.map(\.line) == [1, 5, 8])
  }

  @Test("A line that begins with skipped code holds code when more begins behind it")
  func codeBehindSkipped() throws {
    let walk = try walk(
      """
      [[1,1,3,true,true,false],[2,3,0,false,true,false],[2,20,1,true,true,false],[3,4,0,false,true,false],
       [3,10,0,true,true,false],[4,2,0,false,false,false]]
      """)
    #expect(
      walk.lines == [
        LineCoverage(line: 1, count: 3, state: .ran), LineCoverage(line: 2, count: 3, state: .ran),
        LineCoverage(line: 3, count: 1, state: .partlyRan), LineCoverage(line: 4, count: 0, state: .neverRan),
      ])
  }

  @Test("Segments of 5 values, from before gap regions, are read")
  func fiveValues() throws {
    let walk = try walk("[[1,1,5,true,true],[2,3,0,false,false]]")
    #expect(walk.lines.map(\.count) == [5, 5])
  }

  @Test("A count below zero, which LLVM shows as a huge one, means that the line ran")
  func underflow() throws {
    let walk = try walk(
      "[[1,1,18446744073709551615,true,true,false],[2,1,9223372036854775807,true,true,false],[3,1,0,false,false,false]]"
    )
    #expect(
      walk.lines == [
        LineCoverage(line: 1, count: .max, state: .ran), LineCoverage(line: 2, count: .max, state: .ran),
        LineCoverage(line: 3, count: 9_223_372_036_854_775_807, state: .ran),
      ])
  }

  @Test(
    "The regions alone give the same lines and dead stretches as the segments",
    arguments: ["Conditionals", "Greeter", "CookieFactory", "Oddities"])
  func regionsAlone(package: String) throws {
    let files = try CoverageFixture.files(package)
    #expect(!files.isEmpty)
    for file in files {
      let ran = Set(file.lines.lazy.filter { $0.count > 0 }.map(\.line))
      let walk = LineWalk(file.countSteps)
      #expect(walk.deadStretches.filter { ran.contains($0.line) } == file.deadStretches)
      #expect(Set(file.lines).isSubset(of: walk.lines))
    }
  }

  @Test("A file without segments has no lines")
  func noSegments() throws {
    #expect(try walk("[]").lines.isEmpty)
  }

  @Test("Dead columns count UTF-8 bytes: é is two, an emoji four, a tab one")
  func columnsAreBytes() throws {
    let file = try CoverageFixture.file("Columns.swift", in: try CoverageFixture.files("Oddities"))
    let source = try CoverageFixture.source("Oddities/Sources/Oddities/Columns.swift")
    let texts = file.deadStretches.map { stretch in
      let line = source[stretch.line - 1]
      let columns = stretch.columns.clamped(to: 1..<line.count + 1)
      return String(decoding: line[columns.lowerBound - 1..<columns.upperBound - 1], as: UTF8.self)
    }
    #expect(texts == [#""éclair""#, #""🪶""#, #""\n""#, "2"])
    #expect(file.deadStretches.map(\.line) == [3, 3, 4, 8])
  }
}
