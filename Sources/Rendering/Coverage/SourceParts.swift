import Model
import Syntax

/// The division of a source file into pages, so that none is too long to open quickly.
enum SourceParts {
  /// The maximum bytes of table and lists on a page; the rest takes some ten thousand more.
  static let longestPage = 850_000

  /// Returns the lines of each page: at least one page, ascending, without gaps.
  ///
  /// - Parameters:
  ///   - brought: at least the sum of `extra`.
  ///   - extra: the bytes that a line adds besides its text, by line number; those of lines after the last one count
  ///     towards the last.
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

  /// An upper bound for the cells of a line.
  private static let lineWeight = 110

  /// Upper bounds for the weight of a byte, in any text and in text of only printable ASCII.
  private static let (mostPerByte, mostPerPlainByte) = (27, 14)

  private static func isPlain(_ bytes: [UInt8]) -> Bool {
    // Without an early exit, so that many bytes are processed in each step.
    bytes.reduce(false) { $0 || $1 != 0x09 && $1 != 0x0A && ($1 < 0x20 || $1 >= 0x7F) } == false
  }

  /// Returns an upper bound for the markup of a line's text: the text with escapes, and an element for each token.
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

  /// Returns the additional weight of a byte that may be shown differently: large if it begins a hidden character or is
  /// not valid UTF-8.
  /// - Parameter rest: the number of remaining bytes of the current character.
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
  /// Returns at least the sum of `extraWeights`, much faster.
  /// - Parameter stops: the number of its stops.
  func extraWeight(stops: Int) -> Int {
    stops * 500 + deadStretches.count * 250 + conditions.count * ConditionRemarks.weight
      // A region begins and ends, and either may add a count and one for the code before it on the line.
      + functions.reduce(0) { $0 + 250 + $1.name.utf8.count * 8 + $1.regions.count * 4 * PartCount.weight }
  }

  /// The bytes that the lines of the file add to its page besides their text.
  var extraWeights: [Int: Int] {
    var extra: [Int: Int] = [:]
    for stop in stops { extra[stop.lowerBound, default: 0] += 500 }
    for stretch in deadStretches { extra[stretch.line, default: 0] += 250 }
    for condition in conditions { extra[condition.line, default: 0] += ConditionRemarks.weight }
    extra.merge(partCountWeights) { $0 + $1 }
    for function in functions { extra[function.line, default: 0] += 250 + function.name.utf8.count * 8 }
    return extra
  }
}
