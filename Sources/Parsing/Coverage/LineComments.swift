/// Finds the comments that begin with two slashes, outside strings, regular expressions and block comments.
///
/// It tells a regular expression of Swift from a division by what stands before it, as the colours of the pages do; a test
/// holds the two against each other.
struct LineComments {
  struct Comment: Hashable {
    /// From 1.
    var line: Int
    /// From its slashes to the end of the line.
    var text: Range<Int>
    /// Whether no code stands before it.
    var beginsLine: Bool
  }

  /// A string that is not closed yet; that of an interpolation when its parentheses are counted.
  struct OpenString {
    var quote: UInt8
    var hashes: Int
    var isMultiline: Bool
    /// How many parentheses are open in its interpolation; nil outside of one.
    var interpolation: Int?
  }

  let source: [UInt8]
  let isSwift: Bool
  var position = 0
  var line = 1
  var beginsLine = true
  var strings: [OpenString] = []
  /// Whether what came last can be the left side of a division, so that a slash cannot begin a regular expression.
  var followsOperand = false
  /// No regular expression begins before this offset: a search that started earlier has failed up to here.
  var noRegexBefore = 0

  /// - Parameter isSwift: whether strings and comments are those of Swift, or else of C.
  init(in source: [UInt8], isSwift: Bool) {
    self.source = source
    self.isSwift = isSwift
    if source.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    if isSwift, peek() == UInt8(ascii: "#"), peek(1) == UInt8(ascii: "!") { position = lineEnd(from: position) }
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
      } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        passBlockComment()
      } else if byte <= UInt8(ascii: " ") {
        position += 1
      } else {
        if isSwift { passSwift(byte, canBeginRegex: beginsLine || !followsOperand) } else { passC(byte) }
        beginsLine = false
      }
    }
    return nil
  }

  // MARK: - What every part uses

  func peek(_ offset: Int = 0) -> UInt8? {
    position + offset < source.count ? source[position + offset] : nil
  }

  /// The offset of the next line break, or the end.
  func lineEnd(from index: Int) -> Int {
    source[index...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
  }

  mutating func skipName() {
    while let byte = peek(), Self.isName(byte) { position += 1 }
  }

  /// Goes on at an offset, and counts the lines on the way.
  mutating func pass(to end: Int) {
    line += source[position..<end].count { $0 == UInt8(ascii: "\n") }
    position = end
  }

  static func isNameStart(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
  }

  static func isName(_ byte: UInt8) -> Bool { isNameStart(byte) || byte &- UInt8(ascii: "0") < 10 }

  static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  // MARK: - Lines and comments

  private mutating func newline() {
    position += 1
    line += 1
    beginsLine = true
    // A line break ends a string of one line, even inside its interpolation.
    while let open = strings.last, !open.isMultiline { strings.removeLast() }
  }

  private mutating func comment() -> Comment {
    let (start, first) = (position, line)
    var end = lineEnd(from: start)
    // In C, a backslash at its end makes the next line a part of it.
    while !isSwift, end < source.count, isSpliced(end) { end = lineEnd(from: end + 1) }
    pass(to: end)
    return Comment(line: first, text: start..<end, beginsLine: beginsLine)
  }

  /// Whether a backslash takes the line break at an offset away.
  func isSpliced(_ lineBreak: Int) -> Bool {
    let before = source[..<lineBreak].suffix(2)
    return before.last == UInt8(ascii: "\\") || before.elementsEqual([UInt8(ascii: "\\"), UInt8(ascii: "\r")])
  }

  /// Those of Swift nest.
  private mutating func passBlockComment() {
    var depth = 0
    var end = position
    repeat {
      let next = end + 1 < source.count ? source[end + 1] : 0
      if source[end] == UInt8(ascii: "/"), next == UInt8(ascii: "*"), isSwift || depth == 0 {
        depth += 1
        end += 2
      } else if source[end] == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
        depth -= 1
        end += 2
      } else {
        end += 1
      }
    } while depth > 0 && end < source.count
    pass(to: end)
  }
}
