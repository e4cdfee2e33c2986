/// The parts of a message that stay the same if only its numbers change, used to recognise a finding.
package enum Fingerprint {
  /// Returns sixteen hexadecimal digits for the words of a message.
  package static func of(_ message: String) -> String { FileSystemName.fingerprint64(wordsOnly(message)) }

  /// Returns the message with every number, decimal or hexadecimal, every duration and every UUID replaced by `#`.
  package static func wordsOnly(_ message: String) -> String {
    let bytes = Array(message.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    var isInWord = false
    while index < bytes.count {
      let length = isInWord ? 0 : addressLength(in: bytes, at: index)
      if length > 0 || bytes[index].isDigit {
        result.append(UInt8(ascii: "#"))
        index = length > 0 ? index + length : numberEnd(in: bytes, from: index)
        isInWord = true
        continue
      }
      isInWord = bytes[index].isWord
      result.append(bytes[index])
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the end of a number that begins at an index, including everything that may be part of it: `12.5`,
  /// `0x7ffd_00aB`, `1.5e-05`.
  private static func numberEnd(in bytes: [UInt8], from start: Int) -> Int {
    var index = start + 1
    while index < bytes.count {
      let byte = bytes[index]
      let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      let isExponent =
        isSign && bytes[index - 1] | 0x20 == UInt8(ascii: "e") && index + 1 < bytes.count && bytes[index + 1].isDigit
      guard
        byte.isHexDigit || byte == UInt8(ascii: "x") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
          || isExponent
      else { break }
      index += 1
    }
    return index
  }

  /// Returns the length of a UUID, or of a word of at least eight hexadecimal digits, that begins at an index; zero for
  /// other words.
  private static func addressLength(in bytes: [UInt8], at start: Int) -> Int {
    let parts = bytes[start...].prefix(37)
      .split(separator: UInt8(ascii: "-"), maxSplits: 5, omittingEmptySubsequences: false)
      .map { $0.prefix { $0.isHexDigit } }
    if parts.count >= 5, parts.prefix(5).map(\.count) == [8, 4, 4, 4, 12] { return 36 }
    var end = start
    while end < bytes.count, bytes[end].isHexDigit { end += 1 }
    let word = bytes[start..<end]
    let isWhole = end == bytes.count || !bytes[end].isWord
    return word.count >= 8 && isWhole && word.contains(where: \.isDigit) ? word.count : 0
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  fileprivate var isHexDigit: Bool {
    isDigit || (self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "f"))
  }

  /// Whether the byte belongs to a word, as every byte of a non-ASCII character does.
  fileprivate var isWord: Bool {
    isDigit || self >= 0x80 || self == UInt8(ascii: "_")
      || (self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z"))
  }
}
