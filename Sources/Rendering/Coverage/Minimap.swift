import Model

/// The strip beside a listing that shows its gaps, each as a link.
struct Minimap {
  /// Consecutive lines in one state.
  private struct Mark {
    var lines: ClosedRange<Int>
    var state: LineState
  }

  private static let mostMarks = 400
  private let marks: [Mark]
  private let shown: Range<Int>

  init(_ coverage: FileCoverage, lines shown: Range<Int>) {
    var marks: [Mark] = []
    let first = coverage.lines.partitioningIndex { $0.line >= shown.lowerBound }
    for line in coverage.lines[first...].prefix(while: { $0.line < shown.upperBound }) where line.state != .ran {
      if let last = marks.last, last.state == line.state, last.lines.upperBound + 1 == line.line {
        marks[marks.count - 1].lines = last.lines.lowerBound...line.line
      } else {
        marks.append(Mark(lines: line.line...line.line, state: line.state))
      }
    }
    // A strip of marks without gaps between them is useless; those that never ran are kept.
    if marks.count > Self.mostMarks { marks.removeAll { $0.state == .partlyRan } }
    self.marks = Array(marks.prefix(Self.mostMarks))
    self.shown = shown
  }

  /// The picture, with ten units per line; each mark is at least a hundredth of the whole height.
  ///
  /// It shows the list of uncovered blocks graphically; the script makes it link to the lines.
  var html: SafeHTML {
    guard !marks.isEmpty else { return SafeHTML() }
    let height = max(shown.count, 1) * 10
    var html = SafeHTML(#"<svg class=minimap viewBox="0 0 14 "#)
    html.append(number: height)
    html.append(#"" preserveAspectRatio=none aria-hidden=true>"#)
    append(.partlyRan, height: height, to: &html)
    append(.neverRan, height: height, to: &html)
    html.append("</svg>")
    return html
  }

  /// Appends strokes as wide as the picture, or as its right half.
  private func append(_ state: LineState, height: Int, to html: inout SafeHTML) {
    var isFirst = true
    for mark in marks where mark.state == state {
      if isFirst { html.append(state == .neverRan ? #"<path class=s-red d=""# : #"<path class=s-amber d=""#) }
      isFirst = false
      let size = max(mark.lines.count * 10, height / 100)
      let top = min((mark.lines.lowerBound - shown.lowerBound) * 10, height - min(size, height))
      html.append(state == .neverRan ? "M7 " : "M10 ")
      html.append(number: top)
      html.append("v")
      html.append(number: size)
    }
    if !isFirst { html.append(#""/>"#) }
  }
}
