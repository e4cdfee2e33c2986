import Glibc

extension StringProtocol where SubSequence == Substring {
  /// Returns the first range of an ASCII text, searching by bytes.
  ///
  /// The standard library searches by characters, which is noticeably slower for thousands of names.
  package func firstRange(ofASCII text: String) -> Range<Index>? {
    var (whole, wanted) = (self[...], text)
    let found = whole.withUTF8 { bytes in
      wanted.withUTF8 { UnsafeRawBufferPointer(bytes).firstOffset(of: UnsafeRawBufferPointer($0)) }
    }
    return found.map { offset in
      let start = utf8.index(startIndex, offsetBy: offset)
      return start..<utf8.index(start, offsetBy: text.utf8.count)
    }
  }

  /// Returns the first ranges of an ASCII text, which may overlap; at most 16, since of more none can be told to be the
  /// intended one.
  package func firstRanges(ofASCII text: String) -> [Range<Index>] {
    var found: [Range<Index>] = []
    var start = startIndex
    while found.count < 16, let range = self[start...].firstRange(ofASCII: text) {
      found.append(range)
      start = utf8.index(after: range.lowerBound)
    }
    return found
  }

  /// Returns the text after a prefix; nil if it does not have that prefix.
  package func dropping(_ beginning: String) -> Substring? {
    hasPrefix(beginning) ? self[utf8.index(startIndex, offsetBy: beginning.utf8.count)...] : nil
  }
}

extension ArraySlice<UInt8> {
  /// Returns the first range of some bytes.
  ///
  /// The standard library searches any collection, which takes a hundred times as long for bytes.
  package func firstRange(ofBytes wanted: [UInt8]) -> Range<Index>? {
    let found = withUnsafeBytes { bytes in wanted.withUnsafeBytes { bytes.firstOffset(of: $0) } }
    return found.map { (startIndex + $0)..<(startIndex + $0 + wanted.count) }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the offset of the first occurrence of some bytes; nil if there is none, or if `wanted` is empty.
  fileprivate func firstOffset(of wanted: UnsafeRawBufferPointer) -> Int? {
    guard let base = baseAddress, let text = wanted.baseAddress, let first = wanted.first else { return nil }
    let last = count - wanted.count
    var offset = 0
    // The C library examines many bytes at once.
    while offset <= last, let found = memchr(base + offset, Int32(first), last - offset + 1) {
      offset = base.distance(to: UnsafeRawPointer(found))
      if memcmp(found, text, wanted.count) == 0 { return offset }
      offset += 1
    }
    return nil
  }
}
