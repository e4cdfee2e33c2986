import BotFiles
import FoundationEssentials
import Integrating
import Keeping
import Model
import Rendering

struct PruneCommand: Subcommand {
  let name = "prune"
  let summary = "remove workspaces and reports no longer needed"
  let options = [
    Option.flag("--dry-run", "say what would go, and remove nothing"),
    Option.home,
    Option.bots,
    Option.templates,
    Option.flag("--json", "print what goes as JSON"),
  ]
  let discussion = """
    Removes the workspaces of branches, repositories and bots that are gone, mirrors that no bot uses any more, and
    reports of 'martlet run' beyond 'keep-runs' in martlet.yml. Figures of removed reports stay in the charts. Builds
    in progress are left alone, and a watcher may run meanwhile.

    'martlet bots remove NAME' removes a bot with everything it integrated.
    """

  /// The output for `--json`.
  private struct Document: Encodable {
    var isDryRun: Bool
    var bytes: Int
    var removed: [Pruning.Leftover]
  }

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let home = try context.home(arguments)
    let isDry = arguments.has("--dry-run")
    let site = try Site(arguments, home, context)
    let found = try leftovers(isDry: isDry, in: home, arguments, context)
    let changed = Set(found.filter { $0.kind == .report }.map(\.bot))
    if !isDry, !changed.isEmpty { try site.publish(changed.sorted()) }
    if arguments.has("--json") {
      let bytes = found.reduce(0) { $0 + $1.bytes }
      try context.say(Context.json(Document(isDryRun: isDry, bytes: bytes, removed: found)))
    } else {
      try context.say(Self.list(found) + Self.summary(of: found, isDone: !isDry))
    }
    return ExitCode.success
  }

  /// Returns what may be removed, or removes it and returns what was removed.
  private func leftovers(isDry: Bool, in home: Home, _ arguments: ParsedArguments, _ context: Context) throws
    -> [Pruning.Leftover]
  {
    guard home.folder.exists else { return [] }
    let configuration = try context.configuration(bots: arguments.value("--bots"))
    try PastIndex(of: home).prepare()
    let watchHome = WatchHome(home.folder.path)
    let pruning = try Pruning(
      watchHome, configuration: configuration, besides: Self.watched(in: watchHome), now: Date())
    let found = try pruning.removals()
    guard !isDry else { return found }
    return try pruning.remove(found) { context.remark("warning: \($0)") }
  }

  /// Returns the bots of the running watcher, with their repositories: it may have been started with another
  /// configuration.
  private static func watched(in home: WatchHome) throws -> [String: String] {
    do throws(KeepingError) {
      let bots = try ControlClient(home).ask(ControlRequest(.status)).status?.bots ?? []
      return Dictionary(
        bots.map { bot in (bot.name, bot.fetch.map { "\(home.mirrors)/\($0.mirror)" } ?? bot.repository) },
        uniquingKeysWith: { one, _ in one })
    } catch {
      guard error.kind == .absent else { throw error }
      return [:]
    }
  }

  private static func list(_ found: [Pruning.Leftover]) -> String {
    found.map { one in
      let what = one.kind == .mirror ? "mirror \(one.name)" : "\(one.kind.rawValue) \(one.bot)/\(one.name)"
      return VisibleText.of("\(what), \(ByteText.short(one.bytes)). \(one.reason)") + "\n"
    }.joined()
  }

  /// Summarizes in one sentence what was removed, or would be.
  static func summary(of found: [Pruning.Leftover], isDone: Bool) -> String {
    let counts: [(Pruning.Leftover.Kind, String)] = [
      (.workspace, "workspace"), (.report, "report"), (.mirror, "mirror"),
    ]
    let words = counts.compactMap { kind, word in
      let count = found.count { $0.kind == kind }
      return count == 0 ? nil : CountText.counted(count, word)
    }
    guard !words.isEmpty else { return "There is nothing to remove." }
    let bytes = ByteText.short(found.reduce(0) { $0 + $1.bytes })
    return isDone
      ? "Removed \(CountText.list(words)): \(bytes)." : "Would remove \(CountText.list(words)): \(bytes)."
  }
}

extension Site {
  /// Creates the site of a home, with the templates that the options specify.
  init(_ arguments: ParsedArguments, _ home: Home, _ context: Context) throws {
    let templates = try context.templates(arguments)
    self.init(home: home, templates: templates, time: .ofThisMachine)
  }
}
