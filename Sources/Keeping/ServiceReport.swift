import Glibc
import Model
import Processes

/// A reporter of the service's state to systemd, using systemd's own small protocol
/// (https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html).
struct ServiceReport {
  /// The address of the socket; nil if no reports are wanted.
  private let address: String?
  /// The seconds between two watchdog notifications; nil if none are wanted.
  let watchdogInterval: Double?

  /// Reads the variables that systemd set in the environment.
  init(environment: [String: String], pid: Int32) {
    address = environment["NOTIFY_SOCKET"].flatMap(\.nonEmpty)
    let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(pid)" } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap(Double.init)
    watchdogInterval = isMeant && address != nil ? microseconds.map { $0 / 2_000_000 } : nil
  }

  /// Sends a state, such as `READY=1`. It is not an error if nothing receives it.
  func say(_ state: String) {
    guard let address, var name = SocketAddress(path: address) else { return }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let bytes = Array(state.utf8)
    _ = name.withPointer { sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) }
  }
}
