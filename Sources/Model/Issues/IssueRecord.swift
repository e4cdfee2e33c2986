/// What is remembered of an issue from integration to integration, even while it is gone.
package struct IssueRecord: Hashable, Sendable, Codable {
  /// A period in which an issue existed without having been resolved.
  package struct Streak: Hashable, Sendable, Codable {
    /// The number of the integration that first showed the issue.
    package var opened: Int
    /// The number of the last integration that showed the issue; it may have stayed open later without having been
    /// reached.
    package var lastSeen: Int
    /// The number of the integration that proved the issue gone; nil while it is open.
    package var closed: Int?
    /// The number of integrations from the one that opened the streak to the last one in which it was open.
    package var age: Int
    /// Why it ended; nil while it is open, if nothing tells, and in older memories.
    package var ending: Ending?
    /// The commits that ended it; nil while it is open, if there was none, and in older memories.
    package var resolution: Resolution?
    /// True if those took its line or its file away in integrations that could not check it; otherwise nil, and in older
    /// memories.
    package var wentUnchecked: Bool?
    /// True if its test was seen to be red by chance; otherwise nil.
    package var isByChance: Bool?
    /// The fingerprints of all that its test failed with, as far as they were told apart; nil while those of the last
    /// time are all, for other kinds, and in older memories.
    package var reasons: [String]?
    /// The number of the last integration in which its test failed for a new reason; nil without one, and in older
    /// memories.
    package var reasonSince: Int?
    /// The number of the integration with which the older issue at the same place began that it shares the suspects of; nil
    /// for one with its own, and in older memories.
    package var elderBegan: Int?
    /// What came while no integration could show it; nil if the last one could, and in older memories.
    package var unchecked: Unchecked?
    /// The number of the first integration that was no longer asked for what found it; nil while it is looked for, and in
    /// older memories.
    package var droppedIn: Int?

    package init(opened: Int, lastSeen: Int, closed: Int? = nil, age: Int = 0) {
      self.opened = opened
      self.lastSeen = lastSeen
      self.closed = closed
      self.age = age
    }

    /// The number of the last integration in which it may have ended; nil while it is open.
    package var end: Int? { closed.map { resolution?.integrations?.upperBound ?? $0 } }

    /// Whether it ended in one of several integrations, and not known in which.
    package var isEndUnsure: Bool { closed != nil && (resolution?.integrations?.count ?? 1) > 1 }

    /// The number of integrations in which it was open, those that could not check it included.
    package var length: Int { age + 1 }
  }

  /// The commits since an issue was last seen, of integrations that could not show it.
  package struct Unchecked: Hashable, Sendable, Codable {
    package var commits: Resolution
    /// How they ended the issue if it turns out to be gone, because they took its line away; nil if nothing tells.
    package var ending: Ending?

    package init(_ commits: Resolution, ending: Ending? = nil) {
      (self.commits, self.ending) = (commits, ending)
    }
  }

  /// Why an issue is gone.
  package enum Ending: String, Hashable, Sendable, Codable {
    /// By commits.
    case fixed
    /// Its test is no longer listed.
    case testDeleted = "test-deleted"
    /// Its file is gone.
    case fileDeleted = "file-deleted"
    /// Its test fails as before, and is marked as a known issue.
    case knownIssue = "known-issue"
    /// Its test passed, which proves nothing: it ends by chance.
    case passedAgain = "passed-again"
    /// Its test is red in another way.
    case failsOtherwise = "fails-otherwise"

    /// Whether the test no longer shows it, but nothing was mended.
    package var leavesTheFault: Bool {
      switch self {
      case .testDeleted, .knownIssue, .failsOtherwise: true
      case .fixed, .fileDeleted, .passedAgain: false
      }
    }

    /// Whether commits ended it, rather than chance.
    package var isByCommits: Bool {
      switch self {
      case .fixed, .testDeleted, .fileDeleted, .knownIssue: true
      case .passedAgain, .failsOtherwise: false
      }
    }
  }

  /// The commits one of which ended an issue.
  package struct Resolution: Hashable, Sendable, Codable {
    /// The newest of them.
    package var commit: CommitID
    package var author: String
    /// The first paragraph of its message.
    package var summary: String
    /// The number of commits.
    package var count: Int
    /// Who made them, each once, the newest first; nil for a single one, and in older memories.
    package var authors: [String]?
    /// The first and the last integration that they belong to, if that is not just the one that proved the issue gone.
    package var integrations: ClosedRange<Int>?
    /// What changed in the lines that the issue's test runs, or the new tests that run those for which its gate failed, and
    /// what changed at its own place; nil if nothing did, if that is unknown, and in older memories.
    package var hunks: [SourceHunk]?

    /// Who made the commits, each once, the newest first; nil if that is not known.
    package var people: [String]? { count == 1 ? [author] : authors }

    /// Nil without commits.
    ///
    /// - Parameter commits: the commits, newest first.
    package init?(_ commits: [Commit]) {
      guard let newest = commits.first else { return nil }
      (commit, author, summary, count) = (newest.id, newest.author, newest.summary, commits.count)
      if count > 1 {
        authors = Self.once(commits.map(\.author))
      }
    }

    /// Adds the commits of earlier integrations.
    package mutating func add(_ earlier: Self) {
      // What somebody made is known only where everybody is.
      authors = people.flatMap { people in earlier.people.map { Self.once(people + $0) } }
      count += earlier.count
    }

    private static func once(_ names: [String]) -> [String] {
      names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Keeps only some of the commits, newest first; all without any.
    package mutating func narrow(to commits: [Commit]) {
      guard var kept = Self(commits) else { return }
      (kept.integrations, kept.hunks) = (integrations, hunks)
      self = kept
    }
  }

  package var id: String
  package var kind: Issue.Kind
  /// As last seen.
  package var message: String
  /// Refers to the files of the integration that remembers the issue; a guess where its line has been replaced.
  package var location: SourceLocation?
  /// The place when the issue was last seen, in the files of that integration; nil in older memories.
  package var seenAt: SourceLocation?
  package var test: TestID?
  /// The display name of its test as last seen; nil for one that has none, and in older memories.
  package var displayName: String?
  /// The fingerprints of the messages that a red test failed with; nil for other kinds, and in older memories.
  package var findings: [String]?
  /// Why its test crashed or was stopped, without the word for that; nil for other issues, and in older memories.
  package var end: String?
  /// The step that found a build error or warning; nil for other kinds, and in older memories.
  package var step: Step?
  /// The subject of an issue that Martlet itself found; nil for the findings of other programs, and in older memories.
  package var subject: IssueSubject?
  /// The number of integrations since the issue was first seen.
  package var age: Int
  /// Whether the issue existed when it could first be seen.
  package var predates: Bool
  /// The oldest first; never empty, and only the last may be open.
  package var streaks: [Streak]
  /// The people suspected when the last streak began; nil if there were none.
  package var suspects: [Suspect]?
  /// What changed at the line that speaks for the first of them, or else in the file that does; nil without either, for a
  /// file in which much changed, and in older memories.
  package var suspectedHunk: SourceHunk?
  /// What the gate found when it failed last; nil for other issues, and in older memories.
  package var failedGate: GateResult?
  /// The lines that it failed for, with a few around them, as they were then; nil without any, and in older memories.
  package var failedLines: [SourceHunk]?

  package init(
    id: String, kind: Issue.Kind, message: String, location: SourceLocation?, test: TestID?, age: Int = 0,
    predates: Bool = false, streaks: [Streak]
  ) {
    self.id = id
    self.kind = kind
    self.message = message
    self.location = location
    seenAt = location
    self.test = test
    self.age = age
    self.predates = predates
    self.streaks = streaks
  }

  /// Whether the issue has not been proved gone.
  package var isOpen: Bool { streaks.last?.closed == nil }

  /// The number of the integration that opened the first streak in which its test was red by chance; nil without one.
  package var redByChanceSince: Int? { streaks.first { $0.isByChance == true || $0.ending == .passedAgain }?.opened }

  /// The last integration that had fixed it by what the change of who is suspected takes back; nil if none is known.
  package var undoneFix: (number: Int, resolution: Resolution)? {
    guard isOpen, let change = suspectedHunk else { return nil }
    return streaks.dropLast().reversed().lazy.compactMap { streak -> (Int, Resolution)? in
      // Of several integrations it is not known which one did.
      guard let number = streak.closed, let fix = streak.resolution, fix.integrations == nil,
        fix.hunks?.contains(where: change.undoes) == true
      else { return nil }
      return (number, fix)
    }.first
  }

  /// The current summary of the issue's streaks.
  package var life: IssueLife {
    let last = streaks.last ?? Streak(opened: 0, lastSeen: 0)
    return IssueLife(
      firstSeen: streaks.first?.opened ?? last.opened, streak: max(1, streaks.count), streakStart: last.opened,
      streakAge: last.age, cameBackFrom: streaks.dropLast().last?.lastSeen, predates: predates && streaks.count < 2,
      goneIn: last.resolution?.integrations, wentUnchecked: last.wentUnchecked, reasonSince: last.reasonSince,
      elderBegan: last.elderBegan, droppedIn: last.droppedIn)
  }
}

extension Issue {
  /// Creates an issue that is not seen now from its record: with its place when it was.
  package init(_ record: IssueRecord) {
    let life = record.life
    self.init(
      id: record.id, kind: record.kind,
      status: !record.isOpen ? .resolved : life.droppedIn == nil ? .unresolved : .dropped, message: record.message,
      location: record.seenAt ?? record.location, age: record.age, test: record.test)
    displayName = record.displayName
    findings = record.findings ?? []
    end = record.end
    step = record.step
    subject = record.subject
    self.life = life
    ending = record.streaks.last?.ending
  }
}
