import Model
import Testing

@testable import Serving

@Suite("What the watcher is asked by way of the server")
struct OrderTests {
  private let served: ServedHome
  private let asker: (name: String, value: String)

  init() throws {
    served = try ServedHome(isBehindFront: true)
    asker = try served.token([.read, .ask]).header
    try served.tell(
      WatchState(
        asOf: ServedHome.date,
        bots: [WatchState.BotState(name: "Greeter", repository: "/srv", hookSecret: "HOOK_KEY")]))
  }

  private func said(_ answer: HTTPAnswer) -> String { String(decoding: answer.wholeBody, as: UTF8.self) }

  @Test("An order reaches the watcher as it was said, in the address or as a form, and the answer is the watcher's")
  func orders() throws {
    served.watcher.says(
      .taken(message: nil, [QueuedAnswer(bot: "Greeter", number: nil, ref: "main", commit: "abc")]))
    let answer = try served.post("/api/v1/bots/Greeter/integrate?commit=topic~1", [asker])
    #expect(answer.status == 202)
    #expect(said(answer) == "{\"integrations\":[{\"bot\":\"Greeter\",\"commit\":\"abc\",\"ref\":\"main\"}]}\n")
    #expect(answer.header("Content-Security-Policy") != nil)
    let form = [asker, ("Content-Type", "application/x-www-form-urlencoded")]
    #expect(try served.post("/api/v1/bots/Greeter/integrate", form, body: "commit=v1").status == 202)
    for verb in ["rerun", "cancel", "pin", "unpin"] {
      #expect(try served.post("/api/v1/bots/Greeter/integrations/2/\(verb)", [asker]).status == 202)
    }
    #expect(try served.post("/api/v1/bots/Greeter/cancel", [asker]).status == 202)
    #expect(
      served.watcher.orders == [
        ControlRequest(.integrate, bot: "Greeter", commit: "topic~1"),
        ControlRequest(.integrate, bot: "Greeter", commit: "v1"), ControlRequest(.rerun, bot: "Greeter", number: 2),
        ControlRequest(.cancel, bot: "Greeter", number: 2), ControlRequest(.pin, bot: "Greeter", number: 2),
        ControlRequest(.unpin, bot: "Greeter", number: 2), ControlRequest(.cancel, bot: "Greeter"),
      ])
  }

  @Test("A revision that is longer than any is refused before the watcher is asked")
  func longRevision() throws {
    let form = [asker, ("Content-Type", "application/x-www-form-urlencoded")]
    func answer(_ length: Int) throws -> HTTPAnswer {
      try served.post(
        "/api/v1/bots/Greeter/integrate", form, body: "commit=\(String(repeating: "a", count: length))")
    }
    #expect(try answer(1000).status == 202)
    let refused = try answer(1001)
    #expect(refused.status == 400)
    #expect(said(refused).contains("\"detail\":\"'commit' has more than 1000 characters.\""))
    #expect(served.watcher.orders.count == 1)
  }

  @Test("What the watcher refuses is told with its reason, and nothing about bots of others")
  func refused() throws {
    let replies: [(WatcherReply, Int, String)] = [
      (.refused("Greeter 2 is over: succeeded."), 409, "Greeter 2 is over: succeeded."),
      (.unknownBot, 404, "There is no such bot. /api/v1/bots lists those that there are."),
      (.absent, 503, "No watcher runs, so nothing can be asked of it. Start one with 'martlet watch'."),
      (.failed("The watcher is stopping. Ask the next one."), 503, "The watcher is stopping. Ask the next one."),
    ]
    for (reply, status, words) in replies {
      served.watcher.says(reply)
      let answer = try served.post("/api/v1/bots/Greeter/integrations/2/cancel", [asker])
      #expect(answer.status == status)
      #expect(said(answer).contains("\"detail\":\"\(words)\""), "\(said(answer))")
    }
  }

  @Test("Who may only look may not ask, and who may not even look learns nothing")
  func rights() throws {
    let reader = try served.token([.read, .log]).header
    let answer = try served.post("/api/v1/bots/Greeter/integrate", [reader])
    #expect(answer.status == 403)
    #expect(
      said(answer)
        == "{\"detail\":\"That takes a token with the scope 'ask'. 'martlet tokens new --scope read,log,ask' makes one.\",\"status\":403,\"title\":\"Forbidden\",\"type\":\"about:blank\"}\n"
    )
    let other = try served.token([.read, .ask], bots: "other").header
    for headers in [[], [other]] {
      let hidden = try served.post("/api/v1/bots/Greeter/integrate", headers)
      let absent = try served.post("/api/v1/bots/nope/integrate", headers)
      #expect(hidden.status == 404)
      #expect(hidden.wholeBody == absent.wholeBody)
    }
    #expect(served.watcher.orders.isEmpty)
  }

  @Test("That everybody may see a bot lets nobody ask")
  func publicBot() throws {
    try served.tell(
      WatchState(
        asOf: ServedHome.date,
        bots: [WatchState.BotState(name: "Greeter", repository: "/srv", visibility: .public)]))
    #expect(try served.get("/Greeter/").status == 200)
    #expect(try served.post("/api/v1/bots/Greeter/integrate").status == 403)
    #expect(served.watcher.orders.isEmpty)
  }

  @Test("On the loopback nobody is asked for who sees, but for who asks")
  func loopback() throws {
    let open = try ServedHome()
    #expect(try open.get("/Greeter/").status == 200)
    #expect(try open.post("/api/v1/bots/Greeter/integrate").status == 403)
  }

  @Test(
    "A page of another site cannot have a browser ask",
    arguments: [("Origin", "https://evil.example"), ("Sec-Fetch-Site", "cross-site"), ("Origin", "null")])
  func foreign(name: String, value: String) throws {
    let answer = try served.post("/api/v1/bots/Greeter/integrate", [("X-User", "ada"), (name, value)])
    #expect(answer.status == 403)
    #expect(said(answer).contains("\"detail\":\"The request comes from a page of another site.\""))
    #expect(
      try served.post("/api/v1/bots/Greeter/integrate", [("X-User", "ada"), ("Origin", "http://localhost:8410")]).status
        == 202)
  }

  @Test("What is sent where nothing is taken, and asked where only something sent is, is refused in words")
  func methods() throws {
    let sent = try served.post("/Greeter/", [asker])
    #expect(sent.status == 405)
    #expect(sent.header("Allow") == "GET, HEAD")
    #expect(said(sent).contains("\"This address is asked with GET or HEAD.\""))
    let asked = try served.get("/api/v1/bots/Greeter/integrate", [asker])
    #expect(asked.status == 405)
    #expect(asked.header("Allow") == "POST")
    #expect(said(asked).contains("\"This address is asked with POST.\""))
    #expect(try served.get("/login", [asker], method: "PUT").header("Allow") == "GET, HEAD, POST")
    for target in ["/Greeter/", "/api/v1/bots", "/wall"] {
      #expect(try served.get(target, [asker], method: "PUT").header("Allow") == "GET, HEAD", "\(target)")
    }
    let unknown = try served.post("/api/v1/bots/Greeter/integrate?when=now", [asker])
    #expect(said(unknown).contains("\"There is no parameter 'when' here. It takes commit.\""))
  }

  @Test("A watcher that says nothing is not waited for longer than ten seconds")
  func silent() throws {
    var time = 0.0
    served.site.steadyClock = { time }
    let request = try HTTPRequest(
      method: "POST", target: "/api/v1/bots/Greeter/cancel", headers: [("Host", "localhost"), asker], host: .loopback)
    served.watcher.isSilent(true)
    defer { served.watcher.isSilent(false) }
    guard case .later(let make) = served.site.answer(request).body else {
      Issue.record("an answer at once")
      return
    }
    #expect(make() == nil)
    time = 10.5
    let answer = try #require(make())
    #expect(answer.status == 503)
    #expect(
      said(answer).contains("\"No answer came within 10 seconds. What was asked may still be done.\""))
  }
}
