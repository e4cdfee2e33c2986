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
    let ranked = known.map { ($0, distance(Array(word), Array($0))) }.min { $0.1 < $1.1 }
    guard let (name, distance) = ranked, distance <= max(1, word.count / 3) else { return nil }
    return name
  }

  /// The number of edits between two words (Levenshtein, https://en.wikipedia.org/wiki/Levenshtein_distance).
  private static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var row = Array(0...other.count)
    for (i, a) in one.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in other.enumerated() {
        let substitution = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substitution, diagonal + 1, row[j] + 1)
      }
    }
    return row[other.count]
  }
}
