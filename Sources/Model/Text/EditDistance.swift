/// The similarity of two names, for messages that guess what was meant.
package enum EditDistance {
  /// The longest name, in bytes, to compare; longer ones are not typing errors, and take long to compare.
  private static let longestName = 100

  /// Returns the known names that may have been meant, ignoring case, the nearest first and equally near ones in
  /// alphabetical order; at most a third of the name may differ, and at most three characters. The dashes before an
  /// option are no part of its name.
  package static func nearest(to name: String, among known: some Sequence<String>) -> [String] {
    guard name.utf8.count <= longestName else { return [] }
    let limit = max(1, min(3, (name.drop { $0 == "-" }.count + 1) / 3))
    let lowered = name.lowercased()
    let near = Set(known).filter { $0.utf8.count <= longestName + 10 }
      .map { (distance: between(lowered, $0.lowercased()), name: $0) }
      .filter { $0.distance <= limit }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.map(\.name)
  }

  /// Returns the number of characters to insert, remove, replace or swap with their neighbour to turn one text into the
  /// other (optimal string alignment, https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance).
  ///
  /// - Complexity: O(*m* · *n*), where *m* and *n* are the lengths of the texts.
  package static func between(_ one: some StringProtocol, _ other: some StringProtocol) -> Int {
    let (left, right) = (Array(one), Array(other))
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
        var cost = min(replaced, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
