import Model

/// Suggestions for a mistyped name in a problem's message.
enum NameAdvice {
  /// Returns `; did you mean 'name'?`, or the known names if none is similar.
  static func text(_ name: String, among known: [String]) -> String {
    if let nearest = EditDistance.nearest(to: name, among: known).first { return "; did you mean '\(nearest)'?" }
    return known.isEmpty ? "" : "; known are \(known.joined(separator: ", "))"
  }
}
