package import FoundationEssentials

/// The full name of a commit: forty lowercase hexadecimal digits.
package struct CommitID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package var description: String { rawValue }

  /// The first seven digits, for display.
  package var short: String { String(rawValue.prefix(7)) }
}

/// The data of one commit, copied from the repository.
package struct Commit: Hashable, Sendable, Codable {
  package var id: CommitID
  /// The first paragraph of the message, on one line.
  package var summary: String
  /// The author's name as recorded in the commit.
  package var author: String
  /// The author's address as recorded in the commit; empty if unknown.
  package var email: String
  /// The author date.
  package var date: Date

  package init(id: CommitID, summary: String, author: String, email: String = "", date: Date) {
    self.id = id
    self.summary = summary
    self.author = author
    self.email = email
    self.date = date
  }
}
