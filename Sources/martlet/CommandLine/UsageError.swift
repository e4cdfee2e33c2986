import Model

/// The words on the command line were wrong.
struct UsageError: Error, Hashable, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }

  /// A word that is none of the known ones, with the nearest of them or all when they are few.
  static func unknown(_ kind: String, _ word: String, among known: [String], help: String) -> UsageError {
    if let nearest = nearest(to: word, among: known) {
      return UsageError("unknown \(kind) '\(word)'; did you mean '\(nearest)'? See '\(help)'.")
    }
    let list = known.count <= 4 ? " It is one of: \(known.joined(separator: ", "))." : ""
    return UsageError("unknown \(kind) '\(word)'.\(list) See '\(help)'.")
  }

  private static func nearest(to word: String, among known: [String]) -> String? {
    let ranked = known.map { ($0, EditDistance.between(word, $0)) }.min { $0.1 < $1.1 }
    guard let (name, distance) = ranked, distance <= max(1, word.count / 3) else { return nil }
    return name
  }
}
