import Glibc

extension String {
  /// Whether it has some words, told by its bytes.
  ///
  /// The library's search compares element by element, which takes the tests of all files many times as long.
  func has(_ words: String) -> Bool {
    var (text, words) = (self, words)
    return text.withUTF8 { text in
      words.withUTF8 { words in
        guard let first = words.first, let start = words.baseAddress else { return true }
        var rest = text[...]
        while rest.count >= words.count, let place = UnsafeBufferPointer(rebasing: rest).baseAddress {
          guard let found = memchr(place, Int32(first), rest.count - words.count + 1) else { return false }
          if memcmp(found, start, words.count) == 0 { return true }
          rest = rest.dropFirst(UnsafeRawPointer(place).distance(to: found) + 1)
        }
        return false
      }
    }
  }
}
