/// One count of a summary line, with its change.
struct SummaryPart {
  let words: String
  var delta: Delta?

  /// Returns the line: its parts separated by commas.
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
