import FoundationEssentials
import Integrating
import Model
import Processes

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
    let order = try OrderInput.read(FetchOrder.self, of: name, instead: "Use 'martlet notify'.")
    let home = try context.home(arguments)
    let cancellation = try Cancellation()
    try cancellation.cancelOnSignals()
    OrderInput.cancelAtItsEnd(cancellation)
    let fetch = MirrorFetch(order, home: home, environment: context.environment, cancellation: cancellation)
    let result = fetch.run()
    try context.say(String(decoding: JSONEncoder().encode(result), as: UTF8.self))
    return result.failure == nil ? ExitCode.success : ExitCode.service
  }
}
