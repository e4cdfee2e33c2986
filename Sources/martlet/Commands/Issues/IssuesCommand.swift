import FoundationEssentials
import Integrating
import Model

struct IssuesCommand: Subcommand {
  let name = "issues"
  let summary = "list the issues of a bot"
  let operands = "[BOT]"
  let options = [
    Option.value("--branch", "NAME", "only those of one branch"),
    Option.flag("--all", "also those that are gone or no longer checked"),
    Option.home,
    Option.flag("--json", "print the issues with their whole history as JSON"),
  ]
  let discussion = """
    Lists the issues of each branch, and of the newest tag, as of its newest integration that knows them, as the page of
    the bot does: new ones first, then older ones, with silenced ones apart. One without a result (checkout-error,
    trigger-error, internal-error) has those that were open before, and its own. Deleted branches are left out. The
    default is the bot of the package around the current folder.

    An issue keeps its id when lines move, files are renamed, numbers in messages change, and when it is resolved and
    comes back. 'martlet silence' takes an id.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let now = Date()
    let operand = try IssueOperand(for: self, arguments, context)
    var issues = try operand.stored.issues(of: operand.bot(arguments.operands.first), at: now)
    if let name = arguments.value("--branch") {
      issues.branches.removeAll { $0.document.branch != name }
      if issues.branches.isEmpty {
        throw UsageError(
          "\(issues.bot) has no conclusive integration of an existing branch '\(name)'. See 'martlet help issues'.")
      }
    }
    if !arguments.has("--all") {
      for (index, branch) in issues.branches.enumerated() {
        // Issues resolved, or no longer checked, in this very integration are still news.
        issues.branches[index].issues = branch.issues.filter { entry in
          let last = entry.record.streaks.last
          return (last?.closed ?? last?.droppedIn).map { $0 == branch.document.number } ?? true
        }
      }
    }
    try context.say(arguments.has("--json") ? Context.json(IssuesDocument(issues)) : IssuesText(issues).description)
    return ExitCode.success
  }
}
