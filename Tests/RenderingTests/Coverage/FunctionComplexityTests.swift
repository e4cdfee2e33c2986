import Foundation
import Model
import Syntax
import Testing

@testable import Rendering

@Suite("The complexity of a function")
struct FunctionComplexityTests {
  /// What `Golden/ways/capture.py` took down of the declarations of the file beside it.
  private static func captured() throws -> (source: SourceCode, functions: [String: FunctionCoverage]) {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Golden/ways")
    let text = [UInt8](try Data(contentsOf: folder.appending(path: "Ways.swift.txt")))
    var functions: [String: FunctionCoverage] = [:]
    let regions = String(decoding: try Data(contentsOf: folder.appending(path: "regions.txt")), as: UTF8.self)
    for line in regions.split(separator: "\n") {
      let parts = line.split(separator: "\t")
      let spans = parts[1].split(separator: " ")
      functions[String(parts[0])] = FunctionCoverage(
        name: String(parts[0]), symbol: "", count: 1, regions: try spans.map(region),
        entries: spans.indices.filter { spans[$0].hasPrefix("*") })
    }
    return (SourceCode(text, path: "Ways.swift"), functions)
  }

  private static func region(_ span: Substring) throws -> CoverageRegion {
    let numbers = span.split { !$0.isNumber }.compactMap { Int($0) }
    try #require(numbers.count == 4)
    return CoverageRegion(
      start: SourcePosition(line: numbers[0], column: numbers[1]),
      end: SourcePosition(line: numbers[2], column: numbers[3]), count: 1)
  }

  /// Counted by hand in the text of the file.
  private static let complexities = [
    "straight()": 1, "onlyIf(_:)": 2, "ifThen(_:)": 2, "ifElse(_:)": 2, "ifElseGoesOn(_:)": 2, "chain(_:)": 4,
    "chainOpen(_:)": 3, "twoIfElse(_:_:)": 3, "bind(_:)": 2, "conditions(_:_:)": 2, "guards(_:)": 2,
    "guardsBind(_:)": 2,
    "whiles(_:)": 2, "fors(_:)": 2, "forsWhere(_:)": 2, "forsContinue(_:)": 4, "repeats(_:)": 2, "switches(_:)": 3,
    "switchGoesOn(_:)": 4, "switchTwo(_:)": 2, "ternary(_:)": 2, "twoTernaries(_:)": 3, "nestedTernary(_:_:)": 3,
    "ors(_:)": 2, "ands(_:_:)": 2, "andsInIf(_:_:)": 4, "fails(_:)": 2, "catches(_:)": 2, "catchesTwo(_:)": 3,
    "tries(_:)": 1, "triesOptional(_:)": 1, "doOnly()": 1, "defers(_:)": 2, "closures(_:)": 1, "closureWithIf(_:)": 2,
    "localFunction(_:)": 1, "inner #1 (_:) in localFunction(_:)": 2, "ifExpression(_:)": 2, "switchExpression(_:)": 2,
    "labeled(_:)": 4, "nestedIf(_:_:)": 3, "closureInCondition(_:)": 2, "ternaryWithOr(_:_:)": 4,
    "autoclosureInAssert(_:)": 1, "optionalChain(_:)": 1, "sequence(_:)": 4, "ifInLoop(_:)": 3, "whileTrue()": 3,
    "ternaryMultiline(_:)": 2, "available()": 2, "guardAnd(_:_:)": 2, "whileLet(_:)": 2, "doThenIf(_:)": 3, "Box.v": 1,
    "Box.init(_:)": 2, "Box.value": 3, "Box.obs": 2, "Box.late": 2, "Box.with(_:)": 1, "commented(_:)": 3,
    "directiveFirst(_:)": 2, "chosenClosure(_:_:)": 3, "opensOnItsOwnLine(_:)": 2, "guardOverLines(_:)": 2,
    "two(_:)": 3,
  ]

  @Test("Each construct adds to the complexity what it adds, by the regions that the compiler makes of it")
  func constructs() throws {
    let (source, functions) = try Self.captured()
    let counting = FunctionComplexity(source)
    #expect(functions.mapValues(counting.count) == Self.complexities)
  }

  @Test("A function without regions has a complexity of one, and so has one whose text is not there")
  func nothing() throws {
    let counting = FunctionComplexity(SourceCode([], path: "a.swift"))
    let (_, functions) = try Self.captured()
    #expect(counting.count(in: try #require(functions["chain(_:)"])) == 1)
    #expect(counting.count(in: FunctionCoverage(name: "f()", symbol: "", count: 0, regions: [])) == 1)
  }
}
