/// Why it is not known what an integration is to be compared with.
package enum ReferenceDoubt: Hashable, Sendable {
  /// The files of an integration were removed, which may have had complete coverage.
  case removed(Int)
  /// The coverage of an integration cannot be read.
  case unreadable(Int)
  /// A shallow clone ends before the commit of an integration.
  case beyondClone(Int, CommitID)
  /// The history is longer than what was looked at, so many commits.
  case longHistory(Int)
  /// A shallow clone ends before any commit that was integrated with complete coverage.
  case shallowClone
  /// The repository cannot be read, with git's reason as a sentence.
  case repository(reason: String)
}
