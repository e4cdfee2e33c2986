/// A program that is written to and read from in turn, with the same containment as with `Command.run`.
///
/// Its input remains open until it is destroyed, which kills the program. One that hangs for too long is killed, too.
package final class Coprocess {
  private let running: RunningCommand
  private let input: InputPipe
  /// How long to wait for the program to write or read anything; nil for any time.
  package var patience: Duration?
  private var output: [UInt8] = []
  /// The last bytes of its standard error.
  package private(set) var errors: [UInt8] = []
  /// How the program ended; nil while it runs.
  package private(set) var end: ProcessEnd?

  private static let mostErrors = 4096

  /// Starts a program, of which the standard input is a pipe.
  ///
  /// - Parameters:
  ///   - path: The path at which the pipe is made.
  ///   - patience: How long to wait for the program to write or read anything; nil for any time.
  package init(_ command: Command, pipe path: String, patience: Duration?) throws(ProcessError) {
    input = try InputPipe.make([], at: path)
    self.patience = patience
    var command = command
    command.standardInput = path
    running = try RunningCommand(command)
  }

  deinit {
    running.kill()
    while !running.descriptors.isEmpty {
      _ = Descriptor.wait(for: running.descriptors, milliseconds: -1)
      _ = running.takeNews()
    }
  }

  /// Writes bytes to its input, and waits while there is no room. A program that has ended does not get them.
  package func write(_ bytes: [UInt8]) throws(ProcessError) {
    var rest = bytes[...]
    while end == nil {
      rest = rest.dropFirst(try input.write(rest))
      if rest.isEmpty { return }
      try hear(orRoomIn: input.descriptor)
    }
  }

  /// Waits for output, and returns it; nil if the program has ended and all its output was returned.
  package func read() throws(ProcessError) -> [UInt8]? {
    while output.isEmpty, end == nil { try hear() }
    defer { output = [] }
    return output.isEmpty ? nil : output
  }

  /// Waits for news, and takes it.
  private func hear(orRoomIn pipe: Int32 = -1) throws(ProcessError) {
    let time = patience?.milliseconds ?? -1
    // That it ends is the next news.
    if Descriptor.wait(for: running.descriptors, orRoomIn: pipe, milliseconds: time) == nil { running.kill() }
    for news in running.takeNews() {
      switch news {
      case .output(let bytes): output += bytes
      case .errorOutput(let bytes): errors = Array((errors + bytes).suffix(Self.mostErrors))
      case .over(let how): end = how
      case .failed(let error): throw error
      }
    }
  }
}
