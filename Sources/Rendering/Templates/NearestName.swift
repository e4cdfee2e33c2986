/// Finds the name that somebody meant.
enum NearestName {
  /// The known name closest to a mistaken one, if it is close enough to be a slip; of equals the first by alphabet.
  static func of(_ name: String, among known: some Sequence<String>) -> String? {
    let limit = max(1, min(3, name.count / 3))
    let nearest = known.sorted().map { ($0, distance(Array(name), Array($0), limit: limit)) }.min { $0.1 < $1.1 }
    guard let nearest, nearest.1 <= limit else { return nil }
    return nearest.0
  }

  /// The known names for a message, by alphabet, cut where they become many.
  static func list(_ known: some Collection<String>) -> String {
    if known.isEmpty { return "none" }
    let shown = known.sorted().prefix(12).joined(separator: ", ")
    return known.count > 12 ? "\(shown) and \(known.count - 12) more" : shown
  }

  /// How many characters have to be put in, taken out or exchanged; more than the limit is not counted exactly.
  private static func distance(_ left: [Character], _ right: [Character], limit: Int) -> Int {
    if abs(left.count - right.count) > limit { return limit + 1 }
    var row = Array(0...right.count)
    for (i, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in right.indices {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (right[j] == character ? 0 : 1))
        diagonal = above
      }
    }
    return row[right.count]
  }
}
