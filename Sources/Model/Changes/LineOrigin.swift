package import FoundationEssentials

/// The author and the time of the last change to some lines of a file.
package struct LineOrigin: Hashable, Sendable {
  /// Consecutive lines, counted from 1.
  package var lines: Range<Int>
  package var commit: CommitID
  package var author: String
  package var date: Date

  package init(lines: Range<Int>, commit: CommitID, author: String, date: Date) {
    self.lines = lines
    self.commit = commit
    self.author = author
    self.date = date
  }
}
