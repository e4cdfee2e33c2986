import Model

extension ArraySlice<UInt8> {
  /// The bytes as readable text: NUL and bytes that are not UTF-8 become `\xNN`, and a final carriage return is
  /// dropped.
  var text: String {
    let bytes = last == 0x0D ? dropLast() : self
    if !bytes.contains(0), let valid = String(validating: bytes, as: UTF8.self) { return valid }
    // Bytes are joined and become text once: a test waits while its output is read.
    var shown: [UInt8] = []
    shown.reserveCapacity(bytes.count)
    var at = bytes.startIndex
    while at < bytes.endIndex {
      guard bytes[at] == 0 || bytes[at] >= 0x80 else {
        shown.append(bytes[at])
        at += 1
        continue
      }
      let length = bytes[at] == 0 ? nil : Self.scalarLength(in: bytes[at...].prefix(4))
      if let length { shown += bytes[at..<(at + length)] } else { bytes[at].appendEscaped(to: &shown) }
      at += length ?? 1
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Returns the length of the scalar with which bytes begin; nil if they begin with none.
  private static func scalarLength(in bytes: ArraySlice<UInt8>) -> Int? {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    guard case .valid(let scalar) = parser.parseScalar(from: &iterator) else { return nil }
    return scalar.count
  }
}

extension Array<UInt8> {
  /// The bytes as readable text.
  var text: String { self[...].text }

  /// Returns the index of the last occurrence of `needle`.
  func lastIndex(of needle: [UInt8]) -> Int? {
    guard let first = needle.first, self[...].firstRange(ofBytes: needle) != nil else { return nil }
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

  /// The text without backticks, which only some tools put around names with spaces.
  var withoutBackticks: String { filter { $0 != "`" } }
}

extension UInt8 {
  private static let digits = Array("0123456789ABCDEF".utf8)

  fileprivate func appendEscaped(to bytes: inout [UInt8]) {
    bytes += [UInt8(ascii: "\\"), UInt8(ascii: "x"), Self.digits[Int(self >> 4)], Self.digits[Int(self & 15)]]
  }
}
