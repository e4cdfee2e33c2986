import FoundationEssentials
import Integrating
import Model

/// `martlet reindex`: rebuilds the index of the home's integrations.
struct ReindexCommand: Subcommand {
  let name = "reindex"
  let summary = "make the index of everything past anew"
  let operands = ""
  let operandLimit = 0
  let options = [Option.value("--home", "DIR", "the folder of workspaces, integrations and reports")]
  let discussion = """
    The index is the file martlet.sqlite in the home: lists, histories of tests and the choice of what to compare with are
    read from it. It is made of the integration.json of each integration. Martlet makes it by itself where it is missing,
    damaged or of an older version; by hand it is of use after integrations were copied into the home, or removed from
    it. The queue of the watcher, what it saw last, and the figures of integrations that were removed to make room stand
    nowhere else: they stay, and of a damaged file all that can be read, which is kept beside it as martlet.sqlite.damaged.
    A watcher may run meanwhile; stop it first where the file is damaged.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let home = try Home.locate(
      option: arguments.value("--home"), environment: context.environment, currentFolder: context.currentFolder)
    let found = try PastIndex(of: home).rebuild()
    try context.say(
      "Indexed \(CountText.counted(found.integrations, "integration")) of \(CountText.counted(found.bots, "bot")).")
    return ExitCode.success
  }
}
