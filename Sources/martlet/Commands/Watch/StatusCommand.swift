import BotFiles
import FoundationEssentials
import Integrating
import Keeping
import Model
import Rendering

struct StatusCommand: Subcommand {
  let name = "status"
  let summary = "show the bots, the queue and what is running"
  let options = [
    Option.homeOfWatcher,
    Option.flag("--json", "print the status as JSON"),
  ]
  let discussion = """
    A bot's state is that of its default branch: the one that HEAD of a bare repository points to, if the bot integrates
    it, else main or master, else the first in its file. Other branches are listed while they are red.

    The exit status is that of the worst default branch, as in 'martlet help exit-codes'. It is 3 if no watcher runs. It
    is also 3 if all are green but a bot's file has a mistake, its repository cannot be read, or its first fetch or its
    last two fetches failed.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let answer = try ControlClient(arguments, context).ask(ControlRequest(.status))
    guard let status = answer.status else {
      throw KeepingError(.service, "The watcher gave no status. Use the martlet that started it.")
    }
    let home = try context.home(arguments)
    let configuration = try context.configuration()
    let pages =
      configuration.settingsAsFarAsRight().0.address?.file("") ?? ServerProcess.address(home: home.folder.path)
      ?? home.firstPage
    try context.say(
      arguments.has("--json") ? Context.json(status) : StatusText(status, pages: pages, now: Date()).description)
    return status.exitStatus
  }
}

struct StatusText: CustomStringConvertible {
  private var lines: [String] = []

  /// - Parameter pages: the address of the pages, or the path of the first.
  init(_ status: StatusDocument, pages: String, now: Date) {
    let state = status.isStopping ? "stopping" : "watching"
    let jobs = CountText.counted(status.jobs, "job")
    let since = Self.ago(status.startedAt, now)
    lines = ["Martlet is \(state): process \(status.pid), \(jobs), started \(since).", "Pages: \(pages)"]
    lines += status.problems.map { "problem: \($0)" }
    if status.bots.isEmpty {
      lines.append("There are no bots. Write one with 'martlet bots new NAME --repository PATH'.")
    }
    for bot in status.bots { add(bot, now) }
    if !status.queue.isEmpty { lines.append("\nQueue") }
    for waiting in status.queue {
      let place = waiting.ref.map { " on \($0)" } ?? ""
      lines.append("  \(waiting.bot)  \(waiting.commit.prefix(7))\(place) (\(waiting.cause)): \(waiting.why)")
    }
    for (bot, count) in (status.unlisted ?? [:]).sorted(by: { $0.key < $1.key }) {
      lines.append("  \(bot)  and \(CountText.plain(count)) more")
    }
  }

  /// The text, made safe for terminals: names, problems and reasons come from repositories and tests.
  var description: String { VisibleText.of(lines.joined(separator: "\n")) }

  private mutating func add(_ bot: StatusDocument.Bot, _ now: Date) {
    let place = [bot.repository, bot.fetch.map { fetched($0, now) } ?? bot.seeing].filter { !$0.isEmpty }
    lines.append("\n\(bot.name)  \(place.joined(separator: ", "))")
    if let one = bot.running {
      lines.append(
        "  \(one.number)  \(MachineWords.activity(one.step, one.waits))\(one.machine.map { " on \($0)" } ?? ""), \(subject(one)), started \(Self.ago(one.startedAt, now))"
      )
    }
    if let branches = bot.branches, !branches.isEmpty {
      for branch in branches where branch.isDefault { add(branch, now) }
      let red = branches.filter { !$0.isDefault && $0.isRed }.compactMap { branch in
        branch.branch.map { RedBranch(name: $0, since: branch.sinceIntegration) }
      }
      let isRed = branches.contains { $0.isDefault && $0.isRed }
      if let words = RedBranchWords.red(red + [bot.redTag].compactMap(\.self), beside: isRed) {
        lines.append("  \(words)")
      }
    } else if let one = bot.last {
      // From no branch, or from a watcher that did not distinguish branches yet.
      add("\(one.number)  \(one.toldOutcome ?? one.outcome ?? "")", subject(one), one.endedAt, one.reason, now)
    }
    if bot.running == nil, bot.last == nil { lines.append("  nothing integrated yet") }
    if bot.waiting > 0 { lines.append("  \(bot.waiting) waiting") }
    lines += bot.problems.flatMap { SummaryText.indented("  problem: \($0)") }
  }

  private func fetched(_ fetch: StatusDocument.Fetch, _ now: Date) -> String {
    let last = fetch.endedAt.map { "fetched \(Self.ago($0, now))" } ?? "not fetched yet"
    return fetch.isRunning ? "\(last), being fetched" : last
  }

  /// Adds the state of the default branch.
  private mutating func add(_ branch: StatusDocument.Branch, _ now: Date) {
    let place = branch.branch.map { " on \($0)" } ?? ""
    guard let number = branch.integration else { return lines.append("  no result\(place) yet") }
    let colour = branch.isRed ? "red" : branch.isGreen ? "green" : "no result"
    let since = branch.sinceIntegration.flatMap { $0 == number ? nil : ", \(colour) since \($0)" } ?? ""
    add(
      "\(number)  \(branch.toldOutcome ?? branch.outcome ?? "")\(since)", "\(branch.commit?.prefix(7) ?? "")\(place)",
      branch.endedAt, branch.reason, now)
  }

  private mutating func add(_ what: String, _ subject: String, _ end: Date?, _ reason: String?, _ now: Date) {
    lines.append("  \(what), \(subject), \(Self.ago(end, now))")
    if let reason { lines += SummaryText.indented("     \(reason)") }
  }

  private func subject(_ one: StatusDocument.Integration) -> String {
    "\(one.commit.prefix(7))" + (one.ref.map { " on \($0)" } ?? "")
  }

  static func ago(_ date: Date?, _ now: Date) -> String {
    guard let date else { return "at an unknown time" }
    let seconds = Int(max(0, now.timeIntervalSince(date)))
    return switch seconds {
    case ..<120: "\(seconds) s ago"
    case ..<7200: "\(seconds / 60) min ago"
    case ..<172_800: "\(seconds / 3600) h ago"
    default: "\(seconds / 86_400) days ago"
    }
  }
}

extension StatusDocument.Branch {
  private var end: Outcome? { outcome.flatMap(Outcome.init) }

  fileprivate var isRed: Bool { end.map { $0.isConclusive && !$0.isGreen } ?? false }

  fileprivate var isGreen: Bool { end?.isGreen ?? false }
}
