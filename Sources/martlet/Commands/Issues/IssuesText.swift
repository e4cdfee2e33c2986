import Integrating
import Model
import Rendering

struct IssuesText: CustomStringConvertible {
  private var lines: [String] = []

  init(_ issues: BotIssues) {
    if issues.branches.isEmpty { lines.append("\(issues.bot) has no integration yet that says anything.") }
    for branch in issues.branches {
      if !lines.isEmpty { lines.append("") }
      add(branch, of: issues.bot)
    }
  }

  /// The text, made safe for terminals: messages and names come from tests and repositories.
  var description: String { VisibleText.of(lines.joined(separator: "\n")) }

  private mutating func add(_ branch: BotIssues.Branch, of bot: String) {
    let document = branch.document
    let name = document.branch.map { " on \($0)" } ?? document.tag.map { ", tag \($0)" } ?? ""
    let counts = Issue.Status.allCases.compactMap { status -> String? in
      let count = branch.issues.count { $0.issue.status == status }
      return count > 0 ? "\(count) \(status.words)" : nil
    }
    let sum = counts.isEmpty ? "no issues" : counts.joined(separator: ", ")
    lines.append("\(bot) \(document.number)\(name), \(document.commit.id.short): \(sum)")
    for status in Issue.Status.allCases {
      let entries = branch.issues.filter { $0.issue.status == status }
      guard !entries.isEmpty else { continue }
      lines.append("\n\(status.words)")
      for entry in entries { add(entry) }
    }
  }

  private mutating func add(_ entry: BotIssues.Entry) {
    let issue = entry.issue
    let message = FailureText.shown(issue.message).prefix { $0 != "\n" }.prefix(200)
    let test = issue.test.map { "\($0): " } ?? ""
    lines.append("  \(issue.id)  \(issue.kind.rawValue): \(test)\(message)")
    let indent = String(repeating: " ", count: issue.id.count + 4)
    // By now something else may stand on the line of what is gone.
    let place = issue.status.isOver ? [] : issue.location.map { [$0.description] } ?? []
    lines.append(
      indent + (place + IssueWords.history(of: issue, record: entry.record)).joined(separator: "; "))
    if let silence = issue.silence { lines.append(indent + IssueWords.sentence(of: silence)) }
    if let silence = issue.endedSilence { lines.append(indent + IssueWords.end(of: silence)) }
    let suspects = issue.suspects.isEmpty ? (entry.record.suspects ?? []).named : issue.suspects
    for suspect in suspects.prefix(3) {
      lines.append("\(indent)\(suspect.sentence)")
    }
    lines += IssueWords.elsewhere(of: issue).map { indent + $0 }
  }
}
