import Model

/// The past of a file as shown in its listing: the deleted lines, and the authors of the present ones.
struct SourceHistory: Sendable {
  /// By the line that they preceded.
  private let removals: [Int: [Removal]]
  /// Ascending.
  private let stretches: [OriginLabel]

  /// For a file without known history.
  init() {
    removals = [:]
    stretches = []
  }

  init(removed: [RemovedLines], origins: [LineOrigin] = [], time: LocalTime = .utc) {
    var removals: [Int: [Removal]] = [:]
    for lines in removed {
      let taken = removals[lines.before]?.reduce(0) { $0 + $1.weight } ?? 0
      removals[lines.before, default: []].append(Removal(lines, room: Removal.mostWeight - taken))
    }
    self.removals = removals
    stretches = origins.map { OriginLabel($0, time: time) }.sorted { $0.lines.lowerBound < $1.lines.lowerBound }
  }

  var hasOrigins: Bool { !stretches.isEmpty }

  /// The lines before which others were deleted.
  var places: some Collection<Int> { removals.keys }

  /// The lines at which a row begins because of the history.
  var breaks: Set<Int> { stretches.reduce(into: Set(removals.keys)) { $0.formUnion($1.breaks) } }

  /// The bytes that the history adds to a page, by line.
  var weights: [Int: Int] {
    var weights = removals.mapValues { $0.reduce(0) { $0 + $1.weight } }
    for stretch in stretches {
      for line in stretch.lines { weights[line, default: 0] += stretch.weight }
    }
    return weights
  }

  func combine(into hash: inout PageHash) {
    hash.combine(byLine: removals) { $0.combine(into: &$1) }
    hash.combine(stretches.count)
    for stretch in stretches {
      hash.combine(stretch.lines.lowerBound)
      hash.combine(stretch.lines.upperBound)
      hash.combine(stretch.first.bytes)
    }
  }

  /// Appends rows with the lines that were deleted before a line.
  func appendRemoved(before line: Int, path: String, to html: inout SafeHTML) {
    for removal in removals[line] ?? [] { removal.append(path: path, to: &html) }
  }

  /// Appends the label with the author of the lines from a line onwards; nothing if that is unknown.
  func appendOrigin(of line: Int, to html: inout SafeHTML) {
    guard !stretches.isEmpty else { return }
    let index = stretches.partitioningIndex { $0.lines.upperBound > line }
    guard index < stretches.count, stretches[index].lines.contains(line) else { return }
    html.append(stretches[index].lines.lowerBound == line ? stretches[index].first : stretches[index].further)
  }
}

extension SourceHistory {
  /// Deleted lines, with as much of their text as the page shows.
  struct Removal: Sendable {
    /// The maximum bytes that the lines deleted before one line add to its page.
    static let mostWeight = 60_000
    /// The bytes of a row apart from its text.
    private static let rowWeight = 400
    private static let ellipsis = Array(" …".utf8)

    private let lines: RemovedLines
    /// Up to `longestLine` bytes of each line.
    private let text: [UInt8]
    private let shownCount: Int
    /// An upper bound for the markup, in bytes.
    let weight: Int

    /// - Parameter room: the maximum weight of the text; lines that do not fit are only counted.
    init(_ lines: RemovedLines, room: Int) {
      var text: [UInt8] = []
      var weight = Self.rowWeight
      var count = 0
      // There is no line after the last line feed.
      let all = lines.text.last == UInt8(ascii: "\n") ? lines.text.dropLast() : lines.text[...]
      for line in all.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) where !lines.text.isEmpty {
        let start = text.count
        if line.count <= HighlightedSource.longestLine {
          text += line
        } else {
          // A character that is cut here is repaired when it is shown.
          text += line.prefix(HighlightedSource.longestLine - Self.ellipsis.count) + Self.ellipsis
        }
        let added = SourceParts.weight(of: start..<text.count, in: text) + 2
        guard weight + added <= room else {
          text.removeSubrange(start...)
          break
        }
        text.append(UInt8(ascii: "\n"))
        weight += added
        count += 1
      }
      self.lines = lines
      self.text = text
      shownCount = count
      self.weight = weight
    }

    func combine(into hash: inout PageHash) {
      for number in [lines.first, lines.count, lines.code.total, lines.code.covered, shownCount] {
        hash.combine(number)
      }
      hash.combine(text)
    }

    func append(path: String, to html: inout SafeHTML) {
      html.append("<tr class=gone><td><td><del class=x>−</del>\n<td>")
      let source = HighlightedSource(text, path: path)
      // A single line takes no more room than a summary of it.
      if lines.count == 1, shownCount == 1 {
        source.append(line: 1, dead: [], to: &html)
        html.append("<small>")
        html.append(escaping: remark)
        return html.append("</small>")
      }
      html.append("<details><summary>")
      html.append(escaping: summary)
      html.append("</summary>")
      source.append(lines: 1..<(source.lineCount + 1), to: &html)
      if shownCount < lines.count {
        html.append("<small>")
        html.append(escaping: "and \(CountText.counted(lines.count - shownCount, "more line"))")
        html.append("</small>\n")
      }
      html.append("</details>")
    }

    /// What is said behind a single line.
    private var remark: String {
      let ran = lines.code.total == 0 ? "" : lines.code.covered == 0 ? ", it never ran" : ", it ran"
      return "deleted (was \(CountText.plain(lines.first)))\(ran)"
    }

    private var summary: String {
      let place =
        CountText.agreeing(lines.count, "line ", "lines ")
        + CountText.range(lines.first, lines.first + lines.count - 1)
      let ran =
        lines.code.total == 0
        ? "no code" : "\(CountText.plain(lines.code.covered)) of \(CountText.plain(lines.code.total)) with code had run"
      return "\(CountText.counted(lines.count, "line")) deleted, \(place) before: \(ran)"
    }
  }
}

/// The author of consecutive lines, as shown beside their numbers: the first row has the day and the name, each further
/// row the name, so that it is visible wherever a link leads.
struct OriginLabel: Sendable {
  /// The maximum lines per row, because each row has the name once.
  private static let longestRow = 24

  let lines: Range<Int>
  let first: SafeHTML
  let further: SafeHTML

  init(_ origin: LineOrigin, time: LocalTime) {
    lines = origin.lines
    // A name is a single line of reasonable length.
    let name = String(String(decoding: origin.author.utf8.prefix(120), as: UTF8.self).prefix(40))
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    // The day shows the age of a line, and is the same in every report.
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

  /// The bytes that the label adds to a line.
  var weight: Int { max(first.bytes.count, further.bytes.count) }
}
