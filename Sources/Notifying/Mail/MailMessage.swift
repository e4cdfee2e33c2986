package import FoundationEssentials

/// A mail as it is sent and kept: headers, a part in plain text and one in HTML.
///
/// https://www.rfc-editor.org/rfc/rfc5322 and https://www.rfc-editor.org/rfc/rfc2046#section-5.1.4
package struct MailMessage: Hashable, Sendable {
  package var from: String
  package var to: [String]
  package var subject: String
  /// Letters and digits that name the message among all; the sender's domain is put behind them.
  package var id: String
  /// The thread that the message belongs to, of the same kind; no message has it, all of the thread answer it.
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

  /// The whole message, with lines that end in carriage return and line feed.
  ///
  /// - Throws: when something that goes into a header could pass for more headers.
  package func encoded() throws(NotifyingError) -> [UInt8] {
    let domain = from.split(separator: "@").last.map(String.init) ?? "localhost"
    // Encoded text never holds this.
    let boundary = "=_\(id)"
    var head = try HeaderText.header("Date", MailDate.text(of: date))
    head += try HeaderText.header("From", "Martlet <\(from)>")
    head += try HeaderText.header("To", to.joined(separator: ", "))
    head += try HeaderText.header("Subject", subject)
    head += try HeaderText.header("Message-ID", "<\(id)@\(domain)>")
    head += try HeaderText.header("In-Reply-To", "<\(thread)@\(domain)>")
    head += try HeaderText.header("References", "<\(thread)@\(domain)>")
    // Nobody's absence is to be told to a machine: https://www.rfc-editor.org/rfc/rfc3834#section-5
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

  /// As in `Fri, 20 Nov 2026 09:12:05 +0000`.
  static func text(of date: Date) -> String {
    let text = date.formatted(.iso8601)
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count >= 6, (1...12).contains(numbers[1]) else { return "Thu, 1 Jan 1970 00:00:00 +0000" }
    let day = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
    let time = numbers[3...5].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    return "\(days[((day % 7) + 7) % 7]), \(numbers[2]) \(months[numbers[1] - 1]) \(numbers[0]) \(time) +0000"
  }
}
