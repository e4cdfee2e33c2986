import Integrating
import Keeping
import Model
import Rendering

/// `martlet integrate`, `rerun`, `cancel`, `pin` and `unpin`: a person's requests to the running watcher.
struct AskCommand: Subcommand {
  let verb: ControlRequest.Verb
  let summary: String
  let operands: String
  let discussion: String

  var name: String { verb.rawValue }

  /// The watcher knows bots by their files; what is only run by hand has none.
  var completions: [[Completion]] {
    switch verb {
    case .integrate: [[.botFiles]]
    case .cancel: [[.botFiles, .integrations]]
    default: [[.integrations]]
    }
  }

  var options: [Option] {
    let home = Option.homeOfWatcher
    let json = Option.flag("--json", "print the watcher's answer as JSON")
    let wait = Option.flag("--wait", "wait for the end, show each step, and exit with its status")
    return switch verb {
    case .integrate: [.value("--commit", "REV", "integrate this revision instead of the branches"), wait, home, json]
    case .rerun: [wait, home, json]
    default: [home, json]
    }
  }

  static let ofIntegrations: [any Subcommand] = [
    AskCommand(
      verb: .integrate, summary: "start an integration now", operands: "BOT",
      discussion: """
        The watcher integrates the newest commit of each of the bot's branches, or REV, ahead of waiting commits.
        """),
    AskCommand(
      verb: .rerun, summary: "integrate the same commit again", operands: "BOT/N",
      discussion: "Integration N of the bot stays as it is; its commit is integrated under a new number."),
    AskCommand(
      verb: .cancel, summary: "cancel a running integration, or a bot's queue", operands: "BOT[/N]",
      discussion: "BOT/N cancels that running integration; BOT cancels everything that the bot has waiting."),
  ]

  static let ofKeeping: [any Subcommand] = [
    AskCommand(
      verb: .pin, summary: "keep an integration, whatever the bot's 'keep' says", operands: "BOT/N",
      discussion: "Integration N of the bot stays until 'martlet unpin BOT/N', even when the disk is full."),
    AskCommand(
      verb: .unpin, summary: "let a pinned integration expire like the others", operands: "BOT/N",
      discussion: "The bot's 'keep' decides again how long integration N of the bot stays."),
  ]

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let client = try ControlClient(arguments, context)
    let answer = try client.ask(try request(arguments)) { news, step in
      context.remark(news + (step.map { ": \(StepWords.phrase($0))" } ?? ""))
    }
    if arguments.has("--json") {
      try context.say(Context.json(answer))
    } else {
      // The reason and the branch's name come from tests and repositories, and must not control a terminal.
      let lines = answer.message ?? (answer.items ?? []).map(Self.line).joined(separator: "\n")
      try context.say(VisibleText.of(lines))
    }
    guard arguments.has("--wait") else { return ExitCode.success }
    return (answer.items ?? []).map { item in
      item.outcome.flatMap(Outcome.init)?.exitCode ?? ExitCode.canceled
    }.max() ?? ExitCode.success
  }

  private func request(_ arguments: ParsedArguments) throws(UsageError) -> ControlRequest {
    guard let operand = arguments.operands.first else {
      throw UsageError("'\(name)' needs \(operands). See 'martlet help \(name)'.")
    }
    if verb == .integrate {
      return ControlRequest(
        verb, bot: operand, commit: arguments.value("--commit"), waits: arguments.has("--wait"),
        isTold: arguments.has("--wait"))
    }
    if verb == .cancel, !operand.isEmpty, !operand.contains("/") { return ControlRequest(verb, bot: operand) }
    guard let named = IntegrationName(operand), let number = named.number, number > 0 else {
      throw UsageError("'\(operand)' is not BOT/NUMBER, such as Greeter/12. See 'martlet help \(name)'.")
    }
    return ControlRequest(
      verb, bot: named.bot, number: number, waits: arguments.has("--wait"), isTold: arguments.has("--wait"))
  }

  private static func line(_ item: ControlAnswer.Item) -> String {
    let name = item.number.map { "\(item.bot) \($0)" } ?? item.bot
    let place = item.ref.map { " on \($0)" } ?? ""
    let end = item.toldOutcome ?? item.outcome ?? item.state
    let reason = item.reason.map { SummaryText.indented("  \($0)") } ?? []
    return (["\(name): \(end), \(item.commit.prefix(7))\(place)"] + reason).joined(separator: "\n")
  }
}

extension ControlClient {
  /// Creates a client for the watcher of the home specified by the options and the environment.
  init(_ arguments: ParsedArguments, _ context: Context) throws(IntegratingError) {
    let home = try context.home(arguments)
    self.init(WatchHome(home.folder.path))
  }
}
