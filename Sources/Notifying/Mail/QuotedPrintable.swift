/// Text in lines of printable ASCII that every mail server passes on unchanged.
///
/// https://www.rfc-editor.org/rfc/rfc2045#section-6.7
enum QuotedPrintable {
  private static let longestLine = 76
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Encodes UTF-8 text; its lines end in line feeds, those of the result in carriage return and line feed.
  static func encode(_ text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    for (number, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if number > 0 { output += lineEnd }
      append(line, to: &output)
    }
    return output
  }

  static let lineEnd: [UInt8] = [0x0D, 0x0A]

  private static func append(_ line: ArraySlice<UInt8>, to output: inout [UInt8]) {
    var column = 0
    let looksLikeHead = line.starts(with: Array("From ".utf8))
    for (offset, byte) in line.enumerated() {
      let isLast = offset == line.count - 1
      let isBlank = byte == 0x20 || byte == 0x09
      // Blanks at the end of a line get lost on the way, and a mailbox of the old kind takes "From " for a new message.
      let isPlain =
        isBlank ? !isLast : (0x21...0x7E).contains(byte) && byte != 0x3D && !(looksLikeHead && offset == 0)
      let length = isPlain ? 1 : 3
      if column + length > longestLine - (isLast ? 0 : 1) {
        output += [0x3D] + lineEnd
        column = 0
      }
      output += isPlain ? [byte] : [0x3D, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      column += length
    }
  }
}
