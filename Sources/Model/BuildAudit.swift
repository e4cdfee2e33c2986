package import FoundationEssentials

/// The comparison of an incremental build with a clean build of the same commit.
package struct BuildAudit: Hashable, Sendable, Codable {
  /// The date of the comparison.
  package var date: Date
  package var commit: CommitID
  /// What differed between the two builds; nil if they produced the same.
  package var difference: Difference?

  /// What differs between two builds of one commit.
  package struct Difference: Hashable, Sendable, Codable {
    /// The files that differ, relative to the scratch folder, sorted; empty if the clean build failed.
    package var files: [String]
    /// The first error of the clean build, if it failed.
    package var error: String?
    /// The integration that wrote the oldest of the files; nil if unknown.
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
  /// The difference as sentences for people; nil if there is none.
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
  /// Returns what kind of build it was, and when an incremental one was last audited; nil if this is unknown.
  ///
  /// - Parameter time: formats a date.
  package func buildWords(time: (Date) -> String) -> String? {
    guard let build = first(where: { $0.name == .building }), let isWarm = build.warm else { return nil }
    guard isWarm else { return Self.buildWords(isWarm: false) }
    // What is archived was audited itself.
    let newest = compactMap(\.audited).last { $0.difference == nil }
    let audit = newest.map { ", last audited \(time($0.date)), at \($0.commit.short)" } ?? ""
    return Self.buildWords(isWarm: true) + audit
  }

  /// Returns the name for an incremental build or a clean one.
  package static func buildWords(isWarm: Bool) -> String { isWarm ? "incremental build" : "clean build" }
}
