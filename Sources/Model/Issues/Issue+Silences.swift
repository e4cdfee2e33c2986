package import FoundationEssentials

extension Issue {
  /// Gives the issue the status that it has after what people have said about it.
  ///
  /// Of several silences the first that holds counts; where none holds, the last that has ended is told. A resolved issue
  /// and one that has not been followed stay as they are.
  ///
  /// - Parameters:
  ///   - number: the integration that the issue is told by.
  ///   - commit: its commit.
  ///   - now: the moment at which silences may have come to their ends.
  package mutating func apply(_ silences: [Silence], number: Int, commit: CommitID, at now: Date) {
    guard let life, status != .resolved else { return }
    status = life.streakStart == number && !life.predates ? .new : .unresolved
    silence = nil
    endedSilence = nil
    guard kind.canBeSilenced else { return }
    for one in silences {
      switch one.effect(onIssue: id, found: findings, streakStart: life.streakStart, commit: commit, at: now) {
      case .holds:
        status = .silenced
        silence = one
        endedSilence = nil
        return
      case .expired: endedSilence = one
      case .none: break
      }
    }
  }
}
