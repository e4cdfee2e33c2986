import Integrating
import Keeping

/// `martlet notify REPO`: tells the watcher that a repository moved.
struct NotifyCommand: Subcommand {
  let name = "notify"
  let summary = "tell the watcher that a repository moved"
  let operands = "[REPO]"
  let operandLimit = 1
  let options = [Option.value("--home", "DIR", "the home of the watcher")]
  let discussion = """
    For hooks, where the watcher cannot see commits by itself, as on a network file system. It returns at once, also when
    no watcher runs: the next one looks at every repository when it starts. The default is the current folder.
    """

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    do {
      let repository = context.absolute(arguments.operands.first ?? ".")
      try ControlClient(arguments, context).tell(ControlRequest(.notify, repository: repository))
    } catch let error as KeepingError {
      // A hook must not fail because nobody listens.
      guard error.kind == .absent else { throw error }
    }
    return ExitCode.success
  }
}
