import Model

/// The words on the command line were wrong.
struct UsageError: Error, Hashable, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }

  /// A word that is none of the known ones, with the nearest of them or all when they are few.
  static func unknown(_ kind: String, _ word: String, among known: [String], help: String) -> UsageError {
    if let nearest = EditDistance.nearest(to: word, among: known).first {
      return UsageError("unknown \(kind) '\(word)'; did you mean '\(nearest)'? See '\(help)'.")
    }
    let list = known.count <= 4 ? " It is one of: \(known.joined(separator: ", "))." : ""
    return UsageError("unknown \(kind) '\(word)'.\(list) See '\(help)'.")
  }
}
