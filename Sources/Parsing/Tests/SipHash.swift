/// SipHash-2-4, a keyed hash of short messages ([the paper](https://www.aumasson.jp/siphash/siphash.pdf)).
struct SipHash: Sendable {
  private let key: (UInt64, UInt64)

  /// - Parameter key: sixteen bytes; missing bytes count as zero.
  init(key: [UInt8]) {
    self.key = (Self.word(key.prefix(8)), Self.word(key.dropFirst(8).prefix(8)))
  }

  func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var state = State(key)
    var rest = bytes
    while rest.count >= 8 {
      state.take(Self.word(rest.prefix(8)))
      rest = rest.dropFirst(8)
    }
    state.take(Self.word(rest) | UInt64(truncatingIfNeeded: bytes.count) << 56)
    return state.finish()
  }

  /// Returns a number made of up to eight bytes, the lowest first.
  static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private struct State {
    var a, b, c, d: UInt64

    init(_ key: (UInt64, UInt64)) {
      a = key.0 ^ 0x736f_6d65_7073_6575
      b = key.1 ^ 0x646f_7261_6e64_6f6d
      c = key.0 ^ 0x6c79_6765_6e65_7261
      d = key.1 ^ 0x7465_6462_7974_6573
    }

    mutating func take(_ word: UInt64) {
      d ^= word
      mix(rounds: 2)
      a ^= word
    }

    mutating func finish() -> UInt64 {
      c ^= 0xff
      mix(rounds: 4)
      return a ^ b ^ c ^ d
    }

    private mutating func mix(rounds: Int) {
      for _ in 0..<rounds {
        a &+= b
        c &+= d
        b = b.rotated(13) ^ a
        d = d.rotated(16) ^ c
        a = a.rotated(32)
        c &+= b
        a &+= d
        b = b.rotated(17) ^ c
        d = d.rotated(21) ^ a
        c = c.rotated(32)
      }
    }
  }
}

extension UInt64 {
  fileprivate func rotated(_ bits: UInt64) -> UInt64 { self << bits | self >> (64 - bits) }
}
