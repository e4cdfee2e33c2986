import Model

extension SourceListing {
  /// So many columns are in sight in most windows, if the window is narrow.
  private static let nearColumns = 40
  /// A quote shows this many bytes; a brace alone would say nothing.
  private static let quoteSizes = 3...40
  /// Of a line with more stretches than that, nobody reads the reasons.
  private static let mostStretches = 50

  /// Appends a row that says why a line ran only partly and which of its conditions went one way only, and quotes what
  /// may be out of sight.
  func appendReason(_ line: Int, stretches: ArraySlice<DeadStretch>, to html: inout SafeHTML) {
    let counted = conditions.sentences(ofLine: line, in: source)
    var reasons: [String] = []
    var end = 0
    var far: Range<Int>?
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
      if far == nil, place.dead.count >= Self.quoteSizes.lowerBound,
        place.dead.lowerBound - place.line.lowerBound >= Self.nearColumns
      {
        far = place.dead
      }
      let reason = isInner ? nil : PartlyRanReason(place)
      guard let reason, counted.isEmpty || !reason.isAboutCondition else { continue }
      if !reasons.contains(reason.sentence) { reasons.append(reason.sentence) }
    }
    if reasons.isEmpty, counted.isEmpty, beginsAtEnd {
      reasons.append(
        PartlyRanReason.atEnd(ofLine: line, in: source)?.sentence ?? "What begins at the end of this line never ran.")
    }
    reasons += counted
    guard !reasons.isEmpty else { return }
    html.append("<tr class=why><td colspan=3><p>")
    html.append(escaping: reasons.joined(separator: " "))
    if let far { appendQuote(far, to: &html) }
    html.append("\n")
  }

  private func appendQuote(_ dead: Range<Int>, to html: inout SafeHTML) {
    let end = source.characterStart(min(dead.upperBound, dead.lowerBound + Self.quoteSizes.upperBound))
    html.append(" Striped: <code>")
    html.append(escaping: VisibleText.of(String(decoding: source.bytes[dead.lowerBound..<end], as: UTF8.self)))
    html.append(end < dead.upperBound ? "…</code>" : "</code>")
  }
}
