import Integrating
import Keeping
import Model

/// `martlet notify REPO`: tells the watcher that a repository moved.
struct NotifyCommand: Subcommand {
  let name = "notify"
  let summary = "tell the watcher that a repository moved"
  let operands = "[REPO|ADDRESS]"
  let operandLimit = 1
  let options = [Option.value("--home", "DIR", "the home of the watcher")]
  let discussion = """
    For hooks, where the watcher cannot see commits by itself, as on a network file system. It returns at once, also when
    no watcher runs: the next one looks at every repository when it starts, and fetches those that lie elsewhere, but for
    those with 'fetch: manual'. One that lies elsewhere is named by its address and fetched at once. The default is the
    current folder.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    do {
      let operand = arguments.operands.first ?? "."
      let repository = RemoteAddress.isMeant(by: operand) ? operand : context.absolute(operand)
      try ControlClient(arguments, context).tell(ControlRequest(.notify, repository: repository))
    } catch let error as KeepingError {
      // A hook must not fail because no watcher is running.
      guard error.kind == .absent else { throw error }
    }
    return ExitCode.success
  }
}
