import Model

@testable import Rendering

/// A text in which stretches that never ran are marked: what stands between `⟦⟧` and between `‹›`.
struct PartlyRanProbe {
  var source: [UInt8] = []
  var stretches: [DeadStretch] = []
  /// The index of the stretch between `⟦⟧`, the last one if there are several.
  var asked = 0

  init(_ marked: String) {
    var start = 0
    var (line, column) = (1, 1)
    for character in marked {
      switch character {
      case "⟦", "‹": start = column
      case "⟧", "›":
        if character == "⟧" { asked = stretches.count }
        // Nothing between the signs is what begins at the end of the line.
        stretches.append(DeadStretch(line: line, columns: start..<(column > start ? column : Int.max)))
      default:
        source += Array(character.utf8)
        (line, column) = character == "\n" ? (line + 1, 1) : (line, column + character.utf8.count)
      }
    }
  }
}

/// The reason for what stands between the two signs of `⟦⟧`; what stands between `‹›` never ran either.
func partlyRanReason(in marked: String, path: String = "a.swift", neverRan: [Int] = []) -> PartlyRanReason? {
  let probe = PartlyRanProbe(marked)
  let lines = neverRan.map { LineCoverage(line: $0, count: 0, state: .neverRan) }
  return PartlyRanReason(
    DeadPlace(
      probe.stretches[probe.asked], in: file(lines: lines, dead: probe.stretches),
      HighlightedSource(probe.source, path: path)))
}

/// The sentences below the lines of a Swift source that hold stretches which never ran.
func partlyRanSentences(_ marked: String) -> [String] {
  let probe = PartlyRanProbe(marked)
  let lines = Set(probe.stretches.map(\.line)).sorted().map { LineCoverage(line: $0, count: 1, state: .partlyRan) }
  return html(String(decoding: probe.source, as: UTF8.self), lines: lines, dead: probe.stretches)
    .split(separator: "<tr class=why><td colspan=3><p>").dropFirst().map {
      let quotes = /[ ]Striped: <code>[^<]*<\/code>(, <code>[^<]*<\/code>)*\.?/
      return visibleText(String($0.prefix { $0 != "\n" }).replacing(quotes, with: ""))
    }
}
