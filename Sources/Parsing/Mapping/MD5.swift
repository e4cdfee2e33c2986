import Glibc

/// The hash by which LLVM names functions and lists of files in what it writes about coverage; it protects nothing.
///
/// RFC 1321 (https://www.rfc-editor.org/rfc/rfc1321).
enum MD5 {
  private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
  /// The whole parts of 2³² times the sines of 1 to 64.
  private static let sines: [UInt32] = (1...64).map { UInt32(4_294_967_296 * sin(Double($0)).magnitude) }

  /// The first half of the hash, as LLVM keeps it.
  static func name(of message: some Collection<UInt8>) -> UInt64 {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    var bytes = Array(message)
    let bits = UInt64(bytes.count) &* 8
    bytes.append(0x80)
    bytes += repeatElement(0, count: (120 - bytes.count % 64) % 64)
    for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    bytes.withUnsafeBytes { bytes in
      sines.withUnsafeBufferPointer { sines in
        shifts.withUnsafeBufferPointer { shifts in
          for start in stride(from: 0, to: bytes.count, by: 64) { mix(bytes, start, sines, shifts, into: &state) }
        }
      }
    }
    return UInt64(state[0]) | UInt64(state[1]) << 32
  }

  private static func mix(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ sines: UnsafeBufferPointer<UInt32>,
    _ shifts: UnsafeBufferPointer<UInt32>, into state: inout [UInt32]
  ) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let (value, place) =
        switch step / 16 {
        case 0: (b & c | ~b & d, step)
        case 1: (b & d | c & ~d, (5 * step + 1) % 16)
        case 2: (b ^ c ^ d, (3 * step + 5) % 16)
        default: (c ^ (b | ~d), 7 * step % 16)
        }
      let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 4 * place, as: UInt32.self))
      let sum = a &+ value &+ word &+ sines[step]
      let shift = shifts[step / 16 * 4 + step % 4]
      (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
  }
}
