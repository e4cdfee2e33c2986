import CProcess
import Glibc

/// A request to stop, which any thread can make and every run that holds it obeys immediately.
///
/// It cannot be undone.
package final class Cancellation: Sendable {
  private let event: Int32
  private let parent: Cancellation?

  /// Creates a cancellation, which is also canceled when its parent is.
  package init(parent: Cancellation? = nil) throws(ProcessError) {
    event = cprocess_event()
    self.parent = parent
    if event < 0 { throw .system("make a cancellation", errno: errno) }
  }

  deinit {
    close(event)
  }

  package func cancel() {
    cprocess_raise(event)
  }

  package var isCanceled: Bool { wait(atMost: .zero) }

  /// Waits until canceled or until a time has passed. Returns whether it is canceled.
  package func wait(atMost time: Duration) -> Bool {
    Descriptor.wait(for: descriptors, milliseconds: time.milliseconds)?.contains(true) ?? false
  }

  /// Cancels when this process is told to end by SIGINT (Ctrl-C), SIGTERM or SIGHUP.
  ///
  /// This lasts until the process ends, and can be requested only once. A second SIGINT ends the process, as does any
  /// of these signals a second or more after the first, and everything it runs ends with it. Otherwise the process is
  /// ended `patience` seconds after the first signal, even if it hangs. A signal that was already ignored (nohup)
  /// remains ignored.
  package func cancelOnSignals(patience: UInt32 = 20) throws(ProcessError) {
    let code = cprocess_watch_signals(event, patience)
    if code != 0 { throw .system("watch the signals that end Martlet", errno: code) }
  }

  /// Descriptors that become readable on cancellation.
  var descriptors: [Int32] { [event] + (parent?.descriptors ?? []) }
}
