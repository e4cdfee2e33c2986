import Rendering
import Testing

@Suite("HTML escaping")
struct HTMLEscaperTests {
  @Test(
    "Each special character becomes its reference",
    arguments: [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")])
  func special(character: String, reference: String) {
    #expect(escaped(character) == reference)
    #expect(escaped("a\(character)\(character)b") == "a\(reference)\(reference)b")
  }

  @Test("Text without special characters stays as it is")
  func plain() {
    #expect(escaped("") == "")
    #expect(escaped("tab\tline\nreturn\r é 鳥 🐦 {{x}}") == "tab\tline\nreturn\r é 鳥 🐦 {{x}}")
  }

  @Test("Control characters that HTML forbids become replacement characters")
  func control() {
    #expect(escaped("a\0b\u{1}\u{1B}[31m\u{7F}\u{85}\u{C}") == "a\u{FFFD}b\u{FFFD}\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}")
    let forbidden = (0..<0x20).filter { ![0x09, 0x0A, 0x0D].contains($0) }.map { UInt8($0) }
    #expect(HTMLEscaper.escape(forbidden).count == forbidden.count * 3)
  }

  @Test("Characters of two bytes that share their first byte with control characters stay")
  func sharedFirstByte() {
    #expect(escaped("\u{A0}«·»\u{BF}") == "\u{A0}«·»\u{BF}")
  }

  @Test("A text that breaks off inside a character does not trap")
  func truncated() {
    #expect(HTMLEscaper.escape([0x41, 0xC2]) == [0x41, 0xC2])
    #expect(HTMLEscaper.escape([0xC2, 0x3C]) == [0xC2] + Array("&lt;".utf8))
  }

  @Test("A text cannot leave the attribute that it is put in, whichever quotes that has")
  func attributes() {
    let hostile = "x\" onload=\"a' onload='b"
    let single: SafeHTML = {
      var html = SafeHTML("<a title='")
      html.append(escaping: hostile)
      html.append("'>")
      return html
    }()
    let text = String(decoding: single.bytes, as: UTF8.self)
    #expect(text == "<a title='x&quot; onload=&quot;a&#39; onload=&#39;b'>")
  }

  @Test("Safe HTML grows by literals, by markup and by escaped text")
  func safeHTML() {
    var html = SafeHTML("<b>")
    html.append(escaping: "a<b".dropFirst())
    html.append(SafeHTML("</b>"))
    html.append(escaping: Array("&".utf8))
    html.append(SafeHTML.escaping("'"))
    #expect(html == SafeHTML("<b>&lt;b</b>&amp;&#39;"))
  }

  private func escaped(_ text: String) -> String {
    String(decoding: HTMLEscaper.escape(Array(text.utf8)), as: UTF8.self)
  }
}
