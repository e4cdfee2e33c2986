import FoundationEssentials
import Glibc
import Model
import Storing
import Testing

@testable import Serving

@Suite("Actions from the pages")
struct ActionTests {
  private let served: ServedHome
  private let page = "<!DOCTYPE html>\n<header class=top><div>\n</div></header>\n<main></main>\n"

  init() throws {
    served = try ServedHome()
    for name in ["", "2/", "2/coverage/", "2/issues/", "2/archive/"] {
      try served.write(page, to: "site/Greeter/\(name)\(name == "2/issues/" ? "warning-1.html" : "index.html")")
    }
  }

  @Test(
    "A page of a bot leads who may ask to the forms for what it is about, and nobody else",
    arguments: [
      ("/Greeter/", "/actions/Greeter"), ("/Greeter/index.html", "/actions/Greeter"),
      ("/Greeter/2/", "/actions/Greeter?integration=2"), ("/Greeter/2/coverage/", "/actions/Greeter?integration=2"),
      ("/Greeter/2/issues/warning-1.html", "/actions/Greeter?integration=2&amp;issue=warning-1"),
    ])
  func links(target: String, address: String) throws {
    let asker = try served.token([.read, .ask]).header
    let reader = try served.token([.read, .log]).header
    let (linked, plain) = (try served.get(target, [asker]), try served.get(target, [reader]))
    #expect(String(decoding: plain.wholeBody, as: UTF8.self) == page)
    #expect(
      String(decoding: linked.wholeBody, as: UTF8.self)
        == page.replacing("</div></header>", with: "<a class=act href=\"\(address)\">Actions</a>\n</div></header>"))
    #expect(linked.header("ETag") != plain.header("ETag"))
    #expect(linked.header("Content-Security-Policy") == HTTPAnswer.policy)
    let tag = try #require(linked.header("ETag"))
    #expect(try served.get(target, [asker, ("If-None-Match", tag)]).status == 304)
    #expect(try served.get(target, [reader, ("If-None-Match", tag)]).status == 200)
    #expect(try served.get(target, [asker, ("Range", "bytes=0-4")]).wholeBody == Array("<!DOC".utf8))
  }

  @Test("What code under test made gets no link, and neither does what is no page of a bot")
  func foreign() throws {
    let asker = try served.token([.read, .ask]).header
    #expect(try served.text("/Greeter/2/archive/", [asker]) == page)
    #expect(try !served.text("/index.html", [asker]).contains("/actions/"))
  }

  private func ask(_ target: String, _ method: String = "GET", own: Bool, _ headers: [(String, String)] = []) throws
    -> HTTPAnswer
  {
    served.site.answer(
      try HTTPRequest(
        method: method, target: target, headers: [("Host", "localhost:8410")] + headers, host: .loopback,
        peer: PeerUser { own }))
  }

  @Test("Before a token is made, who runs the server may ask from the same machine, and nobody for whom a front speaks")
  func owner() throws {
    let target = "/api/v1/bots/Greeter/integrate"
    #expect(String(decoding: try ask("/Greeter/", own: true).wholeBody, as: UTF8.self).contains("/actions/Greeter"))
    #expect(String(decoding: try ask("/Greeter/", own: false).wholeBody, as: UTF8.self) == page)
    guard case .later = try ask(target, "POST", own: true).body else {
      Issue.record("not passed on")
      return
    }
    #expect(try ask(target, "POST", own: false).status == 403)
    #expect(try ask(target, "POST", own: true, [("Origin", "https://evil.example")]).status == 403)
    for name in ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"] {
      #expect(try ask(target, "POST", own: true, [(name, "192.0.2.1")]).status == 403, "\(name)")
    }
    _ = try served.token()
    #expect(try ask(target, "POST", own: true).status == 404)
  }

  @Test("The kernel's table tells whose a connection is, as long as its program holds it")
  func table() {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:20DA 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
         1: 0100007F:8001 0100007F:20DA 01 00000000:00000000 00:00000000 00000000  1000        0 12 1 0 20 4 30 10 -1
         2: 0200007F:8001 0100007F:20DA 01 00000000:00000000 00:00000000 00000000  1001        0 13 1 0 20 4 30 10 -1
         3: 0100007F:8002 0100007F:20DA 06 00000000:00000000 03:00000C7B 00000000     0        0 0 3 0
         4: 0100007F:8003 0100007F:20DA 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1
      """
    func owner(_ end: String) -> uid_t? { PeerUser.owner(of: end, connectedTo: "0100007F:20DA", in: table) }
    #expect(owner("0100007F:8001") == 1000)
    #expect(owner("0200007F:8001") == 1001)
    #expect(owner("0100007F:8002") == nil && owner("0100007F:8003") == nil && owner("0100007F:9999") == nil)
  }

  @Test("A real connection of this very user is known as such", arguments: [false, true])
  func connection(isSix: Bool) throws {
    let socket = try ServerSocket(.loopback(isSix: isSix, port: 0))
    let own = Glibc.socket(isSix ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(own) }
    var (address, length) = (sockaddr_in6(), socklen_t(MemoryLayout<sockaddr_in6>.size))
    let accepted = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
      guard let name = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        getsockname(socket.descriptor, name, &length) == 0, connect(own, name, length) == 0
      else { return -1 }
      var entry = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, -1)
      return accept(socket.descriptor, nil, nil)
    }
    defer { close(accepted) }
    #expect(PeerUser(ofSocket: accepted)?.isOwn == true)
  }

  @Test("The page for one integration has its forms alone, with the one of pin and unpin that changes something")
  func one() throws {
    var store = try Store(at: "\(served.path)/\(Store.fileName)")
    let assignment = Assignment(
      bot: "Greeter", ref: RefName(branch: "main"), commit: CommitID(rawValue: "a"), cause: .commit,
      queuedAt: ServedHome.date)
    for _ in 1...3 {
      let id = try store.apply(Decision(bot: "Greeter", changes: [.queue(assignment)]))[0]
      _ = try store.start(id, at: ServedHome.date)
      try store.finish(id, IntegrationSummary(outcome: .succeeded, endedAt: ServedHome.date))
    }
    #expect(try store.pin(2, of: "Greeter"))
    let asker = try served.token([.read, .ask]).header
    func actions(_ text: String) -> [String] { text.matches(of: /action="([^"]*)"/).map { String($0.1) } }
    let place = "/api/v1/bots/Greeter/integrations"
    #expect(
      actions(try served.text("/actions/Greeter?integration=2", [asker])) == ["\(place)/2/rerun", "\(place)/2/unpin"])
    #expect(
      actions(try served.text("/actions/Greeter?integration=3", [asker])) == ["\(place)/3/rerun", "\(place)/3/pin"])
    #expect(
      actions(try served.text("/actions/Greeter", [asker])) == [
        "/api/v1/bots/Greeter/integrate", "/api/v1/bots/Greeter/cancel", "\(place)/3/rerun", "\(place)/3/pin",
        "\(place)/2/rerun", "\(place)/2/unpin", "\(place)/1/rerun", "\(place)/1/pin",
      ])
    #expect(try served.get("/actions/Greeter?integration=9", [asker]).status == 404)
    #expect(
      try served.text("/actions/Greeter?integration=2&issue=warning-9", [asker]).contains(
        "<p>This issue cannot be silenced: it is gone, or always counts.</p>"))
  }
}
