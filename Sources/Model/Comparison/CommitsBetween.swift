package import FoundationEssentials

/// The commits that lead from one integration's commit to another's.
package struct CommitsBetween: Codable, Sendable, Hashable {
  /// How the two commits stand to each other.
  package enum Relation: String, Codable, Sendable {
    /// They are one commit.
    case same
    /// The second is built on the first.
    case forward
    /// The first is built on the second.
    case backward
    /// Each has commits that the other lacks.
    case diverged
    /// The repository does not say.
    case unknown
  }

  package var relation: Relation
  /// Why it is not known.
  package var reason: String?
  /// What the second has and the first lacks, newest first.
  package var added: [CommitChange]
  /// What the first has and the second lacks, newest first.
  package var dropped: [CommitChange]
  /// How many commits there are at most in each list; a full list may be cut.
  package var limit: Int

  package init(
    _ relation: Relation, reason: String? = nil, added: [CommitChange] = [], dropped: [CommitChange] = [],
    limit: Int = 0
  ) {
    self.relation = relation
    self.reason = reason
    self.added = added
    self.dropped = dropped
    self.limit = limit
  }

  /// Whether there may be more commits than are listed.
  package var isCut: Bool { limit > 0 && (added.count >= limit || dropped.count >= limit) }
}

/// One commit with what it touched.
package struct CommitChange: Codable, Sendable, Hashable {
  /// A file that differs from the first parent's.
  package struct File: Codable, Sendable, Hashable {
    package var path: String
    /// The path before, when the file was renamed.
    package var oldPath: String?
    package var status: FileDifference.Status
    /// Lines; nil when they were not counted, as for binary files.
    package var added: Int?
    package var removed: Int?

    package init(
      path: String, oldPath: String? = nil, status: FileDifference.Status, added: Int? = nil, removed: Int? = nil
    ) {
      self.path = path
      self.oldPath = oldPath
      self.status = status
      self.added = added
      self.removed = removed
    }
  }

  package var id: CommitID
  package var author: String
  package var date: Date
  /// The whole message.
  package var message: String
  /// The first ones, by path.
  package var files: [File]
  /// How many files there are beyond those; nil when the files were not read.
  package var filesLeft: Int?

  package init(id: CommitID, author: String, date: Date, message: String, files: [File] = [], filesLeft: Int? = 0) {
    self.id = id
    self.author = author
    self.date = date
    self.message = message
    self.files = files
    self.filesLeft = filesLeft
  }

  /// The first line of the message.
  package var summary: String {
    message.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
  }

  /// What follows the first line, without blank lines around it.
  package var body: String {
    let rest = message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropFirst()
    func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }
    return rest.drop(while: isBlank).reversed().drop(while: isBlank).reversed().joined(separator: "\n")
  }
}
