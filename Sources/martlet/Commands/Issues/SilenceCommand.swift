import FoundationEssentials
import Git
import Integrating
import Model
import Rendering

struct SilenceCommand: Subcommand {
  let name = "silence"
  let summary = "keep an issue from counting for a while"
  let operands = "ID"
  let completions: [[Completion]] = [[.issues]]
  let options = [
    Option.value("--reason", "TEXT", "why; shown with the silence"),
    Option.value(
      "--for", "SCOPE", "how long: for this commit, until it is resolved (streak, the default), or for good",
      choices: Silence.Scope.allCases.map(\.rawValue)),
    Option.value("--until", "YYYY-MM-DD", "the last day on which it holds"),
    Option.value("--bot", "BOT", "which bot, if several have the issue"),
    Option.home,
  ]
  let discussion = """
    ID is the issue's id or its beginning. Martlet still looks for a silenced issue and shows it, marked as silenced,
    but it does not count for the outcome. A silenced test still runs, and counts again when it fails for another
    reason; a gate counts again when it fails for later changes, unless the silence is for ever. A test with sanitizer
    findings counts until each finding is silenced, and its own failure too.

    'streak' lasts until the issue is resolved: when it comes back, it counts again. 'integration' holds for the
    commit of the newest integration only. 'ever' lasts until --until or 'martlet unsilence'. A silence takes effect
    with the next integration, and replaces an earlier one.

    Build errors, tests that end their process (as with exit(0)) and failed triggers cannot be silenced.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    guard let word = arguments.operands.first, !word.isEmpty else {
      throw UsageError("the issue's id is missing: martlet silence ID --reason TEXT. See 'martlet help silence'.")
    }
    guard let reason = arguments.value("--reason"), !reason.allSatisfy(\.isWhitespace) else {
      throw UsageError("'--reason TEXT' is missing: say why it need not count. See 'martlet help silence'.")
    }
    let now = Date()
    let lastDay = try arguments.value("--until").map { try LastDay.option($0, now: now) }
    let scope = arguments.value("--for").flatMap(Silence.Scope.init) ?? .streak
    let operand = try IssueOperand(for: self, arguments, context)
    let found = try operand.issue(word, bot: arguments.value("--bot"), at: now)
    let wish = BotIssues.SilenceWish(
      scope, reason: reason, author: Self.author(of: found.repository), since: now, until: lastDay?.end,
      lastDay: lastDay?.text)
    let made = try Self.silences(of: found, wish)
    try operand.stored.silences(of: found.bot).replace(those: found.id, with: made)
    try context.say(VisibleText.of("\(found.id) of \(found.bot) is silenced \(IssueWords.extent(of: made[0]))."))
    return ExitCode.success
  }

  private static func silences(
    of found: IssueOperand.Found, _ wish: BotIssues.SilenceWish
  ) throws(UsageError) -> [Silence] {
    do throws(BotIssues.SilenceFault) {
      return try found.issues.silences(of: found.id, wish)
    } catch {
      switch error {
      case .unknown, .gone:
        throw UsageError(
          "\(found.id) is gone, so there is nothing to silence. '--for ever' silences it should it come back. See 'martlet help silence'."
        )
      case .alwaysCounts:
        throw UsageError(
          "\(found.id) is no issue that can be silenced: errors of the build, tests that quit and failed triggers always count. See 'martlet help silence'."
        )
      }
    }
  }

  /// Returns the person who commits in the repository, or otherwise the current user.
  private static func author(of repository: String) -> String {
    // A repository that no longer exists names no one.
    if let name = try? Repository(at: repository).identity() { return name }
    return Account.user
  }
}

struct UnsilenceCommand: Subcommand {
  let name = "unsilence"
  let summary = "let a silenced issue count again"
  let operands = "ID"
  let completions: [[Completion]] = [[.silenced]]
  let options = [
    Option.value("--bot", "BOT", "which bot, if several have the issue"),
    Option.home,
  ]
  let discussion = """
    ID is the issue's id or the beginning of it. All its silences end; the next integration counts it again.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    guard let word = arguments.operands.first, !word.isEmpty else {
      throw UsageError("the issue's id is missing: martlet unsilence ID. See 'martlet help unsilence'.")
    }
    let operand = try IssueOperand(for: self, arguments, context)
    let found = try operand.silenced(word, bot: arguments.value("--bot"))
    try operand.stored.silences(of: found.bot).replace(those: found.id, with: [])
    try context.say("\(found.id) of \(found.bot) counts again.")
    return ExitCode.success
  }
}

extension LastDay {
  /// Reads the value of an option; a day that is over is refused.
  static func option(_ text: String, now: Date) throws(UsageError) -> LastDay {
    guard let day = LastDay(text) else {
      throw UsageError("'\(text)' is no day: write it as 2026-12-24. See 'martlet help silence'.")
    }
    guard day.end > now else { throw UsageError("\(text) is over already. See 'martlet help silence'.") }
    return day
  }
}
