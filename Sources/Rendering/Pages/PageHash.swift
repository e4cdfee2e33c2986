/// Computes a `PageKey` from a sequence of values.
///
/// The algorithm is SipHash-1-3 with 128 bits (https://www.aumasson.jp/siphash/siphash.pdf): it is fast, and with a
/// secret seed no author of sources can choose them so that the page of other sources replaces theirs.
package struct PageHash: Sendable {
  /// A seed, which must be kept secret from authors of sources, and be the same for all keys that are compared.
  package struct Seed: Hashable, Sendable {
    package var first: UInt64
    package var second: UInt64

    package init(_ first: UInt64, _ second: UInt64) {
      self.first = first
      self.second = second
    }

    /// A new random seed.
    package static var random: Seed { Seed(.random(in: 0 ... .max), .random(in: 0 ... .max)) }
  }

  private let seed: Seed
  private var state: (UInt64, UInt64, UInt64, UInt64)
  private var count: UInt64 = 0

  package init(_ seed: Seed) {
    self.seed = seed
    state = (
      seed.first ^ 0x736F_6D65_7073_6575, seed.second ^ 0x646F_7261_6E64_6F6D ^ 0xEE,
      seed.first ^ 0x6C79_6765_6E65_7261, seed.second ^ 0x7465_6462_7974_6573
    )
  }

  /// An empty hash with the same seed.
  var fresh: PageHash { PageHash(seed) }

  @inline(__always)
  mutating func combine(_ word: UInt64) {
    count &+= 1
    state.3 ^= word
    mix()
    state.0 ^= word
  }

  @inline(__always)
  mutating func combine(_ number: Int) {
    combine(UInt64(bitPattern: Int64(number)))
  }

  mutating func combine(_ flag: Bool) {
    combine(flag ? 1 : 0)
  }

  package mutating func combine(_ text: String?) {
    guard var text else { return combine(UInt64.max) }
    text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  mutating func combine(_ bytes: [UInt8]?) {
    guard let bytes else { return combine(UInt64.max) }
    bytes.withUnsafeBytes { combine(bytes: $0) }
  }

  /// Combines bytes, preceded by their count, so that they cannot be confused with what follows.
  private mutating func combine(bytes: UnsafeRawBufferPointer) {
    combine(bytes.count)
    var index = 0
    while index &+ 8 <= bytes.count {
      combine(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index &+= 8
    }
    guard index < bytes.count else { return }
    var rest: UInt64 = 0
    while index < bytes.count {
      rest = rest << 8 | UInt64(bytes[index])
      index &+= 1
    }
    combine(rest)
  }

  /// The key of all combined values.
  package var key: PageKey {
    var last = self
    last.combine(count)
    last.state.2 ^= 0xEE
    let first = last.finish()
    last.state.1 ^= 0xDD
    return PageKey(first, last.finish())
  }

  private mutating func finish() -> UInt64 {
    for _ in 0..<3 { mix() }
    return state.0 ^ state.1 ^ state.2 ^ state.3
  }

  @inline(__always)
  private mutating func mix() {
    var (a, b, c, d) = state
    a = a &+ b
    b = Self.rotated(b, 13) ^ a
    a = Self.rotated(a, 32)
    c = c &+ d
    d = Self.rotated(d, 16) ^ c
    a = a &+ d
    d = Self.rotated(d, 21) ^ a
    c = c &+ b
    b = Self.rotated(b, 17) ^ c
    c = Self.rotated(c, 32)
    state = (a, b, c, d)
  }

  @inline(__always)
  private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
    word &<< count | word &>> (64 &- count)
  }
}

extension PageHash {
  /// Combines a value and its contents; the order of a record's names does not matter.
  mutating func combine(_ value: TemplateValue) {
    switch value {
    case .missing: combine(0)
    case .flag(let flag): combine(flag ? 1 : 2)
    case .number(let number):
      combine(3)
      combine(number)
    case .text(let text):
      combine(4)
      combine(text)
    case .html(let html):
      combine(5)
      combine(html.bytes)
    case .command(let text):
      combine(8)
      combine(text)
    case .name(let text):
      combine(9)
      combine(text)
    case .heading(let text):
      combine(10)
      combine(text)
    case .list(let values):
      combine(6)
      combine(values.count)
      for value in values { combine(value) }
    case .record(let record):
      combine(7)
      combine(record.count)
      var sum: UInt64 = 0
      for (name, value) in record {
        var pair = fresh
        pair.combine(name)
        pair.combine(value)
        sum &+= pair.finish()
      }
      combine(sum)
    }
  }
}
