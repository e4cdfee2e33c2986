import FoundationEssentials
import Glibc
import Integrating
import Processes

/// An order from the watcher to a child, as one line of JSON on standard input, with what each child carries it out in.
struct OrderInput<Order: Decodable> {
  let order: Order
  let home: Home
  let watcherIsGone: Cancellation
  /// Canceled by signals, and when the watcher is gone.
  let cancellation: Cancellation

  /// - Parameter instead: What people use in place of the command, as a sentence.
  init(for command: any Subcommand, instead: String, _ arguments: ParsedArguments, _ context: Context) throws {
    guard let line = readLine() else {
      throw UsageError("\(command.name) reads an order from standard input, and there is none. \(instead)")
    }
    do {
      order = try JSONDecoder().decode(Order.self, from: Data(line.utf8))
    } catch {
      throw UsageError("\(command.name) cannot read its order: \(error). \(instead)")
    }
    home = try context.home(arguments)
    watcherIsGone = try Cancellation()
    cancellation = try Cancellation(parent: watcherIsGone)
    try cancellation.cancelOnSignals()
  }

  func cancelAtItsEnd() { atItsEnd { [watcherIsGone] in watcherIsGone.cancel() } }

  /// Ends the process at the end of the input: what it follows goes on without it.
  func leaveAtItsEnd() { atItsEnd { _exit(ExitCode.success) } }

  /// Acts at the end of the input. The watcher keeps the other end open for as long as it lives, however it ends.
  private func atItsEnd(_ act: @escaping @Sendable () -> Void) {
    // This thread ends with the process; if it cannot be started, an orphan carries on to its end.
    _ = try? Worker {
      while readLine() != nil {}
      act()
    }
  }
}
