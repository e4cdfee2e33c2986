import CProcess
import Glibc

/// The signals that tell this process to end or to reload its files, for a loop that waits for several things.
///
/// Must be created on the first thread before any other starts. SIGINT, SIGTERM and SIGHUP lose their usual effect, but
/// the process ends if a SIGINT or SIGTERM is not taken for some time.
package final class SignalQueue: Sendable {
  /// Becomes readable when there is a signal to take.
  package let descriptor: Int32

  /// The seconds until the process ends.
  private static let patience: UInt32 = 20

  package init() throws(ProcessError) {
    descriptor = cprocess_signal_queue(Self.patience)
    if descriptor < 0 { throw .system("watch the signals that end Martlet", errno: errno) }
  }

  deinit {
    close(descriptor)
  }

  /// Returns the numbers of the pending signals, in no particular order.
  package func take() -> [Int32] {
    var numbers: [Int32] = []
    while case let number = cprocess_next_signal(descriptor), number != 0 { numbers.append(number) }
    return numbers
  }
}
