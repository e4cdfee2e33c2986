import Integrating
import Model

struct ReindexCommand: Subcommand {
  let name = "reindex"
  let summary = "rebuild the database of past integrations"
  let options = [Option.home]
  let discussion = """
    The database is the file martlet.sqlite in the home, made from the integration.json of each integration. Martlet
    rebuilds it by itself when it is missing, damaged or of an older version; use this command after copying
    integrations into the home or removing some. A watcher may run meanwhile; stop it first if the file is damaged.

    Only the database holds the queue and the figures of removed integrations. They are kept, as far as a damaged file
    can be read; that file stays beside the new one as martlet.sqlite.damaged.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let home = try context.home(arguments)
    let found = try PastIndex(of: home).rebuild()
    try context.say(
      """
      Indexed \(CountText.counted(found.integrations, "integration")) under \(CountText.counted(found.bots, "name")), \
      those of 'martlet run' included.
      """)
    return ExitCode.success
  }
}
