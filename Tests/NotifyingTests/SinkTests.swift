import Foundation
import Model
import Processes
import Synchronization
import Testing

@testable import Notifying

/// Python with aiosmtpd (https://pypi.org/project/aiosmtpd/), a mail server that others wrote.
enum Sink {
  /// The program; nil where no Python has the package. MARTLET_PYTHON names one.
  static let python: String? = {
    let candidates = [ProcessInfo.processInfo.environment["MARTLET_PYTHON"], "/usr/bin/python3"].compactMap(\.self)
    return candidates.first { python in
      let command = Command(python, ["-c", "import aiosmtpd"], environment: [:], workingDirectory: "/")
      guard let cancellation = try? Cancellation() else { return false }
      let output = try? command.collect(
        limits: Limits(wallClock: .seconds(20)), cancellation: cancellation, limit: 1 << 16)
      return output?.result.succeeded == true
    }
  }()
}

@Suite(
  "A mail server that others wrote",
  .enabled(if: Sink.python != nil, "no Python has aiosmtpd; name one that has with MARTLET_PYTHON"))
struct SinkTests {
  /// A sink that keeps mails in a folder, until the cancellation.
  private func start(in folder: String, _ cancellation: Cancellation) throws -> (url: String, end: Worker<Void>) {
    let program = """
      import socket, sys, time
      from aiosmtpd.controller import Controller
      from aiosmtpd.handlers import Mailbox
      # The controller calls itself at the port that it is given, so it cannot choose one.
      with socket.socket() as probe:
          probe.bind(("127.0.0.1", 0))
          port = probe.getsockname()[1]
      Controller(Mailbox(sys.argv[1]), hostname="127.0.0.1", port=port).start()
      print(port, flush=True)
      time.sleep(300)
      """
    let command = Command(
      Sink.python ?? "", ["-c", program, folder], environment: ["HOME": "/"], workingDirectory: "/")
    let port = Line()
    let worker = try Worker {
      _ = try command.run(limits: Limits(wallClock: .seconds(120)), cancellation: cancellation) { chunk in
        port.add(chunk.bytes)
      }
    }
    return ("smtp://127.0.0.1:\(try port.wait())", worker)
  }

  @Test("A mail with words that are not ASCII arrives, and Python reads it as it was written")
  func arrives() throws {
    let cancellation = try Cancellation()
    var errand = try Errand()
    let (url, end) = try start(in: errand.scratch.file("mail"), cancellation)
    defer {
      cancellation.cancel()
      _ = try? end.join()
    }
    errand.courier.mailing = Mailing(
      server: ServerSettings.MailServer(way: .smtp(url: url), from: "martlet@ci.example.org"))
    let message = MailMessage(
      from: "martlet@ci.example.org", to: ["ada@example.org"], subject: "[grüezi 7] Alles grün 🦅", id: "00ff",
      thread: "ffee", date: Date(timeIntervalSince1970: 0), bot: "grüezi", text: Array("Grün.\n.\nFrom here\n".utf8),
      html: Array("<p>Grün.</p>\n".utf8))
    try errand.put(
      .mail(from: "martlet@ci.example.org", to: "ada@example.org"),
      String(decoding: try message.encoded(), as: UTF8.self))
    guard case .accepted = try errand.deliver().result else {
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
      Sink.python ?? "", ["-c", reader, errand.scratch.file("mail")], environment: [:], workingDirectory: "/"
    ).collect(limits: Limits(wallClock: .seconds(20)), cancellation: try Cancellation(), limit: 1 << 16)
    let read = try JSONSerialization.jsonObject(with: Data(output.standardOutput)) as? [NSObject]
    #expect(
      read == [
        "[grüezi 7] Alles grün 🦅" as NSString, "<00ff@ci.example.org>" as NSString, "<ffee@ci.example.org>" as NSString,
        "Grün.\n.\nFrom here\n" as NSString, "<p>Grün.</p>\n" as NSString, [] as NSArray, "ada@example.org" as NSString,
      ])
  }
}

/// The first line that a program prints, for somebody who waits for it.
private final class Line: Sendable {
  private let bytes = Mutex<[UInt8]>([])
  private let isWhole = DispatchSemaphore(value: 0)

  func add(_ more: some Sequence<UInt8>) {
    bytes.withLock { $0 += more }
    if bytes.withLock({ $0.contains(0x0A) }) { isWhole.signal() }
  }

  func wait() throws -> String {
    guard isWhole.wait(timeout: .now() + 30) == .success else { throw CocoaError(.fileReadUnknown) }
    return bytes.withLock { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) }
  }
}
