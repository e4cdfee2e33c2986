import FoundationEssentials
import Integrating
import Rendering

/// `martlet publish`: writes the site's index pages, in a separate process so that the watcher stays small.
struct PublishCommand: Subcommand {
  let name = "publish"
  let summary = "write the index pages of the site anew"
  let operands = "[BOT…]"
  let operandLimit = 10_000
  let options = [
    Option.value("--templates", "DIR", "templates that stand before the program's own"),
    Option.value("--home", "DIR", "the folder of workspaces, integrations and reports"),
    Option.flag("--index", "write only the index of bots, and the pages of the bots that are named"),
  ]
  let discussion = """
    Martlet does this by itself after each integration. By hand it is of use after templates were changed, or when files
    of the site were removed: without names, the pages of all bots are made. Reports of integrations are left as they are.
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
