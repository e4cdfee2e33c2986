import Integrating
import Model
import Rendering

struct LogCommand: Subcommand {
  let name = "log"
  let summary = "print the log of a step of an integration, or list its logs"
  let operands = "[BOT/N|BOT|DIR] [STEP]"
  let options = [
    Option.home,
    Option.flag("--follow", "print output as it comes, until the integration ends"),
    Option.flag("--json", "print the list, or the log with its text, as JSON"),
  ]
  let discussion = """
    BOT/N is integration N of a bot, BOT its newest finished one, DIR a folder with an integration.json; the default is
    the newest integration of the package around the current folder. BOT/N:DESTINATION has the logs of one destination.
    STEP is a step such as building or testing; without it, the logs are listed with their sizes.

    Of a running integration, BOT/N prints what there is so far. With --follow, BOT is the bot's newest integration,
    running or not; without a STEP, each step is printed as it begins. On a terminal, control characters are shown as
    numbers; in a file or a pipe the log is unchanged.
    """

  /// A log, formatted for other programs.
  private struct Entry: Encodable {
    var step: Step
    var bytes: Int
    var file: String
    /// Included only for a requested log.
    var text: String?

    init(_ log: StoredIntegration.Log) {
      (step, bytes, file) = (log.step, log.bytes, log.file)
    }
  }

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let home = try context.home(arguments)
    let all = StoredIntegrations(in: home)
    // A step alone is one of the package around the current folder, unless a bot has its name.
    let alone = arguments.operands.count == 1 && !arguments.has("--follow") ? arguments.operands.first : nil
    let isStepAlone = alone.map { Step(rawValue: $0) != nil && all.numbers(of: $0).isEmpty } ?? false
    let word = isStepAlone ? nil : arguments.operands.first
    let wanted = arguments.operands.dropFirst(isStepAlone ? 0 : 1).first
    if arguments.has("--follow") {
      guard !arguments.has("--json") else {
        throw UsageError("'--follow' and '--json' do not go together. See 'martlet help log'.")
      }
      guard let word else {
        throw UsageError("an integration is missing, such as BOT/N. See 'martlet help log'.")
      }
      let step = try wanted.map { try Self.step($0, among: Step.allCases) }
      return try FollowedLog(of: word, step, in: all, context).follow()
    }
    let logs =
      try word.flatMap { Logs(unfinished: $0, in: all) }
      ?? Logs(IntegrationOperand(word, in: all, for: self, context).read())
    if let wanted {
      try show(wanted, of: logs, asJSON: arguments.has("--json"), context)
    } else {
      try list(logs, asJSON: arguments.has("--json"), context)
    }
    if !logs.isFinished { context.remark("\(logs.name) is not finished; --follow prints until it is.") }
    return ExitCode.success
  }

  /// The logs of an integration, finished or not.
  private struct Logs {
    let name: String
    let isFinished: Bool
    let all: [StoredIntegration.Log]
    let read: (Step) -> [UInt8]?

    init(_ stored: StoredIntegration) {
      name = VisibleText.of("\(stored.document.bot)/\(stored.document.number)")
      isFinished = true
      all = stored.logs
      read = stored.log
    }

    /// Nil if the word does not name an integration that is not finished.
    init?(unfinished word: String, in stored: StoredIntegrations) {
      guard let named = IntegrationName(word), let number = named.number,
        let log = stored.growingLog(of: named.bot, number), !log.isOver
      else { return nil }
      name = VisibleText.of(word)
      isFinished = false
      all = log.logs
      read = { log.bytes(of: $0) }
    }
  }

  private func list(_ logs: Logs, asJSON: Bool, _ context: Context) throws {
    if asJSON { return try context.say(Context.json(logs.all.map(Entry.init))) }
    if logs.all.isEmpty, logs.isFinished {
      return try context.say("\(logs.name) has no log: no program ran, or its logs are not beside its document.")
    }
    let rows = logs.all.map { [$0.step.rawValue, ByteText.short($0.bytes)] }
    for line in TextColumns.lines(rows) { try context.say(line) }
  }

  private static func step(_ word: String, among known: [Step]) throws(UsageError) -> Step {
    guard let step = Step(rawValue: word) else {
      throw .unknown("step", word, among: known.map(\.rawValue), help: "martlet help log")
    }
    return step
  }

  private func show(_ word: String, of logs: Logs, asJSON: Bool, _ context: Context) throws {
    let steps = logs.all.map(\.step)
    let step = try Self.step(word, among: steps)
    guard let log = logs.all.first(where: { $0.step == step }), let bytes = logs.read(step) else {
      let yet = logs.isFinished ? "" : " yet"
      let known = steps.isEmpty ? "It has none at all" : "It has \(CountText.list(steps.map(\.rawValue)))"
      throw UsageError("\(logs.name) has no log of \(word)\(yet). \(known). See 'martlet help log'.")
    }
    if asJSON {
      var entry = Entry(log)
      entry.text = String(decoding: bytes, as: UTF8.self)
      try context.say(Context.json(entry))
    } else if context.outputIsTerminal {
      try context.say(VisibleText.of(String(decoding: bytes, as: UTF8.self)))
    } else {
      try context.writeBytes(bytes)
    }
  }
}
