import Model

/// A sentence in parts: words, and the lines of sources that it names, such as `Sources/A.swift:3, 10–12`.
struct PlacedSentence {
  /// Words, or one of several stretches of a file.
  struct Part: Hashable {
    var words: String
    /// The first of the lines; nil for words.
    var place: SourceLocation?
  }

  private(set) var parts: [Part] = []

  /// - Parameter files: those that it names, as they are spelled there.
  init(_ text: String, naming files: [String]) {
    var rest = text[...]
    while let (file, start) = Self.first(of: files, in: rest) {
      add(rest[..<start])
      var head = "\(file):"
      rest = rest[start...].dropFirst(head.count)
      repeat {
        let range = rest.prefix { $0.isWholeNumber || $0 == "–" }
        let line = Int(range.prefix(while: \.isWholeNumber)) ?? 1
        parts.append(Part(words: head + range, place: SourceLocation(file: file, line: line)))
        rest = rest.dropFirst(range.count)
        head = ""
      } while takeComma(from: &rest)
    }
    add(rest)
  }

  private mutating func add(_ words: Substring) {
    if !words.isEmpty { parts.append(Part(words: String(words), place: nil)) }
  }

  /// Takes what stands between two stretches of one file; returns false where no other one follows.
  private mutating func takeComma(from rest: inout Substring) -> Bool {
    guard rest.hasPrefix(", "), rest.dropFirst(2).first?.isWholeNumber == true else { return false }
    add(rest.prefix(2))
    rest = rest.dropFirst(2)
    return true
  }

  /// Returns the first of some files that a text names with a line, and where; nil without one.
  private static func first(of files: [String], in text: Substring) -> (file: String, start: String.Index)? {
    let found = files.compactMap { file -> (file: String, start: String.Index)? in
      guard let range = text.firstRange(of: "\(file):"), text[range.upperBound...].first?.isWholeNumber == true,
        // It may be the end of another name.
        range.lowerBound == text.startIndex || text[text.index(before: range.lowerBound)] == " "
      else { return nil }
      return (file, range.lowerBound)
    }
    return found.min { $0.start < $1.start }
  }
}
