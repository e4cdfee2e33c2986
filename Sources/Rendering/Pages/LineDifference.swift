/// Two texts of many lines compared line by line, with what they share folded.
struct LineDifference {
  private let rows: [TemplateValue]
  private let removed: Int
  private let added: Int

  /// Nil when neither text has more than three lines.
  init?(_ first: String, _ second: String) {
    let one = Self.lines(of: first)
    let other = Self.lines(of: second)
    guard max(one.count, other.count) > 3 else { return nil }
    var rows: [TemplateValue] = []
    var removed = 0
    var added = 0
    let runs = SequenceDifference.runs(one, other)
    for (index, run) in runs.enumerated() {
      if run.isSame {
        rows += Self.context(run, one, isFirst: index == 0, isLast: index == runs.count - 1)
      } else {
        removed += run.first.count
        added += run.second.count
        rows += Self.replaced(run, one, other)
      }
    }
    self.rows = rows
    self.removed = removed
    self.added = added
  }

  var record: TemplateValue {
    .record([
      "rows": .list(rows),
      "summary": .text(
        "\(CountText.counted(removed, "line")) only in the first, \(CountText.counted(added, "line")) only in the second"
      ),
    ])
  }

  /// The lines of a text; in a printed string literal also those that its line feeds would make.
  private static func lines(of text: String) -> [String] {
    var lines: [String] = [""]
    var isEscaped = false
    let isLiteral = text.hasPrefix("\"")
    for character in VisibleText.of(text) {
      if character == "\n" {
        lines.append("")
      } else {
        lines[lines.count - 1].append(character)
        if isLiteral, isEscaped, character == "n" { lines.append("") }
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return lines
  }

  /// Up to three unchanged lines beside each change, and a word about the others.
  private static func context(
    _ run: SequenceDifference.Run, _ lines: [String], isFirst: Bool, isLast: Bool
  ) -> [TemplateValue] {
    let head = isFirst ? 0 : 3
    let tail = isLast ? 0 : 3
    let isFolded = run.first.count > head + tail + 1
    var rows: [TemplateValue] = []
    for (offset, index) in run.first.enumerated() {
      if isFolded, offset >= head, offset < run.first.count - tail {
        if offset == head {
          let count = run.first.count - head - tail
          rows.append(row("fold", nil, nil, [.init(text: "\(CountText.counted(count, "line")) alike", differs: false)]))
        }
      } else {
        let pieces = [WordDifference.Piece(text: lines[index], differs: false)]
        rows.append(row("same", index, run.second.lowerBound + offset, pieces))
      }
    }
    return rows
  }

  /// Lines that stand against each other are compared word by word.
  private static func replaced(_ run: SequenceDifference.Run, _ one: [String], _ other: [String]) -> [TemplateValue] {
    let isPaired = run.first.count == run.second.count
    let pairs = isPaired ? zip(run.first, run.second).map { WordDifference(one[$0], other[$1]) } : []
    let removed = run.first.enumerated().map { offset, index in
      row("first", index, nil, isPaired ? pairs[offset].first : [.init(text: one[index], differs: false)])
    }
    let added = run.second.enumerated().map { offset, index in
      row("second", nil, index, isPaired ? pairs[offset].second : [.init(text: other[index], differs: false)])
    }
    return removed + added
  }

  private static func row(
    _ kind: String, _ first: Int?, _ second: Int?, _ pieces: [WordDifference.Piece]
  ) -> TemplateValue {
    let marks = ["first": "−", "second": "+"]
    let words = ["first": "only in the first", "second": "only in the second"]
    return .record([
      "kind": .text(kind),
      "first": first.map { .text("\($0 + 1)") } ?? .text(""),
      "second": second.map { .text("\($0 + 1)") } ?? .text(""),
      "mark": .text(marks[kind] ?? ""),
      "says": words[kind].map { .text($0) } ?? .missing,
      "pieces": Operands.record(pieces),
    ])
  }
}
