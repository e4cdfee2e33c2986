/// An integration that a forge is told of, with what it was told last.
package struct Announcement: Hashable, Sendable {
  /// What a forge was told.
  package struct Told: Hashable, Sendable {
    package var state: QueueEntry.State
    package var commit: CommitID

    package init(state: QueueEntry.State, commit: CommitID) {
      (self.state, self.commit) = (state, commit)
    }
  }

  /// What there is to say of a commit.
  package enum Matter: Hashable, Sendable {
    case waiting, running
    case finished(Outcome)
    /// It waited, and will not be integrated.
    case dropped
    /// It waited, and the integration of another commit covers it.
    case covered(by: CommitID)
  }

  /// One thing to tell.
  package struct News: Hashable, Sendable {
    package var commit: CommitID
    package var matter: Matter
  }

  package var entry: QueueEntry
  /// Nil unless it has finished.
  package var outcome: Outcome?
  package var told: Told?

  package init(entry: QueueEntry, outcome: Outcome?, told: Told?) {
    (self.entry, self.outcome, self.told) = (entry, outcome, told)
  }

  /// Whether nothing will follow.
  package var isOver: Bool { entry.state != .pending && entry.state != .running }

  /// What was not told yet, of how things are now; what was in between is nobody's concern any more.
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
      // Nobody waits for what nobody was told of.
      if told?.commit == entry.commit { news.append(News(commit: entry.commit, matter: .dropped)) }
    }
    return news
  }
}

/// What a forge shows beside a commit.
package struct CommitStatus: Hashable, Sendable {
  /// The states that all forges tell apart, each in its own words.
  package enum State: Sendable {
    case pending, running, succeeded, failed
    /// It ended without a verdict on the commit.
    case unknown
  }

  package var commit: CommitID
  /// The branch or tag that the commit was integrated for; nil for a commit by itself.
  package var ref: RefName?
  package var state: State
  package var description: String
  /// Where more stands; nil where nobody serves it.
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
  /// The state that a forge is to show.
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
