package import Model

/// The past of a file as its listing shows it: the lines that are gone, and who wrote those that are there.
package struct SourceHistory: Sendable {
  private let removed: [RemovedLines]
  /// The same by the line that they stood before.
  private let removedBefore: [Int: [RemovedLines]]
  /// The text and the commit of a stretch's cell, by its first line.
  private let origins: [Int: (words: String, commit: String)]

  /// Nothing is known.
  package init() {
    removed = []
    removedBefore = [:]
    origins = [:]
  }

  package init(removed: [RemovedLines], origins: [LineOrigin] = [], time: LocalTime = .utc) {
    self.removed = removed
    removedBefore = Dictionary(grouping: removed, by: \.before)
    var cells: [Int: (words: String, commit: String)] = [:]
    for origin in origins {
      // The day says how old a line is, and stays the same in every report.
      let day = time.machine(of: origin.date).prefix(10)
      cells[origin.lines.lowerBound] = ("\(origin.author.prefix(40)) \(day)", origin.commit.short)
    }
    self.origins = cells
  }

  var hasOrigins: Bool { !origins.isEmpty }

  /// The lines at which a row begins because of it.
  var breaks: Set<Int> { Set(removed.map(\.before)).union(origins.keys) }

  /// What lines bring with them on their page, in bytes.
  var weights: [Int: Int] {
    var weights: [Int: Int] = [:]
    for lines in removed { weights[lines.before, default: 0] += 300 + lines.text.count * 8 }
    for (line, cell) in origins { weights[line, default: 0] += 60 + cell.words.utf8.count * 2 }
    return weights
  }

  /// Combines all of it.
  func combine(into hash: inout PageHash) {
    hash.combine(removed.count)
    for lines in removed {
      for number in [lines.before, lines.first, lines.count, lines.code.total, lines.code.covered] {
        hash.combine(number)
      }
      hash.combine(lines.text)
    }
    hash.combine(origins.count)
    for (line, cell) in origins.sorted(by: { $0.key < $1.key }) {
      hash.combine(line)
      hash.combine(cell.words)
      hash.combine(cell.commit)
    }
  }

  /// Appends a row with the lines that stood before a line, folded away.
  func appendRemoved(before line: Int, path: String, to html: inout SafeHTML) {
    for lines in removedBefore[line] ?? [] {
      html.append("<tr class=gone><td><td><del class=x>−</del>\n<td><details><summary>")
      html.append(escaping: Self.summary(of: lines))
      html.append("</summary>")
      let source = HighlightedSource(lines.text, path: path)
      source.append(lines: 1..<(source.lineCount + 1), to: &html)
      if source.lineCount < lines.count {
        html.append("<small>")
        html.append(escaping: "and \(CountText.counted(lines.count - source.lineCount, "more line"))")
        html.append("</small>\n")
      }
      html.append("</details>")
    }
  }

  private static func summary(of lines: RemovedLines) -> String {
    let place = lines.count == 1 ? "line \(lines.first)" : "lines \(lines.first)–\(lines.first + lines.count - 1)"
    let ran =
      lines.code.total == 0
      ? "no code" : "\(CountText.plain(lines.code.covered)) of \(CountText.plain(lines.code.total)) with code had run"
    return "\(CountText.counted(lines.count, "line")) deleted, \(place) before: \(ran)"
  }

  /// Appends the cell that says who wrote the lines from a line on; nothing inside a stretch.
  func appendOrigin(of line: Int, to html: inout SafeHTML) {
    guard let cell = origins[line] else { return }
    html.append("<td title=\"commit ")
    html.append(escaping: cell.commit)
    html.append("\">")
    html.append(escaping: VisibleText.of(cell.words))
    html.append("\n")
  }
}
