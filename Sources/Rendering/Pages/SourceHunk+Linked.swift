import Model
import Syntax

extension SourceHunk {
  /// The line by which pages lead from it to the whole file: its first added one, otherwise the one that stands where one
  /// was removed.
  var linked: SourceLocation? {
    let removed = lines.firstIndex { $0.change == .removed } ?? lines.startIndex
    let stays = { (line: Line) in line.change == nil }
    return added ?? (lines[removed...].first(where: stays) ?? lines.last(where: stays)).map(place)
  }

  /// The first added line that is not blank, or the first one if all are; nil if nothing was added.
  var added: SourceLocation? {
    let added = lines.filter { $0.change == .added }
    return (added.first { !$0.text.allSatisfy(\.isWhitespace) } ?? added.first).map(place)
  }

  /// Returns the changed lines that took the place of one, with a line on each side; nil if it removed no such line.
  func replacing(_ place: SourceLocation) -> SourceHunk? {
    let index = lines.firstIndex { $0.number == place.line && $0.change == .removed }
    guard file == place.file, let index else { return nil }
    let start = lines[..<index].lastIndex { $0.change == nil } ?? lines.startIndex
    let end = lines[index...].firstIndex { $0.change == nil } ?? lines.index(before: lines.endIndex)
    return SourceHunk(file: file, lines: Array(lines[start...end]))
  }

  /// Returns its first added line with code that later changes took away again; nil without one.
  func line(goneWith later: [SourceHunk]) -> SourceLocation? {
    let gone = later.filter { $0.file == file }.flatMap(\.lines).filter { $0.change == .removed }
    let texts = Set(gone.map(\.text))
    return lines.first { line in
      line.change == .added && texts.contains(line.text)
        && SourceCode(Array(line.text.utf8), path: file).hasWords(1)
    }.map(place)
  }

  /// The numbers of the added lines.
  var addedLines: Set<Int> { Set(lines.filter { $0.change == .added }.map(\.number)) }

  /// The added lines of a change that was cut, beside which others were added, too; nil for one that is whole.
  var cutLines: ClosedRange<Int>? {
    let added = addedLines
    guard added.count >= Self.mostLines || replacesNone == true, let first = added.min(), let last = added.max() else {
      return nil
    }
    return first...last
  }

  private func place(_ line: Line) -> SourceLocation { SourceLocation(file: file, line: line.number) }
}

extension IssueRecord {
  /// Returns the changes on the page of the issue that an integration itself made, so that they lead to its files.
  func hunks(of number: Int) -> [SourceHunk] {
    let last = streaks.last
    let ending: [SourceHunk] = last?.end == number ? last?.resolution?.hunks ?? [] : []
    let replacing: [SourceHunk] = ending.compactMap { hunk in location.flatMap { hunk.replacing($0) } }
    return [life.began == number ? suspectedHunk : nil].compactMap(\.self)
      + (last?.lastSeen == number ? failedLines ?? [] : []) + ending + replacing
  }
}
