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
