import Model

extension Array<UInt8> {
  /// The bytes as readable text: NUL and bytes that are not UTF-8 become `\xNN`, and a final carriage return is
  /// dropped.
  var text: String {
    let bytes = last == 0x0D ? dropLast() : self[...]
    if !bytes.contains(0), let valid = String(validating: bytes, as: UTF8.self) { return valid }
    var text = ""
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = bytes.startIndex
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .emptyInput:
        return text
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        text += scalar == "\0" ? #"\x00"# : String(Character(scalar))
        offset += encoded.count
      case .error(let length):
        for byte in bytes[offset..<Swift.min(offset + length, bytes.endIndex)] { text += byte.escaped }
        offset += length
      }
    }
  }

  /// Returns the index of the first occurrence of `needle` at or after `start`.
  func firstIndex(of needle: [UInt8], from start: Int = 0) -> Int? {
    withUnsafeBytes { bytes in needle.withUnsafeBytes { bytes.firstOffset(of: $0, from: start) } }
  }

  /// Returns the index of the last occurrence of `needle`.
  func lastIndex(of needle: [UInt8]) -> Int? {
    guard let first = needle.first, firstIndex(of: needle) != nil else { return nil }
    var index = count - needle.count
    while index >= 0 {
      if self[index] == first, self[index..<(index + needle.count)].elementsEqual(needle) { return index }
      index -= 1
    }
    return nil
  }
}

extension String {
  /// The text with NUL replaced by `\x00`, as in text made from bytes.
  var withoutNul: String {
    guard utf8.contains(0) else { return self }
    return split(separator: "\0", omittingEmptySubsequences: false).joined(separator: #"\x00"#)
  }
}

extension UInt8 {
  fileprivate var escaped: String {
    let digits = String(self, radix: 16, uppercase: true)
    return digits.count == 1 ? #"\x0"# + digits : #"\x"# + digits
  }
}
