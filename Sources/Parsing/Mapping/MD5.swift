import Glibc

/// The hash by which LLVM names functions and lists of files in what it writes about coverage; it protects nothing.
///
/// RFC 1321 (https://www.rfc-editor.org/rfc/rfc1321).
enum MD5 {
  private static let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
  /// The whole parts of 2³² times the sines of 1 to 64.
  private static let sines: [UInt32] = (1...64).map { UInt32(4_294_967_296 * sin(Double($0)).magnitude) }

  /// The first half of the hash, as LLVM keeps it.
  static func name(of message: some Collection<UInt8>) -> UInt64 {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    var bytes = Array(message) + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    let bits = UInt64(message.count) &* 8
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
    for start in stride(from: 0, to: bytes.count, by: 64) { mix(bytes[start..<start + 64], into: &state) }
    return UInt64(state[0]) | UInt64(state[1]) << 32
  }

  private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    let words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { at in
      (0..<4).reduce(UInt32(0)) { $0 | UInt32(block[at + $1]) << (8 * UInt32($1)) }
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let (value, word) =
        switch step / 16 {
        case 0: (b & c | ~b & d, step)
        case 1: (b & d | c & ~d, (5 * step + 1) % 16)
        case 2: (b ^ c ^ d, (3 * step + 5) % 16)
        default: (c ^ (b | ~d), 7 * step % 16)
        }
      let sum = a &+ value &+ words[word] &+ sines[step]
      let shift = shifts[step / 16][step % 4]
      (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
    }
    for (index, part) in [a, b, c, d].enumerated() { state[index] &+= part }
  }
}
