import Foundation
import Processes
import Synchronization
import Testing

@testable import Model
@testable import Notifying

/// An outbox with one delivery, and a sender who does not wait long.
struct TestDelivery {
  let scratch: Scratch
  var sender: Sender
  let clock = TestClock()
  var id = ""

  final class TestClock: Sendable {
    let time = Mutex(Date(timeIntervalSince1970: 1_000_000))
  }

  init(_ way: ServerSettings.MailServer.Way? = nil, login: MailAccount.Login? = nil, secrets: [String: String] = [:])
    throws
  {
    scratch = try Scratch()
    let mailAccount = way.map {
      MailAccount(server: ServerSettings.MailServer(way: $0, from: "martlet@ci.example.org"), login: login)
    }
    sender = Sender(
      outbox: Outbox(scratch.file("outbox")), mailAccount: mailAccount, secrets: ["greeter": secrets],
      environment: ["PATH": "/usr/bin:/bin", "HOME": "/nowhere", "TOKEN": "tulip-4711"],
      now: { [clock] in clock.time.withLock(\.self) },
      cancellation: try Cancellation())
    sender.timing.pauses = [.zero, .zero]
    // A peer in a process of its own takes its time on a busy machine.
    sender.timing.connecting = .seconds(600)
    sender.timing.whole = .seconds(600)
  }

  mutating func put(_ way: Delivery.Way, _ content: String) throws {
    let delivery = Delivery(
      key: ["key"], bot: "greeter", place: "place", way: way, content: Array(content.utf8),
      queuedAt: Date(timeIntervalSince1970: 1_000_000))
    try sender.outbox.put(delivery)
    id = delivery.id
  }

  mutating func putMail(_ content: String = "Subject: a\r\n\r\n.dot\r\n") throws {
    try put(.mail(from: "martlet@ci.example.org", to: "ada@example.org"), content)
  }

  /// Change, and the lines of the log.
  func deliver(_ attempts: Int = 3) throws -> (result: DeliveryResult, lines: [String]) {
    var lines: [String] = []
    let result = try sender.deliver(id, attempts: attempts) { lines.append($0) }
    return (result, lines)
  }

  var isWaiting: Bool { !sender.outbox.names().isEmpty }
}

@Suite("The sender with mail")
struct SenderMailTests {
  @Test("A mail arrives as it is, and leaves the outbox")
  func accepted() throws {
    let peer = try SMTPPeer()
    var attempt = try TestDelivery(.smtp(url: peer.url))
    try attempt.putMail()
    let (result, lines) = try attempt.deliver()
    #expect(result == .accepted(words: "250 2.0.0 kept"))
    #expect(lines == ["place: accepted: 250 2.0.0 kept"])
    #expect(
      peer.mails == [
        SMTPPeer.Mail(from: "martlet@ci.example.org", to: ["ada@example.org"], lines: ["Subject: a", "", ".dot"])
      ])
    #expect(peer.commands.first == "EHLO ci.example.org")
    #expect(!attempt.isWaiting)
    #expect(try attempt.deliver().result == .taken)
    #expect(peer.mails.count == 1)
  }

  @Test(
    "What a server refuses is not tried again, whatever it refuses",
    arguments: [
      ("RCPT", "550 5.1.1 nobody here"), ("MAIL", "553 not you"), (".", "554 5.7.1 spam"), ("DATA", "550 no"),
    ])
  func refused(verb: String, words: String) throws {
    let peer = try SMTPPeer([[verb: words]])
    var attempt = try TestDelivery(.smtp(url: peer.url))
    try attempt.putMail()
    let (result, lines) = try attempt.deliver()
    #expect(result == .refused(reason: words))
    #expect(lines == ["place: refused: \(words)"])
    #expect(!attempt.isWaiting)
  }

  @Test(
    "What a server cannot do now, or leaves open, is tried again with the same message",
    arguments: [
      ["greeting": "421 busy"], ["RCPT": "451 4.7.1 greylisted"], [".": "452 full"], [".": "hang up"],
      ["greeting": "hang up"], ["EHLO": "hang up"],
    ] as [SMTPPeer.Manners])
  func retried(manners: SMTPPeer.Manners) throws {
    let peer = try SMTPPeer([manners, manners, [:]])
    var attempt = try TestDelivery(.smtp(url: peer.url))
    try attempt.putMail()
    let (result, lines) = try attempt.deliver()
    #expect(result == .accepted(words: "250 2.0.0 kept"))
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("place: attempt 1 failed: "))
    #expect(peer.mails.count == 1)
  }

  @Test("A mail that cannot be delivered now stays, and waits longer each time")
  func waiting() throws {
    let peer = try SMTPPeer([["RCPT": "451 later"]])
    var attempt = try TestDelivery(.smtp(url: peer.url))
    try attempt.putMail()
    guard case .waiting(let reason, isReached: true) = try attempt.deliver().result else {
      Issue.record("it did not wait")
      return
    }
    #expect(reason.hasSuffix("(451 later)"))
    func delay() -> Double? {
      attempt.sender.outbox.delivery(attempt.id).map { $0.dueAt.timeIntervalSince1970 - 1_000_000 }
    }
    var delays = [delay()]
    for _ in 0..<8 {
      _ = try attempt.deliver(1)
      delays.append(delay())
    }
    #expect(delays == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
    #expect(attempt.sender.outbox.delivery(attempt.id)?.attempts == 11)
  }

  @Test("After three days it is given up, with the last reason")
  func givenUp() throws {
    let peer = try SMTPPeer([["RCPT": "451 later"]])
    var attempt = try TestDelivery(.smtp(url: peer.url))
    try attempt.putMail()
    attempt.clock.time.withLock { $0 += 3 * 86_400 + 1 }
    guard case .refused(let reason) = try attempt.deliver().result else {
      Issue.record("it was not given up")
      return
    }
    #expect(reason.hasPrefix("given up after 1 attempts: "))
    #expect(!attempt.isWaiting)
  }

  @Test("A server that says nothing, and one that is not there, cost no more than the time they are given")
  func silence() throws {
    let peer = try SMTPPeer([["greeting": "silence"]])
    var attempt = try TestDelivery(.smtp(url: peer.url))
    attempt.sender.timing.whole = .milliseconds(300)
    try attempt.putMail()
    guard case .waiting(_, isReached: false) = try attempt.deliver(1).result else {
      Issue.record("it did not wait")
      return
    }
    #expect(attempt.isWaiting)
    var other = try TestDelivery(.smtp(url: "smtp://127.0.0.1:1"))
    try other.putMail()
    guard case .waiting(let reason, isReached: false) = try other.deliver(1).result else {
      Issue.record("it did not wait")
      return
    }
    #expect(reason.contains("connect"))
  }

  @Test("A login is not told to a server without encryption, and the mail waits until that is mended")
  func login() throws {
    let peer = try SMTPPeer()
    var attempt = try TestDelivery(
      .smtp(url: peer.url), login: MailAccount.Login(user: "martlet", password: "tulip-4711"))
    try attempt.putMail()
    guard case .waiting(let reason, _) = try attempt.deliver(1).result else {
      Issue.record("it did not wait")
      return
    }
    #expect(reason == "STARTTLS not supported." || reason.contains("SSL") || reason.contains("STARTTLS"))
    #expect(peer.mails.isEmpty)
    #expect(!peer.commands.contains { $0.hasPrefix("AUTH") })
  }

  @Test("Without the login that the server wants, it is not asked, and the mail waits")
  func noLogin() throws {
    let peer = try SMTPPeer()
    var attempt = try TestDelivery()
    attempt.sender.mailAccount = MailAccount(
      server: ServerSettings.MailServer(
        way: .smtp(url: peer.url), from: "martlet@ci.example.org", user: "USER", password: "PASSWORD"))
    try attempt.putMail()
    #expect(
      try attempt.deliver(1).result
        == .waiting(
          reason: "the login of the mail server cannot be read from secrets.env; 'martlet status' says why",
          isReached: false))
    #expect(peer.commands.isEmpty)
    #expect(attempt.isWaiting)
  }

  @Test("The settings name the certificates that a server's is proved by")
  func authorities() throws {
    let peer = try SMTPPeer()
    let url = peer.url.replacingOccurrences(of: "smtp://", with: "smtps://")
    var attempt = try TestDelivery(.smtp(url: url))
    attempt.sender.mailAccount?.server.authorities = "/nowhere/our-ca.pem"
    try attempt.putMail()
    guard case .waiting(let reason, isReached: false) = try attempt.deliver(1).result else {
      Issue.record("it did not wait")
      return
    }
    #expect(reason.contains("/nowhere/our-ca.pem"))
    #expect(peer.mails.isEmpty)
  }

  @Test("A login that is wrong is no fault of the mail")
  func wrongLogin() {
    let answer = Transfer.Answer(status: 535, words: "535 5.7.8 who?\r\n", failure: "Login denied")
    #expect(Sender.judge(mail: answer) == .failed(reason: "Login denied (535 5.7.8 who?)", isReached: true))
  }

  @Test("A canceled sender comes back at once and keeps the mail")
  func canceled() throws {
    let peer = try SMTPPeer([["RCPT": "451 later"]])
    var attempt = try TestDelivery(.smtp(url: peer.url))
    attempt.sender.timing.pauses = [.seconds(60), .seconds(60)]
    attempt.sender.cancellation.cancel()
    try attempt.putMail()
    guard case .waiting = try attempt.deliver().result else {
      Issue.record("it did not wait")
      return
    }
    #expect(attempt.sender.outbox.delivery(attempt.id)?.attempts == 1)
  }

  @Test(
    "A program takes the mail on its standard input, with the line ends of the machine, and no secret of the server")
  func program() throws {
    var attempt = try TestDelivery()
    let script = attempt.scratch.file("sendmail")
    try "#!/bin/sh\necho \"$@\" >\"$0.arguments\"\ncat >\"$0.mail\"\necho \"$HOME ${TOKEN-none}\" >\"$0.variables\"\n"
      .write(
        toFile: script, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    attempt.sender.mailAccount = MailAccount(
      server: ServerSettings.MailServer(way: .sendmail(path: script), from: "martlet@ci.example.org"))
    try attempt.putMail()
    #expect(try attempt.deliver().result == .accepted(words: ""))
    #expect(
      try String(contentsOfFile: "\(script).arguments", encoding: .utf8)
        == "-i -f martlet@ci.example.org -- ada@example.org\n")
    #expect(try String(contentsOfFile: "\(script).mail", encoding: .utf8) == "Subject: a\n\n.dot\n")
    #expect(try String(contentsOfFile: "\(script).variables", encoding: .utf8) == "/nowhere none\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: attempt.sender.outbox.path).isEmpty)
  }

  @Test(
    "A program's exit status tells whether to try again",
    arguments: [
      (64, true), (65, true), (67, true), (1, false), (66, false), (68, false), (69, false), (71, false), (74, false),
      (75, false), (76, false), (77, false), (78, false), (127, false),
    ])
  func programFails(status: Int, isRefused: Bool) throws {
    var attempt = try TestDelivery()
    let script = attempt.scratch.file("sendmail")
    try "#!/bin/sh\necho no such user >&2; exit \(status)\n".write(toFile: script, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    attempt.sender.mailAccount = MailAccount(
      server: ServerSettings.MailServer(way: .sendmail(path: script), from: "martlet@ci.example.org"))
    try attempt.putMail()
    let expected: DeliveryResult =
      isRefused
      ? .refused(reason: "\(script) ended with exit status \(status): no such user")
      : .waiting(reason: "\(script) did not take it: no such user", isReached: false)
    #expect(try attempt.deliver(1).result == expected)
  }
}
