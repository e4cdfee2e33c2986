/// Converts the bytes of a log to markup: escape codes become styles, and unprintable bytes become visible.
struct LogLine {
  /// The styles set by the escape codes so far, since they carry over to the next line.
  private var color: UInt8 = 0
  private var isBold = false

  /// Returns the markup of one line, without its line feed.
  ///
  /// The colours are those of SGR, ECMA-48 section 8.3.117:
  /// https://ecma-international.org/publications-and-standards/standards/ecma-48/
  mutating func html(of line: ArraySlice<UInt8>) -> SafeHTML {
    var html = SafeHTML()
    var start = line.startIndex
    var at = line.startIndex
    while at < line.endIndex {
      guard line[at] == 0x1B else {
        at += 1
        continue
      }
      append(line[start..<at], to: &html)
      at = skipEscape(in: line, from: at)
      start = at
    }
    append(line[start..<line.endIndex], to: &html)
    return html
  }

  private func append(_ bytes: ArraySlice<UInt8>, to html: inout SafeHTML) {
    guard !bytes.isEmpty else { return }
    let isStyled = color != 0 || isBold
    if isStyled {
      html.append("<span class=\"")
      switch color {
      case 1: html.append("a-red")
      case 2: html.append("a-green")
      case 3: html.append("a-yellow")
      case 4: html.append("a-blue")
      case 5: html.append("a-magenta")
      case 6: html.append("a-cyan")
      default: break
      }
      html.append(isBold ? " a-bold\">" : "\">")
    }
    Self.appendShown(bytes, to: &html)
    if isStyled { html.append("</span>") }
  }

  /// Appends valid text as it is, and each invalid byte as a number in a separate element.
  private static func appendShown(_ bytes: ArraySlice<UInt8>, to html: inout SafeHTML) {
    let plain = bytes.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x09 }
    if plain { return html.append(escaping: Array(bytes)) }
    var (start, at) = (bytes.startIndex, bytes.startIndex)
    func flush(_ length: Int, to html: inout SafeHTML) {
      html.append(escaping: Array(bytes[start..<at]))
      at += length
      start = at
    }
    while at < bytes.endIndex {
      if (0x20..<0x7F).contains(bytes[at]) || bytes[at] == 0x09 {
        at += 1
      } else if let (scalar, length) = firstScalar(of: bytes[at...].prefix(4)) {
        guard VisibleText.isHidden(scalar) else {
          at += length
          continue
        }
        flush(length, to: &html)
        html.append(escaping: scalar.value < 0x20 ? controls[Int(scalar.value)] : VisibleText.picture(of: scalar))
      } else {
        let byte = bytes[at]
        flush(1, to: &html)
        html.append(invalid[Int(byte)])
      }
    }
    flush(0, to: &html)
  }

  private static func firstScalar(of bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int)? {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    guard case .valid(let encoded) = parser.parseScalar(from: &iterator) else { return nil }
    return (Unicode.UTF8.decode(encoded), encoded.count)
  }

  /// What is shown of each control character; a log may consist of them.
  private static let controls = (UInt8.min..<0x20).map { VisibleText.picture(of: Unicode.Scalar($0)) }

  /// What is shown of each byte that is no text.
  private static let invalid = (UInt8.min...UInt8.max).map { byte in
    var html = SafeHTML("<i class=\"byte\">")
    html.append(escaping: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true))
    html.append("</i>")
    return html
  }

  /// Returns the index after the escape code that begins at the given one; styles are applied, other codes are dropped.
  private mutating func skipEscape(in line: ArraySlice<UInt8>, from start: Int) -> Int {
    var at = start + 1
    guard at < line.endIndex else { return at }
    switch line[at] {
    case UInt8(ascii: "["):
      at += 1
      let parameters = at
      while at < line.endIndex, (0x20...0x3F).contains(line[at]) { at += 1 }
      guard at < line.endIndex else { return at }
      if line[at] == UInt8(ascii: "m") { setStyle(line[parameters..<at]) }
      return (0x40...0x7E).contains(line[at]) ? at + 1 : at
    case UInt8(ascii: "]"):
      while at < line.endIndex, line[at] != 0x07, line[at] != 0x1B { at += 1 }
      guard at < line.endIndex, line[at] == 0x1B else { return min(at + 1, line.endIndex) }
      return at + 1 < line.endIndex && line[at + 1] == UInt8(ascii: "\\") ? at + 2 : at
    case 0x30...0x7E:
      return at + 1
    default:
      return at
    }
  }

  private mutating func setStyle(_ parameters: ArraySlice<UInt8>) {
    let codes = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    for code in codes {
      switch code {
      case 0: (color, isBold) = (0, false)
      case 1: isBold = true
      case 22: isBold = false
      case 31...36: color = UInt8(code - 30)
      case 91...96: color = UInt8(code - 90)
      case 30, 37, 39, 90, 97: color = 0
      case 38, 48: return  // colours by number: the remaining codes are their components
      default: break
      }
    }
  }
}

extension LogLine {
  /// The maximum number of characters of a line that is shown elsewhere than in the log.
  static let most = 200

  /// Returns a line without its escape codes, cut between words at that length, with an ellipsis; so is one that goes on.
  static func plain(_ text: String, goesOn: Bool = false) -> String {
    var (plain, isEscape) = ("", false)
    for scalar in text.unicodeScalars {
      if scalar.value == 0x1B { isEscape = true }
      if !isEscape { plain.unicodeScalars.append(scalar) }
      if isEscape, scalar.properties.isAlphabetic { isEscape = false }
    }
    let head = plain.prefix(most)
    if head.endIndex == plain.endIndex { return goesOn ? "\(plain)…" : plain }
    return "\(head[..<(head.lastIndex(of: " ") ?? head.endIndex)])…"
  }
}
