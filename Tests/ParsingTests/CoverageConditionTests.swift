import Model
import Testing

@testable import Parsing

@Suite("Branches of C, C++ and Objective-C")
struct CoverageConditionTests {
  private let selection = SourceSelection(
    PackageModel(name: "p", targets: [.init(name: "A", type: "library", path: "Sources/A", sources: ["a.c"])]),
    roots: ["/src"])

  /// What an export says whose only file has code on the lines 1 to 9.
  private func file(_ branches: String, source: String? = nil) throws -> FileCoverage {
    let file =
      #"{"branches":\#(branches),"filename":"/src/Sources/A/a.c","segments":[[1,1,5,true,true,false],"#
      + #"[9,2,0,false,false,false]],"summary":{"branches":{"count":7,"covered":3,"notcovered":4},"lines":{}}}"#
    let text = #"{"data":[{"files":[\#(file)],"functions":[]}],"type":"llvm.coverage.json.export","version":"3.0.1"}"#
    let read = try #require(try CoverageExport.read(Array(text.utf8)).countedFiles(selection).first)
    return source.map { read.withoutConstantConditions(in: Array($0.utf8)) } ?? read
  }

  private func condition(_ line: Int, _ columns: Range<Int>, _ counts: (UInt64, UInt64)) -> ConditionCoverage {
    ConditionCoverage(
      start: SourcePosition(line: line, column: columns.lowerBound),
      end: SourcePosition(line: line, column: columns.upperBound), trueCount: counts.0, falseCount: counts.1)
  }

  @Test("A condition has two branches, and both counts")
  func counts() throws {
    let file = try file("[[4,7,4,12,0,2,0,0,4],[3,5,3,9,1,1,0,0,4],[5,3,5,8,0,0,0,0,6]]")
    #expect(
      file.conditions == [condition(3, 5..<9, (1, 1)), condition(4, 7..<12, (0, 2)), condition(5, 3..<8, (0, 0))])
    #expect(file.totals.branches == Tally(total: 6, covered: 3))
    #expect(file.llvmBranches == Tally(total: 7, covered: 3))
  }

  @Test("The copies of a condition are one, whose counts are added up without trapping")
  func copies() throws {
    let file = try file(
      "[[4,7,4,12,1,0,0,0,4],[4,7,4,12,0,1,1,0,4],[4,7,4,13,18446744073709551615,0,0,0,4],[4,7,4,13,2,0,0,0,4]]")
    #expect(file.conditions == [condition(4, 7..<12, (1, 1)), condition(4, 7..<13, (.max, 0))])
  }

  @Test("Without branches there is no figure of branches")
  func none() throws {
    let file = try file("[]")
    #expect(file.conditions.isEmpty)
    #expect(file.totals.branches == nil)
  }

  @Test("A branch outside of the code is left out")
  func outside() throws {
    #expect(try file("[[4,7,4,12,1,0,0,0,4],[99,1,99,2,0,0,0,0,4]]").conditions.map(\.line) == [4])
  }

  @Test("Constants are no conditions", arguments: ["1", "0", "0x1F", "1u", "((1))", "true", "NO"])
  func constants(text: String) throws {
    let source = "a\nwhile (\(text)) b\nc"
    let end = 8 + text.utf8.count
    let file = try file("[[2,8,2,\(end),5,0,0,0,4],[3,1,3,2,1,0,0,0,4]]", source: source)
    #expect(file.conditions == [condition(3, 1..<2, (1, 0))])
    #expect(file.totals.branches == Tally(total: 2, covered: 1))
  }

  @Test("What is no constant, or does not lie in the text, stays", arguments: ["n", "1 + n", "(1)(n)", "sizeof(n)"])
  func conditions(text: String) throws {
    let source = "a\nwhile (\(text)) b\nc"
    let end = 8 + text.utf8.count
    let branches = "[[2,8,2,\(end),5,0,0,0,4],[2,8,2,99,5,0,0,0,4],[2,8,3,1,5,0,0,0,4],[8,1,8,2,1,0,0,0,4]]"
    #expect(try file(branches, source: source).conditions.count == 4)
  }

  @Test("Lines that are left out take their branches with them")
  func excluded() throws {
    let source = "a\nif (n) b // coverage:ignore\nif (n) c\n"
    let file = try file("[[2,5,2,6,1,0,0,0,4],[3,5,3,6,1,1,0,0,4]]", source: source)
    let result = SourceExclusions(globs: []).apply(to: file, source: Array(source.utf8))
    #expect(result.file?.conditions == [condition(3, 5..<6, (1, 1))])
    #expect(result.file?.totals.branches == Tally(total: 2, covered: 2))
    #expect(result.exclusions.map(\.branches) == [Tally(total: 2, covered: 1)])
    let whole = SourceExclusions(globs: ["**"]).apply(to: file, source: nil)
    #expect(whole.exclusions.map(\.branches) == [Tally(total: 4, covered: 3)])
  }

  @Test(
    "A branch that is none is refused",
    arguments: [
      ("[4,7,4,12,1]", "a branch has 5 values instead of 9"),
      ("[4,7,4,6,1,0,0,0,4]", "a branch ends before it starts"),
      ("[0,7,4,6,1,0,0,0,4]", "0 is no line of a source file"),
    ])
  func refused(branch: String, reason: String) throws {
    let error = #expect(throws: ParsingError.self) { try file("[\(branch)]") }
    #expect(
      error?.description
        == "Cannot read the coverage that llvm-cov exported: \(reason). "
        + "If the tool ended normally, its format is new to Martlet; please report it.")
  }
}
