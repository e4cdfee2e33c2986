package import FoundationEssentials
package import Model

/// The issues of a bot as the newest integration of each branch knows them.
package struct BotIssues: Sendable {
  /// What one branch knows.
  package struct Branch: Sendable {
    /// Its newest integration that says something.
    package var document: IntegrationRecord
    /// Open ones as they stand now, silenced or not; then those that are gone, the last to go first.
    package var issues: [Entry]
  }

  /// One issue with its whole history.
  package struct Entry: Sendable {
    package var issue: Issue
    package var record: IssueRecord
  }

  package var bot: String
  /// The branch with the newest integration first.
  package var branches: [Branch]
  package var silences: [Silence]
}

extension StoredIntegrations {
  /// Reads the issues of a bot.
  ///
  /// - Parameter now: the moment at which silences may have come to their ends.
  package func issues(of bot: String, at now: Date) throws(IntegratingError) -> BotIssues {
    let folder = home.integrations(of: bot)
    let silences = try Silences(in: folder).all()
    var met: Set<String?> = []
    var branches: [BotIssues.Branch] = []
    for entry in try PastIndex(of: home).integrations(of: bot).reversed()
    where entry.outcome.isConclusive && !entry.isDirty {
      guard !met.contains(entry.branch) else { continue }
      let kept = folder.folder("\(entry.number)")
      // An integration that was removed has nothing to tell; one before it may.
      guard let stored = try? StoredIntegration(in: kept) else { continue }
      let memory = IssueMemory(of: stored.document, in: kept)
      met.insert(entry.branch)
      branches.append(BotIssues.Branch(stored.document, memory, silences, at: now))
    }
    return BotIssues(bot: bot, branches: branches, silences: silences)
  }

  /// What people have said about a bot's issues.
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
      issue.apply(silences, number: document.number, commit: document.commit.id, at: now)
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
