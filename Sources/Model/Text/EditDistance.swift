/// How near two names are, for messages that guess what was meant.
package enum EditDistance {
  /// The number of characters to insert, remove, replace or swap with their neighbour to turn one text into the other
  /// (optimal string alignment, https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance).
  ///
  /// The time it takes is the product of both lengths.
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
