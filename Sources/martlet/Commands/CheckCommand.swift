import BotFiles
import Model
import Rendering

/// `martlet check`: whether the files of bots are right, and what they name is there.
struct CheckCommand: Subcommand {
  let name = "check"
  let summary = "check bot files, and that what they name is there"
  let operands = "[BOTFILE…]"
  let operandLimit = Int.max
  let options = [
    Option.value("--bots", "DIR", "the folder of bot files; 'bots' in the configuration folder unless said")
  ]
  let discussion = """
    Without operands it checks every bot file of the folder, and martlet.yml. Each problem is told as a compiler would:
    file:line:column: message, the line and a caret. Beside what stands in a file it checks that the repository opens
    and holds the package, that toolchain, time zone, certificates and scripts beside the file are there, and that secrets
    have values; a warning is only told.

    The configuration folder is MARTLET_CONFIG or the XDG configuration folder, ~/.config/martlet. The exit status is 0
    when there are no problems, 2 when there are. 'martlet help bot-file' shows every field.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let configuration = try Configuration.locate(
      bots: arguments.value("--bots"), environment: context.environment, currentFolder: context.currentFolder)
    let (settings, error) = configuration.settingsAsFarAsRight(
      shownAs: context.shown(configuration.settingsFile))
    let templates = try TemplateLocation.load(
      override: nil, environment: context.environment, executable: context.executable,
      currentFolder: context.currentFolder)
    var count = error?.problems.count ?? 0
    if let error { try say("\(error)", context) }
    if let problem = configuration.certificateProblem(settings, shownAs: context.shown(configuration.settingsFile)) {
      try say(problem.description, context)
      count += 1
    }
    let files = try arguments.operands.isEmpty ? configuration.botFiles() : arguments.operands.map(context.absolute)
    for file in files {
      let shown = context.shown(file)
      if let twin = Self.twin(of: file, in: files) {
        try say(
          "\(shown): warning: only the case of letters tells its name from that of \(context.shown(twin))", context)
      }
      var check: OutsideCheck
      do throws(BotFileError) {
        let bytes = try configuration.bytes(ofBotAt: file, shownAs: shown)
        let bot = try configuration.bot(at: file, bytes: bytes, shownAs: shown, settings: settings)
        check = OutsideCheck(bot, bytes: bytes, file: shown, configuration: configuration, settings: settings)
      } catch {
        try say(error.description, context)
        count += error.problems.count
        continue
      }
      check.run(webhookShapes: templates.library.webhookShapes)
      for finding in check.findings { try say(finding.description, context) }
      count += check.failures
    }
    try context.say(Self.summary(bots: files.count, problems: count, in: configuration))
    return count == 0 ? ExitCode.success : ExitCode.usage
  }

  /// The file of a bot before this one whose name differs only by the case of letters.
  private static func twin(of file: String, in files: [String]) -> String? {
    let name = Configuration.name(ofBotAt: file).lowercased()
    return files.prefix { $0 != file }.first { Configuration.name(ofBotAt: $0).lowercased() == name }
  }

  /// Problems quote lines of files, and names in repositories.
  private func say(_ problem: String, _ context: Context) throws(OutputError) {
    try context.say(VisibleText.of(problem))
  }

  private static func summary(bots: Int, problems: Int, in configuration: Configuration) -> String {
    if problems > 0 { return CountText.counted(problems, "problem.", "problems.") }
    switch bots {
    case 0:
      return
        "There are no bots in \(configuration.botsFolder). Write one with 'martlet bots new NAME --repository PATH'."
    case 1: return "1 bot is right."
    default: return "\(bots) bots are right."
    }
  }
}

extension Context {
  /// A path as a person would write it from here.
  func shown(_ path: String) -> String {
    path.hasPrefix("\(currentFolder)/") ? String(path.dropFirst(currentFolder.count + 1)) : path
  }
}
