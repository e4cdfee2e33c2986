import CProcess
import Glibc

/// A wish to stop, which any thread can express and every run that holds it obeys at once.
///
/// It cannot be taken back.
package final class Cancellation: Sendable {
  private let event: Int32
  private let parent: Cancellation?

  /// Makes a cancellation, which is also canceled with its parent.
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

  package var isCanceled: Bool {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return poll(&polled, nfds_t(polled.count), 0) > 0
  }

  /// Waits until it is canceled, or for a time; tells whether it is canceled.
  package func wait(atMost time: Duration) -> Bool {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let milliseconds = time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
    return poll(&polled, nfds_t(polled.count), Int32(clamping: milliseconds)) > 0
  }

  /// Becomes canceled when this process is told to end, by SIGINT (Ctrl-C), SIGTERM or SIGHUP.
  ///
  /// This holds until the process ends, and can be asked for once. A second SIGINT ends the process, and so does any such
  /// signal a second after the first; what it runs ends with it. Without either it is ended so many seconds after the
  /// first, in whatever it hangs. A signal that is ignored from outside (nohup) stays so.
  package func cancelOnSignals(patience: UInt32 = 20) throws(ProcessError) {
    let code = cprocess_watch_signals(event, patience)
    if code != 0 { throw .system("watch the signals that end Martlet", errno: code) }
  }

  /// Readable, each, when canceled.
  var descriptors: [Int32] { [event] + (parent?.descriptors ?? []) }
}
