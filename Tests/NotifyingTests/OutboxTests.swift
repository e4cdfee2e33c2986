import Foundation
import Model
import TestGround
import Testing

@testable import Notifying

@Suite("The outbox")
struct OutboxTests {
  private let scratch: Scratch
  private let outbox: Outbox

  init() throws {
    scratch = try Scratch()
    outbox = Outbox(scratch.file("outbox"))
  }

  private func delivery(_ key: String) -> Delivery {
    Delivery(
      key: ["greeter", key], bot: "greeter", place: "example.org",
      way: .webhook(url: "https://example.org", secret: nil, event: "integration"), content: [0, 255, 10],
      queuedAt: Date(timeIntervalSince1970: 7))
  }

  @Test("What is put in is there for any process, and only its owner can read it")
  func putting() throws {
    try outbox.put(delivery("one"))
    let name = try #require(outbox.names().first)
    #expect(name.count == 32)
    #expect(outbox.delivery(name) == delivery("one"))
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(outbox.path)/\(name).json")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("Of what waits for its time, the first is known")
  func nextDue() throws {
    let now = Date(timeIntervalSince1970: 1000)
    #expect(outbox.nextDue(after: now) == nil)
    for (key, due) in [("a", 900.0), ("b", 1030), ("c", 1020)] {
      var waiting = delivery(key)
      waiting.dueAt = Date(timeIntervalSince1970: due)
      try outbox.put(waiting)
    }
    #expect(outbox.nextDue(after: now) == Date(timeIntervalSince1970: 1020))
    #expect(outbox.nextDue(after: Date(timeIntervalSince1970: 1030)) == nil)
  }

  @Test("What needs a secret that cannot be read is held back, and nothing else")
  func holdingBack() {
    let ways: [Delivery.Way] = [
      .mail(from: "martlet@example.org", to: "ada@example.org"),
      .webhook(url: "https://example.org", secret: nil, event: "integration"),
      .webhook(url: "https://example.org", secret: "KEY", event: "integration"),
      .status(url: "https://example.org", forge: .github, secret: "FORGE"),
    ]
    var bot = Bot(name: "greeter", repository: "/r")
    bot.status = StatusReporting(token: "FORGE")
    var settings = ServerSettings()
    settings.mail = ServerSettings.MailServer(
      way: .smtp(url: "smtps://mail.example.org"), from: "martlet@example.org", user: "USER", password: "PASSWORD")
    func held(login: [String: String]?, secrets: [String: [String: String]]) -> [Bool] {
      let order = SendingOrder(bots: [bot], mailAccount: MailAccount(settings, secrets: login), secrets: secrets)
      return ways.map { way in
        order.holdsBack(
          Delivery(
            key: ["key"], bot: "greeter", place: "place", way: way, content: [],
            queuedAt: Date(timeIntervalSince1970: 7)))
      }
    }
    #expect(held(login: nil, secrets: ["greeter": [:]]) == [true, false, false, false])
    #expect(held(login: [:], secrets: [:]) == [false, false, true, true])
    #expect(held(login: [:], secrets: ["greeter": [:]]) == [false, false, false, false])
  }

  @Test("What is let go of is free at once, though a program that is being started still has a copy of its lock")
  func copied() throws {
    try outbox.put(delivery("one"))
    let name = outbox.names()[0]
    var claim = try outbox.claim(name)
    #expect(claim != nil)
    let copies = OpenFileCopies(of: "\(outbox.path)/\(name).lock")
    #expect(copies.count == 1)
    claim = nil
    claim = try outbox.claim(name)
    #expect(claim != nil)
    copies.close()
  }

  @Test("Putting the same in again changes nothing, and others have other names")
  func again() throws {
    try outbox.put(delivery("one"))
    let claim = try #require(try outbox.claim(outbox.names()[0]))
    try claim.update { $0.attempts = 3 }
    try outbox.put(delivery("one"))
    try outbox.put(delivery("two"))
    #expect(outbox.names().count == 2)
    #expect(outbox.delivery(delivery("one").id)?.attempts == 3)
    #expect(MessageID.of(["ab", "c"]) != MessageID.of(["a", "bc"]))
  }

  @Test("Two processes are never about the same delivery, and one that is finished is gone")
  func claiming() throws {
    try outbox.put(delivery("one"))
    let name = outbox.names()[0]
    do {
      let claim = try #require(try outbox.claim(name))
      #expect(try outbox.claim(name) == nil)
      try claim.finish()
    }
    #expect(outbox.names().isEmpty)
    #expect(try outbox.claim(name) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outbox.path).isEmpty)
  }

  @Test("A delivery that was let go of waits for the next; what cannot be read stays where it is")
  func letGo() throws {
    try outbox.put(delivery("one"))
    let name = outbox.names()[0]
    _ = try outbox.claim(name)
    #expect(try outbox.claim(name) != nil)
    try Data("{".utf8).write(to: URL(fileURLWithPath: "\(outbox.path)/broken.json"))
    #expect(try outbox.claim("broken") == nil)
    #expect(outbox.names().contains("broken"))
  }

  @Test("An outbox that is not there is empty, and one that cannot be made says why")
  func missing() throws {
    #expect(outbox.names().isEmpty)
    try Data().write(to: URL(fileURLWithPath: scratch.file("file")))
    let error = NotifyingError(
      "Cannot make the folder \(scratch.file("file/outbox")): not a directory. Look after that disk and folder; what was to be sent is not."
    )
    #expect(throws: error) { try Outbox(scratch.file("file/outbox")).put(delivery("one")) }
  }
}
