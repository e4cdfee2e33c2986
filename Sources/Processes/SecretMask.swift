/// A mask that recognizes secrets in the forms in which programs print them, and replaces them with dots.
///
/// A value is recognized verbatim; with escapes as in JSON, Swift, HTML, URLs or shells; in hexadecimal; in base64 at
/// any offset within a longer text; and with a line break or terminal colors anywhere in it. Each line of a multi-line
/// value is a secret too. Values and lines of fewer than four bytes are not masked because they occur everywhere.
/// `martlet help bot-file` documents this.
package struct SecretMask: Sendable {
  /// The text that replaces a secret.
  package static let replacement = "••••••"
  static let shortest = 4

  let automaton: PatternAutomaton

  /// Creates a mask for values; without any, nothing is masked.
  package init(_ values: [String]) {
    var patterns: Set<[UInt8]> = []
    for value in values {
      let bytes = Array(value.utf8)
      let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map(Array.init)
      for secret in [bytes] + lines where secret.count >= Self.shortest { patterns.formUnion(Self.forms(of: secret)) }
    }
    automaton = PatternAutomaton(patterns.filter { $0.count >= Self.shortest })
  }

  package var isEmpty: Bool { automaton.isEmpty }

  /// Returns the text with its secrets masked.
  package func mask(_ text: String) -> String {
    isEmpty ? text : String(decoding: mask(Array(text.utf8)), as: UTF8.self)
  }

  /// Returns the bytes with their secrets masked.
  package func mask(_ bytes: [UInt8]) -> [UInt8] {
    guard !isEmpty else { return bytes }
    var stream = MaskedStream(self)
    var masked: [UInt8] = []
    stream.feed(bytes[...]) { masked += $0 }
    stream.finish { masked += $0 }
    return masked
  }

  /// Returns all forms to search for, without line breaks. Percent-encoding is handled by decoding it.
  private static func forms(of secret: [UInt8]) -> [[UInt8]] {
    let plain = secret.filter { !PatternAutomaton.isLineBreak($0) }
    return [plain, escaped(secret, json), escaped(secret, json.merging(slash) { $1 }), escaped(secret, html)]
      + [escaped(secret, [UInt8(ascii: " "): "+"])] + base64(secret) + base64(plain) + shell(secret)
      + hexadecimal(secret) + hexadecimal(plain)
  }

  /// Returns the digits in both cases, as `xxd -p` and `od` print them, ignoring spaces.
  private static func hexadecimal(_ secret: [UInt8]) -> [[UInt8]] {
    [false, true].map { isUpper in
      secret.flatMap { byte in
        let digits = String(byte, radix: 16, uppercase: isUpper)
        return Array((digits.utf8.count < 2 ? "0\(digits)" : digits).utf8)
      }
    }
  }

  /// Returns a secret in single quotes, in double quotes, with backslashes as by `printf %q`, and in the `$'…'` form
  /// (https://www.gnu.org/software/bash/manual/html_node/Quoting.html).
  private static func shell(_ secret: [UInt8]) -> [[UInt8]] {
    func backslashed(_ characters: String) -> [UInt8: String] {
      Dictionary(characters.utf8.map { ($0, "\\\(Character(Unicode.Scalar($0)))") }) { first, _ in first }
    }
    let quote = UInt8(ascii: "'")
    var bare = backslashed(##" !"#$&'()*,;<>?[\]^`{|}"##)
    bare[UInt8(ascii: "#")] = nil
    var bareStart = bare
    (bareStart[UInt8(ascii: "#")], bareStart[UInt8(ascii: "~")]) = ("\\#", "\\~")
    let controls: [(UInt8, String)] = [
      (7, "a"), (8, "b"), (9, "t"), (10, "n"), (11, "v"), (12, "f"), (13, "r"), (27, "E"),
    ]
    var dollar = backslashed(#"'\"#)
    for (byte, letter) in controls { dollar[byte] = "\\\(letter)" }
    var octal = dollar
    for byte in UInt8(0)...255 where octal[byte] == nil && !(32..<127).contains(byte) {
      let digits = String(byte, radix: 8)
      octal[byte] = "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }
    let start = Array(secret.prefix(1))
    return [
      escaped(secret, [quote: #"'\''"#]), escaped(secret, backslashed(#""$\`"#)),
      escaped(start, bareStart) + escaped(Array(secret.dropFirst()), bare), escaped(secret, dollar),
      escaped(secret, octal),
    ]
  }

  private static let json: [UInt8: String] = [
    UInt8(ascii: "\""): "\\\"", UInt8(ascii: "\\"): "\\\\", UInt8(ascii: "\n"): "\\n", UInt8(ascii: "\r"): "\\r",
    UInt8(ascii: "\t"): "\\t",
  ]
  private static let slash: [UInt8: String] = [UInt8(ascii: "/"): "\\/"]
  private static let html: [UInt8: String] = [
    UInt8(ascii: "&"): "&amp;", UInt8(ascii: "<"): "&lt;", UInt8(ascii: ">"): "&gt;", UInt8(ascii: "\""): "&quot;",
    UInt8(ascii: "'"): "&#39;",
  ]

  private static func escaped(_ bytes: [UInt8], _ table: [UInt8: String]) -> [UInt8] {
    bytes.flatMap { byte in table[byte].map { Array($0.utf8) } ?? (PatternAutomaton.isLineBreak(byte) ? [] : [byte]) }
  }

  /// Returns the characters determined by a secret alone, for each position it can have in the groups of three bytes
  /// that base64 encodes together, in both alphabets (https://www.rfc-editor.org/rfc/rfc4648).
  private static func base64(_ secret: [UInt8]) -> [[UInt8]] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    return (0..<3).flatMap { before in
      let bytes = [UInt8](repeating: 0, count: before) + secret
      // Each character encodes six bits; those that contain a bit of a neighboring byte are left out.
      let first = (before * 8 + 5) / 6
      let characters = (first..<max(first, bytes.count * 8 / 6)).map { letters[Int(sixBits(of: bytes, at: $0 * 6))] }
      let web = characters.map { $0 == letters[62] ? UInt8(ascii: "-") : $0 == letters[63] ? UInt8(ascii: "_") : $0 }
      return [characters, web]
    }
  }

  private static func sixBits(of bytes: [UInt8], at bit: Int) -> UInt16 {
    let (byte, shift) = (bit / 8, bit % 8)
    let next = byte + 1 < bytes.count ? UInt16(bytes[byte + 1]) : 0
    return (UInt16(bytes[byte]) << 8 | next) >> (10 - UInt16(shift)) & 63
  }
}
