import Model
import Syntax

/// A source file ready to be written line by line, with its tokens in colour.
package struct HighlightedSource: Sendable {
  /// A line is shown up to this many bytes.
  static let longestLine = 10_000

  let code: SourceCode
  /// Whether every line is shown as it is, byte by byte.
  private let isPlain: Bool

  /// Swift and the languages of the C family are coloured; what has another ending is plain text.
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

  /// The bytes of a line, counted from 1, without its line break; empty for a line that is not there.
  func range(ofLine line: Int) -> Range<Int> { code.range(ofLine: line) }

  /// The lines that take more columns, ascending.
  func lines(widerThan columns: Int) -> [Int] {
    // Without tabs, the bytes of a line are enough to know; most sources have none.
    let shortest = bytes.holds("\t") ? columns / 4 : columns
    let starts = code.lines.starts
    return (1..<(lineCount + 1)).filter {
      starts[$0] - starts[$0 - 1] > shortest && self.columns(ofLine: $0) > columns
    }
  }

  /// The markup of a line, counted from 1.
  package func html(ofLine line: Int) -> SafeHTML {
    var html = SafeHTML()
    append(line: line, dead: [], to: &html)
    return html
  }

  /// Appends the markup of lines that follow each other, each with its line feed.
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
  ///   - dead: what never ran of it, as columns in bytes from 1, ascending; may reach beyond the line.
  ///   - words: what is said of that.
  ///   - counts: how often parts of it ran, ascending.
  func append(
    line: Int, dead: some Sequence<Range<Int>>, words: String = "never ran", counts: [PartCount] = [],
    to html: inout SafeHTML
  ) {
    let whole = range(ofLine: line)
    let shown = whole.lowerBound..<characterStart(whole.lowerBound + min(whole.count, Self.longestLine))
    var token = code.firstToken(endingAfter: shown.lowerBound)
    var position = shown.lowerBound
    var parts = counts[...]
    /// Appends what ran, with the counts of parts at their places.
    func appendLiving(upTo end: Int) {
      while let part = parts.first, case let place = characterStart(whole.lowerBound + part.column - 1), place < end {
        parts.removeFirst()
        guard place >= position else { continue }
        append(position..<place, from: &token, to: &html)
        html.append("<sup title=")
        html.append(escaping: RunCountText.short(part.count) ?? RunCountText.unknown)
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

  /// The stretch of bytes that columns stand for, without the blanks at its ends.
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

  /// The nearest offset at or before another one that does not cut a character.
  func characterStart(_ offset: Int) -> Int {
    var offset = offset
    var steps = 0
    while offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80, steps < 3 {
      offset -= 1
      steps += 1
    }
    return offset
  }

  /// Appends the markup of a stretch of bytes.
  func append(_ stretch: Range<Int>, to html: inout SafeHTML) {
    var token = code.firstToken(endingAfter: stretch.lowerBound)
    append(stretch, from: &token, to: &html)
  }

  /// Appends a stretch with its tokens, which may begin before it and end behind it.
  private func append(_ stretch: Range<Int>, from token: inout Int, to html: inout SafeHTML) {
    guard !stretch.isEmpty else { return }
    let tokens = code.tokens
    /// Goes on to the next token with a colour that begins in the stretch.
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
      // What has one colour and only blanks keep apart shares one element.
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
  /// The element that the style sheet knows a colour by: HTML's shortest, because a page holds thousands of them.
  struct Tags {
    var start: StaticString
    var end: StaticString
    var colour: Kind
  }
}

extension Token.Kind {
  /// Nil for what has no colour.
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
  /// How many columns a line takes at most: a byte takes no more than one, and a tab four.
  func columns(ofLine line: Int) -> Int {
    let text = bytes[range(ofLine: line)]
    return text.count + 3 * text.count { $0 == UInt8(ascii: "\t") }
  }

  /// Appends bytes of the source as text between tags, where quotes need no escape.
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
          // Up to the next plain byte, so that no character is cut.
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

  /// Text beyond printable ASCII: repaired where it is no UTF-8, and made visible where it would not show.
  ///
  /// What stands for something else is an element, so that columns can be counted in bytes of the file: a number of a
  /// character stands for that one, and `data-n` tells how many bytes were repaired.
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

  /// Whether an ampersand could be read as the beginning of `&lt;` and the like. Before anything but a letter, a digit or
  /// a number sign it stands for itself (https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state).
  private static func beginsReference(_ index: Int, of range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool
  {
    // What follows the range may be anything.
    guard index &+ 1 < range.upperBound else { return true }
    let next = bytes[index &+ 1]
    return next == UInt8(ascii: "#") || next &- UInt8(ascii: "0") < 10 || (next | 0x20) &- UInt8(ascii: "a") < 26
  }

  /// What a byte needs: nothing, an escape, or a look at the character that it is part of. `>` needs none in text.
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
  /// Appends the digits of a number.
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

  /// Appends one byte of ASCII that means nothing in markup.
  @inline(__always)
  mutating func append(byte: UInt8) {
    bytes.append(byte)
  }
}
