/// The escapes of JSON strings (https://www.rfc-editor.org/rfc/rfc8259#section-7).
enum JSONEscapes {
  /// The text of a raw string; halves of surrogate pairs and unknown escapes become U+FFFD.
  static func resolved(_ raw: UnsafeBufferPointer<UInt8>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(raw.count)
    var index = raw.startIndex
    while index < raw.endIndex {
      let byte = raw[index]
      index &+= 1
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      guard index < raw.endIndex else { break }
      let escape = raw[index]
      index &+= 1
      if escape == UInt8(ascii: "u") {
        append(codePoint(in: raw, at: &index), to: &result)
      } else {
        append(simple[escape] ?? replacement, to: &result)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static let replacement: Unicode.Scalar = "\u{FFFD}"

  private static let simple: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
    UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
  ]

  private static func append(_ scalar: Unicode.Scalar, to result: inout [UInt8]) {
    result.append(contentsOf: String(Character(scalar)).utf8)
  }

  /// The scalar of `\uXXXX`, or of a pair of them; `index` is behind the `u` and moves behind what was used.
  private static func codePoint(in raw: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Unicode.Scalar {
    guard let first = codeUnit(in: raw, at: index) else { return replacement }
    index &+= 4
    guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) ?? replacement }
    let isEscape = index &+ 1 < raw.endIndex && raw[index] == UInt8(ascii: "\\") && raw[index &+ 1] == UInt8(ascii: "u")
    guard isEscape, let second = codeUnit(in: raw, at: index &+ 2), UTF16.isTrailSurrogate(second) else {
      return replacement
    }
    index &+= 6
    return UTF16.decode(UTF16.EncodedScalar([first, second]))
  }

  private static func codeUnit(in raw: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt16? {
    guard index &+ 4 <= raw.endIndex else { return nil }
    var value: UInt16 = 0
    for byte in raw[index..<index &+ 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt16(digit)
    }
    return value
  }
}
