import Model

/// The files that a commit touched, folded below their number, for the template `changed-files`.
struct ChangedFiles {
  private static let most = 200

  let commit: CommitChange
  /// The integration since which they changed, to be told where others are compared with another one.
  var since: Int?
  /// Whether they are shown at once.
  var isOpen = false
  /// Returns the page of a source by its path in the repository; nil if it has none.
  let link: (String) -> String?

  /// Missing if the files were not read, and without any.
  var record: TemplateValue {
    let files = commit.files.prefix(Self.most)
    guard let further = commit.filesLeft, !files.isEmpty else { return .missing }
    let left = commit.files.count - files.count + further
    return .record([
      "since": .optional(since.map { "\($0)" }), "isOpen": .flag(isOpen),
      "count": .text(CountText.counted(commit.files.count + further, "file")),
      "lines": .optional(further == 0 ? CommitChange.File.lines(of: commit.files) : nil),
      "files": .list(files.map { $0.record(link: link($0.path)) }),
      "left": left > 0 ? .text("and \(CountText.counted(left, "more file"))") : .missing,
    ])
  }
}

extension CommitChange.File {
  /// Returns the values of the template `compare-file`.
  func record(link: String? = nil) -> TemplateValue {
    .record([
      "path": .shown(path), "oldPath": .shown(ifAny: oldPath), "link": .optional(link),
      "status": status == .modified ? .missing : .text(status.rawValue), "lines": .optional(Self.lines(of: [self])),
    ])
  }

  /// Returns the lines that were added to files and removed from them, such as `+4 −1`; nil if they were counted in none.
  fileprivate static func lines(of files: [CommitChange.File]) -> String? {
    let counted = files.compactMap { file in file.added.flatMap { added in file.removed.map { (added, $0) } } }
    guard !counted.isEmpty else { return nil }
    let (added, removed) = counted.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
    return "+\(CountText.plain(added)) −\(CountText.plain(removed))"
  }
}
