import CEvent
import Glibc

/// The owner of libevent's handles: the loop, its HTTP server and other events. All are freed with it.
struct EventEngine: ~Copyable {
  /// A function for the loop to call, with its registered context.
  typealias Callback = @convention(c) (Int32, Int16, UnsafeMutableRawPointer?) -> Void

  let base: OpaquePointer
  let http: OpaquePointer
  private var events: [OpaquePointer] = []

  init() throws(ServingError) {
    let fault = ServingError(.service, "cannot start libevent: there is no memory for it. Make some free.")
    guard let base = event_base_new() else { throw fault }
    guard let http = evhttp_new(base) else {
      event_base_free(base)
      throw fault
    }
    self.base = base
    self.http = http
  }

  deinit {
    for event in events { event_free(event) }
    evhttp_free(http)
    event_base_free(base)
  }

  /// Calls back periodically.
  mutating func call(every microseconds: Int, _ context: UnsafeMutableRawPointer, _ callback: Callback) {
    guard let event = event_new(base, -1, Int16(EV_PERSIST), callback, context) else { return }
    var time = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
    event_add(event, &time)
    events.append(event)
  }

  /// Makes a timer that calls back once each time it is set.
  mutating func timer(_ context: UnsafeMutableRawPointer, _ callback: Callback) -> OpaquePointer? {
    let event = event_new(base, -1, 0, callback, context)
    if let event { events.append(event) }
    return event
  }

  /// Sets a timer, unless it is already set.
  static func set(_ timer: OpaquePointer, to microseconds: Int) {
    guard event_pending(timer, Int16(EV_TIMEOUT), nil) == 0 else { return }
    var time = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
    event_add(timer, &time)
  }

  /// Calls back whenever a descriptor is readable.
  mutating func watch(_ descriptor: Int32, _ context: UnsafeMutableRawPointer, _ callback: Callback) {
    guard let event = event_new(base, descriptor, Int16(EV_READ | EV_PERSIST), callback, context) else { return }
    event_add(event, nil)
    events.append(event)
  }

  static var version: String { String(cString: event_get_version()) }
}
