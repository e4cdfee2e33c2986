import Model

extension SourceListing {
  /// So many columns are in sight in most windows, if the window is narrow.
  private static let nearColumns = 40
  /// A quote shows this many bytes; a brace alone would say nothing.
  private static let quoteSizes = 3...40

  /// Appends a row that says why a line ran only partly, and quotes what may be out of sight.
  func appendReason(_ line: Int, stretches: ArraySlice<DeadStretch>, to html: inout SafeHTML) {
    var reasons: [String] = []
    var end = 0
    var far: Range<Int>?
    let text = source.range(ofLine: line)
    if stretches.allSatisfy({ $0.line != line || source.trimmed($0.columns, in: text).isEmpty }) {
      reasons.append(
        PartlyRanReason.isOneLineIf(source.bytes[text])
          ? "The condition was never false: what follows this line never ran."
          : "What begins at the end of this line never ran.")
    }
    for stretch in stretches where stretch.line == line {
      // What is dead inside something dead has its reason there.
      let isInner = stretch.columns.lowerBound <= end
      let dead = source.trimmed(stretch.columns, in: text)
      if far == nil, dead.count >= Self.quoteSizes.lowerBound, dead.lowerBound - text.lowerBound >= Self.nearColumns {
        far = dead
      }
      end = stretch.columns.upperBound
      let reason = isInner ? nil : PartlyRanReason(of: stretch, among: stretches, in: source)
      if let reason, !reasons.contains(reason.sentence) { reasons.append(reason.sentence) }
    }
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
