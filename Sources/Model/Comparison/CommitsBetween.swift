package import FoundationEssentials

/// The commits between one integration's commit and another's.
package struct CommitsBetween: Codable, Sendable, Hashable {
  /// The relation between the two commits.
  package enum Relation: String, Codable, Sendable {
    /// They are the same commit.
    case same
    /// The second is built on the first.
    case forward
    /// The first is built on the second.
    case backward
    /// Each has commits that the other lacks.
    case diverged
    /// The repository does not tell.
    case unknown
  }

  package var relation: Relation
  /// Why the relation is unknown.
  package var reason: String?
  /// The commits that only the second one has, newest first.
  package var added: [CommitChange]
  /// The commits that only the first one has, newest first.
  package var dropped: [CommitChange]
  /// The maximum number of commits in each list; a full list may be truncated.
  package var limit: Int
  /// The first files that differ between the two commits, by path; nil where one commit tells, if they were not read, and in
  /// older documents.
  package var files: [CommitChange.File]?
  /// The number of files beyond those.
  package var filesLeft: Int?

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

  /// Whether the second commit is known to have the same files as the first.
  package var changeNoFile: Bool {
    switch relation {
    case .same: true
    case .forward: !isCut && added.allSatisfy { $0.files.isEmpty && $0.filesLeft == 0 }
    case .backward, .diverged, .unknown: false
    }
  }

  /// The files that some of the commits touched but that do not differ, by path; empty if that is not known.
  package var restored: [String] {
    guard let files, filesLeft == 0, relation == .forward || relation == .backward else { return [] }
    let differing = Set(files.flatMap { [$0.path, $0.oldPath ?? $0.path] })
    return Set((added + dropped).flatMap(\.files).map(\.path)).subtracting(differing).sorted()
  }

  /// Whether there may be more commits than are listed.
  package var isCut: Bool { limit > 0 && (added.count >= limit || dropped.count >= limit) }
}

/// A commit and the files it touched.
package struct CommitChange: Codable, Sendable, Hashable {
  /// A file that differs from the first parent's.
  package struct File: Codable, Sendable, Hashable {
    package var path: String
    /// The earlier path, if the file was renamed.
    package var oldPath: String?
    package var status: FileDifference.Status
    /// The numbers of lines; nil if they were not counted, as for binary files.
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
  /// The first files, by path.
  package var files: [File]
  /// The number of files beyond those; nil if the files were not read.
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

  /// The text after the first line, without leading and trailing blank lines.
  package var body: String {
    let rest = message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropFirst()
    func isBlank(_ line: Substring) -> Bool { line.allSatisfy(\.isWhitespace) }
    return rest.drop(while: isBlank).reversed().drop(while: isBlank).reversed().joined(separator: "\n")
  }
}
