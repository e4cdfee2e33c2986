import Model

/// The files that a commit touched, or that differ between two, for the template `changed-files`: several are folded below
/// their number.
struct ChangedFiles {
  private static let most = 200
  private static let mostRestored = 10

  let files: [CommitChange.File]
  /// How many there are beyond those; nil if they were not read.
  let further: Int?
  /// The paths of those that changed and changed back.
  var restored: [String] = []
  /// The integration since which they changed, with its report; missing where the page says it elsewhere.
  var since: TemplateValue = .missing
  /// Whether they are shown at once.
  var isOpen = false
  /// Returns the page of a source by its path in the repository; nil if it has none.
  let link: (String) -> String?

  /// Missing if the files were not read, and without any.
  var record: TemplateValue {
    let shown = files.prefix(Self.most)
    guard let further, !shown.isEmpty || !restored.isEmpty else { return .missing }
    let left = files.count - shown.count + further
    return .record([
      "since": since, "isOpen": .flag(isOpen), "isOnly": .flag(files.count + further == 1),
      "count": .text(CountText.counted(files.count + further, "file")),
      "lines": .optional(further == 0 ? CommitChange.File.lines(of: files) : nil),
      "files": .list(shown.map { $0.record(link: link($0.path)) }),
      "restored": .shown(
        ifAny: restored.isEmpty
          ? nil : "Changed and changed back: \(ShortList.text(restored, first: Self.mostRestored))."),
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

  /// Returns the lines that were added to files and removed from them, such as `+4 −1`; nil if they were counted in none,
  /// and where there are none, as when files only moved.
  fileprivate static func lines(of files: [CommitChange.File]) -> String? {
    let counted = files.compactMap { file in file.added.flatMap { added in file.removed.map { (added, $0) } } }
    let (added, removed) = counted.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
    guard added + removed > 0 else { return nil }
    return "+\(CountText.plain(added)) −\(CountText.plain(removed))"
  }
}
