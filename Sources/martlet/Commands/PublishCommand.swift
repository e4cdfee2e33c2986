import Integrating
import Rendering

/// `martlet publish`: writes the site's index pages, in a separate process so that the watcher stays small.
struct PublishCommand: Subcommand {
  let name = "publish"
  let summary = "rewrite the index pages"
  let operands = "[BOT…]"
  let options = [
    Option.templates,
    Option.home,
    Option.flag("--index", "write only the index, and the pages of the bots that are named"),
  ]
  let discussion = """
    Martlet does this after each integration. Use it after changing templates or removing files of the site. Without
    names it writes the pages of all bots. Reports of integrations stay as they are.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let site = try Site(arguments, context.home(arguments), context)
    try site.publish(arguments.operands.isEmpty && !arguments.has("--index") ? nil : arguments.operands)
    return ExitCode.success
  }
}
