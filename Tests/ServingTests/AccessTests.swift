import FoundationEssentials
import Glibc
import Model
import Testing

@testable import Serving

@Suite("Who may see what")
struct AccessTests {
  private static let pages = [
    "/", "/index.html", "/wall.html", "/machines.html", "/Greeter", "/Greeter/", "/Greeter/index.html", "/Greeter/2/",
    "/Greeter/2/log/testing.html", "/nope/", "/style.css", "/api/v1/nope", "/login?next=/Greeter/",
  ]

  /// Who may not see the bot: nobody who is known, and who has a token for others, with a browser or without.
  enum Stranger: CaseIterable {
    case nobody, ofOthers, ofOthersWithBrowser

    func headers(in served: ServedHome) throws -> [(name: String, value: String)] {
      if self == .nobody { return [] }
      let made = try served.access.tokens.make(
        name: "robot", scopes: AccessToken.Scope.allCases, bots: "Oth*", days: 1, at: ServedHome.date)
      return [("Authorization", "Bearer \(made.text)")] + (self == .ofOthers ? [] : [("Accept", "text/html")])
    }
  }

  /// A home with the bot Other, and with Greeter or without.
  private static func home(withGreeter isWhole: Bool) throws -> ServedHome {
    let served = try ServedHome(numbers: isWhole ? 1...3 : nil, isBehindFront: true)
    for number in 1...2 {
      var document = ServedHome.document(number)
      (document.bot, document.commit.summary) = ("Other", "Other's")
      try served.add(document)
    }
    if !isWhole { try FileManager.default.removeItem(atPath: "\(served.path)/site/Greeter") }
    if isWhole { try Data("Greeter".utf8).write(to: URL(fileURLWithPath: "\(served.path)/site/machines.html")) }
    let entry = WatchState.Entry(
      bot: "Greeter", branch: "main", commit: CommitID(rawValue: "c"), cause: .commit, since: ServedHome.date)
    let hidden = WatchState.BotState(name: "Greeter", repository: "/srv", hookSecret: "HOOK_KEY")
    let other = WatchState.BotState(name: "Other", repository: "/srv/other", hookSecret: "HOOK_KEY")
    try served.tell(
      WatchState(
        asOf: ServedHome.date + (isWhole ? 0 : 9), bots: (isWhole ? [hidden] : []) + [other],
        waiting: isWhole ? [entry] : []))
    return served
  }

  /// The headers; the name of a file's state tells where on the disk it lies, which is another place in each home.
  private static func told(_ answer: HTTPAnswer) -> [String] {
    var isFile = false
    if case .file = answer.body { isFile = true }
    return answer.headers.filter { !isFile || $0.name != "ETag" }.map { "\($0.name): \($0.value)" }
  }

  /// What an endpoint is asked with, as far as it has to be.
  private static func call(_ endpoint: Endpoint, of bot: String) -> (target: String, body: String) {
    var path = endpoint.path
    for (name, value) in [("bot", bot), ("number", "2"), ("step", "testing"), ("issue", "abc")] {
      path = path.replacing("{\(name)}", with: value)
    }
    let said = endpoint.parameters.filter { $0.isRequired && $0.place != .path }.map { "\($0.name)=log/testing.log" }
      .joined(separator: "&")
    return endpoint.method == .post ? (path, said) : (said.isEmpty ? path : "\(path)?\(said)", "")
  }

  @Test(
    "A home with a bot that somebody may not see answers as one without it, byte for byte, however it is asked",
    arguments: Stranger.allCases)
  func hidden(stranger: Stranger) throws {
    let (with, without) = (try Self.home(withGreeter: true), try Self.home(withGreeter: false))
    let headers = (try stranger.headers(in: with), try stranger.headers(in: without))
    func compare(_ target: String, _ method: String, body: String = "") throws {
      func answer(_ served: ServedHome, _ headers: [(name: String, value: String)]) throws -> HTTPAnswer {
        guard method == "POST" else { return try served.get(target, headers, method: method) }
        let form = (name: "Content-Type", value: "application/x-www-form-urlencoded")
        return try served.post(target, headers + [form, ("X-Gitlab-Token", "guess")], body: body)
      }
      let (one, other) = (try answer(with, headers.0), try answer(without, headers.1))
      #expect(one.status == other.status, "\(method) \(target)")
      #expect(Self.told(one) == Self.told(other), "\(method) \(target)")
      #expect(one.wholeBody == other.wholeBody, "\(method) \(target)")
    }
    let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]
    for method in methods { for page in Self.pages { try compare(page, method) } }
    for endpoint in Endpoints.all {
      for bot in ["Greeter", "Other"] {
        let (target, body) = Self.call(endpoint, of: bot)
        for method in methods { try compare(target, method, body: body) }
      }
    }
    #expect(with.watcher.orders == without.watcher.orders)
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

  @Test("The logs of every destination are for tokens with the scope 'log' only")
  func logsOfDestinations() throws {
    let served = try ServedHome(isBehindFront: true)
    let (reader, other) = (try served.token([.read]).header, try served.token().header)
    let cell = "cells/release-0a1b2c3d"
    let file = "\(cell)/log/testing"
    try served.write("<!DOCTYPE html>\n<title>Log</title>\n", to: "site/Greeter/2/\(file).html")
    try served.write("<!DOCTYPE html>\n<title>Release</title>\n", to: "site/Greeter/2/\(cell)/index.html")
    try served.write("line\n", to: "integrations/Greeter/2/\(file).log")
    let integration = "/api/v1/bots/Greeter/integrations/2"
    for target in ["/Greeter/2/\(file).html", "\(integration)/file?path=\(file).log"] {
      #expect(try served.get(target, [reader]).status == 404, "\(target)")
      #expect(try served.get(target, [other]).status == 200, "\(target)")
    }
    #expect(try served.get("/Greeter/2/\(cell)/", [reader]).status == 200)
    #expect(try !served.text("\(integration)/files", [reader]).contains("\(file).log"))
    #expect(try served.text("\(integration)/files", [other]).contains("\(file).log"))
  }

  @Test("A token that could not be read again is not made")
  func longToken() throws {
    let served = try ServedHome()
    let tokens = served.access.tokens
    func make(_ name: String, bots: String) throws -> String {
      try tokens.make(name: name, scopes: [.read], bots: bots, days: 1, at: ServedHome.date).token.id
    }
    func message(_ name: String, bots: String) -> String? {
      do {
        _ = try make(name, bots: bots)
        return nil
      } catch {
        return "\(error)"
      }
    }
    func sentence(_ bytes: Int) -> String {
      "cannot make the token: its file would have \(bytes) bytes, and 4096 are the most. Shorten --name or --bots."
    }
    let text = { (count: Int) in String(repeating: "a", count: count) }
    #expect(message(text(9000), bots: "*")?.hasPrefix("cannot make the token: its file would have 9") == true)
    #expect(!tokens.wereMade)
    let id = try make("a", bots: "*")
    let room = 4096 - (try Data(contentsOf: URL(filePath: "\(served.path)/access/\(id).json")).count)
    #expect(message(text(room + 2), bots: "*") == sentence(4097))
    #expect(message("a", bots: text(room + 2)) == sentence(4097))
    #expect(try tokens.token(make(text(room + 1), bots: "*"))?.name == text(room + 1))
    #expect(tokens.all().count == 2)
  }

  @Test("Whom the front names may do what the server was started with, and no more")
  func front() throws {
    let served = try ServedHome(isBehindFront: true)
    let ada = [("X-User", "ada")]
    #expect(try served.get("/actions/Greeter", ada).status == 200)
    let access = AccessGate(
      of: served.home, isPrivate: true, trustedHeader: "X-User", trustedScopes: [.read], clock: { ServedHome.date })
    let site = served.restarted(access)
    for (target, status) in [("/Greeter/", 200), ("/actions/Greeter", 403), ("/log/Greeter/2/testing", 404)] {
      let request = try HTTPRequest(
        method: "GET", target: target, headers: [("Host", "localhost")] + ada, host: .loopback)
      #expect(site.answer(request).status == status, "\(target)")
    }
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
    #expect(throttle.tries.count <= Throttle.mostSources + 1)
  }
}
