import Testing

@testable import Serving

@Suite("What a request is taken for")
struct HTTPRequestTests {
  private func request(
    _ target: String, method: String = "GET", headers: [(name: String, value: String)] = [("Host", "localhost:8410")],
    host: HostRule = .loopback
  ) throws(Problem) -> HTTPRequest {
    try HTTPRequest(method: method, target: target, headers: headers, host: host)
  }

  private func problem(_ body: () throws(Problem) -> HTTPRequest) -> Problem? {
    do throws(Problem) {
      _ = try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("The path is taken apart before it is decoded, so that an encoded slash is part of a name")
  func path() throws {
    #expect(try request("/").path == [""])
    #expect(try request("/Greeter/2/index.html").path == ["Greeter", "2", "index.html"])
    #expect(try request("/Greeter/").path == ["Greeter", ""])
    #expect(try request("/a%2Fb/%c3%a4%20+").path == ["a/b", "ä +"])
    #expect(try request("//x").path == ["", "x"])
    #expect(try request("/%2e%2e/%00").path == ["..", "\0"])
  }

  @Test("The query is read as forms write it")
  func query() throws {
    let query = try request("/x?a=1&b=c+d%26&&e&=f").query
    #expect(query.map { "\($0.name)=\($0.value)" } == ["a=1", "b=c d&", "e=", "=f"])
  }

  @Test(
    "What is no address is refused",
    arguments: [
      ("", "The target of a request begins with a slash and has no fragment."),
      ("http://localhost/", "The target of a request begins with a slash and has no fragment."),
      ("*", "The target of a request begins with a slash and has no fragment."),
      ("/a#b", "The target of a request begins with a slash and has no fragment."),
      ("/%", "A percent sign in an address is followed by two hexadecimal digits."),
      ("/%4", "A percent sign in an address is followed by two hexadecimal digits."),
      ("/%zz", "A percent sign in an address is followed by two hexadecimal digits."),
      ("/?a=%+1", "A percent sign in an address is followed by two hexadecimal digits."),
      ("/%ff", "The address is not UTF-8."), ("/%c0%ae%c0%ae/", "The address is not UTF-8."),
    ])
  func refused(target: String, why: String) {
    #expect(problem { () throws(Problem) in try request(target) } == Problem(400, why))
  }

  @Test("A long address is refused")
  func long() {
    let target = "/" + String(repeating: "a", count: 8192)
    #expect(
      problem { () throws(Problem) in try request(target) } == Problem(400, "The address is longer than 8192 bytes."))
  }

  @Test(
    "What has a body is the last request of its connection, unless it is sent with POST",
    arguments: ["GET", "HEAD", "DELETE", "TRACE", "BREW"])
  func last(method: String) throws {
    for value in ["5", "x", "-1"] {
      #expect(try request("/", method: method, headers: [("Host", "localhost"), ("Content-Length", value)]).isLast)
    }
    #expect(try !request("/", method: method).isLast)
    #expect(try !request("/", method: method, headers: [("Host", "localhost"), ("Content-Length", "0")]).isLast)
    #expect(try !request("/", method: "POST", headers: [("Host", "localhost"), ("Content-Length", "5")]).isLast)
  }

  @Test("Where a request ends is said in the one way that nobody misunderstands")
  func ends() {
    func refused(_ headers: [(name: String, value: String)]) -> Problem? {
      problem { () throws(Problem) in try request("/", method: "POST", headers: [("Host", "localhost")] + headers) }
    }
    let twice = Problem(
      400, "A request says once, with Content-Length, how long its body is; Transfer-Encoding is not taken.")
    #expect(refused([("Content-Length", "5"), ("Content-Length", "6")]) == twice)
    #expect(refused([("Content-Length", "5"), ("Transfer-Encoding", "chunked")]) == twice)
    for coding in ["chunked", "gzip", "identity", "xchunked", "\"chunked\""] {
      #expect(refused([("Transfer-Encoding", coding)]) == twice)
    }
    let name = Problem(400, "The name of a header has a character that none has.")
    #expect(refused([("Content-Length ", "5")]) == name)
    #expect(refused([("", "5")]) == name)
    #expect(refused([("X-ä", "5")]) == name)
    #expect(refused([("X-Some_Thing.1", "5"), ("Content-Length", "5")]) == nil)
  }

  @Test("A form is read as one, and nothing else is")
  func form() throws {
    func sent(_ type: String, _ body: String) throws(Problem) -> HTTPRequest {
      try HTTPRequest(
        method: "POST", target: "/", headers: [("Host", "localhost"), ("Content-Type", type)], body: Array(body.utf8),
        host: .loopback)
    }
    let form = "application/x-www-form-urlencoded"
    #expect(try sent("\(form); charset=utf-8", "a=1+2&b=%C3%A4").fields().map { "\($0)=\($1)" } == ["a=1 2", "b=ä"])
    #expect(try sent("text/plain", "").fields().isEmpty)
    let wrong = Problem(415, "Say the parameters in the address, or send them as application/x-www-form-urlencoded.")
    #expect(throws: wrong) { try sent("application/json", "{}").fields() }
  }

  @Test(
    "Only the loopback's own names are answered to",
    arguments: ["localhost", "LOCALHOST:9000", "127.0.0.1", "127.0.0.1:8410", "[::1]", "[::1]:1"])
  func ownNames(host: String) throws {
    #expect(try request("/", headers: [("host", host)]).path == [""])
  }

  @Test(
    "Another site's name is not answered to",
    arguments: [
      "example.org", "localhost.example.org", "127.0.0.1.example.org:80", "localhost:80:80", "[::1]x", "", "127.0.0.2",
    ])
  func otherNames(host: String) throws {
    #expect(
      problem { () throws(Problem) in try request("/", headers: [("Host", host)]) }
        == Problem(421, "This server answers to 127.0.0.1, [::1] and localhost only."))
    #expect(try request("/", headers: [("Host", host)], host: .any).path == [""])
  }

  @Test("Host is said once, and is a name")
  func hosts() {
    let once = Problem(400, "A request says once, with Host, whom it asks.")
    #expect(problem { () throws(Problem) in try request("/", headers: []) } == once)
    #expect(
      problem { () throws(Problem) in try request("/", headers: [("Host", "localhost"), ("HOST", "localhost")]) }
        == once)
    #expect(
      problem { () throws(Problem) in try request("/", headers: [("Host", "a\"b/c")], host: .any) }
        == Problem(400, "The Host is not the name of a machine."))
  }

  @Test("A header that comes twice counts as none")
  func headers() throws {
    let asked = try request("/", headers: [("Host", "localhost"), ("Range", "a"), ("range", "b"), ("ACCEPT", "c")])
    #expect(asked.header("Range") == nil)
    #expect(asked.header("accept") == "c")
  }
}
