import CProcess
import Glibc

/// A file descriptor that is closed when its owner is destroyed.
struct Descriptor: ~Copyable {
  enum Reading {
    case bytes(Int)
    case nothingYet
    case end
  }

  let number: Int32

  init(owning number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Reads available bytes into the buffer. An error counts as the end.
  borrowing func read(into buffer: inout [UInt8]) -> Reading {
    let number = self.number
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) }
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      if errno == EINTR { continue }
      return errno == EAGAIN ? .nothingYet : .end
    }
  }

  /// Reads up to `limit` bytes from a position; fewer at the end of the file, and none if it cannot be read.
  borrowing func bytes(from position: Int, atMost limit: Int) -> [UInt8] {
    let number = self.number
    return [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      while count < limit {
        let read = pread(number, buffer.baseAddress?.advanced(by: count), limit - count, position + count)
        if read < 0, errno == EINTR { continue }
        guard read > 0 else { return }
        count += read
      }
    }
  }

  /// Writes all bytes, at the current position or a given one. Returns 0 or an error number.
  borrowing func write(_ bytes: ArraySlice<UInt8>, at offset: Int? = nil) -> Int32 {
    Self.write(bytes, to: number, at: offset)
  }

  /// Writes all bytes to a descriptor that somebody else closes. Returns 0 or an error number.
  static func write(_ bytes: ArraySlice<UInt8>, to number: Int32, at offset: Int? = nil) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
        let count =
          if let offset {
            pwrite(number, rest.baseAddress, rest.count, offset + done)
          } else {
            Glibc.write(number, rest.baseAddress, rest.count)
          }
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return count < 0 ? errno : EIO }
        done += count
      }
      return 0
    }
  }
}

extension Descriptor {
  /// Waits until there is news at some of several descriptors: input, its end, or an error. A negative number is passed
  /// over.
  ///
  /// - Parameters:
  ///   - room: A descriptor that has news when there is room to write.
  ///   - milliseconds: How long to wait; negative for any time.
  /// - Returns: Which of them have news, `room` being the last; none after an interruption. Nil if the time passed.
  static func wait(for inputs: [Int32], orRoomIn room: Int32 = -1, milliseconds: Int32) -> [Bool]? {
    var polled = inputs.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    polled.append(pollfd(fd: room, events: Int16(POLLOUT), revents: 0))
    let count = poll(&polled, nfds_t(polled.count), milliseconds)
    return count == 0 ? nil : polled.map { count > 0 && $0.revents != 0 }
  }

  /// Passes on the names in a folder, each with a zero at its end, until the closure returns false.
  ///
  /// - Parameter folder: The folder's descriptor, which is closed in the end.
  /// - Returns: False if the folder cannot be listed.
  @discardableResult
  static func eachName(closing folder: Int32, _ body: ([CChar]) -> Bool) -> Bool {
    guard let listing = fdopendir(folder) else {
      close(folder)
      return false
    }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) + [0] }
      if name != [46, 0], name != [46, 46, 0], !body(name) { break }
    }
    return true
  }
}

extension Duration {
  /// The whole milliseconds, as `poll` takes them.
  var milliseconds: Int32 {
    Int32(clamping: components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
  }
}

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
