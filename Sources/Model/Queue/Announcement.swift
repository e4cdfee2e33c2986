/// An integration that is reported to a forge, and the last report.
package struct Announcement: Hashable, Sendable {
  /// What a forge was told.
  package struct Told: Hashable, Sendable {
    package var state: QueueEntry.State
    package var commit: CommitID

    package init(state: QueueEntry.State, commit: CommitID) {
      (self.state, self.commit) = (state, commit)
    }
  }

  /// The news about a commit.
  package enum Matter: Hashable, Sendable {
    case waiting, running
    case finished(Outcome)
    /// It was waiting, and will not be integrated.
    case dropped
    /// It was waiting, and the integration of another commit covers it.
    case covered(by: CommitID)
  }

  /// One thing to report.
  package struct News: Hashable, Sendable {
    package var commit: CommitID
    package var matter: Matter
  }

  package var entry: QueueEntry
  /// Nil unless the integration has finished.
  package var outcome: Outcome?
  package var told: Told?

  package init(entry: QueueEntry, outcome: Outcome?, told: Told?) {
    (self.entry, self.outcome, self.told) = (entry, outcome, told)
  }

  /// Whether nothing will follow.
  package var isOver: Bool { entry.state != .pending && entry.state != .running }

  /// The current state, as far as it has not been reported; intermediate states are no longer of interest.
  package var news: [News] {
    var news: [News] = []
    if let told, told.commit != entry.commit {
      news.append(News(commit: told.commit, matter: .covered(by: entry.commit)))
    }
    guard told?.state != entry.state || told?.commit != entry.commit else { return news }
    switch entry.state {
    case .pending: news.append(News(commit: entry.commit, matter: .waiting))
    case .running: news.append(News(commit: entry.commit, matter: .running))
    case .finished: news.append(News(commit: entry.commit, matter: .finished(outcome ?? .internalError)))
    case .skipped, .superseded:
      // Unless the commit was announced, there is nothing to take back.
      if told?.commit == entry.commit { news.append(News(commit: entry.commit, matter: .dropped)) }
    }
    return news
  }
}

/// The status that a forge shows next to a commit.
package struct CommitStatus: Hashable, Sendable {
  /// The states that all forges distinguish, each in its own words.
  package enum State: Sendable {
    case pending, running, succeeded, failed
    /// It ended without a verdict on the commit.
    case unknown
  }

  package var commit: CommitID
  /// The branch or tag that the commit was integrated for; nil for a single commit.
  package var ref: RefName?
  package var state: State
  package var description: String
  /// A link to the details; nil if the site is not served.
  package var link: String?

  package init(commit: CommitID, ref: RefName?, state: State, description: String, link: String?) {
    self.commit = commit
    self.ref = ref
    self.state = state
    self.description = description
    self.link = link
  }
}

extension Announcement.Matter {
  /// The state for a forge to show.
  package var state: CommitStatus.State {
    switch self {
    case .waiting: .pending
    case .running: .running
    case .dropped, .covered: .unknown
    case .finished(let outcome):
      switch outcome {
      case .succeeded, .warnings, .analyzerWarnings: .succeeded
      case .testFailures, .buildErrors, .incomplete, .triggerError: .failed
      case .checkoutError, .internalError, .canceled: .unknown
      }
    }
  }
}
