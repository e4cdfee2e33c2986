import Model
import Syntax

/// How a source file is divided into pages, so that none is too long to open quickly.
enum SourceParts {
  /// A page holds up to this many bytes of table and lists; the rest of it takes some ten thousand more.
  static let longestPage = 850_000

  /// The lines of each page; at least one page, ascending, without gaps.
  ///
  /// - Parameters:
  ///   - brought: no less than all of `extra` together.
  ///   - extra: bytes that a line brings with it beside its text, by line number; what is said about lines behind the
  ///     last one stands with it.
  static func lines(
    of bytes: [UInt8], brought: Int, extra: @autoclosure () -> [Int: Int], limit: Int
  ) -> [Range<Int>] {
    let lines = SourceLines.count(bytes)
    // Nearly every file is so small that its lines need not be weighed.
    let most = lines * lineWeight + brought
    if bytes.count * mostPerByte + most <= limit { return [1..<(lines + 1)] }
    if bytes.count * mostPerPlainByte + most <= limit, isPlain(bytes) { return [1..<(lines + 1)] }
    let extra = extra()
    let source = SourceCode(bytes, in: .other)
    var parts: [Range<Int>] = []
    var first = 1
    var size = 0
    let behind = extra.reduce(0) { $0 + ($1.key > lines ? $1.value : 0) }
    for line in 1..<(lines + 1) {
      let text = lineWeight + Self.weight(of: source.range(ofLine: line), in: bytes)
      let weight = text + (extra[line] ?? 0) + (line == lines ? behind : 0)
      if size + weight > limit, line > first {
        parts.append(first..<line)
        first = line
        size = 0
      }
      size += weight
    }
    return parts + [first..<(lines + 1)]
  }

  /// An upper bound of the cells of a line.
  private static let lineWeight = 110

  /// Upper bounds of what a byte weighs, in any text and in one of nothing but printable ASCII.
  private static let (mostPerByte, mostPerPlainByte) = (27, 14)

  private static func isPlain(_ bytes: [UInt8]) -> Bool {
    // Without leaving early, so that many bytes are looked at in each step.
    bytes.reduce(false) { $0 || $1 != 0x09 && $1 != 0x0A && ($1 < 0x20 || $1 >= 0x7F) } == false
  }

  /// An upper bound of the markup of a line's text: the text with escapes, and an element for each token.
  static func weight(of range: Range<Int>, in bytes: [UInt8]) -> Int {
    var weight = 0
    var wasName = false
    var rest = 0
    for index in range.prefix(HighlightedSource.longestLine) {
      let byte = bytes[index]
      let isName = byte.isNamePart
      weight += 1
      if byte >= 0x7F || byte < 0x20 { weight += unusualWeight(of: byte, rest: &rest) } else { rest = 0 }
      if isName {
        weight += wasName ? 0 : 13
      } else {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: ")"):
          weight += 13
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"): weight += 4
        default: break
        }
      }
      wasName = isName
    }
    return weight
  }

  /// What a byte that may be shown as something else adds to itself: much where it begins a character that is hidden, or
  /// is no UTF-8.
  /// - Parameter rest: how many bytes of the character that began last are still to come.
  private static func unusualWeight(of byte: UInt8, rest: inout Int) -> Int {
    if byte & 0xC0 == 0x80, rest > 0 {
      rest -= 1
      return 4
    }
    rest = 0xC2...0xF4 ~= byte ? (~byte).leadingZeroBitCount - 1 : 0
    switch byte {
    case 0x09: return 4
    case 0x00..<0x20, 0x7F...0xC2, 0xD8, 0xE2, 0xEF, 0xF3...: return 26
    default: return 4
    }
  }
}

extension FileCoverage {
  /// No less than the sum of `extraWeights`, and worked out much faster.
  /// - Parameter blocks: how many uncovered blocks there are.
  func extraWeight(blocks: Int) -> Int {
    blocks * 500 + deadStretches.count * 250 + conditions.count * ConditionRemarks.weight
      // A region begins and ends, and each of the two may bring a count and one for what is before it on the line.
      + functions.reduce(0) { $0 + 250 + $1.name.utf8.count * 8 + $1.regions.count * 4 * PartCount.weight }
  }

  /// What the lines of the file bring with them on its page beside their text, in bytes.
  var extraWeights: [Int: Int] {
    var extra: [Int: Int] = [:]
    for block in uncoveredBlocks { extra[block.lines.lowerBound, default: 0] += 500 }
    for stretch in deadStretches { extra[stretch.line, default: 0] += 250 }
    for condition in conditions { extra[condition.line, default: 0] += ConditionRemarks.weight }
    extra.merge(partCountWeights) { $0 + $1 }
    for function in functions { extra[function.line, default: 0] += 250 + function.name.utf8.count * 8 }
    return extra
  }
}
