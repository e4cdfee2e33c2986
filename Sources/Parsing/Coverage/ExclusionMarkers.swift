import Glibc

/// The lines of a source that markers leave out of the coverage.
///
/// `// coverage:ignore` stands behind the code of one line, `// coverage:ignore-start` and `// coverage:ignore-end`
/// around several, and `// coverage:ignore-file` anywhere in a file means all of it.
struct ExclusionMarkers: Hashable {
  private static let word = Array("coverage:ignore".utf8)
  private static let colonOffset = "coverage".utf8.count

  /// Whether the whole file is left out.
  private(set) var coversFile = false
  /// Lines from 1, ascending, not overlapping; those of a marker that is never ended go on without end.
  private(set) var ranges: [ClosedRange<Int>] = []

  init(in source: [UInt8]) {
    var line = 1
    var counted = 0
    var start: Int?
    for offset in Self.offsets(in: source) {
      line += source[counted..<offset].count { $0 == UInt8(ascii: "\n") }
      counted = offset
      guard Self.isComment(before: offset, in: source) else { continue }
      switch Self.ending(after: offset + Self.word.count, in: source) {
      case "": if start == nil, ranges.last?.upperBound != line { ranges.append(line...line) }
      case "-start": start = start ?? line
      case "-end":
        if let first = start { ranges.append(first...line) }
        start = nil
      case "-file": coversFile = true
      default: break
      }
    }
    if let start { ranges.append(start...Int.max - 1) }
  }

  /// Where the word stands; looked for by its colon, which is rarer than its letters.
  private static func offsets(in source: [UInt8]) -> [Int] {
    source.withUnsafeBytes { bytes in
      var offsets: [Int] = []
      var start = 0
      while start < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(UInt8(ascii: ":")), bytes.count - start)
      {
        let colon = UnsafeRawPointer(found) - base
        let offset = colon - colonOffset
        if offset >= 0, offset + word.count <= bytes.count,
          bytes[offset..<(offset + word.count)].elementsEqual(word)
        {
          offsets.append(offset)
        }
        start = colon + 1
      }
      return offsets
    }
  }

  /// Whether nothing but slashes and blanks stands between two slashes and an offset.
  private static func isComment(before offset: Int, in source: [UInt8]) -> Bool {
    var index = offset
    while index > 0, source[index - 1] == UInt8(ascii: " ") { index -= 1 }
    return index > 1 && source[index - 1] == UInt8(ascii: "/") && source[index - 2] == UInt8(ascii: "/")
  }

  /// The letters and hyphens that follow.
  private static func ending(after offset: Int, in source: [UInt8]) -> String {
    String(
      decoding: source[offset...].prefix(16).prefix {
        $0 == UInt8(ascii: "-") || ($0 | 0x20) &- UInt8(ascii: "a") < 26
      }, as: UTF8.self)
  }
}
