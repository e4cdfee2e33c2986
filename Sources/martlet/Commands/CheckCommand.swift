import BotFiles
import Glibc
import Model
import Rendering

struct CheckCommand: Subcommand {
  let name = "check"
  let summary = "check bot files and what they refer to"
  let operands = "[FILE|BOT…]"
  let completions: [[Completion]] = [[.files, .botFiles]]
  let options = [
    Option.bots
  ]
  let discussion = """
    Without FILE or BOT, every bot file of the folder is checked, and martlet.yml. FILE may also be a martlet.yml, or
    the .martlet.yml of a package. Each problem is shown as a compiler would: file:line:column: message, the line and a
    caret.

    Besides the settings themselves, it checks that the repository opens and holds the package (for a remote one, only
    that the keys are there), that toolchain, time zone, certificates and scripts beside the file exist, and that
    secrets have values. It warns of what is probably a mistake, such as a pattern that matches nothing.

    The configuration folder is MARTLET_CONFIG or the XDG configuration folder, ~/.config/martlet. The exit status is 2
    when there are problems; warnings alone do not count. 'martlet help bot-file' shows every field.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let configuration = try context.configuration(bots: arguments.value("--bots"))
    let (settings, settingsError) = configuration.settingsAsFarAsRight(
      shownAs: context.shown(configuration.settingsFile))
    let templates = try TemplateLocation.load(override: nil, context)
    var (count, others) = (settingsError?.problems.count ?? 0, 0)
    if let settingsError { try say("\(settingsError)", context) }
    let settingsFile = context.shown(configuration.settingsFile)
    if let problem = configuration.certificateProblem(settings, shownAs: settingsFile) {
      try say(problem.description, context)
      count += 1
    }
    for warning in configuration.toolchainWarnings(settings, shownAs: settingsFile) {
      try say(warning.description, context)
    }
    let files =
      try arguments.operands.isEmpty
      ? configuration.botFiles() : arguments.operands.map { Self.file(of: $0, configuration, context) }
    for file in files {
      let shown = context.shown(file)
      if let found = try checkOther(file, shownAs: shown, configuration, context) {
        count += found
        others += 1
        continue
      }
      if let twin = Self.twin(of: file, in: files) {
        try say(
          "\(shown): warning: only the case of letters tells its name from that of \(context.shown(twin))", context)
      }
      var check: OutsideCheck
      do throws(BotFileError) {
        let bytes = try configuration.bytes(ofBotAt: file, shownAs: shown)
        let bot = try configuration.bot(at: file, bytes: bytes, shownAs: shown, settings: settings)
        check = OutsideCheck(
          bot: bot, bytes: bytes, file: shown, configuration: configuration, settings: settings,
          knowsMachines: settingsError == nil, hasAgent: context.environment["SSH_AUTH_SOCK"]?.isEmpty == false)
      } catch {
        try say(error.description, context)
        count += error.problems.count
        continue
      }
      check.run(webhookShapes: templates.library.webhookShapes)
      for finding in check.findings { try say(finding.description, context) }
      count += check.failures
    }
    let bots = files.count - others
    if count == 0, bots == 0, others > 0 {
      try context.say(others == 1 ? "The file is valid." : "\(others) files are valid.")
    } else {
      try context.say(Self.summary(bots: bots, problems: count, in: configuration))
    }
    return count == 0 ? ExitCode.success : ExitCode.usage
  }

  /// Returns the file that a word means: the path of one, or the name of a bot.
  private static func file(of word: String, _ configuration: Configuration, _ context: Context) -> String {
    let path = context.absolute(word)
    let isName = BotFile.fault(inName: word) == nil && access(path, F_OK) != 0 && !word.hasSuffix(".yml")
    return isName ? configuration.file(of: word) : path
  }

  /// Checks a file that is not a bot's: the settings of a package, or of the server, which are checked anyway.
  ///
  /// - Returns: The number of its problems that have not been reported yet; nil for a bot's file.
  private func checkOther(_ file: String, shownAs shown: String, _ configuration: Configuration, _ context: Context)
    throws -> Int?
  {
    let parts = file.split(separator: "/")
    // A bot may have the name of the server's settings, among other bots.
    let isAmongBots = file == configuration.file(of: "martlet") || parts.dropLast().last == "bots"
    switch parts.last.map(String.init) {
    case PackageSettingsFile.name:
      do throws(BotFileError) {
        _ = try PackageSettingsFile.read(at: file, shownAs: shown)
        return 0
      } catch {
        try say(error.description, context)
        return error.problems.count
      }
    case "martlet.yml" where isAmongBots && file != configuration.settingsFile: return nil
    case "martlet.yml" where access(file, F_OK) != 0:
      try say("\(shown): there is no such file", context)
      return 1
    case "martlet.yml" where file != configuration.settingsFile:
      var other = configuration
      other.folder = file.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
      let (_, error) = other.settingsAsFarAsRight(shownAs: shown)
      if let error { try say("\(error)", context) }
      return error?.problems.count ?? 0
    case "martlet.yml": return 0
    default: return nil
    }
  }

  /// Returns an earlier bot file whose name differs from this one only in case.
  private static func twin(of file: String, in files: [String]) -> String? {
    let name = Configuration.name(ofBotAt: file).lowercased()
    return files.prefix { $0 != file }.first { Configuration.name(ofBotAt: $0).lowercased() == name }
  }

  /// Prints a problem, made safe for terminals: problems quote lines of files and names in repositories.
  private func say(_ problem: String, _ context: Context) throws(OutputError) {
    try context.say(VisibleText.of(problem))
  }

  private static func summary(bots: Int, problems: Int, in configuration: Configuration) -> String {
    if problems > 0 { return CountText.counted(problems, "problem.", "problems.") }
    switch bots {
    case 0: return BotsCommand.absence(in: configuration)
    case 1: return "1 bot file is valid."
    default: return "\(bots) bot files are valid."
    }
  }
}
