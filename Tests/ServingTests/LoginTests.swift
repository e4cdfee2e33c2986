import FoundationEssentials
import Model
import Testing

@testable import Serving

@Suite("People who log in")
struct LoginTests {
  private let served: ServedHome
  private static let form = (name: "Content-Type", value: "application/x-www-form-urlencoded")
  private static let browser = (name: "Accept", value: "text/html,*/*")

  init() throws {
    served = try ServedHome(isBehindFront: true)
    try served.tell(
      WatchState(asOf: ServedHome.date, bots: [WatchState.BotState(name: "Greeter", repository: "/srv")]))
  }

  private func text(_ answer: HTTPAnswer) -> String { String(decoding: answer.wholeBody, as: UTF8.self) }

  /// Logs in with a token as a browser does; gives the cookie.
  private func cookie(_ token: (id: String, header: (name: String, value: String))) throws -> (String, String) {
    let answer = try served.post("/login", [Self.form], body: "token=\(token.header.value.dropFirst(7))&next=/Greeter/")
    #expect(answer.status == 303)
    #expect(answer.header("Location") == "/Greeter/")
    let said = try #require(answer.header("Set-Cookie"))
    #expect(said.hasSuffix("; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax"))
    return ("Cookie", "other=1; \(said.split(separator: ";")[0])")
  }

  @Test("A token opens a session, which ends with it")
  func session() throws {
    let token = try served.token()
    let cookie = try cookie(token)
    #expect(try served.get("/Greeter/").status == 404)
    #expect(try served.get("/Greeter/", [cookie]).status == 200)
    #expect(try text(served.get("/login", [cookie])).contains("<h1>Logged in as \(token.id)</h1>"))
    #expect(served.access.tokens.revoke(token.id))
    #expect(try served.get("/Greeter/", [cookie]).status == 404)
  }

  @Test("A cookie that somebody made up, changed or kept too long opens nothing")
  func forged() throws {
    let token = try served.token()
    let (name, value) = try cookie(token)
    let end = try #require(value.last)
    let text = value.dropFirst("other=1; martlet-session=".count)
    let parts = text.split(separator: ".")
    for wrong in [
      "martlet-session=\(text.dropLast())\(end == "0" ? "1" : "0")", "martlet-session=",
      "martlet-session=\(parts[0]).\(parts[1])9.\(parts[2])", "martlet-session=\(token.id).9999999999.",
    ] {
      #expect(try served.get("/Greeter/", [(name, wrong)]).status == 404, "\(wrong)")
    }
    let key = try #require(served.access.tokens.key)
    let old = Session(id: token.id, expiry: Int(ServedHome.date.timeIntervalSince1970) - 1, signedWith: key)
    #expect(try served.get("/Greeter/", [(name, "martlet-session=\(old.text)")]).status == 404)
  }

  @Test("A wrong token is a problem, told on a page, and a page of another site cannot log anybody in or out")
  func wrong() throws {
    let answer = try served.post("/login", [Self.form, Self.browser], body: "token=nope&next=/")
    #expect(answer.status == 401)
    #expect(
      text(answer).contains(
        "<p>The token is wrong, expired or revoked. &#39;martlet tokens new&#39; makes another.</p>\n<p><a href=/login>"
      ))
    let foreign = ("Origin", "https://evil.example")
    #expect(try served.post("/login", [Self.form, foreign], body: "token=nope").status == 403)
    #expect(try served.post("/logout", [foreign]).status == 403)
    let out = try served.post("/logout")
    #expect(out.header("Set-Cookie") == "martlet-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax")
  }

  @Test("A cookie that came by TLS never goes without")
  func secure() throws {
    let token = try served.token().header.value.dropFirst(7)
    let answer = try served.post("/login", [Self.form, ("X-Forwarded-Proto", "https")], body: "token=\(token)")
    #expect(answer.header("Set-Cookie")?.hasSuffix("; Secure") == true)
    #expect(answer.header("Location") == "/")
  }

  @Test(
    "Nobody is led to another site",
    arguments: ["//evil.example", "https://evil.example", "/\\evil.example", "/a\r\nb", "evil", ""])
  func elsewhere(next: String) {
    #expect(SiteServer.ownPath(next) == "/")
    #expect(SiteServer.ownPath("/Greeter/2/index.html?a=b#c") == "/Greeter/2/index.html?a=b#c")
  }

  @Test("The form to log in is whole without script, and its policy allows just that")
  func form() throws {
    let answer = try served.get("/login?next=/Greeter/%22%3E")
    #expect(text(answer).contains("<input type=hidden name=next value=\"/Greeter/&quot;&gt;\">"))
    #expect(answer.header("Content-Security-Policy")?.contains("form-action 'self'") == true)
    #expect(answer.header("Cache-Control") == "no-store")
    #expect(try text(served.get("/nope", [Self.browser])).contains("<a href=/login>Log in</a>"))
    #expect(try text(served.get("/")).contains("<a href=\"/login\">Log in</a>"))
  }

  @Test("Who may ask has a page with the forms for it, and is answered with a page")
  func actions() throws {
    let cookie = try cookie(try served.token([.read, .ask]))
    let page = try text(served.get("/actions/Greeter", [cookie]))
    #expect(page.contains("<form method=post action=\"/api/v1/bots/Greeter/integrate\">"))
    #expect(page.contains("<form method=post action=\"/api/v1/bots/Greeter/integrations/3/rerun\">"))
    let answer = try served.post("/api/v1/bots/Greeter/integrate", [cookie, Self.form, Self.browser], body: "commit=")
    #expect(answer.status == 202)
    #expect(text(answer).contains("<p class=lead>Noted.</p>"))
    #expect(served.watcher.orders == [ControlRequest(.integrate, bot: "Greeter")])
    let reader = try self.cookie(try served.token())
    #expect(try served.get("/actions/Greeter", [reader]).status == 403)
    #expect(try served.get("/actions/Greeter").status == 404)
  }
}
