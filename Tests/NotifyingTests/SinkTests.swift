import Foundation
import Model
import Processes
import Testing

@testable import Notifying

@Suite(
  "A mail server that others wrote",
  .enabled(if: Sink.python != nil, "no Python has aiosmtpd; name one that has with MARTLET_PYTHON"))
struct SinkTests {
  private func attempt(_ url: String, to address: String = "ada@example.org", in attempt: TestDelivery? = nil) throws
    -> TestDelivery
  {
    var attempt = try attempt ?? TestDelivery()
    attempt.sender.mailAccount = MailAccount(
      server: ServerSettings.MailServer(way: .smtp(url: url), from: "martlet@ci.example.org"))
    let message = MailMessage(
      from: "martlet@ci.example.org", to: [address], subject: "[grüezi 7] Alles grün 🦅", id: "00ff",
      thread: "ffee", date: Date(timeIntervalSince1970: 0), bot: "grüezi", text: Array("Grün.\n.\nFrom here\n".utf8),
      html: Array("<p>Grün.</p>\n".utf8))
    try attempt.put(
      .mail(from: "martlet@ci.example.org", to: address), String(decoding: try message.encoded(), as: UTF8.self))
    return attempt
  }

  @Test("A mail with words that are not ASCII arrives, and Python reads it as it was written")
  func arrives() throws {
    let base = try TestDelivery()
    let sink = try Sink(in: base.scratch.file("mail"))
    let attempt = try attempt(sink.url, in: base)
    guard case .accepted = try attempt.deliver().result else {
      Issue.record("it was not accepted")
      return
    }
    let reader = """
      import email, email.policy, glob, json, sys
      [path] = glob.glob(sys.argv[1] + "/new/*")
      m = email.message_from_binary_file(open(path, "rb"), policy=email.policy.default)
      print(json.dumps([m["subject"], m["message-id"], m["in-reply-to"], m.get_body(("plain",)).get_content(),
        m.get_body(("html",)).get_content(), [str(d) for d in m.defects], m["X-RcptTo"]]))
      """
    let output = try Command(
      Sink.python ?? "", ["-c", reader, attempt.scratch.file("mail")], environment: [:], workingDirectory: "/"
    ).collect(limits: Limits(wallClock: .seconds(20)), cancellation: try Cancellation(), limit: 1 << 16)
    let read = try JSONSerialization.jsonObject(with: Data(output.standardOutput)) as? [NSObject]
    #expect(
      read == [
        "[grüezi 7] Alles grün 🦅" as NSString, "<00ff@ci.example.org>" as NSString, "<ffee@ci.example.org>" as NSString,
        "Grün.\n.\nFrom here\n" as NSString, "<p>Grün.</p>\n" as NSString, [] as NSArray, "ada@example.org" as NSString,
      ])
  }

  @Test("What it refuses for good is not tried again, and what it puts off arrives once")
  func refusals() throws {
    let base = try TestDelivery()
    let sink = try Sink(in: base.scratch.file("mail"))
    let refused = try attempt(sink.url, to: "nobody@example.org", in: base)
    #expect(try refused.deliver().result == .refused(reason: "550 5.1.1 nobody of that name"))
    #expect(!refused.isWaiting)
    let late = try attempt(sink.url, to: "later@example.org", in: base)
    let (result, lines) = try late.deliver()
    guard case .accepted = result else {
      Issue.record("it was not accepted")
      return
    }
    #expect(lines.map { $0.hasSuffix("(451 4.7.1 come again)") } == [true, true, false])
    #expect(try sink.count == 1)
  }

  @Test("A server that takes too long is left, and the mail waits")
  func slow() throws {
    let base = try TestDelivery()
    let sink = try Sink(in: base.scratch.file("mail"))
    var attempt = try attempt(sink.url, to: "slow@example.org", in: base)
    attempt.sender.timing.whole = .milliseconds(300)
    guard case .waiting = try attempt.deliver(1).result else {
      Issue.record("it did not wait")
      return
    }
    #expect(attempt.isWaiting)
    #expect(try sink.count == 0)
  }

  @Test(
    "Over TLS a server is proved by the certificates that the settings name, and by no others",
    .enabled(if: OwnAuthority.program != nil, "there is no openssl, which makes the certificates"))
  func encrypted() throws {
    let base = try TestDelivery()
    let authority = try OwnAuthority("own", in: base.scratch)
    let sink = try Sink(in: base.scratch.file("mail"), authority)
    var attempt = try attempt(sink.url, in: base)
    for stranger in [nil, try OwnAuthority("other", in: base.scratch).certificate] {
      attempt.sender.mailAccount?.server.authorities = stranger
      guard case .waiting(let reason, isReached: false) = try attempt.deliver(1).result else {
        Issue.record("it did not wait")
        return
      }
      #expect(reason.contains("certificate"))
    }
    #expect(try sink.count == 0)
    attempt.sender.mailAccount?.server.authorities = authority.certificate
    guard case .accepted = try attempt.deliver(1).result else {
      Issue.record("it was not accepted")
      return
    }
    #expect(try sink.count == 1)
  }
}

/// Python with aiosmtpd (https://pypi.org/project/aiosmtpd/), a mail server that others wrote; it keeps mails in a folder.
struct Sink {
  /// The program; nil where no Python has the package.
  static let python = PythonServer.python(with: "aiosmtpd")

  private static let program = """
    import asyncio, collections, socket, ssl, sys, time
    from aiosmtpd.controller import Controller
    from aiosmtpd.handlers import Mailbox

    class Sink(Mailbox):
        seen = collections.Counter()
        async def handle_RCPT(self, server, session, envelope, address, options):
            self.seen[address] += 1
            if address.startswith("nobody@"):
                return "550 5.1.1 nobody of that name"
            if address.startswith("later@") and self.seen[address] < 3:
                return "451 4.7.1 come again"
            if address.startswith("slow@"):
                await asyncio.sleep(60)
            envelope.rcpt_tos.append(address)
            return "250 fine"

    # The controller calls itself at the port that it is given, so it cannot choose one.
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    context = None
    if len(sys.argv) > 2:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(sys.argv[2], sys.argv[3])
        # The controller's call to itself must not be stopped by what only this test knows.
        ssl.create_default_context = lambda *a, **k: ssl._create_unverified_context()
    controller = Controller(Sink(sys.argv[1]), hostname="127.0.0.1", port=port, ssl_context=context)
    controller.start()
    print(port, flush=True)
    time.sleep(300)
    """

  let url: String
  private let server: PythonServer
  private let folder: String

  init(in folder: String, _ authority: OwnAuthority? = nil) throws {
    self.folder = folder
    let files = authority.map { [$0.serverCertificate, $0.serverKey] } ?? []
    server = try PythonServer(Self.python ?? "", Self.program, [folder] + files)
    url = "\(authority == nil ? "smtp" : "smtps")://127.0.0.1:\(server.port)"
  }

  /// How many mails it took.
  var count: Int {
    get throws { try FileManager.default.contentsOfDirectory(atPath: "\(folder)/new").count }
  }
}
