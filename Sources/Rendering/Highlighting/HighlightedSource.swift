import Glibc
import Model

/// A source file cut into lines and coloured tokens, ready to be written line by line.
package struct HighlightedSource: Sendable {
  /// A line is shown up to this many bytes.
  static let longestLine = 10_000

  let bytes: [UInt8]
  let isSwift: Bool
  let tokens: [SourceToken]
  /// The offsets at which the lines begin, and the offset behind the last line.
  private let starts: [Int]
  /// Whether every line is shown as it is, byte by byte.
  private let isPlain: Bool

  /// Swift and the languages of the C family are coloured; what has another ending is plain text.
  package init(_ bytes: [UInt8], path: String) {
    self.bytes = bytes
    let language = SourceLanguage(path: path)
    isSwift = language == .swift
    tokens = language.tokens(in: bytes)
    starts = Self.lineStarts(bytes)
    let starts = starts
    isPlain =
      !bytes.holds(UInt8(ascii: "\r"))
      && starts.indices.dropLast().allSatisfy { starts[$0 + 1] - starts[$0] <= Self.longestLine }
  }

  package var lineCount: Int { starts.count - 1 }

  /// The bytes of a line, counted from 1, without its line break; empty for a line that is not there.
  func range(ofLine line: Int) -> Range<Int> {
    guard line >= 1, line <= lineCount else { return 0..<0 }
    let start = starts[line - 1]
    var end = starts[line]
    if end > start, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return start..<end
  }

  /// Only line feeds count, as in the debug information that coverage refers to; a last one ends the last line.
  static func lineStarts(_ bytes: [UInt8]) -> [Int] {
    var starts = [0]
    starts.reserveCapacity(bytes.count / 30 + 2)
    bytes.forEachLineFeed { starts.append($0 + 1) }
    if let last = starts.last, last < bytes.count { starts.append(bytes.count) }
    return starts
  }

  /// How many lines `lineStarts` finds.
  static func lineCount(_ bytes: [UInt8]) -> Int {
    var count = 0
    bytes.forEachLineFeed { _ in count += 1 }
    return bytes.last.map { $0 == UInt8(ascii: "\n") } ?? true ? count : count + 1
  }

  /// The lines that take more columns, ascending.
  func lines(widerThan columns: Int) -> [Int] {
    // Without tabs, the bytes of a line are enough to know; most sources have none.
    let shortest = bytes.holds(UInt8(ascii: "\t")) ? columns / 4 : columns
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
    let end = starts[lines.upperBound - 1]
    append(starts[lines.lowerBound - 1]..<end, to: &html)
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
    var token = firstToken(endingAfter: shown.lowerBound)
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
    while start < end, SwiftHighlighter.isBlank(bytes[start]) { start += 1 }
    while start < end, SwiftHighlighter.isBlank(bytes[end - 1]) { end -= 1 }
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

  /// The index of the first token that ends behind an offset; how many there are when none does.
  func firstToken(endingAfter offset: Int) -> Int {
    tokens.partitioningIndex { $0.range.upperBound > offset }
  }

  /// Appends the markup of a stretch of bytes.
  func append(_ stretch: Range<Int>, to html: inout SafeHTML) {
    var token = firstToken(endingAfter: stretch.lowerBound)
    append(stretch, from: &token, to: &html)
  }

  /// Appends a stretch with its tokens, which may begin before it and end behind it.
  private func append(_ stretch: Range<Int>, from token: inout Int, to html: inout SafeHTML) {
    var position = stretch.lowerBound
    while position < stretch.upperBound {
      guard token < tokens.count, tokens[token].range.lowerBound < stretch.upperBound else {
        return append(text: position..<stretch.upperBound, to: &html)
      }
      let (kind, range) = (tokens[token].kind, tokens[token].range)
      if range.lowerBound > position { append(text: position..<range.lowerBound, to: &html) }
      var end = min(range.upperBound, stretch.upperBound)
      if end == range.upperBound { token += 1 }
      // What is of one kind and only blanks keep apart shares one element.
      while end < stretch.upperBound, token < tokens.count, tokens[token].kind == kind,
        tokens[token].range.lowerBound < stretch.upperBound, isBlank(end..<tokens[token].range.lowerBound)
      {
        end = min(tokens[token].range.upperBound, stretch.upperBound)
        if end == tokens[token].range.upperBound { token += 1 }
      }
      let tags = kind.tags
      html.append(tags.start)
      append(text: max(position, range.lowerBound)..<end, to: &html)
      html.append(tags.end)
      position = end
    }
  }

  private func isBlank(_ range: Range<Int>) -> Bool {
    for index in range where bytes[index] > UInt8(ascii: " ") { return false }
    return true
  }
}

extension [UInt8] {
  /// Whether a byte is among them.
  fileprivate func holds(_ byte: UInt8) -> Bool {
    withUnsafeBytes { bytes in bytes.baseAddress.map { memchr($0, Int32(byte), bytes.count) != nil } ?? false }
  }

  /// Calls `body` with the index of each line feed, ascending.
  fileprivate func forEachLineFeed(_ body: (Int) -> Void) {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      var next = 0
      // The C library looks at many bytes at once.
      while next < bytes.count, let found = memchr(start + next, Int32(UInt8(ascii: "\n")), bytes.count - next) {
        let index = start.distance(to: UnsafeRawPointer(found))
        body(index)
        next = index + 1
      }
    }
  }
}
