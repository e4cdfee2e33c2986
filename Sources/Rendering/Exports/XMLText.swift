/// Writes XML 1.0, with one element per line: https://www.w3.org/TR/xml/
struct XMLText {
  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private var depth = 0

  /// Appends a line of its own before the first element, such as a document type.
  mutating func declaration(_ line: String) { text += "\(line)\n" }

  /// Appends an element with text, or an empty one; attributes without a value are left out.
  mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:], text content: String? = nil)
  {
    start(name, attributes)
    if let content {
      text += ">\(Self.escaped(content, inAttribute: false))</\(name)>\n"
    } else {
      text += "/>\n"
    }
  }

  /// Appends an element that contains others.
  mutating func element(
    _ name: String, _ attributes: KeyValuePairs<String, String?>, body: (inout XMLText) -> Void
  ) {
    start(name, attributes)
    text += ">\n"
    depth += 1
    body(&self)
    depth -= 1
    text += "\(String(repeating: "  ", count: depth))</\(name)>\n"
  }

  private mutating func start(_ name: String, _ attributes: KeyValuePairs<String, String?>) {
    text += "\(String(repeating: "  ", count: depth))<\(name)"
    for case (let name, let value?) in attributes {
      text += " \(name)=\"\(Self.escaped(value, inAttribute: true))\""
    }
  }

  /// Returns arbitrary text in a form that readers decode to the original; only characters that XML forbids even as
  /// references are replaced by pictures.
  ///
  /// Invisible characters are written as references, so that the file misleads no one who looks at it. What a reader
  /// displays is another matter: such text must pass through `VisibleText` first.
  ///
  /// Swift strings contain no lone surrogates: invalid UTF-8 has already become U+FFFD.
  static func escaped(_ string: String, inAttribute: Bool) -> String {
    guard string.utf8.contains(where: isSpecial) else { return string }
    var result = String.UnicodeScalarView()
    for scalar in string.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      // A reader turns literal ones in attributes into spaces.
      case "\n" where inAttribute: result.append(contentsOf: "&#10;".unicodeScalars)
      case "\t" where inAttribute: result.append(contentsOf: "&#9;".unicodeScalars)
      // The only such character that is allowed; a reader turns literal ones into line feeds.
      case "\r": result.append(contentsOf: "&#13;".unicodeScalars)
      case "\n", "\t": result.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
        result.append(contentsOf: VisibleText.picture(of: scalar).unicodeScalars)
      case _ where VisibleText.isHidden(scalar):
        result.append(contentsOf: "&#x\(String(scalar.value, radix: 16, uppercase: true));".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte > 0x7E || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
      || byte == UInt8(ascii: "\"")
  }
}
