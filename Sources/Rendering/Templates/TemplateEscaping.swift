/// The escaping of texts in double braces, according to the format of a template.
package enum TemplateEscaping: Sendable {
  case html
  /// Plain text, in which no character is special.
  case plain
  /// The inside of a JSON string (https://www.rfc-editor.org/rfc/rfc8259#section-7).
  case json

  func append(_ text: String, to output: inout [UInt8]) {
    switch self {
    case .html: HTMLEscaper.append(text, to: &output)
    case .plain: output.append(contentsOf: text.utf8)
    case .json: for byte in text.utf8 { Self.append(json: byte, to: &output) }
    }
  }

  private static func append(json byte: UInt8, to output: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
    case UInt8(ascii: "\n"): output += Array("\\n".utf8)
    case 0..<0x20:
      let digits = String(byte, radix: 16)
      output += Array("\\u00\(digits.count < 2 ? "0" : "")\(digits)".utf8)
    default: output.append(byte)
    }
  }
}
