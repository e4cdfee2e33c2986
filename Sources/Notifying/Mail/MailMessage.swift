package import FoundationEssentials

/// A mail as it is sent and stored: headers, a plain text part and an HTML part.
///
/// https://www.rfc-editor.org/rfc/rfc5322 and https://www.rfc-editor.org/rfc/rfc2046#section-5.1.4
package struct MailMessage: Hashable, Sendable {
  package var from: String
  package var to: [String]
  package var subject: String
  /// Letters and digits that uniquely identify the message; the sender's domain is appended.
  package var id: String
  /// The identifier of the message's thread, in the same form. No message has this ID; all messages in the thread reply
  /// to it.
  package var thread: String
  package var date: Date
  package var bot: String
  /// UTF-8, with line feeds.
  package var text: [UInt8]
  package var html: [UInt8]

  package init(
    from: String, to: [String], subject: String, id: String, thread: String, date: Date, bot: String, text: [UInt8],
    html: [UInt8]
  ) {
    self.from = from
    self.to = to
    self.subject = subject
    self.id = id
    self.thread = thread
    self.date = date
    self.bot = bot
    self.text = text
    self.html = html
  }

  /// Returns the whole message, with lines ending in carriage return and line feed.
  ///
  /// - Throws: If a header value could be mistaken for additional headers.
  package func encoded() throws(NotifyingError) -> [UInt8] {
    let domain = from.split(separator: "@").last.map(String.init) ?? "localhost"
    // Encoded text never contains this.
    let boundary = "=_\(id)"
    var head = try HeaderText.header("Date", MailDate.text(of: date))
    head += try HeaderText.header("From", "Martlet <\(from)>")
    head += try HeaderText.header("To", to.joined(separator: ", "))
    head += try HeaderText.header("Subject", subject)
    head += try HeaderText.header("Message-ID", "<\(id)@\(domain)>")
    head += try HeaderText.header("In-Reply-To", "<\(thread)@\(domain)>")
    head += try HeaderText.header("References", "<\(thread)@\(domain)>")
    // Suppresses automatic replies to a machine: https://www.rfc-editor.org/rfc/rfc3834#section-5
    head += try HeaderText.header("Auto-Submitted", "auto-generated")
    head += try HeaderText.header("X-Martlet-Bot", bot)
    head += "MIME-Version: 1.0\r\nContent-Type: multipart/alternative;\r\n boundary=\"\(boundary)\"\r\n\r\n"
    var message = Array(head.utf8)
    for (kind, part) in [("plain", text), ("html", html)] {
      message += Array(
        "--\(boundary)\r\nContent-Type: text/\(kind); charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
          .utf8)
      message += QuotedPrintable.encode(part) + QuotedPrintable.lineEnd
    }
    return message + Array("--\(boundary)--\r\n".utf8)
  }
}

/// The date of a mail, in universal time.
enum MailDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Formats a date as in `Fri, 20 Nov 2026 09:12:05 +0000`.
  static func text(of date: Date) -> String {
    let text = date.formatted(.iso8601)
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count >= 6, (1...12).contains(numbers[1]) else { return "Thu, 1 Jan 1970 00:00:00 +0000" }
    let day = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
    let time = numbers[3...5].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    return "\(days[((day % 7) + 7) % 7]), \(numbers[2]) \(months[numbers[1] - 1]) \(numbers[0]) \(time) +0000"
  }
}

/// An encoding of text as lines of printable ASCII that every mail server passes on unchanged.
///
/// https://www.rfc-editor.org/rfc/rfc2045#section-6.7
enum QuotedPrintable {
  private static let longestLine = 76
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Encodes UTF-8 text with line feeds; the result's lines end in carriage return and line feed.
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
      // Whitespace at the end of a line gets lost on the way, and an old-style mailbox takes "From " for a new message.
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

/// Text in mail headers, which can contain only ASCII.
///
/// https://www.rfc-editor.org/rfc/rfc5322#section-2.2 and https://www.rfc-editor.org/rfc/rfc2047
enum HeaderText {
  /// The number of UTF-8 bytes in an encoded word `=?UTF-8?B?…?=` that fits on a line after any header name.
  private static let bytesPerWord = 36
  private static let longestLine = 76

  /// Returns a header with its line ending, folded if it is long.
  ///
  /// - Throws: If the text contains a line break or another control character, with which it could be mistaken for
  ///   additional headers.
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

  /// Returns whether the text needs no encoding: it is ASCII, its words fit on lines, and nothing in it looks encoded.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 < 0x80 } && !text.contains("=?") && !text.contains("  ") && !text.hasPrefix(" ")
      && !text.hasSuffix(" ") && text.split(separator: " ").allSatisfy { $0.utf8.count < 200 }
  }

  /// Returns the text as encoded words; readers omit the space between two of them.
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
