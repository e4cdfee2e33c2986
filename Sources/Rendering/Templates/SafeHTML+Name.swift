extension SafeHTML {
  /// Returns a name or a path as markup whose lines may also end after punctuation and before capitals.
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
        // A closing parenthesis must not be alone on a line.
        if index + 1 < bytes.count, bytes[index + 1] != UInt8(ascii: ")") { cut(before: index + 1) }
      default: break
      }
    }
    html.append(escaping: Array(bytes[start...]))
    return html
  }
}
