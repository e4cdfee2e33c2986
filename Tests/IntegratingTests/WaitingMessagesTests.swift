import FoundationEssentials
import Notifying
import Testing

@testable import Integrating

@Suite("Messages of a bot that wait")
struct WaitingMessagesTests {
  private let home: Home
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    home = Home(scratch.file("home"))
    try home.folder.create()
  }

  private func delivery(of bot: String, _ key: String, content: String = "") -> Delivery {
    Delivery(
      key: [bot, key], bot: bot, place: "example.org",
      way: .webhook(url: "https://example.org", secret: "KEY", event: "integration"), content: Array(content.utf8),
      queuedAt: Date(timeIntervalSince1970: 7))
  }

  /// One in the outbox, and one of an integration that is not finished, of a bot and of those with similar names.
  private func fill() throws {
    for bot in ["Kit", "Kit.2", "Other"] {
      try Outbox(home.outbox).put(delivery(of: bot, "one"))
      try HeldMessages(of: bot, 3, in: home).put([delivery(of: bot, "two")])
    }
  }

  /// The bots of what is in the outbox.
  private var waiting: [String] {
    let outbox = Outbox(home.outbox)
    return outbox.names().compactMap { outbox.delivery($0)?.bot }.sorted()
  }

  @Test("Have the secrets of the bot's new name when it is renamed, and are not renamed twice")
  func rename() throws {
    try fill()
    for _ in 0..<2 {
      try WaitingMessages(of: "Kit", in: home).rename(to: "Tik")
      #expect(waiting == ["Kit.2", "Other", "Tik"])
      #expect(HeldMessages.numbers(of: "Kit", in: home) == [])
    }
    try HeldMessages(of: "Tik", 3, in: home).release(into: home)
    #expect(waiting == ["Kit.2", "Other", "Tik", "Tik"])
    #expect(HeldMessages.numbers(of: "Kit.2", in: home) == [3])
  }

  @Test("Are those that were written last, as long as the integration is not finished")
  func again() throws {
    let held = HeldMessages(of: "Kit", 3, in: home)
    for content in ["with a link", "without"] { try held.put([delivery(of: "Kit", "two", content: content)]) }
    try held.release(into: home)
    let outbox = Outbox(home.outbox)
    let contents = outbox.names().compactMap { outbox.delivery($0)?.content }
    #expect(contents.map { String(decoding: $0, as: UTF8.self) } == ["without"])
  }

  @Test("Are not sent once it is removed")
  func remove() throws {
    try fill()
    try WaitingMessages(of: "Kit", in: home).remove()
    #expect(waiting == ["Kit.2", "Other"])
    #expect(HeldMessages.numbers(of: "Kit", in: home) == [])
    #expect(HeldMessages.numbers(of: "Other", in: home) == [3])
  }

  @Test("Are none where there is no home")
  func none() throws {
    let messages = WaitingMessages(of: "Kit", in: Home(scratch.file("none")))
    try messages.rename(to: "Tik")
    try messages.remove()
    #expect(!scratch.folder.holds("none"))
  }
}
