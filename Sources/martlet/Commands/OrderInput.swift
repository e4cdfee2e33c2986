import FoundationEssentials
import Glibc
import Processes

/// An order from the watcher to a child, as one line of JSON on standard input.
enum OrderInput {
  static func read<Order: Decodable>(_ order: Order.Type, of command: String, instead: String) throws -> Order {
    guard let line = readLine() else {
      throw UsageError("\(command) reads an order from standard input, and there is none. \(instead)")
    }
    do {
      return try JSONDecoder().decode(Order.self, from: Data(line.utf8))
    } catch {
      throw UsageError("\(command) cannot read its order: \(error). \(instead)")
    }
  }

  /// Ends the process at the end of the input: what it follows goes on without it.
  static func leaveAtItsEnd() {
    // If the thread cannot be started, an orphan follows to the end, and takes a result in that the next watcher finds.
    _ = try? Worker {
      while readLine() != nil {}
      _exit(ExitCode.success)
    }
  }

  /// Cancels at the end of the input. The watcher keeps the other end open for as long as it lives, however it ends.
  static func cancelAtItsEnd(_ cancellation: Cancellation) {
    // This thread ends with the process; if it cannot be started, an orphan carries on to its end.
    _ = try? Worker {
      while readLine() != nil {}
      cancellation.cancel()
    }
  }
}
