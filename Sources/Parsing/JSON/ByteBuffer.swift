import Glibc

/// Bytes at a fixed address, so that a scanner need not ask an array for its storage at every byte.
///
/// Reading out of bounds traps, as with an array; copies share the storage.
struct ByteBuffer {
  /// The owner of the memory, which lives as long as any copy of the buffer.
  private final class Storage {
    let bytes: UnsafeMutableBufferPointer<UInt8>

    init(copying source: [UInt8]) {
      bytes = .allocate(capacity: source.count)
      _ = bytes.initialize(from: source)
    }

    deinit {
      bytes.deallocate()
    }
  }

  private let storage: Storage
  private let start: UnsafePointer<UInt8>?
  let count: Int

  init(_ source: [UInt8]) {
    storage = Storage(copying: source)
    start = storage.bytes.baseAddress.map { UnsafePointer($0) }
    count = source.count
  }

  @inline(__always)
  subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count, "the index is outside of the bytes")
    return withExtendedLifetime(storage) { start.unsafelyUnwrapped[index] }
  }

  /// Calls `body` with the bytes of a range, which are valid only inside `body`.
  @inline(__always)
  func with<Result>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range is outside of the bytes")
    return try withExtendedLifetime(storage) {
      try body(UnsafeBufferPointer(start: start.map { $0 + range.lowerBound }, count: range.count))
    }
  }

  func hasEqualBytes(_ range: Range<Int>, _ text: StaticString) -> Bool {
    range.count == text.utf8CodeUnitCount
      && with(range) { bytes in text.withUTF8Buffer { Self.areEqual(bytes, $0) } }
  }

  func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    with(range) { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, Int32(byte), bytes.count) else { return nil }
      return range.lowerBound + (UnsafeRawPointer(found) - UnsafeRawPointer(start))
    }
  }

  private static func areEqual(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let one = one.baseAddress, let start = other.baseAddress else { return one.count == other.count }
    return memcmp(one, start, other.count) == 0
  }

  func text(of range: Range<Int>) -> String {
    with(range) { String(decoding: $0, as: UTF8.self) }
  }
}
