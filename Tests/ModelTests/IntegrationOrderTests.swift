import Foundation
import Model
import Testing

@Suite("Orders of a watcher")
struct IntegrationOrderTests {
  @Test("A program that was upgraded under a running watcher reads what that one orders")
  func older() throws {
    let order = IntegrationOrder(
      bot: Bot(name: "greeter", repository: "/git/Greeter"), number: 1, commit: CommitID(rawValue: "c0ffee"),
      branch: "main", cause: .commit, queuedAt: Date(timeIntervalSince1970: 1_790_000_000))
    var text = try #require(JSONSerialization.jsonObject(with: JSONEncoder().encode(order)) as? [String: Any])
    var bot = try #require(text["bot"] as? [String: Any])
    // What came after 0.2.0 was begun.
    for key in ["buildSystem", "destinations", "wantedPaths", "saidQuarantine"] { bot[key] = nil }
    text["bot"] = bot
    text["includesIdle"] = nil
    let data = try JSONSerialization.data(withJSONObject: text)
    #expect(try JSONDecoder().decode(IntegrationOrder.self, from: data) == order)
  }
}
