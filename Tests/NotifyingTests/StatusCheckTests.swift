import Foundation
import Model
import Testing

@testable import Notifying

@Suite("Whether a forge has a status already")
struct StatusCheckTests {
  private static let link = "https://ci.example.org/greeter/7/index.html"

  /// A page of statuses as GitHub and Forgejo answer it, each with what they need not be asked for.
  private static func page(_ statuses: [[String]], _ forge: Forge = .github) -> String {
    let list = statuses.map { status in
      #"{"id":1,"\#(forge == .github ? "state" : "status")":"\#(status[1])","description":"\#(status[2])","target_url":"\#(link)","context":"\#(status[0])"}"#
    }
    return
      "{\"state\":\"failure\",\"statuses\":[\(list.joined(separator: ","))],\"sha\":\"c1\",\"repository\":{\"id\":2}}"
  }

  private static let others = page([["lint", "success", "Fine"]])
  private static let same = page([["lint", "success", "Fine"], ["martlet/greeter", "failure", "2 red"]])

  private func check(_ forge: Forge, _ link: String? = Self.link) throws -> StatusCheck? {
    let status = CommitStatus(
      commit: CommitID(rawValue: "c1"), ref: nil, state: .failed, description: "2 red", link: link)
    return StatusCheck(
      "https://forge.example.org/api/repos/team/Greeter/statuses/c1", forge,
      content: Data(try status.body(for: forge, context: "martlet/greeter")))
  }

  @Test("The latest status of each check is asked for, page by page, where a repeated one is not refused")
  func addresses() throws {
    let start = "https://forge.example.org/api/repos/team/Greeter/commits/c1/status"
    #expect(try check(.github)?.address(page: 1) == "\(start)?per_page=100&page=1")
    #expect(try check(.forgejo)?.address(page: 2) == "\(start)?limit=50&page=2")
    #expect(try check(.gitlab) == nil)
  }

  @Test("It is the same if the state, the words and the link are", arguments: [Forge.github, .forgejo])
  func judging(forge: Forge) throws {
    let check = try #require(try check(forge))
    func finding(_ statuses: [String]...) -> StatusCheck.Finding { check.judge(Self.page(statuses, forge)) }
    #expect(finding(["lint", "success", "Fine"], ["martlet/greeter", "failure", "2 red"]) == .same)
    #expect(finding(["Martlet/Greeter", "failure", "2 red"]) == .same)
    #expect(finding(["martlet/greeter", "pending", "2 red"]) == .other)
    #expect(finding(["martlet/greeter", "failure", "3 red"]) == .other)
    #expect(finding(["martlet/greeter", "success", "Fine"], ["martlet/greeter", "failure", "2 red"]) == .other)
    #expect(finding(["martlet/greeter-2", "failure", "2 red"]) == .absent)
    #expect(finding() == .none)
    let elsewhere = try #require(try self.check(forge, "https://ci.example.org/greeter/8/index.html"))
    #expect(elsewhere.judge(Self.page([["martlet/greeter", "failure", "2 red"]], forge)) == .other)
    let nowhere = try #require(try self.check(forge, nil))
    #expect(nowhere.judge(Self.page([["martlet/greeter", "failure", "2 red"]], forge)) == .other)
  }

  @Test(
    "What is no list has none", arguments: ["", "noted", "[]", "{}", #"{"statuses":null}"#, #"{"statuses":[{"id":"#])
  func unreadable(page: String) throws { #expect(try check(.github)?.judge(page) == StatusCheck.Finding.none) }

  /// Tells a forge whose first answers are these, and passes a minute before each further round.
  private func tell(_ answers: [String], _ forge: Forge = .github, rounds: Int = 2) throws -> ToldForge {
    let told = try ToldForge(answers, forge)
    try told.tell("c1", .failed, "2 red")
    for _ in 0..<rounds {
      #expect(try told.round() == [:])
      told.pass(60)
    }
    return told
  }

  @Test("A status whose answer was lost is not told again to a forge that has it", arguments: [Forge.github, .forgejo])
  func lost(forge: Forge) throws {
    let page = Self.page([["martlet/greeter", "failure", "2 red"]], forge)
    let told = try tell(["hang up", "200 OK\n\n\(page)"], forge)
    let place = forge == .github ? "/api/v3" : "/api/v1"
    let size = forge == .github ? "per_page=100" : "limit=50"
    #expect(told.told.count == 1)
    #expect(told.asked == ["\(place)/repos/team/Greeter/commits/c1/status?\(size)&page=1"])
    let login = forge == .github ? "Bearer fr1ed-tern" : "token fr1ed-tern"
    #expect(told.peer.requests.map { $0.headers["authorization"] } == [login, login])
    #expect(!told.isWaiting)
  }

  @Test("A list of several pages is read as far as the check, and no further")
  func pages() throws {
    let told = try tell(["hang up", "200 OK\n\n\(Self.others)", "200 OK\n\n\(Self.same)"])
    #expect((told.told.count, told.asked.count) == (1, 2))
    #expect(!told.isWaiting)
    // A forge that answers the first page whatever it is asked for has an end too.
    let endless = try tell(["hang up"] + Array(repeating: "200 OK\n\n\(Self.others)", count: 10) + ["201 Created"])
    #expect((endless.told.count, endless.asked.count) == (2, 10))
    #expect(!endless.isWaiting)
  }

  @Test(
    "Where the latest status is another one or may not be read, it is told once more",
    arguments: [
      "200 OK\n\n\(page([["martlet/greeter", "pending", "Running"]]))", "200 OK\n\n\(page([]))", "200 OK\n\n<html>",
      "403 No\n\n{\"message\": \"Resource not accessible by personal access token\"}", "404 Not found", "301 There",
      "400 Bad",
    ])
  func again(answer: String) throws {
    let told = try tell(["hang up", answer, "201 Created"])
    #expect((told.told.count, told.asked.count) == (2, 1))
    #expect(!told.isWaiting)
  }

  @Test("A forge that cannot answer the question, or had too many calls, is asked again later and told nothing")
  func later() throws {
    let told = try tell(
      ["hang up", "429 Slow\nRetry-After: 60", "500 Oh", "200 OK\n\n\(Self.same)", "201 Created"], rounds: 4)
    #expect((told.told.count, told.asked.count) == (1, 3))
    #expect(!told.isWaiting)
  }

  @Test("What the forge refused or was never sent is told without a question")
  func settled() throws {
    let limited = try tell(["429 Slow\nRetry-After: 60", "201 Created"])
    #expect((limited.told.count, limited.asked) == (2, []))
    #expect(!limited.isWaiting)
    var unreachable = try TestDelivery(secrets: ["FORGE": "fr1ed-tern"])
    try unreachable.put(.status(url: "http://127.0.0.1:1/repos/a/b/statuses/c1", forge: .github, secret: "FORGE"), "{}")
    #expect(try StatusRound(unreachable.sender).run() == [:])
    let delivery = try #require(unreachable.sender.outbox.delivery(unreachable.id))
    #expect((delivery.attempts, delivery.mayHaveArrived, delivery.isUnsettled) == (1, false, false))
  }

  @Test("What replaces a status whose answer was lost is told, unless the forge has just that")
  func replaced() throws {
    let told = try ToldForge(["hang up", "200 OK\n\n\(Self.same)", "201 Created"], .github)
    try told.tell("c1", .failed, "2 red")
    #expect(try told.round() == [:])
    try told.tell("c1", .running, "Running")
    #expect(try told.round() == [:])
    #expect(told.told.map { $0.contains("Running") } == [false, true])
    let back = try ToldForge(["hang up", "200 OK\n\n\(Self.same)"], .github)
    try back.tell("c1", .failed, "2 red")
    #expect(try back.round() == [:])
    try back.tell("c1", .running, "Running")
    try back.tell("c1", .failed, "2 red")
    #expect(try back.round() == [:])
    #expect(back.told.count == 1)
    #expect(!back.isWaiting)
  }

  @Test(
    "An attempt whose end nobody saw may have arrived, also one of an earlier version",
    arguments: [(1, true as Bool?, 0), (1, nil, 0), (0, nil, 1), (1, false, 1)])
  func restarted(attempts: Int, mayHaveArrived: Bool?, count: Int) throws {
    let told = try ToldForge(count == 0 ? ["200 OK\n\n\(Self.same)"] : ["201 Created"], .github)
    var delivery = try told.news("c1", .failed, "2 red")
    (delivery.attempts, delivery.mayHaveArrived) = (attempts, mayHaveArrived)
    let outbox = told.attempt.sender.outbox
    try outbox.put(delivery)
    let file = try String(contentsOfFile: "\(outbox.path)/\(delivery.id).json", encoding: .utf8)
    #expect(file.contains("mayHaveArrived") == (mayHaveArrived != nil))
    #expect(try told.round() == [:])
    #expect((told.told.count, told.asked.count) == (count, 1 - count))
    #expect(!told.isWaiting)
  }
}
