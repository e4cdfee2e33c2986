import FoundationEssentials
import Integrating
import Rendering

/// `martlet publish`: writes the site's index pages, in a separate process so that the watcher stays small.
struct PublishCommand: Subcommand {
  let name = "publish"
  let summary = "rewrite the index pages"
  let operands = "[BOT…]"
  let operandLimit = 10_000
  let options = [
    Option.value("--templates", "DIR", "templates to use before the program's own"),
    Option.value("--home", "DIR", "the folder of workspaces, integrations and reports"),
    Option.flag("--index", "write only the index of bots, and the pages of the bots that are named"),
  ]
  let discussion = """
    Martlet does this after each integration. Use it after changing templates or removing files of the site. Without
    names it writes the pages of all bots. Reports of integrations stay as they are.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let templates = try TemplateLocation.load(
      override: arguments.value("--templates"), environment: context.environment, executable: context.executable,
      currentFolder: context.currentFolder)
    let home = try Home.locate(
      option: arguments.value("--home"), environment: context.environment, currentFolder: context.currentFolder)
    let site = Site(
      home: home, templates: templates, time: LocalTime { TimeZone.current.secondsFromGMT(for: $0) })
    try site.publish(arguments.operands.isEmpty && !arguments.has("--index") ? nil : arguments.operands)
    return ExitCode.success
  }
}
