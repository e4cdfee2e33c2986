/// One count of a line that sums something up, with its change.
struct SummaryPart {
  let words: String
  var delta: Delta?

  /// The line: its parts with commas between them.
  static func line(_ parts: [SummaryPart]) -> TemplateValue {
    .list(
      parts.enumerated().map { index, part in
        .record([
          "words": .text(part.words), "delta": part.delta.record,
          "separator": index + 1 < parts.count ? .text(", ") : .missing,
        ])
      })
  }
}
