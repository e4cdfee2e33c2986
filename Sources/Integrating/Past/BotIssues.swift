package import FoundationEssentials
package import Model

/// The issues of a bot, as the newest integration of each branch knows them.
package struct BotIssues: Sendable {
  /// The issues that one branch knows.
  package struct Branch: Sendable {
    /// The newest conclusive integration of the branch.
    package var document: IntegrationRecord
    /// Open issues in their current state, silenced or not, followed by closed ones, the last to close first.
    package var issues: [Entry]
  }

  /// An issue with its whole history.
  package struct Entry: Sendable {
    package var issue: Issue
    package var record: IssueRecord
  }

  package var bot: String
  /// The branches, the one with the newest integration first.
  package var branches: [Branch]

  /// Creates the issues of a bot from those of its branches.
  package init(bot: String, branches: [Branch]) {
    (self.bot, self.branches) = (bot, branches)
  }
}

extension BotIssues {
  /// A request to silence an issue.
  package struct SilenceWish: Sendable {
    let scope: Silence.Scope
    let reason: String
    let author: String
    let since: Date
    let until: Date?
    let lastDay: String?

    /// Creates a request to silence an issue until the given end or, without one, for as long as the scope lasts.
    package init(
      _ scope: Silence.Scope, reason: String, author: String, since: Date, until: Date? = nil, lastDay: String? = nil
    ) {
      (self.scope, self.reason, self.author) = (scope, reason, author)
      (self.since, self.until, self.lastDay) = (since, until, lastDay)
    }
  }

  /// A reason why an issue cannot be silenced.
  package enum SilenceFault: Error, Hashable, Sendable {
    /// No branch knows the issue.
    case unknown
    /// No branch has the issue any more, and the silence would need an open one.
    case gone
    /// Issues of this kind always count.
    case alwaysCounts
  }

  /// Returns the silences that keep an issue from counting on every branch that has it; at least one.
  package func silences(of id: String, _ wish: SilenceWish) throws(SilenceFault) -> [Silence] {
    let places = branches.flatMap { branch in
      branch.issues.filter { $0.issue.id == id }.map { (document: branch.document, entry: $0) }
    }
    guard let known = places.first else { throw .unknown }
    var open = places.filter { $0.entry.record.isOpen }
    if open.isEmpty, wish.scope == .ever { open = [known] }
    guard let first = open.first else { throw .gone }
    guard first.entry.issue.kind.canBeSilenced else { throw .alwaysCounts }
    let findings = Set(open.flatMap { $0.entry.record.findings ?? [] }).sorted()
    var made: [Silence] = []
    for (document, entry) in open {
      let silence = Silence(
        issue: id, scope: wish.scope, reason: wish.reason, author: wish.author, since: wish.since, until: wish.until,
        lastDay: wish.lastDay, number: wish.scope == .streak ? entry.record.life.streakStart : document.number,
        commit: wish.scope == .integration ? document.commit.id : nil,
        message: String(entry.issue.message.prefix { $0 != "\n" }.prefix(200)),
        findings: findings.isEmpty ? nil : findings)
      // A silence for ever is made only once, whichever branch it concerns.
      let isSaid = made.contains { $0.number == silence.number && $0.commit == silence.commit }
      if !isSaid, wish.scope != .ever || made.isEmpty { made.append(silence) }
    }
    return made
  }
}

extension StoredIntegrations {
  /// How many integrations are read for those that do not tell how their branch stands.
  private static let mostRead = 1000

  /// Returns the numbers of integrations that know less of their branch's issues than others: those of older commits, and
  /// those of some tests chosen by hand.
  private static func knowingLess(_ lines: [HistoryLine]) -> Set<Int> {
    let less = lines.filter { $0.behindBranch == true || $0.chosenTests == true }
    let others = Set(lines.map(\.number)).subtracting(less.map(\.number))
    let known = Set(lines.filter { others.contains($0.number) }.map(\.branch))
    return Set(less.filter { known.contains($0.branch) }.map(\.number))
  }

  /// Reads the issues of a bot.
  ///
  /// - Parameter now: the time that decides which silences have ended.
  package func issues(of bot: String, at now: Date) throws(IntegratingError) -> BotIssues {
    let folder = home.integrations(of: bot)
    let silences = try Silences(in: folder).all()
    var met: Set<String?> = []
    var branches: [BotIssues.Branch] = []
    let index = PastIndex(of: home)
    let passedOver = Self.knowingLess(try index.newest(of: bot, Self.mostRead))
    for entry in try index.integrations(of: bot).reversed()
    where entry.outcome.isConclusive && !entry.isDirty && !passedOver.contains(entry.number) {
      guard !met.contains(entry.branch) else { continue }
      let kept = folder.folder("\(entry.number)")
      // An integration that was removed has nothing to tell, but an earlier one may.
      guard let stored = try? StoredIntegration(in: kept) else { continue }
      let memory = IssueMemory(of: stored.document, in: kept)
      met.insert(entry.branch)
      branches.append(BotIssues.Branch(stored.document, memory, silences, at: now))
    }
    return BotIssues(bot: bot, branches: branches)
  }

  /// Reads the issues of a bot as one of its integrations knows them; nil if that is no longer kept, says nothing about
  /// the code, or had uncommitted changes.
  package func issues(of bot: String, knownTo number: Int, at now: Date) throws(IntegratingError) -> BotIssues? {
    let folder = home.integrations(of: bot)
    let kept = folder.folder("\(number)")
    // An integration that was removed or cannot be read has nothing to tell.
    guard let stored = try? StoredIntegration(in: kept), stored.document.outcome.isConclusive,
      stored.document.workingTree == nil
    else { return nil }
    let silences = try Silences(in: folder).all()
    let memory = IssueMemory(of: stored.document, in: kept)
    return BotIssues(bot: bot, branches: [BotIssues.Branch(stored.document, memory, silences, at: now)])
  }

  /// Returns the silences of a bot's issues.
  package func silences(of bot: String) -> Silences { Silences(in: home.integrations(of: bot)) }
}

extension BotIssues.Branch {
  fileprivate init(
    _ document: IntegrationRecord, _ memory: IssueMemory, _ silences: [Silence], at now: Date
  ) {
    self.document = document
    let told = Dictionary(document.issues.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let entries = memory.records.map { record in
      var issue = told[record.id].map(Issue.init) ?? Issue(record)
      issue.life = issue.life ?? record.life
      let foreign = [issue.foreignSilence].compactMap(\.self)
      issue.apply(silences + foreign, number: document.number, commit: document.commit.id, at: now)
      return BotIssues.Entry(issue: issue, record: record)
    }
    let order = Issue.Kind.allCases
    issues =
      entries.filter(\.record.isOpen).sorted { one, other in
        func rank(_ entry: BotIssues.Entry) -> (Int, SourceLocation, String) {
          let issue = entry.issue
          return (
            order.firstIndex(of: issue.kind) ?? 0, issue.location ?? SourceLocation(file: "", line: 0), issue.id
          )
        }
        return rank(one) < rank(other)
      }
      + entries.filter { !$0.record.isOpen }.sorted { one, other in
        (one.record.streaks.last?.closed ?? 0, other.issue.id) > (other.record.streaks.last?.closed ?? 0, one.issue.id)
      }
  }
}
