/// A key for everything that some pages are made from: pages with equal keys have equal bytes.
package struct PageKey: Hashable, Sendable {
  private let words: (first: UInt64, second: UInt64)

  init(_ first: UInt64, _ second: UInt64) {
    words = (first, second)
  }

  /// Reads a key as written by `text`; nil for anything else.
  package init?(_ text: some Collection<UInt8>) {
    guard text.count == 32 else { return nil }
    var words: (first: UInt64, second: UInt64) = (0, 0)
    for digit in text {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      default: return nil
      }
      words = (words.first << 4 | words.second >> 60, words.second << 4 | UInt64(value))
    }
    self.words = words
  }

  /// The key as thirty-two hexadecimal digits.
  package var text: String {
    [words.first, words.second].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }

  package static func == (one: PageKey, other: PageKey) -> Bool { one.words == other.words }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(words.first)
    hasher.combine(words.second)
  }
}
