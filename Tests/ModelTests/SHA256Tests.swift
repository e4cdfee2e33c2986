import Model
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  /// https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values
  private static let vectors: [(String, String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ]

  @Test("The hash of each of NIST's examples is theirs", arguments: vectors)
  func hashes(message: String, hash: String) {
    #expect(SHA256.hash(Array(message.utf8)).hexadecimal == hash)
  }

  /// https://www.rfc-editor.org/rfc/rfc4231#section-4
  private static let codes: [([UInt8], [UInt8], String)] = [
    (
      [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ]

  @Test("The authentication code of each example of RFC 4231 is theirs", arguments: codes)
  func authenticates(key: [UInt8], message: [UInt8], code: String) {
    #expect(SHA256.authenticate(message, key: key).hexadecimal == code)
  }

  @Test("Codes are the same where every byte is, and only there")
  func same() {
    let codes: [[UInt8]] = (0..<256).map { number in [6, 4, 2, 0].map { UInt8(number >> $0 & 3) } }
    for one in codes {
      for other in codes where SHA256.isSame(one, other) != (one == other) {
        Issue.record("\(one) and \(other)")
      }
    }
    #expect(!SHA256.isSame([1], [1, 0]))
  }
}
