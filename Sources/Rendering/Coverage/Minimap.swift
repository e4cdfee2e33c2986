import Model

/// The strip beside a listing that shows where its gaps are, each a link.
struct Minimap {
  /// Lines that follow each other in one state.
  private struct Mark {
    var lines: ClosedRange<Int>
    var state: LineState
  }

  private static let mostMarks = 400
  private let marks: [Mark]
  private let shown: Range<Int>

  init(_ coverage: FileCoverage, lines shown: Range<Int>) {
    var marks: [Mark] = []
    for line in coverage.lines where line.state != .ran && shown.contains(line.line) {
      if let last = marks.last, last.state == line.state, last.lines.upperBound + 1 == line.line {
        marks[marks.count - 1].lines = last.lines.lowerBound...line.line
      } else {
        marks.append(Mark(lines: line.line...line.line, state: line.state))
      }
    }
    // A strip of marks without space between them shows nothing; what never ran stays.
    if marks.count > Self.mostMarks { marks.removeAll { $0.state == .partlyRan } }
    self.marks = Array(marks.prefix(Self.mostMarks))
    self.shown = shown
  }

  /// The picture; ten units to a line, and no mark lower than a hundredth of the whole.
  var html: SafeHTML {
    let height = max(shown.count, 1) * 10
    var html = SafeHTML(#"<svg class="minimap" viewBox="0 0 14 "#)
    html.append(number: height)
    html.append(#"" preserveAspectRatio="none" role="group" aria-label="Where the gaps are">"#)
    html.append(#"<rect class="ground" width="14" height=""#)
    html.append(number: height)
    html.append(#""/>"#)
    for mark in marks where mark.state == .partlyRan { append(mark, height: height, to: &html) }
    for mark in marks where mark.state == .neverRan { append(mark, height: height, to: &html) }
    html.append("</svg>")
    return html
  }

  private func append(_ mark: Mark, height: Int, to html: inout SafeHTML) {
    let size = max(mark.lines.count * 10, height / 100)
    let top = min((mark.lines.lowerBound - shown.lowerBound) * 10, height - min(size, height))
    html.append(##"<a href="#L"##)
    html.append(number: mark.lines.lowerBound)
    html.append(#""><title>"#)
    html.append(escaping: UncoveredBlock(lines: mark.lines).phrase)
    html.append(mark.state == .neverRan ? ", never ran" : ", partly ran")
    html.append(
      mark.state == .neverRan ? #"</title><rect class="f-red" y=""# : #"</title><rect class="f-amber" x="7" y=""#)
    html.append(number: top)
    html.append(mark.state == .neverRan ? #"" width="14" height=""# : #"" width="7" height=""#)
    html.append(number: size)
    html.append(#""/></a>"#)
  }
}
