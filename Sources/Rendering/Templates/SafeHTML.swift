/// Markup, made only by code that escapes the text that it inserts.
package struct SafeHTML: Sendable, Hashable {
  /// The markup in UTF-8.
  package var bytes: [UInt8]

  /// Vouches for bytes: the caller has escaped everything in them that came from elsewhere.
  package init(bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// Takes markup that is written in the source code.
  package init(_ literal: StaticString) {
    bytes = []
    append(literal)
  }

  /// Returns markup that shows the text.
  package static func escaping(_ text: some StringProtocol) -> SafeHTML {
    var html = SafeHTML()
    html.append(escaping: text)
    return html
  }

  /// Appends markup that is written in the source code.
  package mutating func append(_ literal: StaticString) {
    literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Appends other markup.
  package mutating func append(_ html: SafeHTML) {
    bytes.append(contentsOf: html.bytes)
  }

  /// Appends markup that shows the text.
  package mutating func append(escaping text: some StringProtocol) {
    HTMLEscaper.append(text, to: &bytes)
  }

  /// Appends the beginning of a link.
  mutating func append(linkTo address: String) {
    append("<a href=\"")
    append(escaping: address)
    append("\">")
  }

  /// Appends markup that shows UTF-8 text.
  package mutating func append(escaping text: [UInt8]) {
    HTMLEscaper.append(text, to: &bytes)
  }
}

extension SafeHTML {
  /// Returns a command as markup whose lines end at spaces only: a browser would also end one behind the hyphens of an
  /// option. A word for which one line may be too short ends its lines after dots and slashes.
  static func command(_ text: String) -> SafeHTML {
    var html = SafeHTML()
    for (index, word) in VisibleText.of(text).split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { html.append(" ") }
      let isLong = word.utf8.count > wordOfLine
      let isDivisible = isLong || word.utf8.contains(UInt8(ascii: "-"))
      if isDivisible { html.append("<span class=whole>") }
      if isLong { html.append(partsOf: word) } else { html.append(escaping: word) }
      if isDivisible { html.append("</span>") }
    }
    return html
  }

  /// How long a word may be to fit on a line of a telephone, beside the button that copies it.
  private static let wordOfLine = 30

  private mutating func append(partsOf word: Substring) {
    var rest = word
    while let end = rest.dropLast(2).firstIndex(where: { $0 == "." || $0 == "/" }) {
      append(escaping: rest[...end])
      append("<wbr>")
      rest = rest[rest.index(after: end)...]
    }
    append(escaping: rest)
  }

  /// Returns a name, a path or a place as markup whose lines may also end after punctuation and before capitals; the end of
  /// a file's name and the number of a line stay with what they belong to.
  static func name(_ name: String) -> SafeHTML {
    let bytes = Array(VisibleText.of(name).utf8)
    var html = SafeHTML()
    var start = 0
    func cut(before index: Int) {
      html.append(escaping: Array(bytes[start..<index]))
      html.append("<wbr>")
      start = index
    }
    for (index, byte) in bytes.enumerated() {
      if byte &- UInt8(ascii: "A") < 26, index > start, bytes[index - 1] &- UInt8(ascii: "a") < 26 {
        cut(before: index)
      }
      switch byte {
      case UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "/"):
        // A closing parenthesis must not be alone on a line, a figure stays whole, and at a space a line may end anyway.
        let rest = bytes[(index + 1)...]
        guard let next = rest.first, next != UInt8(ascii: ")"), next != UInt8(ascii: " "),
          byte == UInt8(ascii: "_") || byte == UInt8(ascii: "/") || next &- UInt8(ascii: "0") > 9,
          byte != UInt8(ascii: ".") || !isKindOfFile(rest)
        else { break }
        cut(before: index + 1)
      default: break
      }
    }
    html.append(escaping: Array(bytes[start...]))
    return html
  }

  /// Whether what follows a dot is the end of a file's name, such as `swift` or `swift:12`.
  private static func isKindOfFile(_ rest: ArraySlice<UInt8>) -> Bool {
    let word = rest.prefix { $0 &- UInt8(ascii: "a") < 26 }
    let next = rest.dropFirst(word.count).first
    return 1...5 ~= word.count && (next == nil || next == UInt8(ascii: ":") || next == UInt8(ascii: " "))
  }

  /// Returns a heading as markup: its lines may end within a name, and not between a figure and what it counts.
  static func heading(_ text: String) -> SafeHTML {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    var html = SafeHTML()
    for (index, word) in words.enumerated() {
      if index > 0 {
        let isCounted = counts(words[index - 1], word, after: index > 1 ? words[index - 2] : nil)
        if isCounted { html.append("&nbsp;") } else { html.append(" ") }
      }
      html.append(.name(String(word)))
    }
    return html
  }

  /// Whether a word is a figure of what the next one names; that of an integration counts nothing.
  private static func counts(_ figure: Substring, _ noun: Substring, after word: Substring?) -> Bool {
    figure.first?.isWholeNumber == true && figure.allSatisfy { $0.isWholeNumber || "%.\u{202F}".contains($0) }
      && noun.first?.isLetter == true && word != "in" && word != "since"
  }
}
