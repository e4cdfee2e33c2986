/// Stands for everything that some pages are made from: with equal keys, they have equal bytes.
package struct PageKey: Hashable, Sendable {
  private let words: (first: UInt64, second: UInt64)

  init(_ first: UInt64, _ second: UInt64) {
    words = (first, second)
  }

  /// Reads what `text` wrote; nil for anything else.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ $0 &- 48 < 10 || $0 &- 97 < 6 }),
      let first = UInt64(text.prefix(16), radix: 16), let second = UInt64(text.dropFirst(16), radix: 16)
    else { return nil }
    words = (first, second)
  }

  /// Thirty-two hexadecimal digits.
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
