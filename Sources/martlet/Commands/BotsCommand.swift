import BotFiles
import FoundationEssentials
import Glibc
import Integrating
import Keeping
import Model
import Rendering

struct BotsCommand: Subcommand {
  let name = "bots"
  let summary = "list, add, rename or remove bots"
  let operands = "[list|new NAME --repository PATH|rename NAME NEW|remove NAME]"
  let completions: [[Completion]] = [words.map { .word($0.word) }, [.bots], []]
  let operandLimit: Int? = 3
  let options = [
    Option.value(
      "--repository", "PATH", "the repository that the new bot watches, a path or an address"),
    Option.value("--package", "SUBFOLDER", "the folder of the new bot's package inside the repository"),
    Option.bots,
    Option.flag("--keep-reports", "with 'remove', keep the bot's history"),
    Option.flag("--dry-run", "say what 'remove' would take away, and remove nothing"),
    Option.home,
    Option.templates,
    Option.flag("--json", "print the list as JSON"),
  ]
  let discussion = """
    A bot says which commits of which repository are integrated, how, and who is told. Each bot is a file NAME.yml in the
    folder of bots; folders below it are not read. 'new' writes such a file, with the most common settings as comments;
    'martlet help bot-file' lists every setting. After editing, 'martlet check' says whether it is right.

    'remove' deletes the bot's file, secrets, workspaces, unsent messages and everything it integrated. The watcher may
    keep running, but cancel any running integration of the bot first. With --keep-reports, its history stays until you
    run 'martlet bots remove' again. NAME may also be a name under which 'martlet run' keeps its reports.

    'rename' renames file, secrets and history; stop the watcher first. The next integration builds from scratch.
    Earlier pages keep the old name.

    The configuration folder is MARTLET_CONFIG or the XDG configuration folder, ~/.config/martlet.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let configuration = try context.configuration(bots: arguments.value("--bots"))
    let operands = arguments.operands.nonEmpty ?? ["list"]
    let word = operands[0]
    guard let count = Self.words.first(where: { $0.word == word })?.names else {
      throw UsageError.unknown("word", word, among: Self.words.map(\.word), help: "martlet help bots")
    }
    try refuseStrayOptions(arguments, of: word)
    guard operands.count == count + 1 else {
      if word == "new", operands.count == 1 {
        throw UsageError(
          "the new bot's name is missing: martlet bots new NAME --repository PATH. See 'martlet help bots'.")
      }
      let names = ["no name", "one name", "two names, the old one and the new one"][count]
      throw UsageError("'martlet bots \(word)' takes \(names). See 'martlet help bots'.")
    }
    switch word {
    case "list": return try list(configuration, asJSON: arguments.has("--json"), context)
    case "new":
      guard let repository = arguments.value("--repository") else {
        throw UsageError("'--repository PATH' is missing. See 'martlet help bots'.")
      }
      try write(operands[1], repository: repository, package: arguments.value("--package"), configuration, context)
    case "rename": try rename(operands[1], to: operands[2], configuration, arguments, context)
    default: try remove(operands[1], configuration, arguments, context)
    }
    return ExitCode.success
  }

  /// The subcommands, each with the number of names it takes.
  private static let words = [
    (word: "list", names: 0), (word: "new", names: 1), (word: "rename", names: 2), (word: "remove", names: 1),
  ]

  private func refuseStrayOptions(_ arguments: ParsedArguments, of word: String) throws(UsageError) {
    let owners = [
      ("--repository", "new", "new NAME"), ("--package", "new", "new NAME"),
      ("--keep-reports", "remove", "remove NAME"), ("--dry-run", "remove", "remove NAME"),
    ]
    for (option, owner, usage) in owners where arguments.has(option) && word != owner {
      throw UsageError("'\(option)' goes with 'martlet bots \(usage)'. See 'martlet help bots'.")
    }
  }
}

extension BotsCommand {
  private func rename(
    _ name: String, to new: String, _ configuration: Configuration, _ arguments: ParsedArguments, _ context: Context
  ) throws {
    if let fault = BotFile.fault(inName: new) { throw UsageError("\(fault).") }
    guard name != new else { throw UsageError("the bot is called '\(name)' already.") }
    let home = try context.home(arguments)
    let site = try Site(arguments, home, context)
    let records = try BotRecords(of: name, in: WatchHome(home.folder.path), configuration)
    try records.rename(to: new) { new in
      try RenamedDocuments.write(new, in: home)
      try WaitingMessages(of: name, in: home).rename(to: new)
    }
    if home.folder.exists { try site.publish([new]) }
    try context.say("Renamed \(name) to \(new).")
  }

  private func remove(
    _ name: String, _ configuration: Configuration, _ arguments: ParsedArguments, _ context: Context
  ) throws {
    let home = try context.home(arguments)
    let site = try Site(arguments, home, context)
    let records = try BotRecords(of: name, in: WatchHome(home.folder.path), configuration, includesRuns: true)
    let keepsReports = arguments.has("--keep-reports")
    let extent = records.extent(keepsReports: keepsReports)
    if !arguments.has("--dry-run") {
      try records.remove(keepsReports: keepsReports)
      try WaitingMessages(of: name, in: home).remove()
      if home.folder.exists { try site.publish([]) }
    }
    let files = extent.files.map(context.shown)
    let integrations = extent.integrations > 0 ? [CountText.counted(extent.integrations, "integration")] : []
    let what = CountText.list(files + integrations + [ByteText.short(extent.bytes) + " on the disk"])
    try context.say(VisibleText.of("\(arguments.has("--dry-run") ? "Would remove" : "Removed") \(name): \(what)."))
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
    // A tilde that the shell left in place, and the address of another machine, are left to the reader of the file.
    let isPath = !repository.hasPrefix("~") && !repository.contains(":")
    let path = isPath ? Self.plain(context.absolute(repository)) : repository
    let start = BotFileStart(repository: path, package: package, access: Self.reach(of: path))
    let file = configuration.file(of: name)
    // Nobody but its reader knows the login, so the file is checked as it will be.
    try check(file, start.text(isLoggedIn: true), configuration)
    for folder in [configuration.botsFolder, "\(configuration.folder)/secrets"] { try create(folder) }
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST {
        throw UsageError("\(file) is there already. Choose another name, or edit the file.")
      }
      throw Self.failure("write \(file)")
    }
    defer { close(descriptor) }
    let bytes = Array(start.text().utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      let failure = Self.failure("write \(file)")
      unlink(file)
      throw failure
    }
    let next =
      start.access == .secureShell
      ? "An address with ssh needs a login: take the '#' from 'credentials' in that file, name your key,"
      : "Edit it,"
    try context.say("Wrote \(context.shown(file)). \(next) then run 'martlet check'.")
  }

  private static func reach(of repository: String) -> BotFileStart.Access {
    guard RemoteAddress.isMeant(by: repository) else { return .local }
    // What is wrong with the address is told when the file is checked.
    return (try? RemoteAddress(repository))?.scheme == .ssh ? .secureShell : .address
  }

  /// Throws if the file would be useless: if it has faults, or its repository does not exist.
  private func check(_ file: String, _ text: String, _ configuration: Configuration) throws {
    let absence: PackageAbsence?
    do {
      let bot = try configuration.bot(at: file, bytes: Array(text.utf8), settings: ServerSettings())
      absence = try PackageAbsence.of(bot)
    } catch let error as BotFileError {
      throw UsageError(error.problems.map { "\($0.message)." }.joined(separator: " "))
    } catch {
      throw UsageError("\(error)".lowercasedFirst)
    }
    guard let absence else { return }
    let others = absence.others.map { "--package \($0)" }.joined(separator: " or ")
    throw UsageError(
      "\(absence.words). \(others.isEmpty ? "Commit the package first." : "Name the folder of the package: \(others).")"
    )
  }

  /// Returns the path without `.` and `..`, as written to a file.
  private static func plain(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }

  /// Creates a folder for this user alone, because bot files name secrets and paths.
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
      .service, "cannot \(what): \(SystemReason.words(of: errno)). Name another folder with MARTLET_CONFIG.")
  }
}

extension BotsCommand {
  /// A bot as shown in the list.
  private struct Row: Encodable {
    var name: String
    var repository: String?
    var schedule: String?
    var file: String
    /// Nil for a valid file.
    var problems: [String]?
  }

  /// Prints the bots sorted by name, including files that cannot be read, with their problems.
  func list(_ configuration: Configuration, asJSON: Bool, _ context: Context) throws -> Int32 {
    let (settings, error) = configuration.settingsAsFarAsRight(
      shownAs: context.shown(configuration.settingsFile))
    let rows = try configuration.botFiles().map { file in
      row(file, configuration, settings, context)
    }
    if asJSON {
      try context.say(Context.json(rows))
    } else if rows.isEmpty {
      try context.say(Self.absence(in: configuration))
    } else {
      try context.say(Self.table(rows))
    }
    if let error { context.remark("\(error)") }
    return error == nil && rows.allSatisfy { $0.problems == nil } ? ExitCode.success : ExitCode.usage
  }

  /// What is said where a folder holds no bot.
  static func absence(in configuration: Configuration) -> String {
    "There are no bots in \(configuration.botsFolder). Write one with 'martlet bots new NAME --repository PATH'."
  }

  private func row(_ file: String, _ configuration: Configuration, _ settings: ServerSettings, _ context: Context)
    -> Row
  {
    let name = Configuration.name(ofBotAt: file)
    let shown = context.shown(file)
    do throws(BotFileError) {
      let bot = try configuration.bot(at: file, shownAs: shown, settings: settings)
      return Row(name: name, repository: bot.shownRepository, schedule: bot.schedule.words, file: shown)
    } catch {
      return Row(name: name, file: shown, problems: error.problems.map(\.description))
    }
  }

  private static func words(_ problems: Int) -> String {
    CountText.counted(problems, "problem, see martlet check", "problems, see martlet check")
  }

  private static func table(_ rows: [Row]) -> String {
    let cells = rows.map { row in
      [row.name, row.repository ?? "–", row.schedule ?? Self.words(row.problems?.count ?? 0), row.file]
    }
    return TextColumns.lines(cells).joined(separator: "\n")
  }
}
