package import FoundationEssentials

/// How a build that went on from earlier ones was held against one of the same commit that began with nothing.
package struct BuildAudit: Hashable, Sendable, Codable {
  /// When.
  package var date: Date
  package var commit: CommitID
  /// What the two did not have in common; nil where they made the same.
  package var difference: Difference?

  /// What two builds of one commit did not have in common.
  package struct Difference: Hashable, Sendable, Codable {
    /// The files that differ, relative to the scratch folder, sorted; none where the build from nothing failed.
    package var files: [String]
    /// The first error of the build from nothing, where it failed.
    package var error: String?
    /// The integration that wrote the oldest of the files; nil where nobody knows.
    package var since: Origin?

    package init(files: [String], error: String? = nil, since: Origin? = nil) {
      self.files = files
      self.error = error
      self.since = since
    }
  }

  /// The integration that something comes from.
  package struct Origin: Hashable, Sendable, Codable {
    package var number: Int
    package var commit: CommitID

    package init(number: Int, commit: CommitID) {
      self.number = number
      self.commit = commit
    }
  }

  package init(date: Date, commit: CommitID, difference: Difference? = nil) {
    self.date = date
    self.commit = commit
    self.difference = difference
  }
}

extension BuildAudit {
  /// The difference as sentences for people; nil where there is none.
  package var words: String? {
    guard let difference else { return nil }
    let what =
      difference.error.map { "fails (\($0)), unlike the incremental one" }
      ?? "differs from the incremental one in \(ShortList.text(difference.files, first: 3))"
    let since =
      difference.since.map { "since \($0.commit.short), integration \($0.number)" } ?? "since when is not known"
    return
      "A clean build of \(commit.short) \(what), \(since). "
      + "The incremental one has been removed; what was reported since then may be wrong."
  }
}

extension [StepRecord] {
  /// What kind of build it was, and when an incremental one was last audited; nil where that is not known.
  ///
  /// - Parameter time: says when something was.
  package func buildWords(time: (Date) -> String) -> String? {
    guard let build = first(where: { $0.name == .building }), let isWarm = build.warm else { return nil }
    guard isWarm else { return Self.buildWords(isWarm: false) }
    let audit = build.audited.map { "last audited \(time($0.date)), at \($0.commit.short)" } ?? "not audited yet"
    return "\(Self.buildWords(isWarm: true)), \(audit)"
  }

  /// What a build is called that goes on from an earlier one, or does not.
  package static func buildWords(isWarm: Bool) -> String { isWarm ? "incremental build" : "clean build" }
}
