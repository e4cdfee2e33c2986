import Model
import TestGround
import Testing

@testable import Rendering

@Suite("The lines of a source, whatever its bytes")
struct HighlightedSourceTests {
  private func lines(_ bytes: [UInt8], path: String = "a.swift") -> [String] {
    let source = HighlightedSource(bytes, path: path)
    return (0..<source.lineCount).map { String(decoding: source.html(ofLine: $0 + 1).bytes, as: UTF8.self) }
  }

  @Test("A last line break ends the last line and begins no other")
  func lineBreaks() {
    #expect(lines([]) == [])
    #expect(lines(Array("a".utf8)) == ["a"])
    #expect(lines(Array("a\n".utf8)) == ["a"])
    #expect(lines(Array("a\n\n".utf8)) == ["a", ""])
    #expect(lines(Array("\n".utf8)) == [""])
  }

  @Test("Carriage returns before line feeds are not shown, others are")
  func carriageReturns() {
    #expect(lines(Array("a\r\nb\r\n".utf8)) == ["a", "b"])
    #expect(lines(Array("a\rb\n".utf8), path: "a.c") == ["a<samp>⟨U+000D⟩</samp>b"])
  }

  @Test("Tabs stay, and what HTML reads is escaped")
  func escaping() {
    #expect(lines(Array("\ta<b>&\"c\"".utf8), path: "a.txt") == ["\ta&lt;b>&\"c\""])
    #expect(lines(Array("Array<Int>".utf8)) == [#"<i>Array</i>&lt;<i>Int</i>>"#])
    #expect(lines(Array("// </span><script>é".utf8)) == [#"<em>// &lt;/span>&lt;script>é</em>"#])
  }

  @Test("Bytes that are no UTF-8 become replacement characters, hidden characters become visible")
  func hidden() {
    #expect(lines([0x61, 0xFF, 0x62], path: "a.c") == ["a<samp data-n=1>\u{FFFD}</samp>b"])
    #expect(lines([0x61, 0x00, 0x1B], path: "a.c") == ["a<samp>⟨U+0000⟩</samp><samp>⟨U+001B⟩</samp>"])
    #expect(lines(Array("a\u{202E}b".utf8), path: "a.c") == ["a<samp>⟨U+202E⟩</samp>b"])
  }

  @Test("A token over several lines is closed and opened again at each")
  func tokensOverLines() {
    #expect(lines(Array("/* a\nb */ c".utf8)) == ["<em>/* a</em>", "<em>b */</em> c"])
  }

  @Test("Words of one kind with nothing but blanks between them share an element")
  func merged() {
    #expect(lines(Array("public static let  a".utf8)) == ["<b>public static let</b>  a"])
  }

  @Test("A very long line is cut, and says by how much")
  func longLine() {
    let line = lines(Array(repeating: UInt8(ascii: "x"), count: 12_345), path: "a.c")[0]
    #expect(line == String(repeating: "x", count: 10_000) + #"<span class="c"> … 2345 more bytes</span>"#)
  }

  @Test("The C family is coloured, and other languages are plain text")
  func otherLanguages() {
    let text = Array("return 1; // x".utf8)
    #expect(lines(text, path: "a.c") == ["<b>return</b> <var>1</var>; <em>// x</em>"])
    #expect(lines(text, path: "a.s") == ["return 1; // x"])
  }

  @Test("A line that is not there is empty", arguments: [-1, 0, 3, Int.max])
  func outside(_ line: Int) {
    #expect(HighlightedSource(Array("a\nb".utf8), path: "a.swift").html(ofLine: line).bytes.isEmpty)
  }

  @Test("Any text and any stretches give well-formed markup that shows the whole text", arguments: 0..<60)
  func anything(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "\"", "\\(", ")", "/*", "*/", "let ", "Foo", "1", "<", "&", "é", "\t", " ", "\r\n", "\n", "\u{202E}", "// x",
    ]
    let source = (0..<Int.random(in: 0...80, using: &generator))
      .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    let shown = HighlightedSource(Array(source.utf8), path: "a.swift")
    let plain = HighlightedSource(Array(source.utf8), path: "a.txt")
    for line in 0..<shown.lineCount {
      let markup = markup(of: line + 1, in: shown, using: &generator)
      #expect(PageMarkup(markup).nestingFault == nil, "\(source.debugDescription)")
      let text = String(decoding: plain.html(ofLine: line + 1).bytes, as: UTF8.self)
      #expect(visibleText(markup) == visibleText(text), "\(source.debugDescription)")
    }
  }

  @Test("Any bytes and any stretches give well-formed markup", arguments: 0..<60)
  func anyBytes(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let bytes = (0..<300).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let shown = HighlightedSource(bytes, path: "a.swift")
    for line in 0..<shown.lineCount {
      let markup = markup(of: line + 1, in: shown, using: &generator)
      #expect(PageMarkup(markup).nestingFault == nil, "\(bytes)")
    }
  }

  private func markup(of line: Int, in source: HighlightedSource, using generator: inout SeededGenerator) -> String {
    var start = 1
    let dead = (0..<3).map { _ in
      let lower = start + Int.random(in: 0...6, using: &generator)
      start = lower + Int.random(in: 0...9, using: &generator)
      return lower..<start
    }
    var html = SafeHTML()
    source.append(line: line, dead: dead, to: &html)
    return String(decoding: html.bytes, as: UTF8.self)
  }
}
