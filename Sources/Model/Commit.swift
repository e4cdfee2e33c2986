package import FoundationEssentials

/// The full name of a commit: forty lower-case hexadecimal digits.
package struct CommitID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package var description: String { rawValue }

  /// The first seven digits, for places where people read.
  package var short: String { String(rawValue.prefix(7)) }

  package init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

/// One commit, copied out of the repository.
package struct Commit: Hashable, Sendable, Codable {
  package var id: CommitID
  /// The first paragraph of the message, on one line.
  package var summary: String
  /// The author's name as the commit has it.
  package var author: String
  /// The author's address as the commit has it; empty where it is not known.
  package var email: String
  /// When the author wrote it.
  package var date: Date

  package init(id: CommitID, summary: String, author: String, email: String = "", date: Date) {
    self.id = id
    self.summary = summary
    self.author = author
    self.email = email
    self.date = date
  }
}
