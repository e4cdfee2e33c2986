/// A mapping from the lines of an old text to those of a new one: some stretches were replaced, and everything else
/// moved along.
package struct LineMap: Hashable, Sendable {
  /// Old lines and their replacement, both counted from 1.
  ///
  /// An empty range is located before the line at its lower bound.
  package struct Hunk: Hashable, Sendable {
    package var old: Range<Int>
    package var new: Range<Int>

    package init(old: Range<Int>, new: Range<Int>) {
      self.old = old
      self.new = new
    }
  }

  /// Ascending, without overlaps.
  package let hunks: [Hunk]

  /// The map of an unchanged text.
  package static let identity = LineMap(hunks: [])
  /// The map of a text in which every line is new.
  package static let allNew = LineMap(hunks: [Hunk(old: 1..<1, new: 1..<Int.max)])

  /// Creates a map from hunks in their order, dropping any hunk that does not follow the ones before it.
  package init(hunks: [Hunk]) {
    var kept: [Hunk] = []
    for hunk in hunks where hunk.old.lowerBound >= 1 && hunk.new.lowerBound >= 1 {
      if let last = kept.last {
        guard hunk.old.lowerBound >= last.old.upperBound, hunk.new.lowerBound >= last.new.upperBound else { continue }
      }
      kept.append(hunk)
    }
    self.hunks = kept
  }

  /// The lines that were added or changed, ascending; none of a text in which every line is new.
  package var newLines: [Int] { self == .allNew ? [] : hunks.flatMap(\.new) }

  /// Returns the new number of an old line, or nil if the line was removed.
  package func newLine(of old: Int) -> Int? {
    guard let hunk = last(where: { $0.old.lowerBound <= old }) else { return old }
    return hunk.old.contains(old) ? nil : old &- hunk.old.upperBound &+ hunk.new.upperBound
  }

  /// Returns the new number of an old line, or of the first line in its place if it was removed.
  package func nearestNewLine(of old: Int) -> Int {
    guard let hunk = last(where: { $0.old.lowerBound <= old }) else { return old }
    return newLine(of: old) ?? hunk.new.lowerBound
  }

  /// Returns the old number of a new line, or nil if the line was added.
  package func oldLine(of new: Int) -> Int? {
    guard let hunk = last(where: { $0.new.lowerBound <= new }) else { return new }
    return hunk.new.contains(new) ? nil : new &- hunk.new.upperBound &+ hunk.old.upperBound
  }

  /// Returns whether nothing was added or removed between the first and the last of these new lines, both of which
  /// existed before.
  package func isWhole(new: ClosedRange<Int>) -> Bool {
    count { $0.new.lowerBound <= new.lowerBound } == count { $0.new.lowerBound <= new.upperBound }
  }

  /// Returns the last hunk of the leading ones that satisfy the condition.
  private func last(where holds: (Hunk) -> Bool) -> Hunk? {
    let front = count(where: holds)
    return front > 0 ? hunks[front - 1] : nil
  }

  /// Returns the number of hunks that satisfy a condition, which only a prefix of the hunks may satisfy.
  private func count(where holds: (Hunk) -> Bool) -> Int {
    hunks.partitioningIndex { !holds($0) }
  }
}
