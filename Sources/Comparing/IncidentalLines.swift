package import Model

/// Lines that ran without any test: the start-up of the test processes alone explains how often they did.
package enum IncidentalLines {
  /// The lines, ascending.
  ///
  /// - Parameters:
  ///   - lines: with all tests.
  ///   - startUp: with no test, as often as there were test processes; both ascending.
  package static func among(_ lines: [LineCoverage], startUp: [LineCoverage]) -> [Int] {
    var found: [Int] = []
    var index = 0
    for line in lines where line.count > 0 && line.state != .neverRan {
      while index < startUp.count, startUp[index].line < line.line { index += 1 }
      guard index < startUp.count else { break }
      // A counter below zero proves nothing.
      if startUp[index].line == line.line, line.count <= startUp[index].count, !startUp[index].count.isUnderflow {
        found.append(line.line)
      }
    }
    return found
  }
}
