import FoundationEssentials
import Glibc
import Integrating
import Model
import Testing

@testable import Serving

@Suite("Pages as they are served")
struct PagesTests {
  private let served: ServedHome

  init() throws { served = try ServedHome() }

  private static let absent = "This page does not exist, or needs a login."

  private func problem(_ answer: HTTPAnswer) throws -> JSONTree {
    try JSONDecoder().decode(JSONTree.self, from: Data(answer.wholeBody))
  }

  @Test("The bytes are those of the disk, and a folder stands for its index")
  func bytes() throws {
    #expect(try served.text("/") == "<!DOCTYPE html>\n<title>All bots</title>\n")
    #expect(try served.text("/index.html") == served.text("/"))
    #expect(try served.text("/Greeter/") == "<!DOCTYPE html>\n<title>Greeter</title>\n")
    let answer = try served.get("/Greeter")
    #expect(answer.status == 308)
    #expect(answer.header("Location") == "/Greeter/")
    try served.write("x", to: "site/a b/index.html")
    #expect(try served.get("/a%20b").header("Location") == "/a%20b/")
  }

  @Test("Every answer says what a browser may do with it")
  func headers() throws {
    for target in ["/", "/nope", "/healthz", "/api/v1/nope", "/Greeter"] {
      let answer = try served.get(target)
      #expect(
        answer.header("Content-Security-Policy")
          == "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "\(target)")
      #expect(answer.header("X-Content-Type-Options") == "nosniff")
      #expect(answer.header("Cross-Origin-Resource-Policy") == "same-origin")
      #expect(answer.header("Cache-Control") == "no-cache")
    }
  }

  @Test(
    "Nothing beside the site is reached",
    arguments: [
      "/../secret.html", "/%2e%2e/secret.html", "/..%2fsecret.html", "/Greeter/../../secret.html", "/./index.html",
      "//index.html", "/Greeter//index.html", "/%00", "/index.html%00.png", "/index.html/", "/.hidden",
      "/.1.new/index.html",
      "/Greeter/index.html/x", "/link.html", "/linked/secret.html", "/pipe", "/nope",
    ])
  func outside(target: String) throws {
    try served.write("hidden", to: "site/.hidden")
    try served.write("half", to: "site/.1.new/index.html")
    symlink("../secret.html", "\(served.path)/site/link.html")
    symlink("..", "\(served.path)/site/linked")
    mkfifo("\(served.path)/site/pipe", 0o644)
    let answer = try served.get(target)
    #expect(answer.status == 404)
    #expect(try problem(answer)["detail"] == .text(Self.absent))
  }

  @Test("A site that is elsewhere by a link of its owner's is served")
  func movedSite() throws {
    rename("\(served.path)/site", "\(served.path)/elsewhere")
    symlink("elsewhere", "\(served.path)/site")
    #expect(try served.get("/").status == 200)
  }

  @Test("What a reader has already is not sent again, until it changes")
  func entityTags() throws {
    let first = try served.get("/")
    let tag = try #require(first.header("ETag"))
    let again = try served.get("/", [("If-None-Match", "\"x\", W/\(tag)")])
    #expect(again.status == 304)
    #expect(again.wholeBody.isEmpty)
    #expect(again.header("ETag") == tag)
    #expect(again.header("Content-Security-Policy") != nil)
    // Caches take over what the later answer says.
    let badge = try served.get("/badge/Greeter.svg")
    let known = try served.get("/badge/Greeter.svg", [("If-None-Match", badge.header("ETag") ?? "")])
    #expect(known.status == 304)
    #expect(badge.header("Cross-Origin-Resource-Policy") == "cross-origin")
    #expect(known.header("Cross-Origin-Resource-Policy") == "cross-origin")
    try served.write("new", to: "site/index.html.new")
    rename("\(served.path)/site/index.html.new", "\(served.path)/site/index.html")
    let changed = try served.get("/", [("If-None-Match", tag)])
    #expect(changed.status == 200)
    #expect(changed.wholeBody == Array("new".utf8))
  }

  @Test("A part of a file is sent alone, if it is still of the same file")
  func ranges() throws {
    let part = try served.get("/", [("Range", "bytes=2-8")])
    #expect(part.status == 206)
    #expect(part.wholeBody == Array("DOCTYPE".utf8))
    #expect(part.length == 7)
    #expect(part.header("Content-Range") == "bytes 2-8/40")
    let tag = try #require(part.header("ETag"))
    #expect(try served.get("/", [("Range", "bytes=2-8"), ("If-Range", tag)]).status == 206)
    #expect(try served.get("/", [("Range", "bytes=2-8"), ("If-Range", "\"x\"")]).status == 200)
    #expect(try served.get("/", [("Range", "bytes=2-8"), ("If-Range", "W/\(tag)")]).status == 200)
    #expect(try served.get("/", [("Range", "bytes=2-8")], method: "HEAD").status == 200)
    let none = try served.get("/", [("Range", "bytes=40-")])
    #expect(none.status == 416)
    #expect(none.header("Content-Range") == "bytes */40")
    #expect(try problem(none)["detail"] == .text("The file has 40 bytes."))
  }

  @Test("A file that is cut short while it is sent is not taken for whole")
  func cutShort() throws {
    let answer = try served.get("/")
    guard case .file(let file, let range) = answer.body else {
      Issue.record("no file")
      return
    }
    let pieces = FilePieces(file, range)
    #expect(pieces.next(atMost: 5) == .bytes(Array("<!DOC".utf8)))
    truncate("\(served.path)/site/index.html", 7)
    #expect(pieces.next(atMost: 5) == .bytes(Array("TY".utf8)))
    #expect(pieces.next(atMost: 5) == .broken)
    let whole = FilePieces(try ServedHome().pageFile(), 0..<3)
    #expect(whole.next(atMost: 9) == .bytes(Array("<!D".utf8)))
    #expect(whole.next(atMost: 9) == .end)
  }

  @Test("What tests left is handed over and not shown")
  func attachments() throws {
    try served.write("<script>", to: "site/Greeter/1/attachments/a.html")
    let answer = try served.get("/Greeter/1/attachments/a.html")
    #expect(answer.header("Content-Type") == "application/octet-stream")
    #expect(answer.header("Content-Disposition") == "attachment")
    #expect(try served.get("/").header("Content-Disposition") == nil)
  }

  @Test("Who reads pages is told as a page what is not there, without the words of the address")
  func errorPage() throws {
    let answer = try served.get("/<script>", [("Accept", "text/html,*/*;q=0.8")])
    #expect(answer.status == 404)
    #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
    #expect(
      String(decoding: answer.wholeBody, as: UTF8.self) == """
        <!DOCTYPE html>
        <html lang=en>
        <meta charset=utf-8>
        <meta name=viewport content="width=device-width">
        <title>Not Found · Martlet</title>
        <link rel=stylesheet href=/style.css>
        <header class=top><div>
        <nav class=crumbs aria-label=Breadcrumb><ol>
        <li><a class=mark href=/>Martlet</a>
        <li><span aria-current=page>Not Found</span>
        </ol></nav>
        </div></header>
        <main id=content class=plain>
        <h1>Not Found</h1>
        <p>This page does not exist, or needs a login.</p>
        </main>
        </html>

        """)
  }

  @Test("A home in which nothing was integrated says so")
  func fresh() throws {
    let empty = SiteServer(
      Home("\(served.path)/none"), version: "1", address: nil, isBehindFront: false, access: served.access,
      pages: served.pages, door: WatcherDoor { _ in .absent }, hookSecrets: { _, _ in nil })
    let request = try HTTPRequest(method: "GET", target: "/", headers: [("Host", "localhost")], host: .loopback)
    let answer = empty.answer(request)
    #expect(answer.status == 404)
    #expect(
      try problem(answer)["detail"]
        == .text("No page was written yet: nothing was integrated here, and no watcher has run."))
  }
}

extension ServedHome {
  /// The first page, opened.
  func pageFile() throws -> ServedFile {
    guard case .file(let file, _) = try get("/").body else { throw Problem(404, "") }
    return file
  }
}
