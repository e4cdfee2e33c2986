/// An excerpt of a source, with messages in bubbles below their lines. Each line has the anchor `L12` and a link to itself.
package struct AnnotatedExcerpt {
  private let source: HighlightedSource
  private let lines: Range<Int>
  private let bubbles: [Int: [SafeHTML]]

  /// - Parameters:
  ///   - lines: line numbers from 1; lines outside the source are ignored.
  ///   - bubbles: messages by line number; their lines are emphasised.
  package init(_ source: HighlightedSource, lines: Range<Int>, bubbles: [Int: [SafeHTML]]) {
    self.source = source
    self.lines = lines.clamped(to: 1..<(source.lineCount + 1))
    self.bubbles = bubbles
  }

  /// Returns the table, to be placed in `<div class="code plain">`.
  package func html(caption: String) -> SafeHTML {
    var html = SafeHTML()
    html.bytes.reserveCapacity(lines.count * 160 + 500)
    html.append("<table><caption>")
    html.append(escaping: VisibleText.of(caption))
    html.append(
      "</caption>\n<thead class=\"vh\"><tr><th scope=\"col\">Line</th><th scope=\"col\">Source</th></tr></thead>\n")
    html.append("<tbody>\n")
    for line in lines { append(line, to: &html) }
    html.append("</tbody></table>\n")
    return html
  }

  private func append(_ line: Int, to html: inout SafeHTML) {
    let bubbles = bubbles[line] ?? []
    html.append(#"<tr id="L"#)
    html.append(number: line)
    html.append(bubbles.isEmpty ? #"">"# : #"" class="hot" data-stop>"#)
    html.append(##"<th class="ln" scope="row"><a href="#L"##)
    html.append(number: line)
    html.append(#"">"#)
    html.append(number: line)
    html.append(#"</a></th><td class="sr">"#)
    source.append(line: line, dead: [], to: &html)
    html.append("</td></tr>\n")
    for bubble in bubbles { html.appendBubble(bubble, columns: 2) }
  }
}
