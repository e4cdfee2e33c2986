import Comparing
package import FoundationEssentials
package import Model

/// The issues of a bot, as the newest integration of each branch that knows them has them.
package struct BotIssues: Sendable {
  /// The issues that one branch knows.
  package struct Branch: Sendable {
    /// The newest integration of the branch that knows them, which may be without a result.
    package var document: IntegrationRecord
    /// Open issues in their current state, silenced or not, followed by closed ones, the last to close first.
    package var issues: [Entry]
    /// Those that only optional destinations have, in the same order; they do not count, but may be silenced.
    package var informing: [Entry] = []

    /// All issues that can be named.
    package var all: [Entry] { issues + informing }
  }

  /// An issue with its whole history.
  package struct Entry: Sendable {
    package var issue: Issue
    /// What each destination that knows the issue remembers of it, that by which it is told first; never empty.
    fileprivate var records: [IssueRecord]

    /// What is remembered of the issue as it is told.
    package var record: IssueRecord { records[0] }
  }

  package var bot: String
  /// The branches: the one that decides the state of the bot, then the one with the newest integration first.
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
      branch.all.filter { $0.issue.id == id }.flatMap { entry in
        entry.records.map { (document: branch.document, issue: entry.issue, record: $0) }
      }
    }
    guard let known = places.first else { throw .unknown }
    var open = places.filter(\.record.isOpen)
    if open.isEmpty, wish.scope == .ever { open = [known] }
    guard let first = open.first else { throw .gone }
    guard first.issue.kind.canBeSilenced else { throw .alwaysCounts }
    let findings = Set(open.flatMap { $0.record.findings ?? [] }).sorted()
    var made: [Silence] = []
    for (document, issue, record) in open {
      let silence = Silence(
        issue: id, scope: wish.scope, reason: wish.reason, author: wish.author, since: wish.since, until: wish.until,
        lastDay: wish.lastDay, number: wish.scope == .streak ? record.life.streakStart : document.number,
        commit: wish.scope == .integration ? document.commit.id : nil,
        message: String(issue.message.prefix { $0 != "\n" }.prefix(200)),
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

  /// Reads the issues of a bot, except those of deleted branches.
  ///
  /// - Parameter now: the time that decides which silences have ended.
  package func issues(of bot: String, at now: Date) throws(IntegratingError) -> BotIssues {
    let past = home.results(of: bot)
    let silences = try silences(of: bot).all()
    var met: Set<String?> = []
    var branches: [BotIssues.Branch] = []
    let index = PastIndex(of: home)
    let known = home.branches(of: bot, in: nil, asked: nil)
    let lines = try index.newest(of: bot, Self.mostRead).filter { !$0.isOfOtherPackage }
    let passedOver = Self.knowingLess(lines)
    let knowing = Set(lines.filter(\.knowsIssues).map(\.number))
    var later: [String?: IntegrationRecord] = [:]
    let entries = try index.integrations(of: bot)
    let newest = entries.last
    let ofNow = entries.reversed().lazy.filter {
      $0.isOf(package: newest?.package) && $0.repositorySince == newest?.repositorySince
    }
    for entry in ofNow where !entry.isDirty && !passedOver.contains(entry.number) {
      let isConclusive = entry.outcome.isConclusive
      guard !met.contains(entry.branch), known?.has(entry.branch) != false,
        isConclusive || later[entry.branch] == nil && knowing.contains(entry.number)
      else { continue }
      // An integration that was removed has nothing to tell, but an earlier one may.
      guard let document = past.document(of: entry.number) else { continue }
      guard isConclusive else {
        later[entry.branch] = document
        continue
      }
      met.insert(entry.branch)
      branches.append(BotIssues.Branch(document, past, silences, later: later[entry.branch], at: now))
    }
    let alone = later.filter { !met.contains($0.key) }.map(\.value).sorted { $0.number > $1.number }
    branches += alone.map { BotIssues.Branch($0, past, silences, at: now) }
    if let main = KnownBranches.main(of: known, among: branches.compactMap(\.document.branch)),
      let place = branches.firstIndex(where: { $0.document.branch == main })
    {
      branches.insert(branches.remove(at: place), at: 0)
    }
    return BotIssues(bot: bot, branches: branches)
  }

  /// Reads the issues of a bot as one of its integrations knows them; nil if that is no longer kept, says nothing about
  /// the code, or had uncommitted changes.
  ///
  /// - Parameter later: a later integration of its branch without a result that knows them, too; nil if there is none.
  package func issues(
    of bot: String, knownTo number: Int, later: Int? = nil, at now: Date
  ) throws(IntegratingError) -> BotIssues? {
    let past = home.results(of: bot)
    // An integration that was removed or cannot be read has nothing to tell.
    guard let document = past.document(of: number), document.outcome.isConclusive, document.workingTree == nil else {
      return nil
    }
    let said = try silences(of: bot).all()
    return BotIssues(
      bot: bot, branches: [BotIssues.Branch(document, past, said, later: later.flatMap(past.document), at: now)])
  }

  /// Returns the silences of a bot's issues.
  package func silences(of bot: String) -> Silences { Silences(in: home.integrations(of: bot)) }
}

extension BotIssues.Branch {
  /// - Parameters:
  ///   - document: the integration that remembers them.
  ///   - past: the results of the bot, which has the integration.
  ///   - later: a later one without a result, which has them and its own; nil if there is none.
  fileprivate init(
    _ document: IntegrationRecord, _ past: PastResults, _ silences: [Silence], later: IntegrationRecord? = nil,
    at now: Date
  ) {
    let newest = later ?? document
    self.document = newest
    func entries(
      _ results: [(destination: String?, records: [IssueRecord])], _ told: [IntegrationRecord.FlatIssue]
    ) -> [BotIssues.Entry] {
      let told = told.keyed(by: \.id) { Issue($0) }
      return IssueRecord.grouped(results.map(\.records), telling: told).map { records in
        let issue = told[records[0].id] ?? Issue(records[0], lastOf: results)
        return BotIssues.Entry(issue, records, in: newest, silences, at: now)
      }
    }
    issues = entries(past.records(of: document, required: true), newest.issues)
    let known = Set(issues.map(\.issue.id))
    // What is found without a result is not remembered.
    for record in later.map({ IssueMemory(of: $0).records }) ?? [] where !known.contains(record.id) {
      let told = newest.issues.first { $0.id == record.id }.map { Issue($0) }
      issues.append(BotIssues.Entry(told ?? Issue(record), [record], in: newest, silences, at: now))
    }
    // What required destinations have, too, is told by them.
    let optional = entries(
      past.records(of: document, required: false), (document.cells ?? []).filter(\.isOptional).flatMap(\.issues))
    let places = issues.indices.keyed { issues[$0].issue.id }
    for entry in optional {
      if let place = places[entry.issue.id] {
        issues[place].records += entry.records
      } else {
        informing.append(entry)
      }
    }
    issues = issues.inOrder
    informing = informing.inOrder
  }
}

extension BotIssues.Entry {
  /// - Parameter records: what destinations remember of the issue.
  fileprivate init(
    _ told: Issue, _ records: [IssueRecord], in document: IntegrationRecord, _ silences: [Silence], at now: Date
  ) {
    self.records = records
    issue = told
    issue.life = issue.life ?? records[0].life
    let foreign = [issue.foreignSilence].compactMap(\.self)
    issue.apply(silences + foreign, number: document.number, commit: document.commit.id, at: now)
  }
}

extension Issue {
  /// Creates an issue of the past, with the destinations that had it last unless all had.
  ///
  /// - Parameters:
  ///   - record: what the last of them remembers.
  ///   - results: all destinations, with what they remember of all issues.
  fileprivate init(_ record: IssueRecord, lastOf results: [(destination: String?, records: [IssueRecord])]) {
    self.init(record)
    let having = results.filter { result in
      result.records.contains { $0.id == record.id && $0.streaks.last?.closed == record.streaks.last?.closed }
    }
    destinations = having.count == results.count ? [] : having.compactMap(\.destination)
  }
}

extension [BotIssues.Entry] {
  /// Open issues by kind and place, then closed ones, the last to close first.
  fileprivate var inOrder: [BotIssues.Entry] {
    let order = Issue.Kind.allCases
    func rank(_ entry: BotIssues.Entry) -> (Int, SourceLocation, String) {
      let issue = entry.issue
      return (order.firstIndex(of: issue.kind) ?? 0, issue.location ?? SourceLocation(file: "", line: 0), issue.id)
    }
    return filter(\.record.isOpen).sorted { rank($0) < rank($1) }
      + filter { !$0.record.isOpen }.sorted { one, other in
        (one.record.streaks.last?.closed ?? 0, other.issue.id) > (other.record.streaks.last?.closed ?? 0, one.issue.id)
      }
  }
}

extension IntegrationRecord {
  /// Whether a failure for the destination does not fail the integration.
  fileprivate var isOptional: Bool { destination?.required == false }
}
