/// Finds the comments that begin with two slashes, outside strings and block comments.
///
/// It knows no regular expressions: one with quotes or slashes may hide a comment on its line.
struct LineComments {
  struct Comment: Hashable {
    /// From 1.
    var line: Int
    /// From its slashes to the end of the line.
    var text: Range<Int>
    /// Whether only blanks stand before it.
    var beginsLine: Bool
  }

  /// A string that is not closed yet; that of an interpolation when its parentheses are counted.
  private struct OpenString {
    var quote: UInt8
    var hashes: Int
    var isMultiline: Bool
    /// How many parentheses are open in its interpolation; nil outside of one.
    var interpolation: Int?
  }

  private let source: [UInt8]
  private let isSwift: Bool
  private var position = 0
  private var line = 1
  private var beginsLine = true
  private var strings: [OpenString] = []

  /// - Parameter isSwift: whether strings and comments are those of Swift, or else of C.
  init(in source: [UInt8], isSwift: Bool) {
    self.source = source
    self.isSwift = isSwift
  }

  /// The comment after the last one; nil behind the last one of the source.
  mutating func next() -> Comment? {
    while let byte = peek() {
      if byte == UInt8(ascii: "\n") {
        newline()
      } else if let open = strings.last, open.interpolation == nil {
        passInString(open)
      } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "/") {
        return comment()
      } else {
        passCode(byte)
      }
    }
    return nil
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < source.count ? source[position + offset] : nil
  }

  private mutating func newline() {
    position += 1
    line += 1
    beginsLine = true
    // A line break ends a string of one line, even inside its interpolation.
    while let open = strings.last, !open.isMultiline { strings.removeLast() }
  }

  private mutating func comment() -> Comment {
    let start = position
    let end = source[start...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
    position = end
    return Comment(line: line, text: start..<end, beginsLine: beginsLine)
  }

  private mutating func passCode(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): return passBlockComment()
    case UInt8(ascii: "\""): return openString(hashes: 0)
    case UInt8(ascii: "#") where isSwift:
      let count = hashes(at: position)
      position += count
      if peek() == UInt8(ascii: "\"") { return openString(hashes: count) }
      position -= 1
    // Not the one between the digits of a number.
    case UInt8(ascii: "'") where !isSwift && (position == 0 || !Self.isName(source[position - 1])):
      return openString(hashes: 0)
    case UInt8(ascii: "("), UInt8(ascii: ")"): parenthesis(byte)
    default: break
    }
    position += 1
    if byte > UInt8(ascii: " ") { beginsLine = false }
  }

  private mutating func parenthesis(_ byte: UInt8) {
    guard let last = strings.indices.last, let depth = strings[last].interpolation else { return }
    let now = depth + (byte == UInt8(ascii: "(") ? 1 : -1)
    strings[last].interpolation = now > 0 ? now : nil
  }

  /// Those of Swift nest.
  private mutating func passBlockComment() {
    var depth = 0
    repeat {
      if peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*"), isSwift || depth == 0 {
        depth += 1
        position += 2
      } else if peek() == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
      } else {
        if peek() == UInt8(ascii: "\n") { line += 1 }
        position += 1
      }
    } while depth > 0 && position < source.count
    beginsLine = false
  }

  // MARK: - Strings

  private func hashes(at index: Int) -> Int {
    var end = index
    while end < source.count, source[end] == UInt8(ascii: "#") { end += 1 }
    return end - index
  }

  /// Opens the string whose first quote is at the position.
  private mutating func openString(hashes count: Int) {
    let quote = source[position]
    let isTriple = isSwift && peek(1) == quote && peek(2) == quote
    // `#"""#` is a string of one line that holds a quote.
    let isMultiline = isTriple && (count == 0 || !closesOnLine(from: position + 1, hashes: count))
    position += isMultiline ? 3 : 1
    beginsLine = false
    strings.append(OpenString(quote: quote, hashes: count, isMultiline: isMultiline))
  }

  private func closesOnLine(from start: Int, hashes count: Int) -> Bool {
    var index = start
    while index < source.count, source[index] != UInt8(ascii: "\n") {
      if source[index] == UInt8(ascii: "\""), hashes(at: index + 1) >= count { return true }
      index += 1
    }
    return false
  }

  /// Passes a byte of a string, and what belongs to it.
  private mutating func passInString(_ open: OpenString) {
    let byte = source[position]
    position += 1
    if byte == UInt8(ascii: "\\"), hashes(at: position) >= open.hashes {
      position += open.hashes
      guard let next = peek(), next != UInt8(ascii: "\n") else { return }
      if isSwift, next == UInt8(ascii: "(") { strings[strings.count - 1].interpolation = 1 }
      position += 1
    } else if byte == open.quote {
      if open.isMultiline {
        guard peek() == open.quote, peek(1) == open.quote, hashes(at: position + 2) >= open.hashes else { return }
        position += 2
      } else if hashes(at: position) < open.hashes {
        return
      }
      position += open.hashes
      strings.removeLast()
    }
  }

  private static func isName(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
  }
}
