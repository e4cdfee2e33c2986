package import Model

/// The marks of changed lines in a listing: a sign beside the count, with a colour that the sheet gives it.
///
/// A file that is wholly new has none, and neither has one in which nothing changed.
package struct ChangeMarks: Sendable {
  private var marks: [Int: ChangeMark] = [:]
  /// The number of the integration that is compared with.
  private var baseline: Int?
  private var isHeader = false

  /// No marks.
  package init() {}

  /// The marks of one file: from the comparison where there is one, from the patch otherwise.
  package init(of path: String, in changes: CoverageChanges?) {
    isHeader = SourceSuffix.isHeader(path)
    if let comparison = changes?.comparison.value, let file = comparison.file(at: path) {
      baseline = comparison.baseline
      guard file.totalsBefore != nil else { return }
      for line in file.lines + file.excluded {
        switch line.category {
        case .lost where line.isByChance, .gained where line.isByChance:
          marks[line.line] = .chance(before: line.before)
        case .newNeverRan, .newRan: marks[line.line] = .new
        case .lost: marks[line.line] = .lost(before: line.before)
        case .gained: marks[line.line] = .gained
        case .includedNeverRan, .includedRan: marks[line.line] = .included
        case .excludedNeverRan, .excludedRan: marks[line.line] = .excluded
        default: break
        }
      }
      for line in file.lostPartLines where marks[line] == nil { marks[line] = .lostPart }
      for line in file.partsByChance where marks[line] == nil { marks[line] = .chancePart }
    } else if let patch = changes?.patch.value, patch.origin != .nothing {
      guard let file = patch.files.first(where: { $0.path == path }) else { return }
      for line in file.ran + file.partlyRan + file.neverRan + file.silent { marks[line] = .new }
    }
  }

  /// Combines all marks, in the order of their lines.
  func combine(into hash: inout PageHash) {
    hash.combine(marks.count)
    guard !marks.isEmpty else { return }
    hash.combine(baseline ?? 0)
    for (line, mark) in marks.sorted(by: { $0.key < $1.key }) {
      hash.combine(line)
      hash.combine(mark.kind)
      hash.combine(mark.before == nil ? 0 : 1)
      hash.combine(mark.before ?? 0)
    }
  }

  /// How many lines around a change stand with it when only the change is shown.
  private static let contextSize = 3

  /// Unmarked lines around the marked ones and around places where others stood, and the first lines of the blocks that
  /// marked ones are in, since links lead there.
  func context(around places: some Collection<Int>, blocks: [UncoveredBlock]) -> Set<Int> {
    var context: Set<Int> = []
    if !marks.isEmpty {
      for block in blocks where block.lines.contains(where: { marks[$0] != nil }) {
        if marks[block.lines.lowerBound] == nil { context.insert(block.lines.lowerBound) }
      }
    }
    for line in marks.keys {
      for near in (line - Self.contextSize)...(line + Self.contextSize) where marks[near] == nil {
        context.insert(near)
      }
    }
    for place in places {
      for near in (place - Self.contextSize)..<(place + Self.contextSize) where marks[near] == nil {
        context.insert(near)
      }
    }
    return context
  }

  /// The keys of the legend that lines have, with blanks between; nil for none.
  func keys(in lines: ClosedRange<Int>) -> String? {
    guard !marks.isEmpty else { return nil }
    let found = Set(lines.compactMap { marks[$0]?.face.key })
    return found.isEmpty ? nil : found.sorted().joined(separator: " ")
  }

  /// The lines at which what the marks say begins or ends.
  var breaks: Set<Int> {
    var breaks: Set<Int> = []
    for (line, mark) in marks {
      if marks[line - 1] != mark { breaks.insert(line) }
      if marks[line + 1] == nil { breaks.insert(line + 1) }
    }
    return breaks
  }

  /// The marked lines, in no order.
  var lines: Dictionary<Int, some Any>.Keys { marks.keys }

  /// An upper bound of the bytes that the mark of a line and what is said behind it take.
  func weight(of line: Int) -> Int {
    marks[line].map { mark in 45 + 2 * (mark.words(since: baseline)?.utf8.count ?? 0) } ?? 0
  }

  /// The sum of all weights.
  var weight: Int { lines.reduce(0) { $0 + weight(of: $1) } }

  /// Writes the mark of a line, if it has one.
  func append(_ line: Int, to html: inout SafeHTML) {
    guard let mark = marks[line] else { return }
    let face = mark.face
    html.append(face.isAdded ? "<ins" : "<del")
    if let style = face.style {
      html.append(" class=")
      html.append(escaping: style)
    }
    if let words = mark.words(since: baseline) {
      html.append(" title=\"")
      html.append(escaping: words)
      html.append("\"")
    }
    html.append(">")
    html.append(escaping: face.sign)
    html.append(face.isAdded ? "</ins>" : "</del>")
  }

  /// What stands behind the text of a line that ran otherwise before; nil for every other.
  func remark(on line: Int) -> (words: String, isLost: Bool)? {
    guard let mark = marks[line], let words = mark.words(since: baseline) else { return nil }
    return (words, mark.face.key == "lost")
  }

  /// The marks that occur, with their meaning, for the legend; one for all marks of a key.
  var legend: [(mark: ChangeMark, words: String)] {
    var found: [String: ChangeMark] = [:]
    for mark in marks.values {
      let key = mark.face.key
      if mark.kind <= found[key]?.kind ?? .max { found[key] = mark }
    }
    return found.values.sorted { $0.kind < $1.kind }.map { ($0, $0.meaning(since: baseline, isHeader: isHeader)) }
  }
}
