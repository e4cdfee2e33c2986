import Foundation
import Testing

@testable import Notifying

@Suite("The shape of a mail")
struct MailMessageTests {
  private func message(subject: String = "[greeter 7] All issues are resolved", text: String = "Fine.\n") -> MailMessage
  {
    MailMessage(
      from: "martlet@ci.example.org", to: ["ada@example.org", "team@example.org"], subject: subject,
      id: "00ff", thread: "ffee", date: Date(timeIntervalSince1970: 1_795_166_525), bot: "greeter",
      text: Array(text.utf8), html: Array("<p>Fine.</p>\n".utf8))
  }

  @Test("A mail has its headers, a thread, and a part in text before the one in HTML")
  func whole() throws {
    let lines = String(decoding: try message().encoded(), as: UTF8.self)
    #expect(
      lines == """
        Date: Fri, 20 Nov 2026 09:22:05 +0000\r
        From: Martlet <martlet@ci.example.org>\r
        To: ada@example.org, team@example.org\r
        Subject: [greeter 7] All issues are resolved\r
        Message-ID: <00ff@ci.example.org>\r
        In-Reply-To: <ffee@ci.example.org>\r
        References: <ffee@ci.example.org>\r
        Auto-Submitted: auto-generated\r
        X-Martlet-Bot: greeter\r
        MIME-Version: 1.0\r
        Content-Type: multipart/alternative;\r
         boundary="=_00ff"\r
        \r
        --=_00ff\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Transfer-Encoding: quoted-printable\r
        \r
        Fine.\r
        \r
        --=_00ff\r
        Content-Type: text/html; charset=utf-8\r
        Content-Transfer-Encoding: quoted-printable\r
        \r
        <p>Fine.</p>\r
        \r
        --=_00ff--\r

        """)
  }

  @Test(
    "A line break in a header is refused, so that nobody can add headers",
    arguments: ["a\nBcc: eve@example.org", "a\rb", "a\u{0}b", "a\u{85}b"])
  func refused(subject: String) {
    let error = NotifyingError(
      "Cannot send a mail whose header 'Subject' holds a line break or another control character. This is a fault of Martlet; please report it."
    )
    #expect(throws: error) { try message(subject: subject).encoded() }
  }

  @Test(
    "Words that are not ASCII, or look encoded, are encoded and read back as they were",
    arguments: [
      "[grüezi 1] Alles grün", "=?UTF-8?Q?forged?=", String(repeating: "ж🦅", count: 90), "two  blanks", " leading",
      String(repeating: "x", count: 900),
    ])
  func encodedWords(subject: String) throws {
    let header = try HeaderText.header("Subject", subject)
    let lines = header.components(separatedBy: "\r\n").dropLast()
    #expect(lines.allSatisfy { $0.utf8.count <= 76 })
    var bytes = Data()
    for word in header.dropFirst("Subject:".count).split(whereSeparator: \.isWhitespace) {
      #expect(word.hasPrefix("=?UTF-8?B?") && word.hasSuffix("?=") && word.utf8.count <= 75)
      bytes += try #require(Data(base64Encoded: String(word.dropFirst(10).dropLast(2))))
    }
    #expect(String(decoding: bytes, as: UTF8.self) == subject)
  }

  @Test("Long headers are folded at blanks")
  func folding() throws {
    let addresses = (1...9).map { "somebody\($0)@mail.example.org" }.joined(separator: ", ")
    let header = try HeaderText.header("To", addresses)
    let lines = header.components(separatedBy: "\r\n").dropLast()
    #expect(lines.count > 3)
    #expect(lines.allSatisfy { $0.utf8.count <= 76 })
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(" ") })
    #expect(lines.joined() == "To: \(addresses)")
  }

  @Test(
    "Text is put into lines of printable ASCII that read back as they were",
    arguments: [
      "", "\n", "plain", "a = b", "blank \nand tab\t\nend", "From here\nFrom there", "grün 🦅", ".\n..\n",
      String(repeating: "long ", count: 100), String(repeating: "=", count: 30), String(repeating: "é", count: 80),
      "nul \u{0} return \r\n", String(repeating: "x", count: 76), String(repeating: "x", count: 77),
    ])
  func quotedPrintable(text: String) {
    let encoded = QuotedPrintable.encode(Array(text.utf8))
    #expect(encoded.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0D || $0 == 0x0A || $0 == 0x09 })
    let lines = String(decoding: encoded, as: UTF8.self).components(separatedBy: "\r\n")
    #expect(
      lines.allSatisfy { $0.utf8.count <= 76 && !$0.hasSuffix(" ") && !$0.hasSuffix("\t") && !$0.hasPrefix("From") })
    #expect(String(decoding: decoded(lines), as: UTF8.self) == text)
  }

  private func decoded(_ lines: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (number, line) in lines.enumerated() {
      var rest = Array(line.utf8)[...]
      let isSoft = rest.last == UInt8(ascii: "=")
      if isSoft { rest.removeLast() }
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "=") else {
          bytes.append(byte)
          continue
        }
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
      }
      if !isSoft, number < lines.count - 1 { bytes.append(0x0A) }
    }
    return bytes
  }

  @Test(
    "Dates are those of universal time",
    arguments: [(0, "Thu, 1 Jan 1970 00:00:00 +0000"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 +0000")])
  func dates(seconds: Double, text: String) {
    #expect(MailDate.text(of: Date(timeIntervalSince1970: seconds)) == text)
  }
}
