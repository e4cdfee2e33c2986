import Foundation
import Testing

@testable import Notifying

@Suite(
  "A receiver of calls with a certificate of its own",
  .enabled(
    if: HTTPSPeer.python != nil && OwnAuthority.program != nil, "there is no Python with ssl, or no openssl"))
struct SenderTLSTests {
  private func attempt(_ url: String, _ authorities: String?, in base: TestDelivery) throws -> TestDelivery {
    var attempt = base
    let way = Delivery.Way.webhook(url: url, secret: nil, event: "integration", authorities: authorities)
    try attempt.put(way, #"{"a": 1}"#)
    return attempt
  }

  @Test("It is called when it is proved by the file that the trigger names")
  func proved() throws {
    let base = try TestDelivery()
    let authority = try OwnAuthority("own", in: base.scratch)
    let peer = try HTTPSPeer(authority)
    let attempt = try attempt(peer.url, authority.certificate, in: base)
    #expect(try attempt.deliver(1).result == .accepted(words: #"200: noted {"a": 1}"#))
    #expect(!attempt.isWaiting)
  }

  @Test("It hears nothing when the machine's certificates, or those of somebody else, are to prove it")
  func unproved() throws {
    let base = try TestDelivery()
    let peer = try HTTPSPeer(try OwnAuthority("own", in: base.scratch))
    let other = try OwnAuthority("other", in: base.scratch)
    for authorities in [nil, other.certificate] {
      let attempt = try attempt(peer.url, authorities, in: try TestDelivery())
      guard case .waiting(let reason, isReached: false) = try attempt.deliver(1).result else {
        Issue.record("it did not wait")
        return
      }
      #expect(reason.contains("certificate"))
      #expect(attempt.isWaiting)
    }
  }

  @Test("A file of certificates that is not there is named, and the call waits")
  func missing() throws {
    let base = try TestDelivery()
    let peer = try HTTPSPeer(try OwnAuthority("own", in: base.scratch))
    let attempt = try attempt(peer.url, "/nowhere/our-ca.pem", in: base)
    guard case .waiting(let reason, isReached: false) = try attempt.deliver(1).result else {
      Issue.record("it did not wait")
      return
    }
    #expect(reason.contains("/nowhere/our-ca.pem"))
  }

  @Test("What an older version put into the outbox is still read")
  func older() throws {
    let json = #"{"webhook": {"url": "https://a.org", "event": "integration"}}"#
    let way = try JSONDecoder().decode(Delivery.Way.self, from: Data(json.utf8))
    #expect(way == .webhook(url: "https://a.org", secret: nil, event: "integration"))
  }
}

/// Python's own HTTP server behind its own TLS; it repeats what it hears.
struct HTTPSPeer {
  static let python = PythonServer.python(with: "ssl")

  private static let program = """
    import http.server, ssl, sys

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"noted " + body)

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  let url: String
  private let server: PythonServer

  init(_ authority: OwnAuthority) throws {
    server = try PythonServer(
      Self.python ?? "", Self.program, [authority.serverCertificate, authority.serverKey])
    url = "https://127.0.0.1:\(server.port)/hook"
  }
}
