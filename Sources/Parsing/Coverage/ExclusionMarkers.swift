import Glibc

/// The lines of a source that markers leave out of the coverage.
///
/// A marker is a comment that begins with it, and may go on with a reason behind a blank. `// coverage:ignore` stands behind
/// the code of one line. On lines of their own, `// coverage:ignore-start` and `// coverage:ignore-end` stand around several,
/// and `// coverage:ignore-file` anywhere in a file means all of it. What only speaks of a marker is none: other comments,
/// block comments, and strings.
struct ExclusionMarkers: Hashable {
  private static let word = Array("coverage:ignore".utf8)
  private static let colonOffset = "coverage".utf8.count

  /// Whether the whole file is left out.
  private(set) var coversFile = false
  /// Lines from 1, ascending, not overlapping; those of a marker that is never ended go on without end.
  private(set) var ranges: [ClosedRange<Int>] = []

  /// - Parameter isSwift: whether the source is in Swift, or else in a language of the C family.
  init(in source: [UInt8], isSwift: Bool) {
    // Few files hold the word at all.
    guard Self.holdsWord(source) else { return }
    var comments = LineComments(in: source, isSwift: isSwift)
    var start: Int?
    while let comment = comments.next() {
      guard let ending = Self.ending(of: source[comment.text]) else { continue }
      let line = comment.line
      switch (ending, comment.beginsLine) {
      case ("", _): if start == nil, ranges.last?.upperBound != line { ranges.append(line...line) }
      case ("-start", true): start = start ?? line
      case ("-end", true):
        if let first = start { ranges.append(first...line) }
        start = nil
      case ("-file", true): coversFile = true
      default: break
      }
    }
    if let start { ranges.append(start...Int.max - 1) }
  }

  /// Whether the word stands anywhere; looked for by its colon, which is rarer than its letters.
  private static func holdsWord(_ source: [UInt8]) -> Bool {
    source.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(UInt8(ascii: ":")), bytes.count - start)
      {
        let colon = UnsafeRawPointer(found) - base
        let offset = colon - colonOffset
        if offset >= 0, bytes[offset...].starts(with: word) { return true }
        start = colon + 1
      }
      return false
    }
  }

  /// What follows the word in a comment that begins with it, up to a blank or the end; nil in other comments.
  private static func ending(of comment: ArraySlice<UInt8>) -> String? {
    let text = comment.drop { $0 == UInt8(ascii: "/") || $0 <= UInt8(ascii: " ") }
    guard text.starts(with: word) else { return nil }
    return String(decoding: text.dropFirst(word.count).prefix(16).prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
  }
}
