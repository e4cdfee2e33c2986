import Model
import Parsing
import Testing

/// Several builds of the same sources, each with counters of its own.
@Suite("Merged coverage")
struct CoverageMergingTests {
  private func file(_ name: String, merging other: String) throws -> FileCoverage {
    var export = try CoverageFixture.export(name)
    export.merge(try CoverageFixture.export(other))
    let files = export.countedFiles(try CoverageFixture.selection("CodeCoverage"))
    return try #require(files.first { $0.target == "Maximum" })
  }

  @Test("A line ran where it ran in one of two builds, however they are ordered", arguments: [true, false])
  func lines(swaps: Bool) throws {
    let names = swaps ? ("maximum-1-2", "maximum-zero") : ("maximum-zero", "maximum-1-2")
    let merged = try file(names.0, merging: names.1)
    #expect(merged.lines.map(\.count) == [1, 1, 1, 1, 0, 0, 1])
    #expect(merged.totals.lines == LineTally(total: 7, covered: 5, partial: 1))
    #expect(merged.llvmLines == Tally())
  }

  @Test(
    "Every file keeps its states and its figures where another build counted the same",
    arguments: ["Conditionals", "Greeter", "CookieFactory", "Oddities", "Headers"])
  func twice(_ name: String) throws {
    let selection = try CoverageFixture.selection(name)
    let export = try CoverageFixture.export(name)
    var merged = export
    merged.merge(export)
    let (once, twice) = (export.countedFiles(selection), merged.countedFiles(selection))
    #expect(once.map(\.path) == twice.map(\.path))
    for (one, two) in zip(once, twice) {
      #expect(two.lines.map(\.state) == one.lines.map(\.state))
      #expect(two.lines.map(\.count) == one.lines.map { $0.count * 2 })
      #expect(two.deadStretches == one.deadStretches)
      #expect(two.functions.map(\.regions.count) == one.functions.map(\.regions.count))
      #expect(two.totals == one.totals, "\(one.path)")
    }
  }

  @Test("What ran of a dependency is still listed")
  func dependency() throws {
    let name = "/src/p/.build/checkouts/Dep/A.swift"
    let text = """
      {"type":"llvm.coverage.json.export","version":"2.0.1","data":[{"files":[{"filename":"\(name)",
      "segments":[[1,1,2,true,true,false],[1,9,0,false,false,false]],"summary":{"lines":{"count":1,"covered":1}}}]}]}
      """
    var merged = try CoverageExport.read(Array(text.utf8))
    merged.merge(merged)
    let selection = SourceSelection(PackageModel(name: "P", targets: []), roots: ["/src/p"])
    let found = UncountedSources(merged, selection)
    #expect(found.sources.map(\.coverage.path) == [".build/checkouts/Dep/A.swift"])
    #expect(found.left.isEmpty)
  }

  @Test("Code that one build leaves out is that of the other, and what plugins generated is the same file")
  func conditions() throws {
    // `func f() {` has a call in its first build on line 2, in its second on line 3.
    func export(_ folder: String, line: Int, count: Int) -> String {
      let name = "\(folder)/Sources/A/A.swift"
      let segments = "[1,10,\(count),true,true,false],[\(line),3,\(count),true,true,false],[4,2,0,false,false,false]"
      let regions = "[1,10,4,2,\(count),0,0,0],[\(line),3,\(line),9,\(count),0,0,0]"
      let figures =
        #""lines":{"count":9,"covered":9},"functions":{"count":1,"covered":1},"regions":{"count":2,"covered":2}"#
      return """
        {"type":"llvm.coverage.json.export","version":"2.0.1","data":[{"files":[{"filename":"\(name)","segments":[\(segments)],
        "summary":{\(figures)}}],"functions":[{"name":"$s1A1fyyF","count":\(count),"filenames":["\(name)"],"regions":[\(regions)]}]}]}
        """
    }
    var merged = try CoverageExport.read(Array(export("/one", line: 2, count: 1).utf8))
    let other = try CoverageExport.read(Array(export("/two", line: 3, count: 0).utf8))
    merged.merge(other.moved(from: ["/two"], to: ["/one"]))
    #expect(merged.files.map(\.name) == ["/one/Sources/A/A.swift"])
    #expect(merged.files.first?.summary.regions == Tally(total: 3, covered: 2))
    #expect(merged.files.first?.summary.functions == Tally(total: 1, covered: 1))
    let lines = LineWalk(merged.segments[try #require(merged.files.first).segments]).lines
    #expect(lines.map(\.line) == [1, 2, 3, 4])
    #expect(lines.map(\.count) == [1, 1, 1, 1])
  }
}
