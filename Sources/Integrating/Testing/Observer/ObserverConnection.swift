import Glibc
import Parsing
import Processes

/// The connection of one observer, which receives a key; its records count as long as they prove knowledge of that.
final class ObserverConnection {
  /// Whether more records may arrive.
  enum State {
    /// More may be there now.
    case more
    /// More may arrive later.
    case waiting
    /// No more will arrive.
    case ended
  }

  /// More bytes than the longest record has.
  private static let mostBytes = 1 << 16

  /// The descriptor to wait for.
  let descriptor: Int32
  private var records: ObserverRecords
  private var buffer = [UInt8](repeating: 0, count: ObserverConnection.mostBytes)
  private var isOpen: Bool

  /// Sends the key. The descriptor, which is the accepted end, is closed with the connection.
  init(owning descriptor: Int32, key: [UInt8]) {
    self.descriptor = descriptor
    records = ObserverRecords(key: key)
    isOpen = send(descriptor, key, key.count, Int32(MSG_NOSIGNAL)) == key.count
  }

  deinit {
    close(descriptor)
  }

  /// Sentences about what was not as it should have been.
  var contradictions: [String] { records.contradictions }

  /// Passes on what has arrived, with the memory that came along; never waits.
  func readOn(_ take: (ObserverRecord, MovedCounters?) -> Void) -> State {
    for _ in 0..<1024 {
      guard isOpen else { return .ended }
      var message = PassedDescriptor.receive(from: descriptor, into: &buffer)
      let count = message.count
      // A process that ended before it read its key resets the connection; its own records are still there.
      if count < 0, errno == EINTR || errno == ECONNRESET { continue }
      if count < 0, errno == EAGAIN { return .waiting }
      isOpen = count > 0
      guard isOpen, let record = records.take(Array(buffer[..<count])) else { continue }
      guard let memory = message.passed.take() else {
        take(record, nil)
        continue
      }
      take(record, MovedCounters(record, in: memory))
    }
    return .more
  }
}

/// The coverage counters of a test process in memory without a name: only the process counts there, and its counts are
/// still there when it has died.
final class MovedCounters {
  /// More bytes than the counters of any program have.
  private static let mostBytes = 1 << 30

  /// The file from which they were mapped, as the process names it; its contents are from before the move.
  let path: String
  /// The size of the counters in bytes.
  let length: Int
  private let memory: PassedDescriptor

  /// Returns nil if the record is about something else.
  init?(_ record: ObserverRecord, in memory: consuming PassedDescriptor) {
    guard let told = CountersRecord(record), told.length <= Self.mostBytes else { return nil }
    path = told.path
    length = told.length
    self.memory = memory
  }

  /// The name of the file from which they were mapped.
  var fileName: String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// The counters as LLVM's runtime would have written them to the file.
  var contents: [UInt8] { memory.contents(first: length) }
}
