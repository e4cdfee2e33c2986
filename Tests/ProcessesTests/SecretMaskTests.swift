import Testing

@testable import Processes

@Suite("Secrets are masked")
struct SecretMaskTests {
  private static let dots = SecretMask.replacement
  private static let secret = "s3cr&t \"/\\Token<äß>%+"

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    return stride(from: 0, to: bytes.count, by: 3).map { start in
      let group = bytes[start..<min(start + 3, bytes.count)]
      let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      let characters = (0..<4).map { letters[number >> (18 - 6 * $0) & 63] }
      return String(characters.prefix(group.count + 1)) + String(repeating: "=", count: 3 - group.count)
    }.joined()
  }

  /// The text masked in pieces that are cut at random.
  private func pieces(_ mask: SecretMask, _ text: [UInt8], seed: UInt64) -> [UInt8] {
    var state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493
    var stream = MaskedStream(mask)
    var out: [UInt8] = []
    var rest = text[...]
    while !rest.isEmpty {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let piece = rest.prefix(Int(state >> 59))
      stream.feed(piece) { out += $0 }
      rest = rest.dropFirst(piece.count)
    }
    stream.finish { out += $0 }
    return out
  }

  @Test("Text without a secret stays as it is, whatever bytes it has, and however it is cut", arguments: UInt64(0)..<40)
  func untouched(seed: UInt64) {
    var state = seed
    let noise = (0..<600).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    let text = noise + bytes("s3cr&t \"/\\Toke% \r\n\n\ns3cr%73") + noise
    #expect(pieces(SecretMask([Self.secret, "another one"]), text, seed: seed) == text)
  }

  @Test("A value is found in every form, however the text is cut", arguments: UInt64(0)..<40)
  func forms(seed: UInt64) {
    let mask = SecretMask([Self.secret])
    let forms = [
      Self.secret, #"s3cr&t \"/\\Token<äß>%+"#, #"s3cr&t \"\/\\Token<äß>%+"#,
      "s3cr&amp;t &quot;/\\Token&lt;äß&gt;%+", "s3cr%26t%20%22%2F%5CToken%3C%C3%A4%C3%9F%3E%25%2B",
      "s3cr%26t+%22%2f%5cToken%3c%c3%a4%c3%9f%3e%25%2b", "s3cr&t \"/\n\\Token<ä\r\nß>%+",
    ]
    for form in forms {
      let masked = String(decoding: pieces(mask, bytes("a \(form) z"), seed: seed), as: UTF8.self)
      #expect(masked == "a \(Self.dots) z", "\(form)")
    }
  }

  @Test("A value is found in base64, wherever in a longer text it lies", arguments: 0..<6, 0..<4)
  func base64(before: Int, behind: Int) {
    let plain = [UInt8](repeating: 7, count: before) + bytes(Self.secret) + [UInt8](repeating: 9, count: behind)
    let text = base64(plain)
    let masked = SecretMask([Self.secret]).mask("key \(text)!")
    #expect(masked.contains(Self.dots))
    // What stays are characters that also hold bits of what lies before and behind, or are of those.
    #expect(
      masked.utf8.count - Self.dots.utf8.count - "key !".utf8.count <= (before * 8 + 5) / 6 + (behind * 8 + 5) / 6 + 5)
    let web = text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }.joined()
    #expect(SecretMask([Self.secret]).mask(web).contains(Self.dots))
    let wrapped = String(text.prefix(20)) + "\n" + String(text.dropFirst(20))
    #expect(SecretMask([Self.secret]).mask(wrapped).contains(Self.dots))
  }

  @Test("A value is found in hexadecimal and as shells quote it, however the text is cut", arguments: UInt64(0)..<20)
  func quotes(seed: UInt64) {
    let secret = "~s3'cr&t \"$\\#ä"
    let mask = SecretMask([secret])
    let digits = secret.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let forms = [
      digits, digits.uppercased(),
      // printf %q, set -x, declare -p, and printf %q where the locale is C.
      ##"\~s3\'cr\&t\ \"\$\\#ä"##, ##"'~s3'\''cr&t "$\#ä'"##, ##""~s3'cr&t \"\$\\#ä""##,
      ##"$'~s3\'cr&t "$\\#\303\244'"##,
    ]
    for form in forms {
      let masked = String(decoding: pieces(mask, bytes("a \(form) z"), seed: seed), as: UTF8.self)
      let quotes = masked.filter { "'\"$".contains($0) }
      #expect(masked.filter { !"'\"$".contains($0) } == "a \(Self.dots) z", "\(form)")
      #expect(quotes.count <= 3)
    }
  }

  @Test("A value is found with colours in it, however the text is cut", arguments: UInt64(0)..<20)
  func colours(seed: UInt64) {
    let mask = SecretMask(["s3cr3t-value"])
    let red = "\u{1B}[01;31m\u{1B}[K"
    for form in ["s3c\(red)r3t\u{1B}[m-value", "s3cr3t\n\(red)-value", "s\u{1B}[1m3\u{1B}[mcr3t-value"] {
      let masked = String(decoding: pieces(mask, bytes("\(red)a \(form) z"), seed: seed), as: UTF8.self)
      #expect(masked == "\(red)a \(Self.dots) z")
    }
    // What only looks like the beginning of a sequence hides nothing, nor does one that takes a letter of the secret.
    for start in ["\u{1B}", "\u{1B}[", "\u{1B}[31;", "\u{1B}]0;"] {
      let masked = String(decoding: pieces(mask, bytes("\(start)s3cr3t-value"), seed: seed), as: UTF8.self)
      #expect(masked == "\(start)\(Self.dots)")
    }
  }

  @Test("Of a value of several lines, each line is masked, and the whole once")
  func lines() {
    let mask = SecretMask(["-----BEGIN-----\nfirst line\nab\nsecond line\n"])
    #expect(mask.mask("x -----BEGIN-----\nfirst line\nab\nsecond line\ny") == "x \(Self.dots)\ny")
    #expect(mask.mask("[second line] ab [first line]") == "[\(Self.dots)] ab [\(Self.dots)]")
    #expect(mask.mask(#"{"key": "-----BEGIN-----\nfirst line\nab\nsecond line\n"}"#) == #"{"key": "\#(Self.dots)"}"#)
  }

  @Test("Secrets that overlap or touch leave nothing of either")
  func overlap() {
    let mask = SecretMask(["abcdef", "defghi", "cdef"])
    #expect(mask.mask("-abcdefghi-cdef-abcdefabcdef-") == "-\(Self.dots)-\(Self.dots)-\(Self.dots)-")
  }

  @Test("Short values, and no values, mask nothing")
  func short() {
    #expect(SecretMask(["", "abc", "1"]).isEmpty)
    #expect(SecretMask(["abc"]).mask("abcabc") == "abcabc")
  }

  @Test("What is held back is never more than a few times the longest secret")
  func memory() {
    var stream = MaskedStream(SecretMask(["abcd-abcd-abcd"]))
    var out = 0
    for round in 0..<2000 {
      stream.feed(bytes("abcd-abcd-abc\n%61%62")[...]) { out += $0.count }
      #expect(round * 20 - out < 200)
    }
    for _ in 0..<2000 { stream.feed([UInt8(ascii: "\n")]) { out += $0.count } }
    #expect(2000 * 20 + 2000 - out < 200)
    for _ in 0..<2000 { stream.feed(bytes("a\u{1B}[31m\u{1B}[31m")[...]) { out += $0.count } }
    for _ in 0..<2000 { stream.feed(bytes("\u{1B}[3")[...]) { out += $0.count } }
    #expect(2000 * 20 + 2000 + 2000 * 11 + 2000 * 3 - out < 200)
  }
}
