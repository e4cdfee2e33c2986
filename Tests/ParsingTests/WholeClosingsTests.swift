import Model
import Testing

@testable import Parsing

@Suite("Lines of closing brackets behind which something never ran")
struct WholeClosingsTests {
  /// The states after the text was looked at; each dead stretch begins at a column of a line that ran partly.
  private func states(_ text: String, dead: [(line: Int, column: Int)]) -> [LineState] {
    let count = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
    let lines = (1...count).map { number in
      LineCoverage(line: number, count: 1, state: dead.contains { $0.line == number } ? .partlyRan : .ran)
    }
    let tally = LineTally(total: count, covered: count, partial: dead.count)
    let file = FileCoverage(
      path: "A.swift", target: "A", lines: lines,
      deadStretches: dead.map { DeadStretch(line: $0.line, columns: $0.column..<Int.max) }, functions: [],
      totals: CoverageTotals(lines: tally), llvmLines: Tally()
    ).withWholeClosings(in: Array(text.utf8))
    #expect(file.totals.lines.partial == file.lines.count { $0.state == .partlyRan })
    #expect(Set(file.deadStretches.map(\.line)) == Set(file.lines.filter { $0.state == .partlyRan }.map(\.line)))
    return file.lines.map(\.state)
  }

  @Test("A bracket behind which the dead code begins ran as a whole, with blanks and line ends of any kind")
  func closing() {
    #expect(states("a {\n}\nb", dead: [(2, 2)]) == [.ran, .ran, .ran])
    #expect(states("a {\r\n  })  \r\nb", dead: [(2, 5)]) == [.ran, .ran, .ran])
    #expect(states("}", dead: [(1, 2)]) == [.ran])
  }

  @Test("A line with words stays partly run, and so does a bracket that is dead itself")
  func words() {
    #expect(states("if a { return }\nb", dead: [(1, 16)]) == [.partlyRan, .ran])
    #expect(states("} else {\nb", dead: [(1, 8)]) == [.partlyRan, .ran])
    #expect(states("a {\n  }\nb", dead: [(2, 3)]) == [.ran, .partlyRan, .ran])
  }

  @Test("Lines that the text does not have are left as they are")
  func beyond() {
    #expect(states("}\n}", dead: [(2, 2)]) == [.ran, .ran])
    let file = FileCoverage(
      path: "A.swift", target: "A", lines: [LineCoverage(line: 9, count: 1, state: .partlyRan)],
      deadStretches: [DeadStretch(line: 9, columns: 2..<Int.max)], functions: [],
      totals: CoverageTotals(lines: LineTally(total: 1, covered: 1, partial: 1)), llvmLines: Tally())
    #expect(file.withWholeClosings(in: Array("}\n".utf8)) == file)
    #expect(file.withWholeClosings(in: []) == file)
  }
}
