package import Model

/// The table of a source file: line number, runs, state and text of each line.
///
/// It is written byte by byte, because a package has tens of thousands of lines.
package struct SourceListing {
  /// Where the links between uncovered blocks lead when the neighbour is not in this listing.
  package struct Neighbours: Sendable {
    package var previous: Link?
    package var next: Link?

    package init(previous: Link? = nil, next: Link? = nil) {
      self.previous = previous
      self.next = next
    }
  }

  /// A link with the words that it shows.
  package struct Link: Hashable, Sendable {
    package var words: String
    package var address: String

    package init(words: String, address: String) {
      self.words = words
      self.address = address
    }
  }

  private let source: HighlightedSource
  private let coverage: FileCoverage
  private let blocks: [UncoveredBlock]
  private let neighbours: Neighbours
  private let bubbles: [Int: [SafeHTML]]
  private let marks: ChangeMarks

  /// - Parameters:
  ///   - bubbles: what is shown under a line, by line number.
  ///   - marks: what is said about changed lines.
  package init(
    _ source: HighlightedSource, coverage: FileCoverage, neighbours: Neighbours = Neighbours(),
    bubbles: [Int: [SafeHTML]] = [:], marks: ChangeMarks = ChangeMarks()
  ) {
    self.source = source
    self.coverage = coverage
    self.blocks = coverage.uncoveredBlocks
    self.neighbours = neighbours
    self.bubbles = bubbles
    self.marks = marks
  }

  /// The table with the given lines, counted from 1; by default with all of them.
  package func html(lines shown: Range<Int>? = nil) -> SafeHTML {
    let shown = (shown ?? 1..<(source.lineCount + 1)).clamped(to: 1..<(source.lineCount + 1))
    var html = SafeHTML()
    html.bytes.reserveCapacity(shown.count * 300 + 1000)
    html.append(#"<table><caption class="vh">"#)
    html.append(escaping: VisibleText.of(coverage.fileName))
    html.append(" with the number of runs of each line</caption>\n")
    html.append(#"<thead class="vh"><tr><th scope="col">Line</th><th scope="col">Runs</th>"#)
    html.append(#"<th scope="col">State</th><th scope="col">Source</th></tr></thead>"#)
    html.append("\n<tbody>\n")
    var cursor = Cursor(at: shown.lowerBound, coverage: coverage, blocks: blocks)
    for line in shown { append(line, cursor: &cursor, shown: shown, to: &html) }
    html.append("</tbody></table>\n")
    return html
  }

  /// Where the next line finds its coverage.
  private struct Cursor {
    var line: Int
    var stretch: Int
    var block: Int

    init(at first: Int, coverage: FileCoverage, blocks: [UncoveredBlock]) {
      line = coverage.lines.firstIndex { $0.line >= first } ?? coverage.lines.count
      stretch = coverage.deadStretches.firstIndex { $0.line >= first } ?? coverage.deadStretches.count
      block = blocks.firstIndex { $0.lines.lowerBound >= first } ?? blocks.count
    }
  }

  private func append(_ line: Int, cursor: inout Cursor, shown: Range<Int>, to html: inout SafeHTML) {
    var state: LineCoverage?
    while cursor.line < coverage.lines.count, coverage.lines[cursor.line].line <= line {
      if coverage.lines[cursor.line].line == line { state = coverage.lines[cursor.line] }
      cursor.line += 1
    }
    let firstStretch = cursor.stretch
    while cursor.stretch < coverage.deadStretches.count, coverage.deadStretches[cursor.stretch].line <= line {
      cursor.stretch += 1
    }
    // A line that never ran is marked as a whole.
    let stretches = state?.state == .neverRan ? [] : coverage.deadStretches[firstStretch..<cursor.stretch]
    let startsBlock = cursor.block < blocks.count && blocks[cursor.block].lines.lowerBound == line

    appendHead(line, state: state, startsBlock: startsBlock, to: &html)
    if startsBlock {
      appendLinks(block: cursor.block, shown: shown, to: &html)
      cursor.block += 1
    }
    if let remark = marks.remark(on: line) {
      html.append("<span class=\"go was\">")
      html.append(escaping: remark)
      html.append("</span>")
    }
    source.append(line: line, dead: stretches.lazy.filter { $0.line == line }.map(\.columns), to: &html)
    html.append("</td></tr>\n")
    if state?.state == .partlyRan { appendReason(line, stretches: stretches, to: &html) }
    for bubble in bubbles[line] ?? [] { html.appendBubble(bubble, columns: 4) }
  }

  private func appendHead(_ line: Int, state: LineCoverage?, startsBlock: Bool, to html: inout SafeHTML) {
    html.append(#"<tr id="L"#)
    html.append(number: line)
    switch state?.state {
    case nil: html.append(#"""#)
    case .ran: html.append(#"" class="ran""#)
    case .partlyRan: html.append(#"" class="part""#)
    case .neverRan: html.append(startsBlock ? #"" class="never" data-stop"# : #"" class="never""#)
    }
    html.append(##"><th class="ln" scope="row"><a href="#L"##)
    html.append(number: line)
    html.append(#"">"#)
    html.append(number: line)
    html.append(#"</a></th><td class="ct""#)
    if let state { appendCount(state.count, to: &html) } else { html.append(">") }
    marks.append(line, to: &html)
    switch state?.state {
    case nil: html.append(#"</td><td class="mk"></td><td class="sr">"#)
    case .ran:
      html.append(#"</td><td class="mk"><span class="box R" role="img" aria-label="ran">•</span></td><td class="sr">"#)
    case .partlyRan:
      html.append(
        #"</td><td class="mk"><span class="box P" role="img" aria-label="partly ran">P</span></td><td class="sr">"#)
    case .neverRan:
      html.append(
        #"</td><td class="mk"><span class="box N" role="img" aria-label="never ran">N</span></td><td class="sr">"#)
    }
  }

  private func appendCount(_ count: UInt64, to html: inout SafeHTML) {
    if count < 10_000 {
      html.append(">")
      return html.append(number: Int(count))
    }
    html.append(#" title=""#)
    html.append(escaping: RunCountText.long(count) ?? "")
    html.append(#"">"#)
    html.append(escaping: RunCountText.short(count) ?? "ran")
  }

  private func appendLinks(block: Int, shown: Range<Int>, to html: inout SafeHTML) {
    let before = block > 0 ? blocks[block - 1].lines.lowerBound : 0
    let after = block + 1 < blocks.count ? blocks[block + 1].lines.lowerBound : 0
    html.append(#"<span class="go">"#)
    if shown.contains(before) {
      html.append(##"<a href="#L"##)
      html.append(number: before)
      html.append(#"" aria-label="Previous uncovered block">↑</a> "#)
    } else if let previous = neighbours.previous {
      html.append(link: previous, label: "Previous uncovered block")
      html.append(" ")
    }
    if shown.contains(after) {
      html.append(##"<a href="#L"##)
      html.append(number: after)
      html.append(#"" aria-label="Next uncovered block">next ↓</a>"#)
    } else if let next = neighbours.next {
      html.append(link: next, label: "Next uncovered block")
    }
    html.append("</span>")
  }

  private func appendReason(_ line: Int, stretches: ArraySlice<DeadStretch>, to html: inout SafeHTML) {
    var reasons: [String] = []
    var end = 0
    let text = source.range(ofLine: line)
    if stretches.allSatisfy({ $0.line != line || source.trimmed($0.columns, in: text).isEmpty }) {
      reasons.append("What begins at the end of this line never ran.")
    }
    for stretch in stretches where stretch.line == line {
      // What is dead inside something dead has its reason there.
      let isInner = stretch.columns.lowerBound <= end
      end = stretch.columns.upperBound
      let reason = isInner ? nil : PartlyRanReason(of: stretch, in: source)
      if let reason, !reasons.contains(reason.sentence) { reasons.append(reason.sentence) }
    }
    guard !reasons.isEmpty else { return }
    html.append(#"<tr class="why"><td colspan="3"></td><td><span class="in4">"#)
    html.append(escaping: reasons.joined(separator: " "))
    html.append("</span></td></tr>\n")
  }
}

extension SafeHTML {
  fileprivate mutating func append(link: SourceListing.Link, label: StaticString) {
    append(#"<a href=""#)
    append(escaping: link.address)
    append(#"" aria-label=""#)
    append(label)
    append(": ")
    append(escaping: VisibleText.of(link.words))
    append(#"">"#)
    append(escaping: VisibleText.of(link.words))
    append("</a>")
  }

  /// Appends a row that says something about the line above it.
  mutating func appendBubble(_ bubble: SafeHTML, columns: Int) {
    append(#"<tr class="bubble"><td colspan=""#)
    append(number: columns)
    append(#""><span class="tip">"#)
    append(bubble)
    append("</span></td></tr>\n")
  }
}
