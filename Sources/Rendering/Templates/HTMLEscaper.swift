/// Escapes text for HTML, in content as well as in quoted attributes.
///
/// Control characters that HTML forbids become U+FFFD; see
/// https://html.spec.whatwg.org/multipage/parsing.html#preprocessing-the-input-stream
package enum HTMLEscaper {
  /// Returns the escaped form of UTF-8 text.
  package static func escape(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    append(bytes, to: &output)
    return output
  }

  /// Appends the escaped form of UTF-8 text.
  package static func append(_ bytes: [UInt8], to output: inout [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0, to: &output) }
  }

  /// Appends the escaped form of a text.
  package static func append(_ text: some StringProtocol, to output: inout [UInt8]) {
    let done: Void? = text.utf8.withContiguousStorageIfAvailable { append($0, to: &output) }
    if done == nil { append(Array(text.utf8), to: &output) }
  }

  /// Appends the escaped form of UTF-8 text, copying stretches without special bytes unchanged.
  package static func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    var copied = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      guard isSpecial(byte), let (escape, length) = replacement(at: index, in: bytes) else {
        index += 1
        continue
      }
      output.append(contentsOf: bytes[copied..<index])
      escape.withUTF8Buffer { output.append(contentsOf: $0) }
      index += length
      copied = index
    }
    output.append(contentsOf: bytes[copied...])
  }

  /// Returns whether a byte needs a closer look; 0xC2 may begin a control character from U+0080 to U+009F.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): true
    case 0x09, 0x0A, 0x0D: false
    case 0x00..<0x20, 0x7F, 0xC2: true
    default: false
    }
  }

  /// Returns the escape for the character at an index, and the number of bytes that it replaces.
  private static func replacement(
    at index: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) -> (escape: StaticString, length: Int)? {
    switch bytes[index] {
    case UInt8(ascii: "&"): return ("&amp;", 1)
    case UInt8(ascii: "<"): return ("&lt;", 1)
    case UInt8(ascii: ">"): return ("&gt;", 1)
    case UInt8(ascii: "\""): return ("&quot;", 1)
    case UInt8(ascii: "'"): return ("&#39;", 1)
    case 0xC2:
      let next = index + 1
      guard next < bytes.count, (0x80..<0xA0).contains(bytes[next]) else { return nil }
      return ("\u{FFFD}", 2)
    default: return ("\u{FFFD}", 1)
    }
  }
}
