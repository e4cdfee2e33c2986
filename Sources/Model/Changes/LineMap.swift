/// Where the lines of an old text are in a new one: some stretches were replaced, and everything else moved along.
package struct LineMap: Hashable, Sendable {
  /// Old lines and what stands in their place, both counted from 1.
  ///
  /// An empty range stands before the line that it begins with.
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

  /// The map of a text that did not change.
  package static let identity = LineMap(hunks: [])
  /// The map of a text of which every line is new.
  package static let allNew = LineMap(hunks: [Hunk(old: 1..<1, new: 1..<Int.max)])

  /// Takes hunks in their order; one that does not lie behind those before it is left out.
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

  /// The new number of an old line; nil when the line was removed.
  package func newLine(of old: Int) -> Int? {
    guard let hunk = last(where: { $0.old.lowerBound <= old }) else { return old }
    return hunk.old.contains(old) ? nil : old &- hunk.old.upperBound &+ hunk.new.upperBound
  }

  /// The new number of an old line, or for one that was removed that of the first line in its place.
  package func nearestNewLine(of old: Int) -> Int {
    guard let hunk = last(where: { $0.old.lowerBound <= old }) else { return old }
    return newLine(of: old) ?? hunk.new.lowerBound
  }

  /// The old number of a new line; nil when the line was added.
  package func oldLine(of new: Int) -> Int? {
    guard let hunk = last(where: { $0.new.lowerBound <= new }) else { return new }
    return hunk.new.contains(new) ? nil : new &- hunk.new.upperBound &+ hunk.old.upperBound
  }

  /// Whether nothing was added or removed between the first and the last of these new lines, which were there before.
  package func isWhole(new: ClosedRange<Int>) -> Bool {
    count { $0.new.lowerBound <= new.lowerBound } == count { $0.new.lowerBound <= new.upperBound }
  }

  /// The last hunk of those at the front that hold the condition.
  private func last(where holds: (Hunk) -> Bool) -> Hunk? {
    let front = count(where: holds)
    return front > 0 ? hunks[front - 1] : nil
  }

  /// How many hunks hold a condition that only those at the front hold.
  private func count(where holds: (Hunk) -> Bool) -> Int {
    hunks.partitioningIndex { !holds($0) }
  }
}
