import BotFiles
import FoundationEssentials
import Glibc
import Integrating
import Model
import Rendering

/// `martlet bots`: lists the bots, or writes the file of a new one.
struct BotsCommand: Subcommand {
  let name = "bots"
  let summary = "list the bots, or write the file of a new one"
  let operands = "[new NAME --repository PATH]"
  let operandLimit = 2
  let options = [
    Option.value("--repository", "PATH", "the repository that the new bot watches"),
    Option.value("--package", "SUBFOLDER", "the folder of the new bot's package inside the repository"),
    Option.value("--bots", "DIR", "the folder of bot files; 'bots' in the configuration folder unless said"),
    Option.flag("--json", "print the list as JSON"),
  ]
  let discussion = """
    A bot is a standing order: which commits of which repository are integrated, how, and who hears of it. Each is a file
    NAME.yml in the folder of bots; folders below it are not read. 'new' writes such a file, with every field and its
    default as a comment; 'martlet check' says whether it is right after you have edited it.

    The configuration folder is MARTLET_CONFIG or the XDG configuration folder, ~/.config/martlet.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let configuration = try Configuration.locate(
      bots: arguments.value("--bots"), environment: context.environment, currentFolder: context.currentFolder)
    switch (arguments.operands.first, arguments.operands.dropFirst().first) {
    case (nil, _):
      for name in ["--repository", "--package"] where arguments.has(name) {
        throw UsageError("'\(name)' goes with 'martlet bots new NAME'. See 'martlet help bots'.")
      }
      return try list(configuration, asJSON: arguments.has("--json"), context)
    case ("new", let name?):
      guard let repository = arguments.value("--repository") else {
        throw UsageError("'--repository PATH' is missing. See 'martlet help bots'.")
      }
      try write(name, repository: repository, package: arguments.value("--package"), configuration, context)
      return ExitCode.success
    case ("new", nil):
      throw UsageError(
        "the new bot's name is missing: martlet bots new NAME --repository PATH. See 'martlet help bots'.")
    case (let word?, _):
      throw UsageError.unknown("word", word, among: ["new"], help: "martlet help bots")
    }
  }
}

extension BotsCommand {
  private func write(
    _ name: String, repository: String, package: String?, _ configuration: Configuration, _ context: Context
  ) throws {
    if let fault = BotFile.fault(inName: name) { throw UsageError("\(fault).") }
    let others = try configuration.botFiles().map(Configuration.name)
    if let other = others.first(where: { $0 != name && $0.lowercased() == name.lowercased() }) {
      throw UsageError(
        "there is a bot '\(other)' already, and '\(name)' differs only by the case of letters. Choose another name.")
    }
    // A tilde that the shell left, and an address of another machine, are the reader's to understand.
    let isPath = !repository.hasPrefix("~") && !repository.contains(":")
    let path = isPath ? Self.plain(context.absolute(repository)) : repository
    let text = BotFileText.text(repository: path, package: package)
    let file = "\(configuration.botsFolder)/\(name).yml"
    try check(file, text, configuration)
    for folder in [configuration.botsFolder, "\(configuration.folder)/secrets"] { try create(folder) }
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        throw UsageError("\(file) is there already. Choose another name, or edit the file.")
      }
      throw Self.failure("write \(file)")
    }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      let failure = Self.failure("write \(file)")
      unlink(file)
      throw failure
    }
    try context.say("Wrote \(context.shown(file)). Edit it, then run 'martlet check'.")
  }

  /// Refuses what would be of no use: a file that is wrong, or a repository that is none.
  private func check(_ file: String, _ text: String, _ configuration: Configuration) throws {
    do {
      let bot = try configuration.bot(at: file, bytes: Array(text.utf8), settings: ServerSettings())
      if let absence = try PackageCheck(bot).absence {
        let others = absence.others.map { "--package \($0)" }.joined(separator: " or ")
        throw UsageError(
          "\(absence.words). \(others.isEmpty ? "Commit the package first." : "Name the folder of the package: \(others).")"
        )
      }
    } catch let error as UsageError {
      throw error
    } catch let error as BotFileError {
      throw UsageError(error.problems.map { "\($0.message)." }.joined(separator: " "))
    } catch {
      throw UsageError("\(error)")
    }
  }

  /// The path without `.` and `..`, as it shall stand in a file.
  private static func plain(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }

  /// Bot files name secrets and paths: they are for this user alone.
  private func create(_ folder: String) throws {
    if access(folder, F_OK) == 0 { return }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Self.failure("create the folder \(folder)")
    }
  }

  private static func failure(_ what: String) -> IntegratingError {
    IntegratingError(
      .service, "cannot \(what): \(String(cString: strerror(errno))). Name another folder with MARTLET_CONFIG.")
  }
}

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
    CountText.counted(problems, "problem, see martlet check", "problems, see martlet check")
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
