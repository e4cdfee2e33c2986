import Model

extension SourceListing {
  /// So many columns are in sight in most windows, if the window is narrow.
  private static let nearColumns = 40
  /// A quote shows this many bytes; a brace alone would say nothing.
  private static let quoteSizes = 3...40
  /// Of what a sentence is about several times, nobody reads more.
  private static let mostQuotes = 3
  /// Of a line with more stretches than that, nobody reads the reasons.
  private static let mostStretches = 50

  /// A sentence about a line, and those of the stretches it is about that may be out of sight.
  private struct Remark {
    var sentence: String
    var quotes: [Range<Int>] = []
  }

  /// Appends a row that says why a line ran only partly and which of its conditions went one way only, and quotes what
  /// may be out of sight.
  func appendReason(_ line: Int, stretches: ArraySlice<DeadStretch>, to html: inout SafeHTML) {
    let counted = conditions.sentences(ofLine: line, in: source)
    let remarks = remarks(on: line, stretches, besideCounted: !counted.isEmpty) + counted.map { Remark(sentence: $0) }
    guard !remarks.isEmpty else { return }
    html.append("<tr class=why><td colspan=3><p>")
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

  /// - Parameter besideCounted: whether the line has counted conditions, of which no guess is needed.
  private func remarks(on line: Int, _ stretches: ArraySlice<DeadStretch>, besideCounted: Bool) -> [Remark] {
    var remarks: [Remark] = []
    var end = 0
    var beginsAtEnd = false
    for stretch in stretches.prefix(Self.mostStretches) where stretch.line == line {
      let place = DeadPlace(stretch, in: coverage, source)
      // What is dead inside something dead has its reason there.
      let isInner = stretch.columns.lowerBound <= end
      end = stretch.columns.upperBound
      if place.dead.isEmpty || place.isComment {
        beginsAtEnd = true
        continue
      }
      guard !isInner, let reason = PartlyRanReason(place), !besideCounted || !reason.isAboutCondition else { continue }
      if !remarks.contains(where: { $0.sentence == reason.sentence }) {
        remarks.append(Remark(sentence: reason.sentence))
      }
      let isFar =
        place.dead.count >= Self.quoteSizes.lowerBound
        && place.dead.lowerBound - place.line.lowerBound >= Self.nearColumns
      if isFar, let index = remarks.firstIndex(where: { $0.sentence == reason.sentence }),
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
