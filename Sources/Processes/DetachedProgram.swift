import CProcess
import Glibc

/// A program that goes on when the process that started it ends, as no other program of Martlet's does.
package enum DetachedProgram {
  /// The descriptor of a started program that is a copy of the one that it is to hold.
  package static let held: Int32 = 3

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - input: What it reads from its standard input; never on a disk.
  ///   - output: The descriptor that takes everything it prints.
  ///   - held: A descriptor that it keeps open for as long as it lives, such as that of a lock.
  /// - Throws: If it could not be started. A file that is no program is started, and ends at once.
  package static func start(
    _ path: String, _ arguments: [String], environment: [String: String], input: [UInt8], output: Int32, held: Int32
  ) throws(ProcessError) {
    let variables = environment.map { "\($0.key)=\($0.value)" }
    let code = withCStrings([path] + arguments) { arguments in
      withCStrings(variables) { environment in
        cprocess_detach(path, arguments, environment, input, input.count, output, held)
      }
    }
    if code != 0 { throw .system("start “\(path)”", errno: code) }
  }

  /// Keeps the held descriptor out of the programs that this process starts.
  package static func keepHeld() {
    _ = fcntl(held, F_SETFD, FD_CLOEXEC)
  }
}
