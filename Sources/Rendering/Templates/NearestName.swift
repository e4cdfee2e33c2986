import Model

/// Finds the name that somebody meant.
enum NearestName {
  /// The known name closest to a mistaken one, if it is close enough to be a slip; of equals the first by alphabet.
  static func of(_ name: String, among known: some Sequence<String>) -> String? {
    let limit = max(1, min(3, (name.count + 1) / 3))
    let nearest = known.sorted().map { ($0, EditDistance.between(name, $0)) }.min { $0.1 < $1.1 }
    guard let nearest, nearest.1 <= limit else { return nil }
    return nearest.0
  }

  /// The known names for a message, by alphabet, cut where they become many.
  static func list(_ known: some Collection<String>) -> String {
    if known.isEmpty { return "none" }
    let shown = known.sorted().prefix(12).joined(separator: ", ")
    return known.count > 12 ? "\(shown) and \(known.count - 12) more" : shown
  }
}
