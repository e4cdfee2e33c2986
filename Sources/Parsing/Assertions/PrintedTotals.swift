package import Model
import Syntax

/// A reader of the numbers of tests that one test executable's processes printed, in the log of the testing step.
package enum PrintedTotals {
  private static let ran = Array(" Test run with ".utf8)

  /// Returns the totals by library; empty if several processes ran tests of the same library, because tests that were
  /// retried or resumed would be counted twice.
  package static func read(_ log: [UInt8]) -> [PrintedTotal] {
    var totals: [TestLibrary: [Int]] = [:]
    for process in processes(in: log) {
      var last: [TestLibrary: Int] = [:]
      for line in process {
        if case .executed(let tests, _)? = XCTestLine.executed(line) {
          last[.xctest] = tests
        } else if let range = line.prefix(24).firstRange(ofBytes: ran) {
          last[.swiftTesting] = number(in: line[range.upperBound...])
        }
      }
      for (library, tests) in last { totals[library, default: []].append(tests) }
    }
    guard totals.values.allSatisfy({ $0.count == 1 }) else { return [] }
    return TestLibrary.allCases.compactMap { library in
      totals[library]?.first.map { PrintedTotal(library: library, tests: $0) }
    }
  }

  /// Returns the lines of each process; the line with its command begins with a dollar sign.
  private static func processes(in log: [UInt8]) -> [[ArraySlice<UInt8>]] {
    let lines = log.split(separator: UInt8(ascii: "\n"))
    return lines.split { $0.starts(with: Array("$ ".utf8)) }.map(Array.init)
  }

  private static func number(in text: ArraySlice<UInt8>) -> Int? {
    Int(String(decoding: text.prefix(while: \.isDigit), as: UTF8.self))
  }
}
