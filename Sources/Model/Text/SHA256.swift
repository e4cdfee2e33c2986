/// The Secure Hash Algorithm with 256 bits, and message authentication based on it.
///
/// FIPS 180-4 (https://csrc.nist.gov/pubs/fips/180-4/upd1/final) and RFC 2104 (https://www.rfc-editor.org/rfc/rfc2104).
/// The TLS library loaded by libcurl has both, but it is not always the same one, and not always available.
package enum SHA256 {
  private static let blockLength = 64

  /// Returns the hash of a message, 32 bytes.
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    var state = initial
    let whole = message.count - message.count % blockLength
    for start in stride(from: 0, to: whole, by: blockLength) { mix(message, from: start, &state) }
    var rest = Array(message[whole...]) + [0x80]
    while rest.count % blockLength != 56 { rest.append(0) }
    let bits = UInt64(message.count) &* 8
    rest += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
    for start in stride(from: 0, to: rest.count, by: blockLength) { mix(rest, from: start, &state) }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
  }

  /// Returns a collision-resistant digest of some texts as 64 hexadecimal digits.
  package static func digest(of texts: [String]) -> String {
    // The lengths keep the boundaries between texts unambiguous.
    let message = texts.flatMap { text in Array("\(text.utf8.count) ".utf8) + Array(text.utf8) }
    return hash(message).hexadecimal
  }

  /// Returns the code, 32 bytes, that proves that the sender of a message knows the key.
  package static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    var key = key.count > blockLength ? hash(key) : key
    key += [UInt8](repeating: 0, count: blockLength - key.count)
    let inner = hash(key.map { $0 ^ 0x36 } + message)
    return hash(key.map { $0 ^ 0x5C } + inner)
  }

  /// Returns whether two codes are the same, in a time that does not reveal where they differ.
  package static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func mix(_ message: [UInt8], from start: Int, _ state: inout [UInt32]) {
    var words = [UInt32](repeating: 0, count: 64)
    for index in 0..<blockLength { words[index / 4] = words[index / 4] &<< 8 | UInt32(message[start + index]) }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let small = rotate(early, 7) ^ rotate(early, 18) ^ early &>> 3
      let large = rotate(late, 17) ^ rotate(late, 19) ^ late &>> 10
      words[index] = words[index - 16] &+ small &+ words[index - 7] &+ large
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let choice = e & f ^ ~e & g
      let majority = a & b ^ a & c ^ b & c
      let first = h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ choice &+ constants[index] &+ words[index]
      let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
      (a, b, c, d, e, f, g, h) = (first &+ second, a, b, c, d &+ first, e, f, g)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] = state[index] &+ word }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 - count) }

  /// The first 32 bits of the fractional parts of the square roots of the first eight primes.
  private static let initial: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

extension [UInt8] {
  /// The bytes as lowercase hexadecimal digits.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
