import Model

/// The table of a source file: line numbers, run counts and text.
///
/// Consecutive lines with the same state (no code, or code that ran equally often) share a row, so that a page is
/// little larger than its text. A row begins wherever a line is linked or has a remark: at a block that never ran, at a
/// line that ran partly, at a function, and at the lines that the caller specifies.
struct SourceListing {
  /// The targets of the links between uncovered blocks if the neighbour is not in this listing.
  struct Neighbours {
    var previous: Link?
    var next: Link?

    var hasAny: Bool { previous != nil || next != nil }
  }

  /// A link out of the listing.
  struct Link: Hashable {
    /// The direction of the link, as the sign shown beside the line.
    var arrow: String
    var words: String
    var address: String
  }

  /// The number of columns that fit on a sheet of A4 beside the line numbers and the authors.
  private static let columnsOnPaper = 80

  let source: HighlightedSource
  let coverage: FileCoverage
  /// The stops of the file.
  let blocks: [ClosedRange<Int>]
  private let neverRanWords: String
  /// Differ between the parts of a long file, which share everything else.
  var neighbours: Neighbours
  private let remarks: SourceRemarks
  /// The places where the counts change within lines, by line.
  private let parts: [Int: [PartCount]]
  let conditions: ConditionRemarks
  /// Unmarked lines that are shown together with changed ones.
  private let context: Set<Int>
  /// The lines at which a row begins regardless of their state, unordered.
  private let breaks: [Int]

  init(
    _ source: HighlightedSource, coverage: FileCoverage, neighbours: Neighbours = Neighbours(),
    remarks: SourceRemarks = SourceRemarks()
  ) {
    let coverage = coverage.withOwnCounts(in: source.code)
    self.source = source
    self.coverage = coverage
    self.blocks = coverage.stops
    neverRanWords = coverage.neverRanWords
    self.neighbours = neighbours
    self.remarks = remarks
    parts = Dictionary(grouping: coverage.partCounts(in: source), by: \.line)
    conditions = ConditionRemarks(coverage)
    context = remarks.marks.context(around: remarks.history.places, blocks: blocks)
    var breaks = coverage.functions.map(\.line) + remarks.breaks
    // The numbers of a row are aligned with its lines only if none is wrapped, as long lines are on paper.
    for line in source.lines(widerThan: Self.columnsOnPaper) { breaks += [line, line + 1] }
    for line in context {
      if !context.contains(line - 1) { breaks.append(line) }
      if !context.contains(line + 1) { breaks.append(line + 1) }
    }
    for line in Array(conditions.lines) + Array(parts.keys) { breaks += [line, line &+ 1] }
    self.breaks = breaks
  }

  private var history: SourceHistory { remarks.history }
  private var marks: ChangeMarks { remarks.marks }

  /// What stands beside the lines; nil if nothing does, so that the column has no head, and the style sheet hides it.
  private var besideLines: String? {
    if !coverage.lines.isEmpty || !coverage.leftOut.isEmpty { return "Runs" }
    return marks.lines.isEmpty ? nil : "Change"
  }

  /// What the table shows beside the text of a file.
  private var contents: String {
    if besideLines == "Runs" { return " with the runs of each line" }
    let parts = [remarks.verdicts.isEmpty ? nil : "the states of its tests", besideLines.map { _ in "its new lines" }]
      .compactMap(\.self)
    return parts.isEmpty ? "" : " with \(CountText.list(parts))"
  }

  func hasPartCounts(in lines: Range<Int>) -> Bool { lines.contains { parts[$0] != nil } }

  /// Returns the table with the given lines, counted from 1; by default all of them.
  func html(lines shown: Range<Int>? = nil) -> SafeHTML {
    let shown = (shown ?? 1..<(source.lineCount + 1)).clamped(to: 1..<(source.lineCount + 1))
    var html = SafeHTML()
    html.bytes.reserveCapacity(shown.count * 110 + 1000)
    switch (history.hasOrigins, besideLines != nil) {
    case (false, true): html.append("<table>")
    case (true, true): html.append("<table class=by>")
    case (false, false): html.append("<table class=bare>")
    case (true, false): html.append("<table class=\"by bare\">")
    }
    html.append("<caption class=vh>")
    html.append(escaping: VisibleText.of(coverage.fileName))
    html.append(escaping: contents)
    html.append("</caption>\n<thead class=vh><tr><th scope=col>")
    html.append(history.hasOrigins ? "Day, author and line" : "Line")
    if let besideLines {
      html.append("<th scope=col>")
      html.append(escaping: besideLines)
    }
    html.append("<th scope=col>Source</thead>\n<tbody>\n")
    var rows = ListingRows(coverage, blocks: blocks, shown: shown, breaks: breaks)
    while let row = rows.next() { append(row, shown: shown, to: &html) }
    if shown.upperBound == source.lineCount + 1 {
      history.appendRemoved(before: shown.upperBound, path: coverage.path, to: &html)
    }
    html.append("</tbody></table>\n")
    return html
  }

  private func append(_ row: ListingRows.Row, shown: Range<Int>, to html: inout SafeHTML) {
    history.appendRemoved(before: row.lines.lowerBound, path: coverage.path, to: &html)
    appendHead(row, shown: shown, to: &html)
    appendText(of: row, to: &html)
    if let state = row.coverage?.state, state != .neverRan {
      let stretches = state == .partlyRan ? row.stretches : []
      appendReason(row.lines.lowerBound, stretches: stretches, isDead: row.coverage?.count == 0, to: &html)
    }
    for bubble in remarks.bubbles[row.lines.upperBound - 1] ?? [] { html.appendBubble(bubble, columns: 3) }
  }

  /// Appends the text of the lines, followed by the remark that applies to all of them.
  private func appendText(of row: ListingRows.Row, to html: inout SafeHTML) {
    // A line that never ran is marked as a whole.
    let isWhole = row.coverage?.state == .neverRan || row.stretches.isEmpty
    let remark = marks.remark(on: row.lines.lowerBound)
    let counts = parts[row.lines.lowerBound] ?? []
    let verdicts = remarks.verdicts[row.lines.lowerBound] ?? []
    if isWhole, counts.isEmpty, remark == nil, verdicts.isEmpty { return source.append(lines: row.lines, to: &html) }
    let last = row.lines.upperBound - 1
    if last > row.lines.lowerBound { source.append(lines: row.lines.lowerBound..<last, to: &html) }
    source.append(
      line: last, dead: isWhole ? [] : row.stretches.map(\.columns), words: neverRanWords, counts: counts,
      to: &html)
    // No line feed after a remark: below one that is shown under the line, it would be a line of its own.
    if remark == nil, verdicts.isEmpty { html.append("\n") }
    let end = endOfClass(behind: last)
    if let remark {
      html.append(remark.isLost ? "<span class=\"go was" : "<span class=\"go")
      html.append(end)
      html.append(escaping: remark.words)
      html.append("</span>")
    }
    for verdict in verdicts {
      html.append("<span class=\"go")
      html.append(end)
      html.append(verdict)
      html.append("</span>")
    }
  }

  /// Returns the end of a remark's class: nothing more if it is visible after its line in most windows, even beside the
  /// authors; `long` if it is in wide ones; `far` if it is shown below the line.
  private func endOfClass(behind line: Int) -> StaticString {
    let columns = source.columns(ofLine: line)
    if columns <= (history.hasOrigins ? 44 : 70) { return "\">" }
    // No list of blocks takes room beside a listing without counts.
    return besideLines == nil && !history.hasOrigins && columns <= 110 ? " long\">" : " far\">"
  }

  /// Appends everything before the text, omitting end tags and attribute quotes where HTML does not require them.
  private func appendHead(_ row: ListingRows.Row, shown: Range<Int>, to html: inout SafeHTML) {
    html.append("<tr id=L")
    html.append(number: row.lines.lowerBound)
    if context.contains(row.lines.lowerBound) { html.append(" data-c") }
    appendClass(of: row, to: &html)
    html.append("><td>")
    history.appendOrigin(of: row.lines.lowerBound, to: &html)
    if let block = row.block { appendLinks(block: block, shown: shown, to: &html) }
    for line in row.lines {
      if line > row.lines.lowerBound { html.append("\n") }
      html.append(number: line)
    }
    html.append("<td")
    guard let coverage = row.coverage else {
      html.append(">")
      appendMarks(of: row, to: &html)
      return html.append("<td>")
    }
    if coverage.count >= 10_000 {
      html.append(#" title=""#)
      html.append(escaping: RunCountText.long(coverage.count) ?? "")
      html.append(#"""#)
    }
    html.append(">")
    // Lines that ran share one number, at the first of them; the bar beside it extends to the last.
    let isShared = coverage.state == .ran && !row.isIncidental && !marks.lines.contains(row.lines.lowerBound)
    for line in isShared ? row.lines.prefix(1) : row.lines[...] {
      if line > row.lines.lowerBound { html.append("\n") }
      // Where only the code around it ran, the line itself has no count.
      if coverage.state != .partlyRan || coverage.count > 0 { appendCount(coverage.count, of: line, to: &html) }
      switch coverage.state {
      case .ran: if row.isIncidental { html.append("<small> start-up</small>") }
      case .partlyRan: html.append(row.isIncidental ? "<small> partly start-up</small>" : "<small> partly</small>")
      case .neverRan: break
      }
      marks.append(line, to: &html)
    }
    html.append("<td>")
  }

  /// Appends the class of a row, and whether readers jump to it; the most common rows, of lines that ran, have neither.
  private func appendClass(of row: ListingRows.Row, to html: inout SafeHTML) {
    switch row.coverage?.state {
    case nil: html.append(row.isLeftOut ? " class=x" : " class=o")
    case .ran: if row.isIncidental { html.append(" class=i") }
    case .partlyRan: html.append(" class=p")
    case .neverRan: html.append(" class=n")
    }
    // A line that something is said about is the only one of its row.
    if remarks.bubbles[row.lines.lowerBound] != nil {
      html.append(" data-stop=hot")
    } else if row.block != nil {
      html.append(" data-stop")
    }
  }

  /// Appends the run count of a line, linked to the tests that ran it.
  private func appendCount(_ count: UInt64, of line: Int, to html: inout SafeHTML) {
    let row = remarks.tests.row(ofLine: line)
    if let row {
      html.append("<a href=#T")
      html.append(number: row)
      html.append(">")
    }
    html.append(escaping: RunCountText.shown(count))
    if row != nil { html.append("</a>") }
  }

  /// Appends the words and marks of uncounted lines, each on a line of its own.
  private func appendMarks(of row: ListingRows.Row, to html: inout SafeHTML) {
    guard row.isLeftOut || marks.lines.contains(row.lines.lowerBound) else { return }
    for line in row.lines {
      if line > row.lines.lowerBound { html.append("\n") }
      if row.isLeftOut { html.append("<small>left out</small>") }
      marks.append(line, to: &html)
    }
  }

  /// Appends the links to the previous and next blocks, beside the line number, where no code can come in between. The
  /// style sheet shows only the arrow.
  private func appendLinks(block: Int, shown: Range<Int>, to html: inout SafeHTML) {
    let before = block > 0 ? blocks[block - 1].lowerBound : 0
    let after = block + 1 < blocks.count ? blocks[block + 1].lowerBound : 0
    if shown.contains(before) {
      html.append("<a href=#L")
      html.append(number: before)
      html.append(">↑ previous</a>")
    } else if let previous = neighbours.previous {
      html.append(link: previous)
    }
    if shown.contains(after) {
      html.append("<a href=#L")
      html.append(number: after)
      html.append(">↓ next</a>")
    } else if let next = neighbours.next {
      html.append(link: next)
    }
  }
}

extension SafeHTML {
  fileprivate mutating func append(link: SourceListing.Link) {
    let words = VisibleText.of(link.words)
    append(#"<a href=""#)
    append(escaping: link.address)
    append(#"" title=""#)
    append(escaping: words)
    append(#"">"#)
    append(escaping: "\(link.arrow) \(words)")
    append("</a>")
  }

  /// Appends a row with a message about the line above it.
  mutating func appendBubble(_ bubble: SafeHTML, columns: Int) {
    append(#"<tr class="bubble"><td colspan=""#)
    append(number: columns)
    append(#""><span class="tip">"#)
    append(bubble)
    append("</span></td></tr>\n")
  }
}

extension SourceListing {
  /// The number of columns that are visible in most windows.
  private static let nearColumns = 100
  /// The minimum and maximum bytes of a quote; a brace alone would be meaningless.
  private static let quoteSizes = 3...40
  /// The maximum number of quotes per sentence: no reader would go through more.
  private static let mostQuotes = 3
  /// The maximum number of stretches per line with reasons: no reader would go through more.
  private static let mostStretches = 50

  /// A remark about a line, with those of its stretches that may be out of sight.
  private struct Remark {
    /// Why a part of the line did not run; nil for other remarks.
    var reason: PartlyRanReason?
    var sentence: String
    var quotes: [Range<Int>] = []
  }

  /// Appends a row with the reasons why a line ran only partly and the conditions that went only one way, quoting
  /// stretches that may be out of sight.
  ///
  /// - Parameter isDead: whether none of the line's own code ran.
  func appendReason(_ line: Int, stretches: ArraySlice<DeadStretch>, isDead: Bool, to html: inout SafeHTML) {
    let counted = conditions.sentences(ofLine: line, in: source)
    let others = self.remarks.mutants.sentences(ofLine: line) + (isDead ? [CoverageWords.aroundRan] : [])
    let remarks =
      remarks(on: line, stretches, besideCounted: !counted.isEmpty)
      + (counted + others).map { Remark(sentence: $0) }
    guard !remarks.isEmpty else { return }
    // All of the line ran: only branches were not taken.
    let isWhole = others.isEmpty && !stretches.contains { $0.line == line }
    html.append(isWhole ? "<tr class=why><td colspan=3 class=b><p>" : "<tr class=why><td colspan=3><p>")
    for (index, remark) in remarks.enumerated() {
      if index > 0 { html.append(" ") }
      html.append(escaping: index == 0 ? coverage.reason(remark.sentence) : remark.sentence)
      for (index, quote) in remark.quotes.enumerated() {
        html.append(index == 0 ? " Striped: " : ", ")
        appendQuote(quote, to: &html)
      }
      if !remark.quotes.isEmpty, index < remarks.count - 1 { html.append(".") }
    }
    html.append("\n")
  }

  /// - Parameter besideCounted: whether the line has counted conditions, which make guessing unnecessary.
  private func remarks(on line: Int, _ stretches: ArraySlice<DeadStretch>, besideCounted: Bool) -> [Remark] {
    var remarks: [Remark] = []
    var end = 0
    var beginsAtEnd = false
    for stretch in stretches.prefix(Self.mostStretches) where stretch.line == line {
      let place = DeadPlace(stretch, in: coverage, source)
      // The enclosing dead stretch gives the reason for a nested one.
      let isInner = stretch.columns.lowerBound <= end
      end = stretch.columns.upperBound
      if place.dead.isEmpty || place.isComment {
        beginsAtEnd = true
        continue
      }
      guard !isInner, let reason = PartlyRanReason(place), !besideCounted || !reason.isAboutCondition else { continue }
      if !remarks.contains(where: { $0.reason == reason }) {
        remarks.append(Remark(reason: reason, sentence: reason.sentence))
      }
      let isFar =
        place.dead.count >= Self.quoteSizes.lowerBound
        && place.dead.lowerBound - place.line.lowerBound >= Self.nearColumns
      if isFar, let index = remarks.firstIndex(where: { $0.reason == reason }),
        remarks[index].quotes.count < Self.mostQuotes
      {
        remarks[index].quotes.append(place.dead)
      }
    }
    if remarks.isEmpty, !besideCounted, beginsAtEnd {
      let reason = PartlyRanReason.atEnd(ofLine: line, in: source.code)
      remarks.append(Remark(sentence: reason?.sentence ?? "What begins at the end of this line never ran."))
    }
    return remarks
  }

  private func appendQuote(_ dead: Range<Int>, to html: inout SafeHTML) {
    let end = source.characterStart(min(dead.upperBound, dead.lowerBound + Self.quoteSizes.upperBound))
    html.append("<code>")
    html.append(escaping: VisibleText.of(String(decoding: source.bytes[dead.lowerBound..<end], as: UTF8.self)))
    html.append(end < dead.upperBound ? "…</code>" : "</code>")
  }
}
