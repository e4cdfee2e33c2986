import Glibc
import Parsing
import Processes
import Synchronization

/// The way from the observer in one test process to Martlet: a socket that takes one connection, gives it a key, and is
/// gone before any test begins.
///
/// It belongs to the thread that runs the process.
final class ObserverChannel {
  /// Where the process finds the socket.
  let folder: Folder
  /// What becomes of genuine records.
  var onRecord: (ObserverRecord) -> Void = { _ in }
  /// Whether the observer follows the library.
  let readiness = ObserverReadiness()
  /// Whether Swift Testing's events come this way.
  private(set) var isStreaming = false
  /// Whether the process is followed at all.
  private(set) var isConnected = false
  /// The call by which the process is about to end.
  private(set) var exit: ObservedExit?
  /// Why the observer does not follow XCTest, in the system's words.
  private(set) var failure: String?
  /// The coverage counters that the process has moved out of their files.
  private(set) var counters: [MovedCounters] = []
  /// Where the programs that the process starts hand over theirs; nil where none is asked to.
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

  /// Sixteen bytes that nobody can guess.
  static func newKey() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// What to wait for.
  var descriptors: [Int32] {
    [socket?.descriptor, isEnded ? nil : connection?.descriptor].compactMap(\.self) + (started?.descriptors ?? [])
  }

  /// Sentences about what was not as it must be.
  var contradictions: [String] { connection?.contradictions ?? [] }

  /// Passes on what has come; never waits. Returns whether more may be there.
  @discardableResult
  func readOn() -> Bool {
    started?.readOn()
    accept()
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
    // A bound, should somebody still write.
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

  /// The socket is gone before its key is sent: whoever comes later finds nothing to connect to.
  private func accept() {
    guard let accepted = socket?.accept() else { return }
    socket = nil
    connection = ObserverConnection(owning: accepted, key: key)
  }
}

/// Whether an observer follows a library, for those who hear of the library from elsewhere until it does.
final class ObserverReadiness: Sendable {
  private let value = Atomic(false)

  var isReady: Bool { value.load(ordering: .relaxed) }

  func set() { value.store(true, ordering: .relaxed) }
}
