import Model

/// How near two names are, for errors that guess what was meant.
enum Spelling {
  /// At most three of `names` that differ from `name` in few letters, nearest first.
  static func nearest(to name: String, among names: [String]) -> [String] {
    // A longer name cannot be a slip of the keyboard, and the comparison is quadratic.
    guard name.utf8.count <= 100 else { return [] }
    let limit = max(1, name.count / 3)
    let near = Set(names).filter { $0.utf8.count <= 110 }
      .map { (distance: EditDistance.between(name.lowercased(), $0.lowercased()), name: $0) }
      .filter { $0.distance <= limit }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
  }
}
