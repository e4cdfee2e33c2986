import Model

/// A finder of the lines that count in only one of two coverages because the other one leaves them out on request.
struct LeftOutFinder {
  private let now: [String: [CoverageExclusion]]
  private let before: [String: [CoverageExclusion]]
  private var found = LeftOutLines()
  private var (least, most) = (0, 0)

  init(now: Coverage, before: Coverage) {
    self.now = Dictionary(grouping: now.exclusions, by: \.path)
    self.before = Dictionary(grouping: before.exclusions, by: \.path)
  }

  /// The result so far, sorted by path.
  var lines: LeftOutLines {
    var lines = found
    lines.hidden.sort { $0.path < $1.path }
    lines.shown.sort { $0.path < $1.path }
    lines.replaced.sort { $0.path < $1.path }
    lines.unknown.sort()
    lines.runningNow = least...most
    return lines
  }

  /// Looks at a file that could not be compared.
  mutating func skip(_ path: String, _ change: FileDifference?) {
    let isLeftOut = now[change?.newPath ?? path] ?? before[change?.oldPath ?? path] != nil
    if isLeftOut { found.unknown.append(path) }
  }

  /// - Parameter change: nil if the file did not change.
  mutating func look(at file: FileComparison, _ change: FileDifference?) {
    let (path, oldPath) = (change?.newPath ?? file.path, change?.oldPath ?? file.path)
    if let exclusions = now[path] { hide(file, path, exclusions, change?.lines ?? .identity) }
    if let exclusions = before[oldPath] { show(file, path, exclusions, change?.lines ?? .identity) }
  }

  private mutating func hide(
    _ file: FileComparison, _ path: String, _ exclusions: [CoverageExclusion], _ map: LineMap
  ) {
    var hidden = LeftOutLines.File(path: path, ran: [], neverRan: [])
    var replaced = LeftOutLines.Replaced(path: path, lines: [], count: 0)
    var places = ReplacedPlaces(map, deleted: file.deleted)
    for exclusion in exclusions {
      let lines = file.excluded.lines(in: exclusion.span)
      hidden.ran += lines.filter { $0.category == .excludedRan }.map(\.line)
      hidden.neverRan += lines.filter { $0.category == .excludedNeverRan }.map(\.line)
      let taken = places.take(exclusion, atMost: exclusion.lines.total - lines.count)
      replaced.lines += taken.lines
      replaced.count += taken.count
      let count = lines.count + taken.count
      // Not all of these lines need be code now.
      let running = min(count, exclusion.lines.covered)
      least += min(running, max(0, min(count, exclusion.lines.total) - exclusion.lines.uncovered))
      most += running
    }
    if hidden.count > 0 { found.hidden.append(hidden) }
    if replaced.count > 0 { found.replaced.append(replaced) }
  }

  private mutating func show(
    _ file: FileComparison, _ path: String, _ exclusions: [CoverageExclusion], _ map: LineMap
  ) {
    var shown = LeftOutLines.File(path: path, ran: [], neverRan: [])
    for line in file.lines where line.category == .includedRan || line.category == .includedNeverRan {
      guard let old = map.oldLine(of: line.line), exclusions.hold(old) else { continue }
      if line.category == .includedRan { shown.ran.append(line.line) } else { shown.neverRan.append(line.line) }
    }
    if shown.count > 0 { found.shown.append(shown) }
  }
}

/// The places where counted lines were replaced.
private struct ReplacedPlaces {
  /// The new lines of each place, and the number of old lines without a successor so far.
  private var places: [(new: Range<Int>, left: Int)]

  init(_ map: LineMap, deleted: [FileComparison.Line]) {
    places = map.hunks.compactMap { hunk in
      guard !hunk.new.isEmpty else { return nil }
      let first = deleted.partitioningIndex { $0.line >= hunk.old.lowerBound }
      let end = deleted.partitioningIndex { $0.line >= hunk.old.upperBound }
      return end > first ? (hunk.new, end - first) : nil
    }
  }

  /// Returns the lines that an exclusion covers in these places, and the largest number of them that can hold code.
  mutating func take(_ exclusion: CoverageExclusion, atMost limit: Int) -> (lines: [Int], count: Int) {
    var lines: [Int] = []
    var count = 0
    let span = exclusion.codeSpan
    for index in places.indices where count < limit && places[index].left > 0 {
      let new = places[index].new
      let overlap =
        max(
          new.lowerBound, span.lowerBound)..<max(new.lowerBound, span.lowerBound, min(new.upperBound, span.upperBound))
      let taken = min(overlap.count, places[index].left, limit - count)
      guard taken > 0 else { continue }
      places[index].left -= taken
      count += taken
      lines += overlap
    }
    return (lines, count)
  }
}

extension CoverageExclusion {
  /// Its lines; for a whole file, every line.
  fileprivate var span: Range<Int> {
    // A document that was edited by hand must not crash the process.
    let first = min(max(firstLine ?? 1, 1), Int.max - 1)
    return first..<max(first, min(lastLine ?? Int.max, Int.max - 1) + 1)
  }

  /// Its lines, without a first or last line that holds only the marker that begins or ends the exclusion.
  var codeSpan: Range<Int> {
    guard let firstLine, let lastLine, firstLine < lastLine else { return span }
    let first = span.lowerBound + (firstHoldsCode == true ? 0 : 1)
    let end = span.upperBound - (lastHoldsCode == true || neverEnded == true ? 0 : 1)
    return first..<max(first, end)
  }
}

extension [CoverageExclusion] {
  /// Whether one of the exclusions, which must be in ascending order, contains a line.
  fileprivate func hold(_ line: Int) -> Bool {
    let index = partitioningIndex { $0.span.upperBound > line }
    return index < count && self[index].span.contains(line)
  }
}

extension [FileComparison.Line] {
  /// Returns those of the lines, which must be in ascending order, that are in a range.
  fileprivate func lines(in span: Range<Int>) -> ArraySlice<FileComparison.Line> {
    let first = partitioningIndex { $0.line >= span.lowerBound }
    return self[first..<Swift.max(first, partitioningIndex { $0.line >= span.upperBound })]
  }
}
