package import Model

extension SourceHunk {
  /// The largest number of removed lines to keep, and of added ones.
  private static let mostLines = 10
  /// The number of lines to keep on either side.
  private static let around = 2
  private static let longestLine = 300

  /// Creates a hunk of a diff with the text of its lines; if there are very many, the first ones, or those around one of
  /// them.
  package init(
    _ hunk: LineMap.Hunk, of file: String, from before: [UInt8], to after: [UInt8], around line: Int? = nil
  ) {
    func lines(_ numbers: Range<Int>, of text: [ArraySlice<UInt8>], _ change: Line.Change? = nil) -> [Line] {
      numbers.clamped(to: 1..<(text.count + 1)).prefix(Self.mostLines).map { number in
        Line(number: number, text: Self.text(of: text[number - 1]), change: change)
      }
    }
    let (old, new) = (Self.lines(of: before), Self.lines(of: after))
    let (start, end) = (hunk.new.lowerBound, min(hunk.new.upperBound, new.count + 1))
    // What follows a hunk that was cut would seem to be part of it.
    let isCut = end - start > Self.mostLines
    let first = isCut ? max(start, min(line ?? start, end - 1) - Self.mostLines / 2) : start
    let head = lines(max(1, start - Self.around)..<start, of: new) + lines(hunk.old, of: old, .removed)
    self.init(
      file: file,
      lines: (first == start ? head : []) + lines(first..<max(first, hunk.new.upperBound), of: new, .added)
        + (isCut ? [] : lines(end..<(end + Self.around), of: new)))
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

extension SourceDifference {
  /// Returns the hunks with any of some current lines, then the one that replaced an earlier line, each once.
  package func hunks(
    at lines: [SourceLocation], replacing earlier: SourceLocation?
  ) -> [(file: FileDifference, hunk: LineMap.Hunk)] {
    var found: [(file: FileDifference, hunk: LineMap.Hunk)] = []
    func add(_ file: FileDifference?, where fits: (LineMap.Hunk) -> Bool) {
      guard let file, let hunk = file.lines?.hunks.first(where: fits),
        !found.contains(where: { $0.file.newPath == file.newPath && $0.hunk == hunk })
      else { return }
      found.append((file, hunk))
    }
    for place in lines { add(file(at: place.file)) { $0.new.contains(place.line) } }
    if let earlier { add(file(from: earlier.file)) { $0.old.contains(earlier.line) } }
    return found
  }
}
