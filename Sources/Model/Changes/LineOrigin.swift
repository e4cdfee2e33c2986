package import FoundationEssentials

/// Who last touched lines of a file, and when.
package struct LineOrigin: Hashable, Sendable {
  /// Lines that follow each other, from 1.
  package var lines: Range<Int>
  package var commit: CommitID
  package var author: String
  package var email: String
  package var date: Date

  package init(lines: Range<Int>, commit: CommitID, author: String, email: String, date: Date) {
    self.lines = lines
    self.commit = commit
    self.author = author
    self.email = email
    self.date = date
  }
}
