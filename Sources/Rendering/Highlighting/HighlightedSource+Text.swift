extension HighlightedSource {
  /// How many columns a line takes at most: a byte takes no more than one, and a tab four.
  func columns(ofLine line: Int) -> Int {
    let text = bytes[range(ofLine: line)]
    return text.count + 3 * text.count { $0 == UInt8(ascii: "\t") }
  }

  /// Appends bytes of the source as text between tags, where quotes need no escape.
  func append(text range: Range<Int>, to html: inout SafeHTML) {
    bytes.withUnsafeBufferPointer { bytes in
      var copied = range.lowerBound
      var index = range.lowerBound
      while index < range.upperBound {
        let kind = Self.escapes[Int(bytes[index])]
        guard kind != 0, kind != 3 || Self.beginsReference(index, of: range, in: bytes) else {
          index &+= 1
          continue
        }
        html.bytes.append(contentsOf: bytes[copied..<index])
        switch kind {
        case 1: html.append("&lt;")
        case 3: html.append("&amp;")
        default:
          // Up to the next plain byte, so that no character is cut.
          let start = index
          while index &+ 1 < range.upperBound, Self.escapes[Int(bytes[index &+ 1])] == 4 { index &+= 1 }
          appendUnusual(UnsafeBufferPointer(rebasing: bytes[start...index]), to: &html)
        }
        index &+= 1
        copied = index
      }
      html.bytes.append(contentsOf: bytes[copied..<range.upperBound])
    }
  }

  /// Text beyond printable ASCII: repaired where it is no UTF-8, and made visible where it would not show.
  ///
  /// What stands for something else is an element, so that columns can be counted in bytes of the file: a number of a
  /// character stands for that one, and `data-n` tells how many bytes were repaired.
  private func appendUnusual(_ text: UnsafeBufferPointer<UInt8>, to html: inout SafeHTML) {
    var parser = Unicode.UTF8.ForwardParser()
    var rest = text.makeIterator()
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if VisibleText.isHidden(scalar) {
          html.append("<samp>")
          html.bytes.append(contentsOf: VisibleText.picture(of: scalar).utf8)
          html.append("</samp>")
        } else {
          html.bytes.append(contentsOf: encoded)
        }
      case .error(let length):
        html.append("<samp data-n=")
        html.append(number: length)
        html.append(">\u{FFFD}</samp>")
      case .emptyInput: return
      }
    }
  }

  /// Whether an ampersand could be read as the beginning of `&lt;` and the like. Before anything but a letter, a digit or
  /// a number sign it stands for itself (https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state).
  private static func beginsReference(_ index: Int, of range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool
  {
    // What follows the range may be anything.
    guard index &+ 1 < range.upperBound else { return true }
    let next = bytes[index &+ 1]
    return next == UInt8(ascii: "#") || next &- UInt8(ascii: "0") < 10 || (next | 0x20) &- UInt8(ascii: "a") < 26
  }

  /// What a byte needs: nothing, an escape, or a look at the character that it is part of. `>` needs none in text.
  private static let escapes: [UInt8] = (0..<256).map { byte in
    switch byte {
    case 0x09, 0x0A: 0
    case 0x3C: 1
    case 0x26: 3
    case 0x00..<0x20, 0x7F...: 4
    default: 0
    }
  }
}

extension SafeHTML {
  /// Appends the digits of a number.
  mutating func append(number: Int) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    if rest < 10 { return bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.count
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// Appends one byte of ASCII that means nothing in markup.
  @inline(__always)
  mutating func append(byte: UInt8) {
    bytes.append(byte)
  }
}
