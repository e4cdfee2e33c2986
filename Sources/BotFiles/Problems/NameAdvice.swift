import Model

/// What a problem adds about a mistaken name.
enum NameAdvice {
  /// `; did you mean 'name'?`, or the known names when none is near.
  static func text(_ name: String, among known: [String]) -> String {
    if let nearest = EditDistance.nearest(to: name, among: known).first { return "; did you mean '\(nearest)'?" }
    return known.isEmpty ? "" : "; known are \(known.joined(separator: ", "))"
  }
}
