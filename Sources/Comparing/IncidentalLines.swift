package import Model

/// Lines that ran without any test: the start-up of the test processes alone accounts for their counts.
package enum IncidentalLines {
  /// Returns the numbers of the incidental lines, in ascending order.
  ///
  /// - Parameters:
  ///   - lines: the counts with all tests, in ascending order.
  ///   - startUp: the counts of as many test processes that run no test, in ascending order.
  package static func among(_ lines: [LineCoverage], startUp: [LineCoverage]) -> [Int] {
    var found: [Int] = []
    var index = 0
    for line in lines where line.count > 0 && line.state != .neverRan {
      while index < startUp.count, startUp[index].line < line.line { index += 1 }
      guard index < startUp.count else { break }
      // A counter that underflowed proves nothing.
      if startUp[index].line == line.line, line.count <= startUp[index].count, !startUp[index].count.isUnderflow {
        found.append(line.line)
      }
    }
    return found
  }
}
