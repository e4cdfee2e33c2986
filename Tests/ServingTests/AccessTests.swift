import FoundationEssentials
import Glibc
import Model
import Testing

@testable import Serving

@Suite("Who may see what")
struct AccessTests {
  private static let targets = [
    "/", "/index.html", "/wall", "/wall.html", "/Greeter", "/Greeter/", "/Greeter/index.html", "/Greeter/2/", "/nope/",
    "/style.css", "/api/v1/bots", "/api/v1/bots/Greeter", "/api/v1/bots/Greeter/branches",
    "/api/v1/bots/Greeter/integrations", "/api/v1/bots/Greeter/trends", "/api/v1/bots/Greeter/tests?test=a",
    "/api/v1/bots/Greeter/issues", "/api/v1/bots/Greeter/integrations/2", "/api/v1/bots/Greeter/integrations/2/tests",
    "/api/v1/bots/Greeter/integrations/2/files", "/api/v1/bots/Greeter/integrations/2/file?path=integration.json",
    "/log/Greeter/2/testing", "/api/v1/queue", "/events", "/metrics", "/feed.atom", "/feed/Greeter.atom", "/cc.xml",
    "/badge/Greeter.svg", "/healthz", "/api/v1/openapi.json",
  ]

  @Test("A home with a bot that somebody may not see answers as one without it, byte for byte", arguments: targets)
  func hidden(target: String) throws {
    let with = try ServedHome(isBehindFront: true)
    let entry = WatchState.Entry(
      bot: "Greeter", branch: "main", commit: CommitID(rawValue: "c"), cause: .commit, since: ServedHome.date)
    try with.tell(
      WatchState(
        asOf: ServedHome.date, bots: [WatchState.BotState(name: "Greeter", repository: "/srv")], waiting: [entry]))
    let without = try ServedHome(numbers: 1...1, isBehindFront: true)
    try FileManager.default.removeItem(atPath: "\(without.path)/site/Greeter")
    try FileManager.default.removeItem(atPath: "\(without.path)/integrations/Greeter")
    try without.tell(WatchState(asOf: ServedHome.date + 9))
    let (one, other) = (try with.get(target), try without.get(target))
    #expect(one.status == other.status)
    #expect(one.headers.map { "\($0.name): \($0.value)" } == other.headers.map { "\($0.name): \($0.value)" })
    #expect(one.wholeBody == other.wholeBody)
    #expect(!String(decoding: one.wholeBody, as: UTF8.self).contains("Change"))
  }

  @Test("On the loopback all is shown until the first token is made, and never again to who has none")
  func open() throws {
    let served = try ServedHome()
    #expect(try served.get("/Greeter/").status == 200)
    let token = try served.token()
    #expect(try served.get("/Greeter/").status == 404)
    #expect(try served.get("/Greeter/", [token.header]).status == 200)
    #expect(served.access.tokens.revoke(token.id))
    #expect(try served.get("/Greeter/", [token.header]).status == 401)
    #expect(try served.get("/Greeter/").status == 404)
  }

  @Test("Where it cannot be told whether a token was made, one was")
  func closed() throws {
    let served = try ServedHome()
    symlink("nowhere", "\(served.path)/access")
    #expect(try served.get("/Greeter/").status == 404)
  }

  @Test("A token is for its bots and its scopes, and a public bot for all")
  func scopes() throws {
    let served = try ServedHome(isBehindFront: true)
    let reader = try served.token([.read], bots: "Gr*").header
    #expect(try served.get("/api/v1/bots/Greeter", [reader]).status == 200)
    #expect(try served.get("/log/Greeter/2/testing", [reader]).status == 404)
    #expect(
      try served.get("/api/v1/bots/Greeter/integrations/2/file?path=log/testing.log", [reader]).status == 404)
    try served.write("<!DOCTYPE html>\n<title>Log</title>\n", to: "site/Greeter/2/log/testing.html")
    for bots in ["Gr*", "*"] {
      let target = "/Greeter/2/log/testing.html"
      #expect(try served.get(target, [served.token([.read], bots: bots).header]).status == 404)
      #expect(try served.get(target, [served.token(bots: bots).header]).status == 200)
    }
    let other = try served.token(bots: "other").header
    #expect(try served.get("/api/v1/bots/Greeter", [other]).status == 404)
    #expect(try served.get("/api/v1/bots/Greeter", [("X-User", "ada")]).status == 200)
    try served.tell(
      WatchState(
        asOf: ServedHome.date,
        bots: [WatchState.BotState(name: "Greeter", repository: "/srv", visibility: .public)]))
    #expect(try served.get("/log/Greeter/2/testing").status == 200)
    #expect(try served.text("/").contains("Greeter"))
  }

  @Test("Who follows a log with a token that is revoked is cut off")
  func cutOff() throws {
    let served = try ServedHome(isBehindFront: true)
    var time = 0.0
    served.site.steadyClock = { time }
    let token = try served.token()
    try served.write("one\n", to: "integrations/Greeter/9/log/building.log")
    guard case .stream(let pieces) = try served.get("/log/Greeter/9/building", [token.header]).body else {
      Issue.record("no stream")
      return
    }
    #expect(pieces.next(atMost: 9) == .bytes(Array("one\n".utf8)))
    #expect(served.access.tokens.revoke(token.id))
    time = 1
    #expect(pieces.next(atMost: 9) == .broken)
  }

  @Test("Wrong tokens are a problem, then slowed down, and what is remembered of them is bounded")
  func throttled() throws {
    let served = try ServedHome(isBehindFront: true)
    served.access.steadyClock = { 0 }
    let wrong = [("Authorization", "Bearer x"), ("X-Forwarded-For", "192.0.2.1")]
    for _ in 0..<10 { #expect(try served.get("/", wrong).status == 401) }
    let slowed = try served.get("/", wrong)
    #expect(slowed.status == 429)
    #expect(slowed.header("Retry-After") == "6")
    #expect(
      String(decoding: slowed.wholeBody, as: UTF8.self)
        == "{\"detail\":\"Too many wrong tokens or signatures came from there. Wait 6 seconds.\",\"status\":429,\"title\":\"Too Many Requests\",\"type\":\"about:blank\"}\n"
    )
    #expect(try served.get("/", [try served.token().header, wrong[1]]).status == 200)
    served.access.steadyClock = { 6 }
    #expect(try served.get("/", wrong).status == 401)
    // However many others guess, a right token is taken.
    for source in 0..<5000 { served.access.noteWrong("\(source)") }
    #expect(try served.get("/", [served.token().header, ("X-Forwarded-For", "192.0.2.9")]).status == 200)
    #expect(AccessGate.network(of: "2001:db8:1:2:3::4") == AccessGate.network(of: "2001:db8:1:2::"))
    #expect(AccessGate.network(of: "2001:db8:1:2::") != AccessGate.network(of: "2001:db8:1:3::"))
    #expect(AccessGate.network(of: "192.0.2.1") == "192.0.2.1")
    var throttle = Throttle()
    for source in 0..<5000 { throttle.note("\(source)", now: 0) }
    #expect(throttle.sourceCount <= Throttle.mostSources + 1)
  }
}
