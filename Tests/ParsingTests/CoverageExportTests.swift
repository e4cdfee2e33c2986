import Model
import Parsing
import Testing

@Suite("Reading llvm-cov's export")
struct CoverageExportTests {
  private func message(_ bytes: [UInt8]) -> String? {
    do {
      _ = try CoverageExport.read(bytes)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private let start = "Cannot read the coverage that llvm-cov exported"
  private let advice = "If the tool ended normally, its format is new to Martlet; please report it."

  @Test("Files, segments, functions and regions are as llvm-cov counts them")
  func counts() throws {
    let export = try CoverageFixture.export("area")
    #expect(export.version == "3.0.1")
    #expect(export.files.map(\.name).filter { $0.contains("Sources") }.count == 3)
    #expect(export.files.allSatisfy { !$0.segments.isEmpty })
    let area = try #require(export.functions.first { $0.symbol == "$s4AreaAAC5widthSivW" })
    #expect(area.count == 1)
    let region = try #require(export.regions[area.regions].first)
    #expect(export.regions[area.regions].count == 1)
    #expect(region.kind == .code)
    #expect(export.names[region.file] == "/src/Sources/Area/CoveredClass.swift")
    #expect(region.span.start == SourcePosition(line: 11, column: 16))
  }

  @Test("Without functions, files are complete all the same")
  func withoutFunctions() throws {
    let export = try CoverageFixture.export("loop-all")
    #expect(export.functions.isEmpty)
    #expect(export.files.first { $0.name.hasSuffix("Loop/CoveredClass.swift") }?.summary.regions.total == 7)
  }

  @Test(
    "A region is the same however its numbers are written",
    arguments: ["[3,4,5,6,7,0,0,0]", " [ 3 , 4,5,6 ,7,0,0,0 ] ", "[3,4,5,6,7e0,0,0,0]", "[3,4,5,6,7,0,0,0,[1]]"])
  func regionSpellings(region: String) throws {
    let functions = #"[{"name":"f","count":1,"filenames":["/src/a.swift"],"regions":[\#(region),[1,1,1,1,9,0,0,0]]}]"#
    let export = try CoverageExport.read(exportText(segments: "[]", functions: functions))
    #expect(export.regions.map(\.span.count) == [7, 9])
    #expect(export.regions.first?.span.start == SourcePosition(line: 3, column: 4))
    #expect(export.regions.first?.span.end == SourcePosition(line: 5, column: 6))
  }

  @Test("Branches and unknown region kinds are kept out of the code")
  func kinds() throws {
    let functions = #"""
      [{"name":"a.c:helper","count":2,"filenames":["/src/a.swift"],"new":{"deep":[1]},"branches":[[1,1,1,2,3,4,0,0,4]],
        "regions":[[1,1,2,3,2,0,0,0],[1,4,1,5,1,0,0,3],[1,4,1,5,1,0,0,2,"more"],[1,1,1,1,1,0,0,99]]}]
      """#
    let export = try CoverageExport.read(exportText(segments: "[]", functions: functions))
    #expect(export.functions.map(\.symbol) == ["helper"])
    #expect(export.regions.map(\.kind) == [.code, .gap, .skipped])
  }

  @Test(
    "Only the part of the version before the first point decides",
    arguments: [("2.0.1", true), ("3.0.1", true), ("3.99", true), ("1.0.0", false), ("4.0.0", false), ("30", false)])
  func versions(version: String, isKnown: Bool) {
    let expected =
      "\(start): its format is version \(version), and Martlet knows versions 2 and 3. "
      + "Use a newer Martlet, or a toolchain whose llvm-cov writes one of these."
    #expect(message(exportText(segments: "[]", version: version)) == (isKnown ? nil : expected))
  }

  @Test("A format too new to be read is called that, whatever could not be read")
  func newFormat() {
    #expect(message(exportText(segments: "{}", version: "4.1.0"))?.contains("its format is version 4.1.0") == true)
  }

  @Test("Other JSON is refused by its type")
  func otherType() {
    #expect(message(Array("{}".utf8)) == "\(start): it has no type, not llvm.coverage.json.export. \(advice)")
    #expect(
      message(Array(#"{"type":"other"}"#.utf8))
        == "\(start): its type is other, not llvm.coverage.json.export. \(advice)")
  }

  @Test(
    "Values that no compiler writes are refused",
    arguments: [
      ("[[1,1,1,true]]", "a segment has 4 values instead of 5 or 6"),
      ("[[2,1,1,true,true],[1,1,1,true,true]]", "the segments of a file are not in order"),
      ("[[0,1,1,true,true]]", "0 is no line of a source file"),
      ("[[1000001,1,1,true,true]]", "1000001 is no line of a source file"),
      ("[[1,0,1,true,true]]", "0 is no column of a source file"),
      ("[[1,2147483648,1,true,true]]", "2147483648 is no column of a source file"),
      ("[[1,1,1,1,true]]", "'data.0.files.0.segments.0.3' is not what the format says"),
    ])
  func hostileSegments(segments: String, reason: String) {
    #expect(message(exportText(segments: segments)) == "\(start): \(reason). \(advice)")
  }

  @Test("A count below zero is refused")
  func negativeCount() {
    #expect(message(exportText(segments: "[[1,1,-1,true,true]]"))?.hasPrefix("\(start): ") == true)
  }

  @Test("A line may be longer than a package has lines")
  func longLine() throws {
    let record = #"{"name":"f","count":1,"filenames":["/src/a.swift"],"regions":[[1,1,1,2147483647,1,0,0,0]]}"#
    let export = try CoverageExport.read(
      exportText(
        segments: "[[1,1,1,true,true],[1,1100001,0,true,true],[1,2147483647,0,false,false]]", functions: "[\(record)]"))
    #expect(export.segments.map(\.column) == [1, 1_100_001, 2_147_483_647])
    #expect(export.regions.map(\.span.end.column) == [2_147_483_647])
    #expect(LineWalk(export.segments[...]).deadStretches.map(\.columns) == [1_100_001..<2_147_483_647])
  }

  @Test(
    "Regions that no compiler writes are refused",
    arguments: [
      ("[[1,1,1,1,1,0,0]]", "a region has 7 values instead of 8"),
      ("[[2,1,1,1,1,0,0,0]]", "a region ends before it starts"),
      ("[[1,1,1,2,1,1,0,0]]", "f has a region without file"),
      ("[[1,1,1,2,1,-1,0,0]]", "f has a region without file"),
      ("[[1000001,1,1000001,2,1,0,0,0]]", "1000001 is no line of a source file"),
      ("[[1,1,1,2147483648,1,0,0,0]]", "2147483648 is no column of a source file"),
    ])
  func hostileRegions(regions: String, reason: String) throws {
    let functions = #"[{"name":"f","count":1,"filenames":["/src/a.swift"],"regions":\#(regions)}]"#
    let text = try #require(message(exportText(segments: "[]", functions: functions)))
    #expect(text.hasSuffix(": \(reason). \(advice)"))
  }

  @Test("A summary without segments is refused instead of shown as no code")
  func summaryOnly() {
    let text = #"{"data":[{"files":[{"filename":"a"}]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#
    #expect(message(Array(text.utf8)) == "\(start): 'data.0.files.0.segments' is missing. \(advice)")
  }

  @Test("Many files cannot claim more lines together than memory holds")
  func lineSum() {
    let file = #"{"filename":"a","segments":[[1,1,1,true,true],[1000000,1,1,true,true]]}"#
    let files = Array(repeating: file, count: 21).joined(separator: ",")
    let text = #"{"data":[{"files":[\#(files)]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#
    #expect(message(Array(text.utf8))?.contains("it speaks of more lines than a package has") == true)
  }

  @Test("A truncated export is an error at every length, never a trap")
  func truncated() throws {
    let bytes = try CoverageFixture.bytes("Conditionals.json")
    let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
    for length in stride(from: 0, through: end, by: 97) {
      #expect(throws: ParsingError.self) { try CoverageExport.read(Array(bytes[..<length])) }
    }
  }

  @Test("A flipped byte is an error or another coverage, never a trap")
  func flipped() throws {
    let bytes = try CoverageFixture.bytes("Oddities.json")
    let selection = try CoverageFixture.selection("Oddities")
    var refused = 0
    for (round, index) in stride(from: 0, to: bytes.count, by: 151).enumerated() {
      var damaged = bytes
      damaged[index] ^= UInt8(truncatingIfNeeded: 1 << (round % 8))
      do {
        _ = try CoverageExport.read(damaged).countedFiles(selection)
      } catch {
        refused += 1
      }
    }
    #expect(refused > 20)
  }
}
