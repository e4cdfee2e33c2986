extension HighlightedSource {
  /// Appends bytes of the source as text between tags, where quotes need no escape.
  func append(text range: Range<Int>, to html: inout SafeHTML) {
    var copied = range.lowerBound
    for index in range {
      let byte = bytes[index]
      guard Self.isSpecial[Int(byte)] else { continue }
      let escape: StaticString
      switch byte {
      case UInt8(ascii: "<"): escape = "&lt;"
      case UInt8(ascii: ">"): escape = "&gt;"
      case UInt8(ascii: "&"): escape = "&amp;"
      default: return appendUnusual(copied..<range.upperBound, to: &html)
      }
      html.bytes.append(contentsOf: bytes[copied..<index])
      html.append(escape)
      copied = index + 1
    }
    html.bytes.append(contentsOf: bytes[copied..<range.upperBound])
  }

  /// Text beyond printable ASCII: repaired where it is no UTF-8, and made visible where it would not show.
  private func appendUnusual(_ range: Range<Int>, to html: inout SafeHTML) {
    let text = VisibleText.of(String(decoding: bytes[range], as: UTF8.self))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "<"): html.append("&lt;")
      case UInt8(ascii: ">"): html.append("&gt;")
      case UInt8(ascii: "&"): html.append("&amp;")
      default: html.bytes.append(byte)
      }
    }
  }

  private static let isSpecial: [Bool] = (0..<256).map { byte in
    switch byte {
    case 0x09: false
    case 0x00..<0x20, 0x26, 0x3C, 0x3E, 0x7F...: true
    default: false
    }
  }
}

extension SafeHTML {
  /// Appends the digits of a number.
  mutating func append(number: Int) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }
}
