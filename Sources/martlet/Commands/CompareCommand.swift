import BotFiles
import FoundationEssentials
import Glibc
import Integrating
import Model
import Rendering

/// `martlet compare`: compares two integrations.
struct CompareCommand: Subcommand {
  let name = "compare"
  let summary = "tell what differs between two integrations"
  let operands = "[BOT/N [BOT/N|N] | REV REV [PATH]]"
  let completions: [[Completion]] = [[.integrations], [.integrations], [.files]]
  let operandLimit = 3
  let options = [
    Option.value("--output", "DIR", "write the comparison as pages, from DIR/index.html on, with DIR/comparison.json"),
    Option.flag("--json", "print the comparison as a document, and nothing else"),
    Option.value("--templates", "DIR", "templates that stand before the program's own"),
    Option.value("--home", "DIR", "the folder of workspaces, integrations and reports"),
  ]
  let discussion = """
    BOT/N is the integration N of a bot, or a folder with an integration.json; for the second of the same bot its number
    is enough. One alone is compared with its baseline; without any it is the newest integration of the repository around
    the current folder. BOT/N:DESTINATION is what N came to for one of its destinations, as debug+thread. REV is a revision of the repository at PATH, or around the current folder: of each the newest
    integration is taken that the home keeps. Where a bot has the name of a branch, the bot is meant.

    It tells the tests that went red, were fixed, added, removed, changed otherwise or became slower; what `measure` gave in
    both; the issues and warnings; the coverage in total and by file, and line by line in genhtml's categories where both
    have a coverage.json, with the lines that were lost and gained; and the commits between them. Lines in which
    integrations of one of the two commits differ, be it these two, run by chance where their tests ended alike and
    nothing else differs: they stand apart, neither lost nor gained. What differs beside the commits, such as the
    toolchain or the version of a dependency that no commit pins, is told first and apart, so that it is not taken for
    theirs.

    With --output each source in which something changed has a page with its lines marked; of more than 300 those with the
    most lost and new uncovered lines. The exit status is 0 whenever two integrations were compared, whatever differs.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let home = try Home.locate(
      option: arguments.value("--home"), environment: context.environment, currentFolder: context.currentFolder)
    let output = try arguments.value("--output").map { try ComparisonFolder(context.absolute($0)) }
    let (before, after) = try ComparisonOperands(arguments.operands, in: StoredIntegrations(in: home), context).read()
    let (comparison, sources) = try IntegrationPair(before, after, in: home).comparison(withSources: output != nil)
    let time = LocalTime { TimeZone.current.secondsFromGMT(for: $0) }
    if let output {
      let templates = try TemplateLocation.load(
        override: arguments.value("--templates"), environment: context.environment, executable: context.executable,
        currentFolder: context.currentFolder)
      let files = try ComparisonReport(templates: templates, time: time).files(of: comparison, sources: sources)
      try output.write(files, document: try Self.document(comparison))
    }
    if arguments.has("--json") {
      try context.writeBytes(Self.document(comparison))
    } else {
      try context.write(ComparisonText(comparison, time: time, isColoured: context.mayColour, page: output?.page).text)
    }
    return ExitCode.success
  }

  private static func document(_ comparison: IntegrationComparison) throws -> [UInt8] {
    Array((try Context.json(comparison) + "\n").utf8)
  }
}

extension Context {
  /// Whether output may be colored (https://no-color.org).
  var mayColour: Bool {
    outputIsTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }
}
