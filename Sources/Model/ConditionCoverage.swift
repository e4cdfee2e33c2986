/// A condition in the source, and how often it was true and false: two branches.
///
/// Clang counts them in C, C++ and Objective-C; a case label counts as a condition, too.
package struct ConditionCoverage: Hashable, Sendable {
  package var start: SourcePosition
  /// The position after the last character.
  package var end: SourcePosition
  /// How often the condition was true, or the case matched.
  package var trueCount: UInt64
  package var falseCount: UInt64

  package init(start: SourcePosition, end: SourcePosition, trueCount: UInt64, falseCount: UInt64) {
    self.start = start
    self.end = end
    self.trueCount = trueCount
    self.falseCount = falseCount
  }

  package var line: Int { start.line }

  /// The condition's two branches, of which none, one or both were taken.
  package var branches: Tally { Tally(total: 2, covered: (trueCount > 0 ? 1 : 0) + (falseCount > 0 ? 1 : 0)) }
}

extension Collection where Element == ConditionCoverage {
  /// The branches of all conditions; nil if there are none, which is different from zero.
  package var branches: Tally? { isEmpty ? nil : reduce(Tally()) { $0 + $1.branches } }
}
