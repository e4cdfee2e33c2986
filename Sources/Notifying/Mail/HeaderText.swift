import FoundationEssentials

/// Words in the header of a mail, which holds nothing but ASCII.
///
/// https://www.rfc-editor.org/rfc/rfc5322#section-2.2 and https://www.rfc-editor.org/rfc/rfc2047
enum HeaderText {
  /// How many bytes of UTF-8 an encoded word `=?UTF-8?B?…?=` holds that fits behind every name on a line.
  private static let bytesPerWord = 36
  private static let longestLine = 76

  /// One header with its line end, folded where it is long.
  ///
  /// - Throws: when the text holds a line break or another control character, with which it could pass for more headers.
  static func header(_ name: String, _ text: String) throws(NotifyingError) -> String {
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) else {
      throw NotifyingError(
        "Cannot send a mail whose header '\(name)' holds a line break or another control character. This is a fault of Martlet; please report it."
      )
    }
    let words =
      isPlain(text) ? text.split(separator: " ", omittingEmptySubsequences: false).map(String.init) : encoded(text)
    var lines = ["\(name):"]
    for word in words {
      if lines[lines.count - 1].utf8.count + 1 + word.utf8.count > longestLine, lines[lines.count - 1] != "\(name):" {
        lines.append("")
      }
      lines[lines.count - 1] += " \(word)"
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }

  /// Whether the text can stand as it is: in ASCII, with words that fit on lines, and without what looks encoded.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 < 0x80 } && !text.contains("=?") && !text.contains("  ") && !text.hasPrefix(" ")
      && !text.hasSuffix(" ") && text.split(separator: " ").allSatisfy { $0.utf8.count < 200 }
  }

  /// The text in encoded words; between two of them readers leave out the blank.
  private static func encoded(_ text: String) -> [String] {
    var pieces: [[UInt8]] = [[]]
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      if pieces[pieces.count - 1].count + bytes.count > bytesPerWord { pieces.append([]) }
      pieces[pieces.count - 1] += bytes
    }
    return pieces.map { "=?UTF-8?B?\(Data($0).base64EncodedString())?=" }
  }
}
