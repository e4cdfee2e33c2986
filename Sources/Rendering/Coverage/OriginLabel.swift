import Model

/// Who wrote lines that follow each other, as it stands beside their numbers: at the first the day and the name, at
/// each further row the name, so that it is in view wherever a link leads to.
struct OriginLabel: Sendable {
  /// After so many lines a row begins, because each row says the name once.
  private static let longestRow = 24

  let lines: Range<Int>
  let first: SafeHTML
  let further: SafeHTML

  init(_ origin: LineOrigin, time: LocalTime) {
    lines = origin.lines
    // A name is one line, and of sensible length.
    let name = String(String(decoding: origin.author.utf8.prefix(120), as: UTF8.self).prefix(40))
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // The day says how old a line is, and stays the same in every report.
    let day = time.machine(of: origin.date).prefix(10)
    var first = SafeHTML("<small class=a title=\"")
    first.append(escaping: VisibleText.of("\(name), commit \(origin.commit.short)"))
    first.append("\">")
    first.append(escaping: VisibleText.of("\(day) \(name)"))
    first.append("</small>")
    self.first = first
    // A day needs no quotes.
    var further = SafeHTML("<small title=")
    further.append(escaping: day)
    further.append(">")
    further.append(escaping: VisibleText.of(name))
    further.append("</small>")
    self.further = further
  }

  /// The lines at which a row begins.
  var breaks: StrideTo<Int> { stride(from: lines.lowerBound, to: lines.upperBound, by: Self.longestRow) }

  /// What a line brings with it, in bytes.
  var weight: Int { max(first.bytes.count, further.bytes.count) }
}
