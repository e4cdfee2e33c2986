import FoundationEssentials
import Model
import Testing

@testable import Serving

/// Calls of forges, with the example of GitHub's documentation
/// (https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation).
@Suite("Calls of forges")
struct HookTests {
  private let served: ServedHome
  private let body = "Hello, World!"
  private let signature = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"

  init() throws {
    served = try ServedHome(isBehindFront: true)
    try served.tell(
      WatchState(
        asOf: ServedHome.date,
        bots: [
          WatchState.BotState(name: "Greeter", repository: "/srv/Greeter.git", hookSecret: "HOOK_KEY"),
          WatchState.BotState(name: "Deaf", repository: "/srv/Deaf.git"),
          WatchState.BotState(name: "Poor", repository: "/srv/Poor.git", hookSecret: "NO_VALUE"),
        ]))
  }

  @Test("Each forge's proof has the watcher look at the repository", arguments: [0, 1, 2, 3])
  func proofs(forge: Int) throws {
    let proof = [
      ("X-Hub-Signature-256", "sha256=\(signature)"), ("X-Forgejo-Signature", signature),
      ("X-Gitea-Signature", signature), ("X-Gitlab-Token", "It's a Secret to Everybody"),
    ][forge]
    let answer = try served.post("/hooks/Greeter", [proof], body: body)
    #expect(answer.status == 202)
    #expect(
      String(decoding: answer.wholeBody, as: UTF8.self) == "{\"integrations\":[],\"message\":\"Noted.\"}\n")
    #expect(served.watcher.orders == [ControlRequest(.notify, repository: "/srv/Greeter.git", bot: "Greeter")])
  }

  @Test(
    "What is not proved, or for no bot that takes calls, is refused in one way",
    arguments: [
      ("Greeter", "X-Hub-Signature-256", "sha256=757107ea"), ("Greeter", "X-Gitlab-Token", "guess"),
      ("Greeter", "X-Other", "x"), ("Deaf", "X-Gitlab-Token", ""), ("Poor", "X-Gitlab-Token", ""),
      ("nope", "X-Gitlab-Token", ""),
    ])
  func unproved(bot: String, name: String, value: String) throws {
    let answer = try served.post("/hooks/\(bot)", [(name, value)], body: body)
    #expect(answer.status == 404)
    #expect(
      String(decoding: answer.wholeBody, as: UTF8.self)
        == "{\"detail\":\"No bot of this name takes such calls, or the secret or the signature is wrong. 'martlet help serve' tells more.\",\"status\":404,\"title\":\"Not Found\",\"type\":\"about:blank\"}\n"
    )
    #expect(served.watcher.orders.isEmpty)
  }

  @Test("What is read for a call is the same whoever is called, so that the time of an answer tells of no bot")
  func work() throws {
    var time = 0.0
    (served.site.steadyClock, served.access.steadyClock) = ({ time }, { time })
    for bot in ["Greeter", "Deaf", "Poor", "nope", "Greeter"] {
      served.secretReads.bots = []
      let answers = try (0..<2).map { _ in try served.post("/hooks/\(bot)", [("X-Gitlab-Token", "guess")], body: body) }
      #expect(answers.map(\.status) == [404, 404])
      #expect(served.secretReads.bots == ["Greeter", "Poor"], "\(bot)")
      time += 20
    }
  }

  @Test("A bot that begins to take calls is known at once, and a secret that is changed after a second")
  func changed() throws {
    var time = 0.0
    served.site.steadyClock = { time }
    var hooks = HookedBots()
    var secret = "one"
    let request = try HTTPRequest(
      method: "POST", target: "/hooks/a", headers: [("Host", "localhost"), ("X-Gitlab-Token", "two")], host: .loopback)
    let state = WatchState(
      asOf: ServedHome.date, bots: [WatchState.BotState(name: "a", repository: "/srv/a", hookSecret: "KEY")])
    hooks.look(at: nil, now: time) { _, _ in secret }
    hooks.look(at: state, now: time) { _, _ in secret }
    #expect(hooks.repository(of: "a", provedBy: request) == nil)
    secret = "two"
    time = 1
    hooks.look(at: state, now: time) { _, _ in secret }
    #expect(hooks.repository(of: "a", provedBy: request) == "/srv/a")
    #expect(hooks.repository(of: "b", provedBy: request) == nil)
  }

  @Test("A right proof does not help beside a wrong one")
  func mixed() throws {
    let proofs = [("X-Hub-Signature-256", "sha256=\(signature)"), ("X-Gitlab-Token", "guess")]
    #expect(try served.post("/hooks/Greeter", proofs, body: body).status == 404)
  }

  @Test("The same call is taken once, unless no watcher took it")
  func replayed() throws {
    let proof = [("X-Hub-Signature-256", "sha256=\(signature)")]
    served.watcher.says(.absent)
    #expect(try served.post("/hooks/Greeter", proof, body: body).status == 503)
    served.watcher.says(.taken(message: "Noted.", []))
    #expect(try served.post("/hooks/Greeter", proof, body: body).status == 202)
    let again = try served.post("/hooks/Greeter", proof, body: body)
    #expect(again.status == 409)
    #expect(String(decoding: again.wholeBody, as: UTF8.self).contains("\"This very call was taken before.\""))
    #expect(served.watcher.orders.count == 2)
  }

  @Test("The same call is taken once, though it comes again before the watcher has answered")
  func doubled() throws {
    let proof = [("X-Hub-Signature-256", "sha256=\(signature)")]
    served.watcher.isSilent(true)
    defer { served.watcher.isSilent(false) }
    let first = try served.send("/hooks/Greeter", proof, body: body)
    #expect(try served.send("/hooks/Greeter", proof, body: body).status == 409)
    guard case .later = first.body else {
      Issue.record("the first was not passed on")
      return
    }
  }

  @Test("GitLab's calls are told apart by their key, and a signed one is not by what anybody can add to it")
  func keyed() throws {
    let secret = ("X-Gitlab-Token", "It's a Secret to Everybody")
    for (key, status) in [("1", 202), ("1", 409), ("2", 202)] {
      #expect(try served.post("/hooks/Greeter", [secret, ("Idempotency-Key", key)], body: body).status == status)
    }
    let signed = ("X-Hub-Signature-256", "sha256=\(signature)")
    for (key, status) in [("3", 202), ("4", 409)] {
      #expect(try served.post("/hooks/Greeter", [signed, ("Idempotency-Key", key)], body: body).status == status)
    }
  }

  @Test("Who guesses is slowed down, and keeps no other address from calling")
  func guesses() throws {
    served.access.steadyClock = { 0 }
    let guess = [("X-Gitlab-Token", "guess"), ("X-Forwarded-For", "192.0.2.1")]
    for _ in 0..<10 { #expect(try served.post("/hooks/Greeter", guess, body: body).status == 404) }
    #expect(try served.post("/hooks/Greeter", guess, body: body).status == 429)
    let proof = [("X-Gitlab-Token", "It's a Secret to Everybody"), ("X-Forwarded-For", "192.0.2.2")]
    #expect(try served.post("/hooks/Greeter", proof, body: body).status == 202)
  }

  @Test("Who guesses locks out no call that is proved, though it comes from the same address")
  func sameAddress() throws {
    served.access.steadyClock = { 0 }
    let address = ("X-Forwarded-For", "192.0.2.1")
    for _ in 0..<10 {
      #expect(try served.post("/hooks/Greeter", [("X-Gitlab-Token", "guess"), address], body: body).status == 404)
    }
    let proof = [("X-Hub-Signature-256", "sha256=\(signature)"), address]
    #expect(try served.post("/hooks/Greeter", proof, body: body).status == 202)
    let secret = [("X-Gitlab-Token", "It's a Secret to Everybody"), address]
    #expect(try served.post("/hooks/Greeter", secret, body: body).status == 429, "It can be guessed.")
    #expect(try served.post("/hooks/Greeter", [("X-Gitlab-Token", "guess"), address], body: body).status == 429)
  }

  @Test("A call that was overheard is no use after the server has started anew, nor after any number for other bots")
  func remembered() throws {
    let proof = [("X-Hub-Signature-256", "sha256=\(signature)")]
    #expect(try served.post("/hooks/Greeter", proof, body: body).status == 202)
    for number in 0..<200 {
      #expect(try TakenCalls(of: served.home).take(SHA256.hash(Array("\(number)".utf8)), of: "Other"))
    }
    let again = served.restarted()
    let request = try HTTPRequest(
      method: "POST", target: "/hooks/Greeter", headers: [("Host", "localhost")] + proof, body: Array(body.utf8),
      host: .loopback)
    #expect(again.answer(request).status == 409)
  }

  @Test("What is remembered of a bot's calls is bounded: the oldest goes")
  func bounded() throws {
    let taken = TakenCalls(of: served.home)
    func digest(_ number: Int) -> [UInt8] { SHA256.hash(Array("\(number)".utf8)) }
    let all = (0..<TakenCalls.most).flatMap { digest($0).prefix(8) }
    #expect(try taken.take(digest(0), of: "Greeter"))
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: "\(served.path)/hooks").first)
    try Data(all).write(to: URL(filePath: "\(served.path)/hooks/\(name)"))
    #expect(try !taken.take(digest(0), of: "Greeter"))
    #expect(try taken.take(digest(TakenCalls.most), of: "Greeter"))
    #expect(taken.marks(of: "Greeter").count == TakenCalls.most)
    #expect(try !taken.take(digest(1), of: "Greeter"))
    #expect(try taken.take(digest(0), of: "Greeter"))
  }

  @Test("A call that cannot be noted is not taken, and says why")
  func unnoted() throws {
    try served.write("in the way", to: "hooks")
    let answer = try served.post("/hooks/Greeter", [("X-Hub-Signature-256", "sha256=\(signature)")], body: body)
    #expect(answer.status == 503)
    #expect(served.watcher.orders.isEmpty)
  }
}
