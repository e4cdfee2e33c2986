import Git
import Integrating
import Keeping
import Model

struct NotifyCommand: Subcommand {
  let name = "notify"
  let summary = "tell the watcher that a repository changed"
  let operands = "[REPO|ADDRESS]"
  let options = [Option.homeOfWatcher]
  let discussion = """
    For hooks, on file systems where the watcher cannot see commits, such as network file systems. The command returns
    at once, even if no watcher runs: the next one checks every repository when it starts. Name a remote repository by
    its address; it is fetched at once. The default is the current folder. It is an error if there is no such
    repository, or if no bot integrates it.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    do {
      let operand = arguments.operands.first ?? "."
      let isAddress = RemoteAddress.isMeant(by: operand)
      let repository = isAddress ? operand : context.absolute(operand)
      if !isAddress { _ = try Repository(at: repository) }
      _ = try ControlClient(arguments, context).ask(ControlRequest(.notify, repository: repository))
    } catch let error as KeepingError {
      // A hook must not fail because no watcher is running.
      guard error.kind == .absent else { throw error }
    }
    return ExitCode.success
  }
}
