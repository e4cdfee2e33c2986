/// How near two names are, for errors that guess what was meant.
enum Spelling {
  /// At most three of `names` that differ from `name` in few letters, nearest first.
  static func nearest(to name: String, among names: [String]) -> [String] {
    // A longer name cannot be a slip of the keyboard, and the comparison is quadratic.
    guard name.utf8.count <= 100 else { return [] }
    let limit = max(1, name.count / 3)
    let near = Set(names).filter { $0.utf8.count <= 110 }
      .map { (distance: distance(Array(name.lowercased()), Array($0.lowercased())), name: $0) }
      .filter { $0.distance <= limit }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
  }

  /// The number of letters to insert, remove, replace or swap with their neighbour to turn one name into the other.
  /// See https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance (optimal string alignment).
  static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for row in one.indices {
      var current = [row + 1]
      for column in other.indices {
        let replaced = last[column] + (one[row] == other[column] ? 0 : 1)
        var cost = min(replaced, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[other.count]
  }
}
