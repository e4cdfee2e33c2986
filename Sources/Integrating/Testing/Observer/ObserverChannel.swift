import Glibc
import Parsing
import Processes
import Synchronization

/// The connection from the observer in one test process to Martlet: a socket that accepts one connection, gives it a
/// key, and is gone before any test begins.
///
/// It belongs to the thread that runs the process.
final class ObserverChannel {
  /// The folder in which the process finds the socket.
  let folder: Folder
  /// The handler of genuine records.
  var onRecord: (ObserverRecord) -> Void = { _ in }
  /// Whether the observer follows the library.
  let readiness = ObserverReadiness()
  /// Whether Swift Testing's events arrive through this channel.
  private(set) var isStreaming = false
  /// Whether the process is observed at all.
  private(set) var isConnected = false
  /// The call with which the process is about to end.
  private(set) var exit: ObservedExit?
  /// Why the observer does not follow XCTest, in the system's words.
  private(set) var failure: String?
  /// The coverage counters that the process has moved out of their files.
  private(set) var counters: [MovedCounters] = []
  /// The channel for the counters of programs that the process starts; nil if they are not asked for these.
  let started: StartedPrograms?
  private let key: [UInt8]
  private var socket: ObserverSocket?
  private var connection: ObserverConnection?
  private var isEnded = false

  /// Makes the socket in a folder of its own, which the process may change once it runs.
  init(in folder: Folder, key: [UInt8] = newKey(), started: StartedPrograms? = nil) throws(IntegratingError) {
    self.folder = folder
    self.key = key
    self.started = started
    socket = try ObserverSocket(in: folder, mostWaiting: 1)
  }

  deinit {
    close()
  }

  /// Returns sixteen bytes that nobody can guess.
  static func newKey() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// The descriptors to wait for.
  var descriptors: [Int32] {
    [socket?.descriptor, isEnded ? nil : connection?.descriptor].compactMap(\.self) + (started?.descriptors ?? [])
  }

  /// Sentences about what was not as it should have been.
  var contradictions: [String] { connection?.contradictions ?? [] }

  /// Passes on what has arrived, without waiting; returns whether more may be there.
  @discardableResult
  func readOn() -> Bool {
    started?.accept()
    accept()
    // Programs that have connected are let in only when everything was read that the process had told before.
    if readConnection() { return true }
    started?.readOn()
    return false
  }

  private func readConnection() -> Bool {
    guard let connection, !isEnded else { return false }
    let state = connection.readOn { record, moved in
      if let moved { counters.append(moved) }
      take(record)
    }
    isEnded = state == .ended
    return state == .more
  }

  /// Reads what is still there, and removes what is left of the socket.
  func close() {
    // Bounded, in case somebody is still writing.
    for _ in 0..<64 where !readOn() { break }
    started?.close()
    isEnded = true
    socket = nil
  }

  private func take(_ record: ObserverRecord) {
    switch record.kind {
    case .ready: readiness.set()
    case .streamOpened: isStreaming = true
    case .connected: isConnected = true
    case .exit: exit = ObservedExit(record)
    case .failed: failure = String(decoding: record.bytes.prefix(500), as: UTF8.self)
    default: break
    }
    onRecord(record)
  }

  /// Accepts the connection. The socket is removed before the key is sent, so nobody can connect later.
  private func accept() {
    guard let accepted = socket?.accept() else { return }
    socket = nil
    connection = ObserverConnection(owning: accepted, key: key)
  }
}

/// A flag that an observer follows a library; until it does, the library's progress is taken from elsewhere.
final class ObserverReadiness: Sendable {
  private let value = Atomic(false)

  var isReady: Bool { value.load(ordering: .relaxed) }

  func set() { value.store(true, ordering: .relaxed) }
}
