import Foundation
import Model
import Processes
import Testing

@testable import Notifying

@Suite("The sender with webhooks")
struct SenderWebhookTests {
  private func attempt(_ url: String, secret: String? = nil, secrets: [String: String] = [:]) throws -> TestDelivery {
    var attempt = try TestDelivery(secrets: secrets)
    try attempt.put(.webhook(url: url, secret: secret, event: "integration"), #"{"a": "grün"}"#)
    return attempt
  }

  @Test("The body arrives byte by byte, signed, with a key that names the delivery")
  func accepted() throws {
    let peer = try HTTPPeer(["200 OK"])
    let attempt = try attempt(peer.url, secret: "HOOK", secrets: ["HOOK": "It's a Secret to Everybody"])
    #expect(try attempt.deliver() == (.accepted(words: "200: noted"), ["place: accepted: 200: noted"]))
    let request = try #require(peer.requests.first)
    #expect(request.line == "POST /hook?token=1 HTTP/1.1")
    #expect(request.body == Array(#"{"a": "grün"}"#.utf8))
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["x-martlet-event"] == "integration")
    #expect(request.headers["idempotency-key"] == attempt.id)
    #expect(request.headers["expect"] == nil)
    let code = SHA256.authenticate(request.body, key: Array("It's a Secret to Everybody".utf8)).hexadecimal
    #expect(request.headers["x-martlet-signature-256"] == "sha256=\(code)")
    #expect(!attempt.isWaiting)
  }

  @Test(
    "What may be different later is tried again with the same key",
    arguments: ["500 Oh", "503 Later", "429 Too many", "408 Slow", "hang up"])
  func retried(answer: String) throws {
    let peer = try HTTPPeer([answer, answer, "204 Done"])
    let attempt = try attempt(peer.url)
    guard case .accepted = try attempt.deliver().result else {
      Issue.record("it was not accepted")
      return
    }
    #expect(peer.requests.map { $0.headers["idempotency-key"] } == [attempt.id, attempt.id, attempt.id])
    #expect(peer.requests.allSatisfy { $0.headers["x-martlet-signature-256"] == nil })
  }

  @Test(
    "What will not be different later is refused, and no redirection is followed",
    arguments: [
      ("404 Gone", "it answers 404: noted"), ("401 Who", "it answers 401: noted"),
      ("302 There", "it answers 302, which sends the caller elsewhere; name that address"),
    ])
  func refused(answer: String, reason: String) throws {
    let peer = try HTTPPeer([answer])
    let attempt = try attempt(peer.url)
    #expect(try attempt.deliver().result == .refused(reason: reason))
    #expect(peer.requests.count == 1)
    #expect(!attempt.isWaiting)
  }

  @Test("Nothing but HTTP is spoken to receivers of calls, and nothing but SMTP to those of mails")
  func otherProtocols() throws {
    let scratch = try Scratch()
    let page = URL(filePath: scratch.file("page"))
    try Data("here".utf8).write(to: page)
    func answer(_ url: String, _ kind: Transfer.Kind) throws -> Transfer.Answer {
      try Transfer(url: url, kind: kind, body: [], timing: DeliveryTiming()).perform(try Cancellation())
    }
    let mail = Transfer.Kind.mail(from: "martlet@ci.example.org", to: "ada@example.org")
    let peer = try HTTPPeer(["200 OK"])
    for (url, kind) in [(page.absoluteString, .post(headers: [])), (page.absoluteString, mail), (peer.url, mail)] {
      let answer = try answer(url, kind)
      #expect(answer.failure?.hasPrefix("Protocol \"") == true, "\(url): \(answer)")
      #expect(answer.words.isEmpty)
    }
    #expect(peer.requests.isEmpty)
  }

  @Test("A receiver that does not answer in time waits in the outbox")
  func silence() throws {
    let peer = try HTTPPeer(["silence"])
    var attempt = try attempt(peer.url)
    attempt.sender.timing.whole = .milliseconds(300)
    guard case .waiting(_, isReached: false) = try attempt.deliver(1).result else {
      Issue.record("it did not wait")
      return
    }
    #expect(attempt.isWaiting)
  }

  @Test("Without the secret that signs it, nothing is sent")
  func unsigned() throws {
    let peer = try HTTPPeer(["200 OK"])
    let attempt = try attempt(peer.url, secret: "HOOK")
    let reason = "the secret 'HOOK' has no value; write it into secrets/greeter.env"
    #expect(try attempt.deliver(1).result == .waiting(reason: reason, isReached: nil))
    #expect(peer.requests.isEmpty)
  }
}
