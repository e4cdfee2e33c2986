extension Substring {
  /// The first place of an ASCII text, found by its bytes.
  ///
  /// The standard library's search goes by characters, which shows where there are thousands of names.
  package func firstRange(ofASCII text: String) -> Range<Index>? {
    let (bytes, wanted) = (utf8, text.utf8)
    guard let first = wanted.first else { return nil }
    var start = bytes.startIndex
    while let found = bytes[start...].firstIndex(of: first) {
      if bytes[found...].starts(with: wanted) { return found..<bytes.index(found, offsetBy: wanted.count) }
      start = bytes.index(after: found)
    }
    return nil
  }
}
