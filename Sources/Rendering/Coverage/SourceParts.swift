package import Model

/// How a source file is divided into pages, so that none is too long to open quickly.
struct SourceParts: Sendable, Hashable {
  /// The lines of each page; at least one page, ascending, without gaps.
  let lines: [Range<Int>]

  /// A page holds up to this many bytes of table and lists; the rest of it takes some ten thousand more.
  static let longestPage = 850_000

  /// - Parameter extra: bytes that a line brings with it beside its text, by line number.
  init(_ source: HighlightedSource, extra: [Int: Int] = [:], limit: Int = longestPage) {
    var parts: [Range<Int>] = []
    var first = 1
    var size = 0
    for line in 1..<(source.lineCount + 1) {
      let weight = Self.weight(of: source.range(ofLine: line), in: source.bytes) + (extra[line] ?? 0)
      if size + weight > limit, line > first {
        parts.append(first..<line)
        first = line
        size = 0
      }
      size += weight
    }
    parts.append(first..<(source.lineCount + 1))
    lines = parts
  }

  /// The page that shows a line; the nearest one for a line outside the file.
  func index(ofLine line: Int) -> Int {
    lines.lastIndex { $0.lowerBound <= line } ?? 0
  }

  /// An upper bound of the markup of a line: its cells, its text with escapes, and an element for each token.
  private static func weight(of range: Range<Int>, in bytes: [UInt8]) -> Int {
    var weight = 250
    var wasName = false
    for index in range.prefix(HighlightedSource.longestLine) {
      let byte = bytes[index]
      let isName = SwiftHighlighter.isName(byte)
      weight += 1
      if byte >= 0x80 || byte < 0x20 { weight += 4 }
      if isName {
        weight += wasName ? 0 : 25
      } else {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: ")"): weight += 25
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"): weight += 4
        default: break
        }
      }
      wasName = isName
    }
    return weight
  }
}

extension FileCoverage {
  /// What the lines of the file bring with them on its page beside their text, in bytes.
  var extraWeights: [Int: Int] {
    var extra: [Int: Int] = [:]
    for block in uncoveredBlocks { extra[block.lines.lowerBound, default: 0] += 700 }
    for stretch in deadStretches { extra[stretch.line, default: 0] += 250 }
    for function in functions { extra[function.line, default: 0] += 400 + function.name.utf8.count * 6 }
    return extra
  }
}
