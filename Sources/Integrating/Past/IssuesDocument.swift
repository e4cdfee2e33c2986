import FoundationEssentials
import Model

/// The issues of a bot for programs to read: each as in `integration.json`, with all its streaks.
package struct IssuesDocument: Encodable {
  private var schema = "martlet.bot-issues/1"
  private var bot: String
  private var branches: [Branch]

  private struct Branch: Encodable {
    var branch: String?
    var integration: Int
    var commit: CommitID
    var issues: [Entry]
  }

  private struct Entry: Encodable {
    var issue: IntegrationRecord.FlatIssue
    var streaks: [IssueRecord.Streak]

    private enum CodingKeys: String, CodingKey {
      case streaks
    }

    func encode(to encoder: any Encoder) throws {
      try issue.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(streaks, forKey: .streaks)
    }
  }

  /// Creates the document of everything known about a bot's issues.
  package init(_ issues: BotIssues) {
    bot = issues.bot
    branches = issues.branches.map { branch in
      Branch(
        branch: branch.document.branch, integration: branch.document.number, commit: branch.document.commit.id,
        issues: branch.issues.map {
          Entry(issue: IntegrationRecord.FlatIssue($0.issue), streaks: $0.record.streaks)
        })
    }
  }
}
