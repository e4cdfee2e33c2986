import CProcess
import Glibc

/// The signals that tell this process to end or to look at its files again, for a loop that waits for several things.
///
/// To be made by the first thread before any other starts: SIGINT, SIGTERM and SIGHUP no longer do anything else,
/// but that the process ends when nobody takes one of the first two for some time.
package final class SignalQueue: Sendable {
  /// Readable when there is something to take.
  package let descriptor: Int32

  /// - Parameter patience: that time, in seconds.
  package init(patience: UInt32 = 20) throws(ProcessError) {
    descriptor = cprocess_signal_queue(patience)
    if descriptor < 0 { throw .system("watch the signals that end Martlet", errno: errno) }
  }

  deinit {
    close(descriptor)
  }

  /// The numbers of the signals that came, in no order; empty when there are none.
  package func take() -> [Int32] {
    var numbers: [Int32] = []
    while case let number = cprocess_next_signal(descriptor), number != 0 { numbers.append(number) }
    return numbers
  }
}
