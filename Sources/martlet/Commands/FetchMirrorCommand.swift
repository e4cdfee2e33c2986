import Integrating
import Model

/// `martlet fetch-mirror`: fetches a remote repository, in a separate process.
///
/// The order arrives as one line of JSON on standard input, and the result is written as another one. The end of the
/// input means that the watcher is gone, and a partial fetch is left to the next one.
struct FetchMirrorCommand: Subcommand {
  let name = "fetch-mirror"
  let summary = "fetch a repository that lies elsewhere, as the watcher orders on standard input"
  let options = [Option.home]
  let discussion = "This command is how 'martlet watch' fetches; people use 'martlet notify' or 'martlet integrate'."

  func run(_ arguments: ParsedArguments, _ context: Context) throws -> Int32 {
    let input = try OrderInput<FetchOrder>(for: self, instead: "Use 'martlet notify'.", arguments, context)
    input.cancelAtItsEnd()
    let fetch = MirrorFetch(
      input.order, home: input.home, environment: context.environment, cancellation: input.cancellation)
    let result = fetch.run()
    try context.answer(result)
    return result.failure == nil ? ExitCode.success : ExitCode.service
  }
}
