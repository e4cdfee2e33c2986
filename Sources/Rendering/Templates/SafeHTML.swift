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

  /// Appends markup that shows UTF-8 text.
  package mutating func append(escaping text: [UInt8]) {
    HTMLEscaper.append(text, to: &bytes)
  }
}
