package import Model

/// The marks of changed lines in a listing: a sign beside the count, with a colour that the sheet gives it.
///
/// A file that is wholly new has none, and neither has one in which nothing changed.
package struct ChangeMarks: Sendable {
  private enum Mark: Hashable, Sendable {
    case new, lost(UInt64?), gained, included, excluded
  }

  /// An upper bound of the bytes that a mark takes.
  static let weight = 40

  private var marks: [Int: Mark] = [:]
  /// The number of the integration that is compared with.
  private var baseline: Int?

  /// No marks.
  package init() {}

  /// The marks of one file: from the comparison where there is one, from the patch otherwise.
  package init(of path: String, in changes: CoverageChanges?) {
    if let comparison = changes?.comparison.value, let file = comparison.file(at: path) {
      baseline = comparison.baseline
      guard file.totalsBefore != nil else { return }
      for line in file.lines + file.excluded {
        switch line.category {
        case .newNeverRan, .newRan: marks[line.line] = .new
        case .lost: marks[line.line] = .lost(line.before)
        case .gained: marks[line.line] = .gained
        case .includedNeverRan, .includedRan: marks[line.line] = .included
        case .excludedNeverRan, .excludedRan: marks[line.line] = .excluded
        default: break
        }
      }
    } else if let patch = changes?.patch.value, patch.origin != .nothing {
      guard let file = patch.files.first(where: { $0.path == path }) else { return }
      for line in file.ran + file.partlyRan + file.neverRan { marks[line] = .new }
    }
  }

  /// Combines all marks, in the order of their lines.
  func combine(into hash: inout PageHash) {
    hash.combine(marks.count)
    guard !marks.isEmpty else { return }
    hash.combine(baseline ?? 0)
    for (line, mark) in marks.sorted(by: { $0.key < $1.key }) {
      hash.combine(line)
      switch mark {
      case .new: hash.combine(0)
      case .lost(let count):
        hash.combine(count == nil ? 1 : 2)
        hash.combine(count ?? 0)
      case .gained: hash.combine(3)
      case .included: hash.combine(4)
      case .excluded: hash.combine(5)
      }
    }
  }

  /// How many lines around a change stand with it when only the change is shown.
  private static let contextSize = 3

  /// Unmarked lines around the marked ones and around places where others stood.
  func context(around places: some Collection<Int>) -> Set<Int> {
    var context: Set<Int> = []
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
    let found = Set(lines.compactMap { marks[$0].map(Self.key) })
    return found.isEmpty ? nil : found.sorted().joined(separator: " ")
  }

  private static func key(of mark: Mark) -> String {
    switch mark {
    case .new: "new"
    case .lost: "lost"
    case .gained: "gained"
    case .included: "included"
    case .excluded: "excluded"
    }
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

  /// Writes the mark of a line, if it has one.
  func append(_ line: Int, to html: inout SafeHTML) {
    switch marks[line] {
    case nil: break
    case .new: html.append("<ins>+</ins>")
    case .lost(let count):
      html.append("<del title=\"")
      html.append(escaping: ChangeWords.before(count, in: baseline ?? 0))
      html.append("\">▼</del>")
    case .gained: html.append("<ins class=g>▲</ins>")
    case .included: html.append("<ins class=i>i</ins>")
    case .excluded: html.append("<del class=e>e</del>")
    }
  }

  /// What stands behind the text of a lost line; nil for every other.
  func remark(on line: Int) -> String? {
    if case .lost(let count) = marks[line] { ChangeWords.before(count, in: baseline ?? 0) } else { nil }
  }

  /// The marks that occur, with their meaning, for the legend.
  var legend: [(sign: String, tag: String, words: String, key: String)] {
    var found: Set<Int> = []
    for mark in marks.values {
      switch mark {
      case .new: found.insert(0)
      case .lost: found.insert(1)
      case .gained: found.insert(2)
      case .included: found.insert(3)
      case .excluded: found.insert(4)
      }
    }
    let since = baseline.map { "in \($0)" } ?? "before"
    let all = [
      ("+", "ins", "new line", "new"), ("▼", "del", "ran \(since), not any more", "lost"),
      ("▲", "ins", "did not run \(since)", "gained"), ("i", "ins", "no code \(since)", "included"),
      ("e", "del", "was code \(since)", "excluded"),
    ]
    return found.sorted().map { (sign: all[$0].0, tag: all[$0].1, words: all[$0].2, key: all[$0].3) }
  }
}
