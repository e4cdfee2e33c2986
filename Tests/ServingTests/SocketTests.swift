import FoundationEssentials
import Glibc
import Testing

@testable import Serving

/// The server with real sockets on the loopback.
@Suite("Requests over sockets", .timeLimit(.minutes(10)))
struct SocketTests {
  private static func limits(_ change: (inout HTTPServer.Limits) -> Void = { _ in }) -> HTTPServer.Limits {
    var limits = HTTPServer.Limits()
    change(&limits)
    return limits
  }

  @Test("A request is answered, and so are those behind it on the same connection")
  func pipelining() throws {
    let server = try RunningServer(Self.limits())
    let peer = try server.connect()
    for number in 1...20 { peer.send("GET /\(number) HTTP/1.1\r\nHost: localhost\r\n\r\n") }
    peer.send("GET /last HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let text = peer.readAll()
    #expect(text.ranges(of: "HTTP/1.1 200 OK\r\n").count == 21)
    let bodies = (1...20).map { "the path is \($0)\n" } + ["the path is last\n"]
    var rest = text[...]
    for body in bodies {
      let range = try #require(rest.firstRange(of: body))
      rest = rest[range.upperBound...]
    }
    #expect(rest.isEmpty)
  }

  @Test("HEAD has the head of GET and no body")
  func head() throws {
    let server = try RunningServer(Self.limits())
    let head = try server.ask("HEAD /abc HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(head.contains("\r\nContent-Length: 16\r\n"))
    #expect(head.hasSuffix("\r\n\r\n"))
  }

  @Test("A long file comes whole, and a slow reader holds up nobody")
  func long() throws {
    let server = try RunningServer(Self.limits())
    let slow = try server.connect()
    slow.send("GET /long HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let other = try server.ask("GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(other.hasSuffix("the path is x\n"))
    let text = slow.readAll()
    #expect(text.contains("\r\nContent-Length: 3000000\r\n"))
    #expect(text.hasSuffix(String(repeating: "0123456789", count: 300_000)))
  }

  @Test("What comes bit by bit is passed on as it comes, and a reader who leaves ends it")
  func stream() throws {
    let server = try RunningServer(Self.limits { $0.tick = 1000 })
    let peer = try server.connect()
    peer.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    server.source.add("one")
    #expect(peer.read(until: "one").contains("Transfer-Encoding: chunked"))
    server.source.add("two")
    #expect(peer.read(until: "two").contains("two"))
    let leaver = try server.connect()
    leaver.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = leaver.read(until: "two")
    leaver.end()
    server.source.finish()
    #expect(peer.readAll().hasSuffix("0\r\n\r\n"))
    #expect(try server.ask("GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").hasSuffix("is x\n"))
  }

  @Test("An answer that cannot be given whole is cut off")
  func broken() throws {
    let server = try RunningServer(Self.limits())
    server.source.add("half")
    server.source.tear()
    let text = try server.ask("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(text.hasSuffix("half\r\n"))
  }

  @Test(
    "What is no request of ours is refused and the server goes on",
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 Bad Request"),
      ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "HTTP/1.1 421 Misdirected Request"),
      ("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab", "HTTP/1.1 405 Method Not Allowed"),
      ("GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400 Bad Request"),
      ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n", "HTTP/1.1 413 "),
      ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 400 Bad Request"),
      ("GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 60_000))\r\n\r\n", "HTTP/1.1 400 "),
      ("GET /\(String(repeating: "x", count: 60_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400 "),
      ("\u{16}\u{3}\u{1}\r\n\r\n", "HTTP/1.1 400 Bad Request"),
    ])
  func refused(request: String, beginning: String) throws {
    let server = try RunningServer(Self.limits { $0.patience = 1 })
    let peer = try server.connect()
    peer.send(request)
    #expect(peer.read(until: "\r\n").hasPrefix(beginning))
    #expect(try server.ask("GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").hasSuffix("is x\n"))
  }

  @Test(
    "What stands behind a request that has no body is never taken for the next one",
    arguments: [
      "GET /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: %\r\n\r\n",
      "HEAD /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: %\r\n\r\n",
      "BREW /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: %\r\n\r\n",
      "TRACE /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: %\r\n\r\n",
      "DELETE /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
      "POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\nContent-Length: %\r\n\r\n",
      "POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
      "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length : %\r\n\r\n",
    ])
  func smuggled(head: String) throws {
    let server = try RunningServer(Self.limits())
    let hidden = "GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let text = try server.ask(head.replacing("%", with: "\(hidden.utf8.count)") + hidden)
    #expect(text.hasPrefix("HTTP/1.1 "), "\(text)")
    #expect(!text.contains("the path is hidden"), "\(text)")
  }

  @Test("A body is taken up to its limit")
  func longBody() throws {
    let limits = Self.limits()
    let server = try RunningServer(limits)
    let head = "POST /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(limits.body)\r\n\r\n"
    let text = try server.ask(head + String(repeating: "x", count: limits.body))
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(text)")
  }

  @Test("What is somewhat too long is refused with a problem, and its connection closed")
  func tooLong() throws {
    let limits = Self.limits()
    let server = try RunningServer(limits)
    func refusal(_ request: String) throws -> (head: String, body: String) {
      let parts = try server.ask(request).components(separatedBy: "\r\n\r\n")
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
    let many = String(repeating: "x", count: limits.body + 1)
    let long = try refusal("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(many.count)\r\n\r\n\(many)")
    #expect(long.head.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
    #expect(long.head.contains("Content-Type: application/problem+json"))
    #expect(
      long.body
        == #"{"detail":"The body of the request is longer than 262144 bytes. Send a shorter one.","status":413,"title":"Content Too Large","type":"about:blank"}"#
        + "\n")
    let fields = String(repeating: "x", count: limits.head)
    let wide = try refusal("GET /a HTTP/1.1\r\nHost: localhost\r\nX: \(fields)\r\n\r\n")
    #expect(wide.head.hasPrefix("HTTP/1.1 431 Request Header Fields Too Large\r\n"))
    #expect(wide.body.contains("The head of the request is longer than 24576 bytes. Send fewer or shorter fields."))
    let far = try refusal("GET /\(fields) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(far.head.hasPrefix("HTTP/1.1 414 URI Too Long\r\n"))
    #expect(far.body.contains("The address is longer than 24576 bytes. Ask for less at once."))
  }

  @Test("Those who follow something leave room for others")
  func followers() throws {
    let server = try RunningServer(Self.limits { $0.streams = 1 })
    server.source.add("one")
    let first = try server.connect()
    first.send("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = first.read(until: "one")
    let second = try server.ask("GET /stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(second.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
    #expect(second.contains("Too many follow what goes on just now. Try again later, or read the pages."))
    server.source.finish()
    _ = first.readAll()
    #expect(try server.ask("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n").contains("one"))
  }

  @Test("Who sends a head too slowly, or nothing at all, is cut off")
  func slow() throws {
    let server = try RunningServer(Self.limits { $0.patience = 0.1 })
    let silent = try server.connect()
    let slow = try server.connect()
    slow.send("GET / HTT")
    let patient = try server.connect()
    patient.send("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(patient.read(until: "is x\n").hasPrefix("HTTP/1.1 200 OK"))
    #expect(silent.readAll() == "")
    #expect(slow.readAll() == "")
    #expect(patient.readAll() == "")
  }

  @Test("More connections than there is room for wait, and are served when others end")
  func crowd() throws {
    let server = try RunningServer(Self.limits { ($0.connections, $0.patience) = (2, 60) })
    let first = [try server.connect(), try server.connect()]
    for peer in first {
      peer.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = peer.read(until: "is a\n")
    }
    let late = try server.connect()
    late.send("GET /b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(!late.canBeRead(within: 200))
    first[0].end()
    #expect(late.readAll().hasSuffix("is b\n"))
  }

  @Test("A Unix socket is its owner's and the group's, takes any name, and replaces what a dead server left")
  func unixSocket() throws {
    let path = "\(FileManager.default.temporaryDirectory.path)/martlet-\(UInt32.random(in: 0 ... .max)).sock"
    do {
      let server = try RunningServer(Self.limits(), at: .unix(path))
      var status = stat()
      #expect(lstat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o660)
      let request = "GET /x HTTP/1.1\r\nHost: ci.example.org\r\nConnection: close\r\n\r\n"
      #expect(try server.ask(request).hasSuffix("is x\n"))
      let fault = #expect(throws: ServingError.self) { try RunningServer(Self.limits(), at: .unix(path)) }
      #expect(
        fault?.description
          == "cannot listen on unix:\(path): another program does. End it, or name another path with --listen.")
    }
    #expect(access(path, F_OK) != 0)
    let left = try ServerSocket.left(at: path)
    close(left)
    #expect(access(path, F_OK) == 0)
    _ = try RunningServer(Self.limits(), at: .unix(path))
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    defer { unlink(path) }
    let fault = #expect(throws: ServingError.self) { try RunningServer(Self.limits(), at: .unix(path)) }
    #expect(
      fault?.description
        == "cannot listen on unix:\(path): there is something else at that path. Remove it, or name another one.")
  }

  @Test("A port that is taken is told")
  func taken() throws {
    let server = try RunningServer(Self.limits())
    let fault = #expect(throws: ServingError.self) { try RunningServer(Self.limits(), at: server.address) }
    #expect(
      fault?.description
        == "cannot listen on \(server.address.description): Address already in use. Look there: an earlier 'martlet serve' may answer. Or name another port with --listen."
    )
  }
}

extension ServerSocket {
  /// What a server leaves that is killed.
  static func left(at path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    return descriptor
  }
}
