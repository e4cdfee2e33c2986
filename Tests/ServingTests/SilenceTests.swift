import Integrating
import Model
import Testing

@testable import Serving

@Suite("Issues that are silenced by way of the server")
struct SilenceTests {
  private let served: ServedHome
  private let asker: (name: String, value: String)
  private static let issue = "/api/v1/bots/Greeter/issues/t-00000001"

  init() throws {
    served = try ServedHome(isBehindFront: true)
    var document = ServedHome.document(4)
    document.issueMemory = IssueMemory(
      number: 4, commit: document.commit.id, reached: [.build, .tests],
      records: [
        IssueRecord(
          id: "t-00000001", kind: .testFailure, message: "greets() <failed>\nin detail", location: nil,
          test: TestID(module: "GreeterTests", suite: "", name: "greets()"),
          streaks: [.init(opened: 2, lastSeen: 4)]),
        IssueRecord(
          id: "e-00000002", kind: .error, message: "no build", location: nil, test: nil,
          streaks: [.init(opened: 4, lastSeen: 4)]),
        IssueRecord(
          id: "w-00000003", kind: .warning, message: "unused", location: nil, test: nil,
          streaks: [.init(opened: 1, lastSeen: 1, closed: 2)]),
      ])
    try served.add(document)
    asker = try served.token([.read, .ask]).header
  }

  private func said(_ answer: HTTPAnswer) -> String { String(decoding: answer.wholeBody, as: UTF8.self) }
  private func silences() throws -> [Silence] { try StoredIntegrations(in: served.home).silences(of: "Greeter").all() }

  @Test("An issue is silenced with a reason, under the name of who asks, and counts again when asked")
  func silenced() throws {
    let answer = try served.post("\(Self.issue)/silence?reason=known", [asker])
    #expect(answer.status == 202)
    #expect(
      said(answer)
        == "{\"integrations\":[],\"message\":\"t-00000001 of Greeter is silenced until resolved.\"}\n")
    let silence = try #require(try silences().first)
    #expect((silence.reason, silence.scope, silence.number) == ("known", .streak, 2))
    #expect(silence.author == served.access.tokens.all().first?.token.id)
    #expect(silence.message == "greets() <failed>")
    #expect(served.watcher.orders.isEmpty)
    let back = try served.post("\(Self.issue)/unsilence", [asker])
    #expect(said(back) == "{\"integrations\":[],\"message\":\"t-00000001 of Greeter counts again.\"}\n")
    #expect(try silences().isEmpty)
    #expect(
      said(try served.post("\(Self.issue)/unsilence", [asker])).contains(
        "\"No issue of Greeter with this id is silenced.\""))
  }

  @Test(
    "What cannot be silenced is refused with its reason",
    arguments: [
      ("t-00000001", "", 400, "'reason' is missing."),
      ("t-00000001", "?reason=%20", 400, "'reason' says nothing: give it words."),
      ("t-00000001", "?reason=x&for=good", 400, "'for' is one of integration, streak, ever."),
      ("t-0000000", "?reason=x", 404, "There is no issue of Greeter with this id. /api/v1/bots/BOT/issues lists them."),
      (
        "e-00000002", "?reason=x", 409,
        "e-00000002 cannot be silenced: errors of the build, tests that quit and failed triggers always count."
      ),
      (
        "w-00000003", "?reason=x", 409,
        "w-00000003 is gone, so there is nothing to silence. With for=ever it is silenced should it come back."
      ),
    ])
  func refused(id: String, query: String, status: Int, words: String) throws {
    let answer = try served.post("/api/v1/bots/Greeter/issues/\(id)/silence\(query)", [asker])
    #expect(answer.status == status)
    #expect(said(answer).contains("\"detail\":\"\(words)\""), "\(said(answer))")
    #expect(try silences().isEmpty)
  }

  @Test("A reason that is a book is refused, and one that is not is taken")
  func long() throws {
    let form = [asker, ("Content-Type", "application/x-www-form-urlencoded")]
    func status(_ count: Int) throws -> Int {
      try served.post("\(Self.issue)/silence", form, body: "reason=\(String(repeating: "a", count: count))").status
    }
    #expect(try status(SiteServer.longestReason + 1) == 400)
    #expect(try status(SiteServer.longestReason) == 202)
  }

  @Test("Who may not ask silences nothing, and neither does a page of another site")
  func rights() throws {
    let reader = try served.token([.read, .log]).header
    #expect(try served.post("\(Self.issue)/silence?reason=x", [reader]).status == 403)
    #expect(try served.post("\(Self.issue)/silence?reason=x").status == 404)
    let evil = ("Origin", "https://evil.example")
    for verb in ["silence?reason=x", "unsilence"] {
      #expect(try served.post("\(Self.issue)/\(verb)", [asker, evil]).status == 403)
    }
    #expect(try silences().isEmpty)
  }

  @Test("The page of actions has a form for each issue that may be silenced, and tells of those that are")
  func page() throws {
    let page = try served.text("/actions/Greeter", [asker])
    #expect(
      page.contains(
        "<td>GreeterTests.greets(): greets() &lt;failed&gt;<td><form method=post action=\"\(Self.issue)/silence\">"))
    #expect(!page.contains("e-00000002") && !page.contains("w-00000003"))
    #expect(try served.post("\(Self.issue)/silence?reason=%3Cb%3E&for=ever", [asker]).status == 202)
    let after = try served.text("/actions/Greeter", [asker])
    #expect(after.contains(": “&lt;b&gt;”<form method=post action=\"\(Self.issue)/unsilence\">"))
    #expect(!after.contains("\(Self.issue)/silence"))
  }
}
