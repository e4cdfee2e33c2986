import Model

/// An error in the words on the command line.
struct UsageError: Error, Hashable, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }

  /// Returns the error for an unknown word, suggesting the nearest known one, or all if they fit on a line or two.
  static func unknown(_ kind: String, _ word: String, among known: [String], help: String) -> UsageError {
    if let nearest = EditDistance.nearest(to: word, among: known).first {
      return UsageError("unknown \(kind) '\(word)'; did you mean '\(nearest)'? See '\(help)'.")
    }
    let list = (1...12).contains(known.count) ? " It is one of: \(known.joined(separator: ", "))." : ""
    return UsageError("unknown \(kind) '\(word)'.\(list) See '\(help)'.")
  }
}
