import CProcess
import Glibc

/// A descriptor that another process passed over a socket; closed with its owner.
package struct PassedDescriptor: ~Copyable {
  /// What a socket gave.
  package struct Message: ~Copyable {
    /// What `recvmsg` returned; where that is negative, `errno` says why.
    package let count: Int
    /// What came with the bytes.
    package var passed: PassedDescriptor?
  }

  private let number: Int32

  private init(owning number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Receives a message without waiting.
  package static func receive(from socket: Int32, into buffer: inout [UInt8]) -> Message {
    var number: Int32 = -1
    let count = cprocess_receive(socket, &buffer, buffer.count, &number)
    return Message(count: count, passed: number >= 0 ? PassedDescriptor(owning: number) : nil)
  }

  /// The first bytes of the memory or file that it leads to; fewer where that ends before.
  package borrowing func contents(first limit: Int) -> [UInt8] {
    let number = number
    return [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      while count < limit {
        let read = pread(number, buffer.baseAddress?.advanced(by: count), limit - count, count)
        guard read > 0 || (read < 0 && errno == EINTR) else { break }
        count += max(read, 0)
      }
    }
  }
}
