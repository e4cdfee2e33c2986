import Model

extension SourceHunk {
  /// The line by which pages lead from it to the whole file: its first added one, otherwise one that stayed.
  var linked: SourceLocation? {
    let line = lines.first { $0.change == .added } ?? lines.first { $0.change == nil }
    return line.map { SourceLocation(file: file, line: $0.number) }
  }
}

extension IssueRecord {
  /// Returns the changes on the page of the issue that an integration itself made, so that they lead to its files.
  func hunks(of number: Int) -> [SourceHunk] {
    let began = life.reasonSince ?? life.streakStart
    let last = streaks.last
    return [began == number ? suspectedHunk : nil].compactMap(\.self)
      + (last?.lastSeen == number ? failedLines ?? [] : [])
      + (last?.end == number ? last?.resolution?.hunks ?? [] : [])
  }
}
