import Glibc
import Parsing
import Processes
import Synchronization

/// The way from the observer in one test process to Martlet: a socket that takes one connection, gives it a key, and is
/// gone before any test begins.
///
/// It belongs to the thread that runs the process.
final class ObserverChannel {
  /// More than the longest record.
  private static let mostBytes = 1 << 16
  private static let socketName = "s"

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
  private let key: [UInt8]
  private var records: ObserverRecords
  /// The folder itself, whatever the process puts in its place.
  private var place: Int32
  private var listener: Int32
  private var connection: Int32 = -1
  private var buffer = [UInt8](repeating: 0, count: ObserverChannel.mostBytes)

  /// Makes the socket in a folder of its own, which the process may change once it runs.
  init(in folder: Folder, key: [UInt8]) throws(IntegratingError) {
    self.folder = try folder.create()
    self.key = key
    records = ObserverRecords(key: key)
    place = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard place >= 0 else { throw .storage("open", folder.path, errno: errno) }
    do {
      listener = try Self.listen(in: place, folder)
    } catch {
      Glibc.close(place)
      throw error
    }
  }

  deinit {
    close()
  }

  /// What to wait for.
  var descriptors: [Int32] { [listener, connection].filter { $0 >= 0 } }

  /// Sentences about what was not as it must be.
  var contradictions: [String] { records.contradictions }

  /// Passes on what has come; never waits. Returns whether more may be there.
  @discardableResult
  func readOn() -> Bool {
    if listener >= 0 { accept() }
    for _ in 0..<1024 {
      guard connection >= 0 else { return false }
      var message = PassedDescriptor.receive(from: connection, into: &buffer)
      let count = message.count
      // A process that ended before it read its key resets the connection; its own words are still there.
      if count < 0, errno == EINTR || errno == ECONNRESET { continue }
      if count < 0, errno == EAGAIN { return false }
      guard count > 0 else {
        disconnect()
        return false
      }
      guard let record = records.take(Array(buffer[..<count])) else { continue }
      if let passed = message.passed.take(), let moved = MovedCounters(record, in: passed) { counters.append(moved) }
      take(record)
    }
    return true
  }

  /// Reads what is still there, and removes what is left of the socket.
  func close() {
    // A bound, should somebody still write.
    for _ in 0..<64 where !readOn() { break }
    disconnect()
    stopListening()
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

  // MARK: The socket

  /// The socket is gone before its key is sent: whoever comes later finds nothing to connect to.
  private func accept() {
    let accepted = Glibc.accept(listener, nil, nil)
    guard accepted >= 0 else { return }
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    stopListening()
    connection = accepted
    if send(accepted, key, key.count, Int32(MSG_NOSIGNAL)) != key.count { disconnect() }
  }

  private func stopListening() {
    guard listener >= 0 else { return }
    Glibc.close(listener)
    listener = -1
    unlinkat(place, Self.socketName, 0)
    Glibc.close(place)
  }

  private func disconnect() {
    if connection >= 0 { Glibc.close(connection) }
    connection = -1
  }

  /// The socket is named by way of the folder's descriptor, because its path must be short
  /// ([unix(7)](https://man7.org/linux/man-pages/man7/unix.7.html)).
  private static func listen(in place: Int32, _ folder: Folder) throws(IntegratingError) -> Int32 {
    let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let listener = socket(AF_UNIX, type, 0)
    guard listener >= 0 else { throw .storage("make a socket in", folder.path, errno: errno) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "/proc/self/fd/\(place)/\(socketName)".utf8) }
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0, Glibc.listen(listener, 1) == 0 else {
      let reason = errno
      Glibc.close(listener)
      throw .storage("make a socket in", folder.path, errno: reason)
    }
    return listener
  }
}

/// Whether an observer follows a library, for those who hear of the library from elsewhere until it does.
final class ObserverReadiness: Sendable {
  private let value = Atomic(false)

  var isReady: Bool { value.load(ordering: .relaxed) }

  func set() { value.store(true, ordering: .relaxed) }
}
