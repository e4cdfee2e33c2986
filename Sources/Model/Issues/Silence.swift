package import FoundationEssentials

/// A person's decision that an issue does not count for a while.
package struct Silence: Hashable, Sendable, Codable {
  /// How long the silence holds, unless it has an end of its own.
  package enum Scope: String, CaseIterable, Sendable, Codable {
    /// For one commit, including when it is integrated again, but not for the next one.
    case integration
    /// Until the issue is gone; if it comes back, it counts again.
    case streak
    case ever
  }

  /// The id of the issue.
  package var issue: String
  package var scope: Scope
  package var reason: String
  package var author: String
  package var since: Date
  /// The moment at which the silence expires.
  package var until: Date?
  /// The last day before that moment as the person wrote it, `2026-12-24`; kept because a day has no time zone and a
  /// moment no day.
  package var lastDay: String?
  /// The number of the integration, or of the one that began the streak.
  package var number: Int
  /// The commit, if the silence is for one integration.
  package var commit: CommitID?
  /// The first line of the issue's message at the time, for readers of the list.
  package var message: String
  /// The issue's findings at the time; nil if the issue is not a red test, and in older silences, which cover what
  /// their issue is remembered with.
  package var findings: [String]?
  /// The bot of whose issue a person said it, where a run by hand goes by what was said of a bot's issues.
  package var bot: String?
  /// True for a test in the quarantine of the bot's file, which has no author; otherwise nil.
  private var quarantine: Bool?

  package init(
    issue: String, scope: Scope, reason: String, author: String, since: Date, until: Date? = nil,
    lastDay: String? = nil, number: Int, commit: CommitID? = nil, message: String, findings: [String]? = nil
  ) {
    self.issue = issue
    self.scope = scope
    self.reason = reason
    self.author = author
    self.since = since
    self.until = until
    self.lastDay = lastDay
    self.number = number
    self.commit = commit
    self.message = message
    self.findings = findings
  }
}

extension Silence {
  /// Creates the silence of a quarantined test, for whichever issue it is red.
  ///
  /// - Parameters:
  ///   - until: the end of its last day.
  ///   - number: the integration in which it is red.
  package init(_ entry: QuarantinedTest, until: Date, since now: Date, number: Int) {
    self.init(
      issue: "", scope: .ever, reason: entry.reason, author: "", since: now, until: until, lastDay: entry.lastDay,
      number: number, message: "")
    quarantine = true
  }

  /// Who said it, without an address behind the name.
  package var authorName: String {
    let name = author.prefix { $0 != "<" }
    return name.lastIndex { $0 != " " }.map { String(name[...$0]) } ?? author
  }

  /// Whether the bot's file says it, and not a person about one issue.
  package var isQuarantine: Bool { quarantine == true }

  /// Returns the silence of a bot's issue for runs by hand, whose numbers are not the bot's.
  package func adopted(from bot: String) -> Silence {
    var silence = self
    silence.bot = bot
    if scope == .streak { silence.scope = .ever }
    return silence
  }

  /// Returns the same silence for an issue.
  package func of(_ issue: Issue) -> Silence {
    var silence = self
    silence.issue = issue.id
    silence.message = String(issue.message.prefix { $0 != "\n" }.prefix(200))
    return silence
  }
}

extension Silence {
  /// The effect of a silence on an open issue.
  package enum Effect: Hashable, Sendable {
    case holds
    /// The silence would hold if it had not expired.
    case expired
    /// The silence is for something else, or for another time.
    case none
  }

  /// Returns the effect on an issue in an integration of a commit.
  ///
  /// - Parameter found: the findings of a red test; a silence does not cover anything that the test did not fail with
  ///   at the time.
  package func effect(
    onIssue id: String, found: [String], streakStart: Int, commit: CommitID, at now: Date
  ) -> Effect {
    guard id == issue, findings.map({ Set($0).isSuperset(of: found) }) ?? true else { return .none }
    let isMeant =
      switch scope {
      case .integration: self.commit == commit
      case .streak: number == streakStart
      case .ever: true
      }
    guard isMeant else { return .none }
    return until.map { $0 <= now } ?? false ? .expired : .holds
  }
}
