import BotFiles
import FoundationEssentials
import Model
import Rendering

extension BotsCommand {
  /// One bot as the list shows it.
  private struct Row: Encodable {
    var name: String
    var repository: String?
    var schedule: String?
    var file: String
    /// Nil for a file that is right.
    var problems: [String]?
  }

  /// Prints the bots by name; a file that cannot be read is among them, with what is wrong.
  func list(_ configuration: Configuration, asJSON: Bool, _ context: Context) throws -> Int32 {
    let (settings, error) = configuration.settingsAsFarAsRight(
      shownAs: context.shown(configuration.settingsFile))
    let rows = try configuration.botFiles().map { file in
      row(file, configuration, settings, context)
    }
    if asJSON {
      try context.say(Context.json(rows))
    } else if rows.isEmpty {
      try context.say(
        "There are no bots in \(configuration.botsFolder). Write one with 'martlet bots new NAME --repository PATH'.")
    } else {
      try context.say(Self.table(rows))
    }
    if let error { context.writeError(VisibleText.of("\(error)") + "\n") }
    return error == nil && rows.allSatisfy { $0.problems == nil } ? ExitCode.success : ExitCode.usage
  }

  private func row(_ file: String, _ configuration: Configuration, _ settings: ServerSettings, _ context: Context)
    -> Row
  {
    let name = Configuration.name(ofBotAt: file)
    let shown = context.shown(file)
    do throws(BotFileError) {
      let bot = try configuration.bot(at: file, shownAs: shown, settings: settings)
      return Row(name: name, repository: bot.repository, schedule: bot.schedule.words, file: shown)
    } catch {
      return Row(name: name, file: shown, problems: error.problems.map(\.description))
    }
  }

  private static func words(_ problems: Int) -> String {
    problems == 1 ? "1 problem, see martlet check" : "\(problems) problems, see martlet check"
  }

  private static func table(_ rows: [Row]) -> String {
    let cells = rows.map { row in
      [
        row.name, row.repository ?? "–",
        row.schedule ?? Self.words(row.problems?.count ?? 0),
        row.file,
      ]
    }
    let widths = (0..<3).map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.map { cells in
      zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count + 2) }.joined() + (cells.last ?? "")
    }.joined(separator: "\n")
  }
}
