package import Model

extension SourceHunk {
  /// The number of lines to keep on either side.
  private static let around = 2
  private static let longestLine = 300

  /// Creates a hunk of a diff, and those so close to it that git shows them as one, with the text of its lines; if
  /// there are very many, the first ones, or those around one of them.
  ///
  /// - Parameter map: all hunks of the file.
  package init(
    _ hunk: LineMap.Hunk, in map: LineMap, of file: String, from before: [UInt8], to after: [UInt8],
    around line: Int? = nil
  ) {
    let (old, new) = (Self.lines(of: before), Self.lines(of: after))
    func lines(_ numbers: Range<Int>, of text: [ArraySlice<UInt8>], _ change: Line.Change? = nil) -> [Line] {
      numbers.clamped(to: 1..<(text.count + 1)).prefix(Self.mostLines).map { number in
        Line(number: number, text: Self.text(of: text[number - 1]), change: change)
      }
    }
    let (start, end) = (hunk.new.lowerBound, min(hunk.new.upperBound, new.count + 1))
    // What follows a hunk that was cut would seem to be part of it.
    let isCut = end - start > Self.mostLines
    let first = isCut ? max(start, min(line ?? start, end - 1) - Self.mostLines / 2) : start
    guard first == start else {
      let replacesNone = lines(hunk.old, of: old).isEmpty ? true : nil
      self.init(file: file, lines: lines(first..<end, of: new, .added), replacesNone: replacesNone)
      return
    }
    let (floor, group, ceiling) = Self.neighbours(of: hunk, among: map.hunks)
    var shown: [Line] = []
    var next = max(floor, group[0].new.lowerBound - Self.around)
    for hunk in group {
      shown += lines(next..<hunk.new.lowerBound, of: new) + lines(hunk.old, of: old, .removed)
      shown += lines(hunk.new, of: new, .added)
      next = min(hunk.new.upperBound, new.count + 1)
    }
    self.init(file: file, lines: shown + (isCut ? [] : lines(next..<min(ceiling, next + Self.around), of: new)))
  }

  /// The largest number of stretches to keep of all that changed in a file.
  private static let mostChanged = 3

  /// Creates all that changed in a file, one stretch after the other; nil without anything, and if it is much.
  package init?(allOf map: LineMap, of file: String, from before: [UInt8], to after: [UInt8]) {
    let hunks = map.hunks
    guard map != .allNew, hunks.reduce(0, { $0 + $1.old.count }) <= Self.mostLines,
      hunks.reduce(0, { $0 + $1.new.count }) <= Self.mostLines
    else { return nil }
    var stretches: [SourceHunk] = []
    for hunk in hunks {
      let stretch = SourceHunk(hunk, in: map, of: file, from: before, to: after)
      if stretches.last != stretch { stretches.append(stretch) }
    }
    guard (1...Self.mostChanged).contains(stretches.count) else { return nil }
    self.init(file: file, lines: stretches.flatMap(\.lines))
  }

  /// Creates the lines around one of a file that was deleted; nil without that line.
  package init?(deleted file: String, text: [UInt8], around line: Int) {
    let all = Self.lines(of: text)
    guard all.indices.contains(line - 1) else { return nil }
    let first = max(1, min(line - Self.mostLines / 2, all.count - Self.mostLines + 1))
    let lines = all.enumerated().dropFirst(first - 1).prefix(Self.mostLines).map { index, text in
      Line(number: index + 1, text: Self.text(of: text), change: .removed)
    }
    self.init(file: file, lines: lines)
  }

  /// Returns a hunk with the neighbours whose surroundings meet, as long as there are not too many lines, and the
  /// bounds of the unchanged lines around them.
  private static func neighbours(
    of own: LineMap.Hunk, among hunks: [LineMap.Hunk]
  ) -> (floor: Int, group: [LineMap.Hunk], ceiling: Int) {
    guard let index = hunks.firstIndex(of: own) else { return (1, [own], .max) }
    var (first, last) = (index, index)
    func fits(_ other: Int) -> Bool {
      let group = hunks[min(first, other)...max(last, other)]
      let gap =
        other < first
        ? hunks[first].new.lowerBound - hunks[other].new.upperBound
        : hunks[other].new.lowerBound - hunks[last].new.upperBound
      return gap <= 2 * around && group.allSatisfy { $0.old.count <= mostLines && $0.new.count <= mostLines }
        && group.reduce(0) { $0 + $1.old.count } <= mostLines && group.reduce(0) { $0 + $1.new.count } <= mostLines
    }
    while first > 0, fits(first - 1) { first -= 1 }
    while last < hunks.count - 1, fits(last + 1) { last += 1 }
    return (
      first > 0 ? hunks[first - 1].new.upperBound : 1, Array(hunks[first...last]),
      last < hunks.count - 1 ? hunks[last + 1].new.lowerBound : .max
    )
  }

  private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.last?.isEmpty == true ? lines.dropLast() : lines
  }

  private static func text(of line: ArraySlice<UInt8>) -> String {
    let bytes = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    return String(String(decoding: bytes, as: UTF8.self).prefix(longestLine))
  }
}

extension SourceHunk {
  /// The largest number of stretches to keep of lines that did not change, and of lines in all of them.
  private static let mostStretches = 10
  private static let mostFailed = 200
  /// The number of lines to keep on either side of them.
  private static let aroundFailed = 4

  /// Returns some lines of sources with those around them, as long as there are not too many.
  ///
  /// - Parameter text: returns the text of a file; nil where it cannot be read.
  package static func excerpts(of lines: [SourceLocation], text: (String) -> [UInt8]?) -> [SourceHunk] {
    var left = mostFailed
    return stretches(of: lines).prefix(mostStretches).compactMap { stretch in
      guard left > 0, let first = stretch.first, let last = stretch.last, let bytes = text(first.file) else {
        return nil
      }
      let all = Self.lines(of: bytes)
      guard (1...max(1, all.count)).contains(first.line), !all.isEmpty else { return nil }
      let shown = (max(1, first.line - aroundFailed)...min(all.count, last.line + aroundFailed)).prefix(left)
      left -= shown.count
      return SourceHunk(file: first.file, lines: shown.map { Line(number: $0, text: Self.text(of: all[$0 - 1])) })
    }
  }
}

extension IssueRecord {
  /// Names no line for the suspect if the source no longer has the one that is named: the reason tells of that one.
  package mutating func keepSuspectedLine(in source: [UInt8]) {
    guard let hunk = suspectedHunk,
      let index = suspects?.firstIndex(where: { $0.confidence != .low && $0.place?.file == hunk.file }),
      let number = suspects?[index].place?.line,
      let line = hunk.lines.first(where: { $0.change == .added && $0.number == number }),
      !SourceHunk.has(line, in: source)
    else { return }
    suspects?[index].place = nil
  }
}

extension SourceHunk {
  /// Whether a source has a line, wherever that is.
  fileprivate static func has(_ line: Line, in source: [UInt8]) -> Bool {
    lines(of: source).contains { text(of: $0) == line.text }
  }
}

extension SourceDifference {
  /// Returns the hunks with any of some current lines, then those that replaced any of some earlier lines, each once.
  package func hunks(
    at lines: [SourceLocation], replacing earlier: [SourceLocation]
  ) -> [(file: FileDifference, hunk: LineMap.Hunk)] {
    var found: [(file: FileDifference, hunk: LineMap.Hunk)] = []
    func add(_ file: FileDifference?, where fits: (LineMap.Hunk) -> Bool) {
      guard let file, let hunk = file.lines?.hunks.first(where: fits),
        !found.contains(where: { $0.file.newPath == file.newPath && $0.hunk == hunk })
      else { return }
      found.append((file, hunk))
    }
    for place in lines { add(file(at: place.file)) { $0.new.contains(place.line) } }
    for place in earlier { add(file(from: place.file)) { $0.old.contains(place.line) } }
    return found
  }
}
