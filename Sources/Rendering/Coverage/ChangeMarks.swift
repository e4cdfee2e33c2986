import Model

/// The marks of changed lines in a listing, with code or without: signs beside the counts, coloured by the style sheet.
///
/// Entirely new files and unchanged files have none.
struct ChangeMarks: Sendable {
  private var marks: [Int: ChangeMark] = [:]
  /// The number of the integration that serves as the baseline.
  private var baseline: Int?
  private var isHeader = false

  /// No marks.
  init() {}

  /// Takes the marks of a file from the comparison if there is one, otherwise from the patch.
  ///
  /// - Parameter earlier: the lines of earlier changes that a failed gate counts, each with the integration since which it
  ///   is counted.
  init(of path: String, in changes: CoverageChanges?, earlier: [Int: Int] = [:]) {
    for (line, since) in earlier { marks[line] = .earlier(since: since) }
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
      for line in file.newWithoutCode where marks[line] == nil { marks[line] = .new }
      for line in file.lostPartLines where marks[line] == nil { marks[line] = .lostPart }
      for line in file.gainedPartLines where marks[line] == nil { marks[line] = .gainedPart }
      for line in file.partsByChance where marks[line] == nil { marks[line] = .chancePart }
    } else if let patch = changes?.patch.value, patch.origin != .nothing {
      for line in patch.newLines[path] ?? [] { marks[line] = .new }
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
      hash.combine(mark.words(since: baseline))
    }
  }

  /// The number of unmarked lines shown on either side of a change.
  private static let contextSize = 3

  /// Returns the unmarked lines around marked lines and around deleted ones, and the first lines of blocks that contain
  /// marked lines, since links lead there.
  func context(around places: some Collection<Int>, blocks: [ClosedRange<Int>]) -> Set<Int> {
    var context: Set<Int> = []
    if !marks.isEmpty {
      for block in blocks where block.contains(where: { marks[$0] != nil }) {
        if marks[block.lowerBound] == nil { context.insert(block.lowerBound) }
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

  /// Returns the legend keys of some lines, separated by blanks; nil if there are none.
  func keys(in lines: ClosedRange<Int>) -> String? {
    guard !marks.isEmpty else { return nil }
    let found = Set(lines.compactMap { marks[$0]?.face.key })
    return found.isEmpty ? nil : found.sorted().joined(separator: " ")
  }

  /// The lines at which a run of equal marks begins or ends.
  var breaks: Set<Int> {
    var breaks: Set<Int> = []
    for (line, mark) in marks {
      if marks[line - 1] != mark { breaks.insert(line) }
      if marks[line + 1] == nil { breaks.insert(line + 1) }
    }
    return breaks
  }

  /// The marked lines, unordered.
  var lines: Dictionary<Int, some Any>.Keys { marks.keys }

  /// Returns an upper bound for the bytes that the mark of a line and its remark take.
  func weight(of line: Int) -> Int {
    marks[line].map { mark in 45 + 2 * (mark.words(since: baseline)?.utf8.count ?? 0) } ?? 0
  }

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

  /// Returns the remark after the text of a line that ran differently before; nil for all other lines.
  func remark(on line: Int) -> (words: String, isLost: Bool)? {
    guard let mark = marks[line], mark.isRemarked, let words = mark.words(since: baseline) else { return nil }
    return (words, mark.face.key == "lost")
  }

  /// Whether the remark on each line with a mark has the words of the legend, so that these need not stand there, too.
  func tells(_ mark: ChangeMark) -> Bool {
    mark.isRemarked && mark.words(since: baseline) == mark.meaning(since: baseline, isHeader: isHeader)
  }

  /// The marks that occur, with their meanings, for the legend; one mark per key.
  var legend: [(mark: ChangeMark, words: String)] {
    var found: [String: ChangeMark] = [:]
    for mark in marks.values {
      let key = mark.face.key
      if mark.kind <= found[key]?.kind ?? .max { found[key] = mark }
    }
    return found.values.sorted { $0.kind < $1.kind }.map { ($0, $0.meaning(since: baseline, isHeader: isHeader)) }
  }
}

/// A change in one line of a source.
enum ChangeMark: Hashable, Sendable {
  case new
  /// New since an earlier integration, and one of those that a failed gate counts.
  case earlier(since: Int)
  /// With the number of runs in the baseline, if known.
  case lost(before: UInt64?)
  /// The line still runs, but a part of it that ran before no longer does.
  case lostPart
  case gained, included, excluded
  /// The line ran before, too, but a part of it runs only now.
  case gainedPart
  /// Lost or gained by chance, with the number of runs in the baseline.
  case chance(before: UInt64?)
  case chancePart

  /// The position in the legend, which also identifies the mark in the keys of pages.
  var kind: Int {
    switch self {
    case .new: 0
    case .lost: 1
    case .lostPart: 2
    case .gained: 3
    case .included: 4
    case .excluded: 5
    case .chance: 6
    case .chancePart: 7
    case .earlier: 8
    case .gainedPart: 9
    }
  }

  /// Whether its words stand behind the line; a new one did not run differently: it was not there.
  var isRemarked: Bool { face.key != "new" }

  /// The appearance of a mark.
  struct Face {
    /// The key by which a page filters its lines.
    var key: String
    var sign: String
    /// Whether something was added rather than removed.
    var isAdded: Bool
    /// The class of the sign in the style sheet, which tells apart what the element alone does not.
    var style: String?
  }

  var face: Face {
    switch self {
    case .new, .earlier: Face(key: "new", sign: "+", isAdded: true)
    case .lost, .lostPart: Face(key: "lost", sign: "▼", isAdded: false)
    case .gained, .gainedPart: Face(key: "gained", sign: "▲", isAdded: true, style: "g")
    case .included: Face(key: "included", sign: "i", isAdded: true, style: "i")
    case .excluded: Face(key: "excluded", sign: "e", isAdded: false, style: "e")
    case .chance, .chancePart: Face(key: "chance", sign: "~", isAdded: true, style: "c")
    }
  }

  /// Returns what is said of the line; nil if the sign is enough.
  func words(since baseline: Int?) -> String? {
    let baseline = baseline ?? 0
    return switch self {
    case .lost(let before): ChangeWords.before(before, in: baseline)
    case .lostPart: "a part of it ran in \(baseline)"
    case .chance(before: 0): "runs by chance, not in \(baseline)"
    case .chance(let before): "runs by chance, \(ChangeWords.before(before, in: baseline))"
    case .chancePart: "a part of it runs by chance, as in \(baseline)"
    case .earlier, .gainedPart: meaning(since: baseline)
    case .new, .gained, .included, .excluded: nil
    }
  }

  /// Returns the meaning of the sign, for the legend.
  /// - Parameter isHeader: whether the line belongs to a C header, where not every run is counted.
  func meaning(since baseline: Int?, isHeader: Bool = false) -> String {
    let since = baseline.map { "in \($0)" } ?? "before"
    let anyMore = isHeader ? "without a counted run now" : "no longer"
    return switch self {
    case .new: "new line"
    case .earlier(let since): "new since \(since), counted by the gate"
    case .lost: "ran \(since), \(anyMore)"
    case .lostPart: "a part ran \(since), \(anyMore)"
    case .gained: "\(isHeader ? "had no counted run" : "did not run") \(since), runs now"
    case .gainedPart: "a part \(isHeader ? "had no counted run" : "did not run") \(since), runs now"
    case .included: "not counted \(since)"
    case .excluded: "counted \(since), no longer"
    case .chance, .chancePart: "runs by chance"
    }
  }
}
