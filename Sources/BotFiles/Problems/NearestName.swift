import Model

/// Finds the name that somebody meant.
enum NearestName {
  /// The known name closest to a mistaken one, if it is close enough to be a slip; of equals the first.
  static func of(_ name: String, among known: [String]) -> String? {
    guard name.count <= 40 else { return nil }
    let limit = max(1, min(3, (name.count + 1) / 3))
    let lowered = name.lowercased()
    let ranked = known.map { ($0, EditDistance.between(lowered, $0.lowercased())) }.min { $0.1 < $1.1 }
    guard let (nearest, distance) = ranked, distance <= limit else { return nil }
    return nearest
  }

  /// `; did you mean 'name'?`, or the known names when none is near.
  static func advice(_ name: String, among known: [String]) -> String {
    if let nearest = of(name, among: known) { return "; did you mean '\(nearest)'?" }
    return known.isEmpty ? "" : "; known are \(known.joined(separator: ", "))"
  }
}
