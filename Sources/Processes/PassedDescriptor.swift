import CProcess

/// A descriptor received from another process over a socket, closed when its owner is destroyed.
package struct PassedDescriptor: ~Copyable {
  /// The result of receiving from a socket.
  package struct Message: ~Copyable {
    /// The return value of `recvmsg`; if negative, `errno` gives the reason.
    package let count: Int
    /// The descriptor received along with the bytes.
    package var passed: PassedDescriptor?
  }

  private let descriptor: Descriptor

  /// Receives a message without waiting.
  package static func receive(from socket: Int32, into buffer: inout [UInt8]) -> Message {
    var number: Int32 = -1
    let count = cprocess_receive(socket, &buffer, buffer.count, &number)
    return Message(count: count, passed: number >= 0 ? PassedDescriptor(descriptor: Descriptor(owning: number)) : nil)
  }

  /// Returns up to `limit` bytes from the beginning of the underlying memory or file.
  package borrowing func contents(first limit: Int) -> [UInt8] { descriptor.bytes(from: 0, atMost: limit) }
}
