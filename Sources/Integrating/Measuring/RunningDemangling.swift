import Glibc
import Parsing
package import Processes

/// A running `swift-demangle`; meanwhile, the caller does what needs no readable names.
package struct RunningDemangling {
  private let symbols: [String]
  /// The work in progress; nil without symbols.
  private let worker: Worker<CollectedOutput>?

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - folder: where the file of symbols is kept until it is read.
  ///   - file: its name.
  ///   - command: the program with its arguments.
  package init(
    _ symbols: [String], folder: Folder, file: String, command: Command, limits: Limits, cancellation: Cancellation
  ) throws {
    self.symbols = symbols
    guard !symbols.isEmpty else {
      worker = nil
      return
    }
    try folder.create(file, Array(Demangling.input(for: symbols).utf8))
    let input = folder.file(file)
    var reading = command
    reading.standardInput = input
    let program = reading
    worker = try Worker {
      defer { unlink(input) }
      return try program.collect(limits: limits, cancellation: cancellation, limit: 1 << 30)
    }
  }

  /// Waits for the program to end, and returns what it wrote.
  ///
  /// - Parameter account: receives the program's cost.
  /// - Throws: `IntegrationStop` if it was canceled.
  func output(_ account: (ProcessResult) -> Void) throws -> [UInt8] {
    guard let answer = try worker?.join() else { return [] }
    account(answer.result)
    if answer.result.why == .canceled { throw IntegrationStop.canceled }
    return answer.standardOutput
  }

  /// Waits for the names, and returns them by symbol.
  ///
  /// - Throws: also an error about its output.
  package func finish(_ account: (ProcessResult) -> Void) throws -> [String: String] {
    try Demangling.parse(output(account), for: symbols)
  }
}
