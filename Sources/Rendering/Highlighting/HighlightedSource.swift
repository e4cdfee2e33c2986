import Model
import Syntax

/// A source file with highlighted tokens, to be written line by line.
package struct HighlightedSource: Sendable {
  /// The maximum bytes of a line that are shown.
  static let longestLine = 10_000

  let code: SourceCode
  /// Whether all lines are shown in full, byte by byte.
  private let isPlain: Bool

  /// Highlights Swift and the languages of the C family; files with other extensions are plain text.
  package init(_ bytes: [UInt8], path: String) { self.init(SourceCode(bytes, path: path)) }

  init(_ code: SourceCode) {
    self.code = code
    let starts = code.lines.starts
    isPlain =
      !code.bytes.holds("\r")
      && starts.indices.dropLast().allSatisfy { starts[$0 + 1] - starts[$0] <= Self.longestLine }
  }

  package var lineCount: Int { code.lines.count }
  var bytes: [UInt8] { code.bytes }

  /// Returns the byte range of a line, counted from 1, without its line break; empty for a nonexistent line.
  func range(ofLine line: Int) -> Range<Int> { code.range(ofLine: line) }

  /// Returns the lines that take more columns, ascending.
  func lines(widerThan columns: Int) -> [Int] {
    // Without tabs, the number of bytes is enough; most sources have none.
    let shortest = bytes.holds("\t") ? columns / 4 : columns
    let starts = code.lines.starts
    return (1..<(lineCount + 1)).filter {
      starts[$0] - starts[$0 - 1] > shortest && self.columns(ofLine: $0) > columns
    }
  }

  /// Returns the markup of a line, counted from 1.
  package func html(ofLine line: Int) -> SafeHTML {
    var html = SafeHTML()
    append(line: line, dead: [], to: &html)
    return html
  }

  /// Appends the markup of consecutive lines, each with its line feed.
  func append(lines: Range<Int>, to html: inout SafeHTML) {
    guard isPlain, lines.lowerBound >= 1, lines.upperBound <= lineCount + 1, !lines.isEmpty else {
      for line in lines {
        append(line: line, dead: [], to: &html)
        html.append("\n")
      }
      return
    }
    let end = code.lines.starts[lines.upperBound - 1]
    append(code.lines.starts[lines.lowerBound - 1]..<end, to: &html)
    // The last line of a file may have none.
    if end == bytes.count, bytes.last != UInt8(ascii: "\n") { html.append("\n") }
  }

  /// Appends the markup of a line.
  /// - Parameters:
  ///   - dead: the columns that never ran, in bytes from 1, ascending; may extend beyond the line.
  ///   - words: the tooltip for those columns.
  ///   - counts: the run counts of parts of the line, ascending.
  func append(
    line: Int, dead: some Sequence<Range<Int>>, words: String = "never ran", counts: [PartCount] = [],
    to html: inout SafeHTML
  ) {
    let whole = range(ofLine: line)
    let shown = whole.lowerBound..<characterStart(whole.lowerBound + min(whole.count, Self.longestLine))
    var token = code.firstToken(endingAfter: shown.lowerBound)
    var position = shown.lowerBound
    var parts = counts[...]
    /// Appends code that ran, with the counts of its parts.
    func appendLiving(upTo end: Int) {
      while let part = parts.first, case let place = characterStart(whole.lowerBound + part.column - 1), place < end {
        parts.removeFirst()
        guard place >= position else { continue }
        append(position..<place, from: &token, to: &html)
        html.append("<sup title=")
        html.append(escaping: RunCountText.shown(part.count))
        html.append("></sup>")
        position = place
      }
      append(position..<end, from: &token, to: &html)
    }
    for columns in dead {
      let stretch = trimmed(columns, in: shown)
      guard stretch.lowerBound >= position, !stretch.isEmpty else { continue }
      appendLiving(upTo: stretch.lowerBound)
      html.append(#"<span class="dead" title=""#)
      html.append(escaping: words)
      html.append(#"">"#)
      append(stretch, from: &token, to: &html)
      html.append("</span>")
      position = stretch.upperBound
    }
    appendLiving(upTo: shown.upperBound)
    if shown.count < whole.count {
      html.append(#"<span class="c"> … "#)
      html.append(escaping: CountText.counted(whole.count - shown.count, "more byte"))
      html.append("</span>")
    }
  }

  /// Returns the byte range of some columns, without the blanks at its ends.
  func trimmed(_ columns: Range<Int>, in line: Range<Int>) -> Range<Int> {
    func offset(_ column: Int) -> Int {
      characterStart(line.lowerBound + min(max(column, 1) - 1, line.count))
    }
    var start = offset(columns.lowerBound)
    var end = max(start, offset(columns.upperBound))
    while start < end, bytes[start].isBlank { start += 1 }
    while start < end, bytes[end - 1].isBlank { end -= 1 }
    return start..<end
  }

  /// Returns the nearest offset, at or before the given one, that does not split a character.
  func characterStart(_ offset: Int) -> Int {
    var offset = offset
    var steps = 0
    while offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80, steps < 3 {
      offset -= 1
      steps += 1
    }
    return offset
  }

  /// Appends the markup of a byte range.
  func append(_ stretch: Range<Int>, to html: inout SafeHTML) {
    var token = code.firstToken(endingAfter: stretch.lowerBound)
    append(stretch, from: &token, to: &html)
  }

  /// Appends a byte range with its tokens, which may begin before it and end after it.
  private func append(_ stretch: Range<Int>, from token: inout Int, to html: inout SafeHTML) {
    guard !stretch.isEmpty else { return }
    let tokens = code.tokens
    /// Advances to the next coloured token that begins in the range.
    func skipPlain() -> (tags: Token.Tags, range: Range<Int>)? {
      while token < tokens.count, tokens[token].start < stretch.upperBound {
        if let tags = tokens[token].kind.tags { return (tags, tokens[token].range) }
        token += 1
      }
      return nil
    }
    var position = stretch.lowerBound
    var next = skipPlain()
    while let (tags, range) = next {
      if range.lowerBound > position { append(text: position..<range.lowerBound, to: &html) }
      html.append(tags.start)
      position = max(position, range.lowerBound)
      var end = position
      // Tokens of one colour, separated only by blanks, share an element.
      while let (other, range) = next, other.colour == tags.colour, end == position || isBlank(end..<range.lowerBound) {
        end = min(range.upperBound, stretch.upperBound)
        next = nil
        guard end == range.upperBound else { break }
        token += 1
        next = skipPlain()
      }
      append(text: position..<end, to: &html)
      html.append(tags.end)
      position = end
    }
    append(text: position..<stretch.upperBound, to: &html)
  }

  private func isBlank(_ range: Range<Int>) -> Bool {
    for index in range where bytes[index] > UInt8(ascii: " ") { return false }
    return true
  }
}

extension Token {
  /// The element by which the style sheet selects a colour: the shortest in HTML, because a page has thousands of them.
  struct Tags {
    var start: StaticString
    var end: StaticString
    var colour: Kind
  }
}

extension Token.Kind {
  /// Nil for tokens without a colour.
  var tags: Token.Tags? { Self.allTags[Int(rawValue)] }

  private static let allTags: [Token.Tags?] = (0...UInt8.max).prefix { Token.Kind(rawValue: $0) != nil }.map {
    Token.Kind(rawValue: $0)?.ownTags
  }

  private var ownTags: Token.Tags? {
    switch self {
    case .keyword: Token.Tags(start: "<b>", end: "</b>", colour: self)
    case .type: Token.Tags(start: "<i>", end: "</i>", colour: self)
    case .attribute, .directive: Token.Tags(start: "<cite>", end: "</cite>", colour: self)
    case .comment: Token.Tags(start: "<em>", end: "</em>", colour: self)
    case .string, .interpolation, .interpolationEnd: Token.Tags(start: "<u>", end: "</u>", colour: .string)
    case .regex: Token.Tags(start: "<u>", end: "</u>", colour: self)
    case .number: Token.Tags(start: "<var>", end: "</var>", colour: self)
    case .name, .sign, .opening, .closing: nil
    }
  }
}

extension HighlightedSource {
  /// Returns the maximum columns of a line: one per byte, and four per tab.
  func columns(ofLine line: Int) -> Int {
    let text = bytes[range(ofLine: line)]
    return text.count + 3 * text.count { $0 == UInt8(ascii: "\t") }
  }

  /// Appends bytes of the source as text content, where quotation marks need no escape.
  func append(text range: Range<Int>, to html: inout SafeHTML) {
    bytes.withUnsafeBufferPointer { bytes in
      var copied = range.lowerBound
      var index = range.lowerBound
      while index < range.upperBound {
        let kind = Self.escapes[Int(bytes[index])]
        guard kind != 0, kind != 3 || Self.beginsReference(index, of: range, in: bytes) else {
          index &+= 1
          continue
        }
        html.bytes.append(contentsOf: bytes[copied..<index])
        switch kind {
        case 1: html.append("&lt;")
        case 3: html.append("&amp;")
        default:
          // Extends to the next plain byte, so that no character is split.
          let start = index
          while index &+ 1 < range.upperBound, Self.escapes[Int(bytes[index &+ 1])] == 4 { index &+= 1 }
          appendUnusual(UnsafeBufferPointer(rebasing: bytes[start...index]), to: &html)
        }
        index &+= 1
        copied = index
      }
      html.bytes.append(contentsOf: bytes[copied..<range.upperBound])
    }
  }

  /// Appends text beyond printable ASCII: invalid UTF-8 is repaired, and invisible characters are made visible.
  ///
  /// Each replacement is an element, so that columns can be counted in bytes of the file: a picture stands for its
  /// character, and `data-n` is the number of repaired bytes.
  private func appendUnusual(_ text: UnsafeBufferPointer<UInt8>, to html: inout SafeHTML) {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = text.makeIterator()
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if VisibleText.isHidden(scalar) {
          html.append("<samp>")
          html.bytes.append(contentsOf: VisibleText.picture(of: scalar).utf8)
          html.append("</samp>")
        } else {
          html.bytes.append(contentsOf: encoded)
        }
      case .error(let length):
        html.append("<samp data-n=")
        html.append(number: length)
        html.append(">\u{FFFD}</samp>")
      case .emptyInput: return
      }
    }
  }

  /// Returns whether an ampersand could begin a reference such as `&lt;`. Before anything but a letter, a digit or a
  /// number sign, it is literal (https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state).
  private static func beginsReference(_ index: Int, of range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool
  {
    // Anything may follow the range.
    guard index &+ 1 < range.upperBound else { return true }
    let next = bytes[index &+ 1]
    return next == UInt8(ascii: "#") || next &- UInt8(ascii: "0") < 10 || (next | 0x20) &- UInt8(ascii: "a") < 26
  }

  /// The treatment of each byte: none, an escape, or a check of its character. `>` needs no escape in text.
  private static let escapes: [UInt8] = (0..<256).map { byte in
    switch byte {
    case 0x09, 0x0A: 0
    case 0x3C: 1
    case 0x26: 3
    case 0x00..<0x20, 0x7F...: 4
    default: 0
    }
  }
}

extension SafeHTML {
  mutating func append(number: Int) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    if rest < 10 { return bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.count
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }
}
