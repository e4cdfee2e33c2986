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
