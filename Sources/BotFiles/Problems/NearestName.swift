/// Finds the name that somebody meant.
enum NearestName {
  /// The known name closest to a mistaken one, if it is close enough to be a slip; of equals the first.
  static func of(_ name: String, among known: [String]) -> String? {
    guard name.count <= 40 else { return nil }
    let limit = max(1, min(3, (name.count + 1) / 3))
    let lowered = Array(name.lowercased())
    let ranked = known.map { ($0, distance(lowered, Array($0.lowercased()))) }.min { $0.1 < $1.1 }
    guard let (nearest, distance) = ranked, distance <= limit else { return nil }
    return nearest
  }

  /// `; did you mean 'name'?`, or the known names when none is near.
  static func advice(_ name: String, among known: [String]) -> String {
    if let nearest = of(name, among: known) { return "; did you mean '\(nearest)'?" }
    return known.isEmpty ? "" : "; known are \(known.joined(separator: ", "))"
  }

  /// Levenshtein's distance, with two neighbours that changed places counted once
  /// (https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance).
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var before: [Int] = []
    var row = Array(0...right.count)
    for i in left.indices {
      var next = [i + 1]
      for j in right.indices {
        var best = min(next[j] + 1, row[j + 1] + 1, row[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { best = min(best, before[j - 1] + 1) }
        next.append(best)
      }
      before = row
      row = next
    }
    return row[right.count]
  }
}
