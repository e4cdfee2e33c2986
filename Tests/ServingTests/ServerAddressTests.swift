import Testing

@testable import Serving

@Suite("Where the server listens")
struct ServerAddressTests {
  private func address(_ text: String) throws(ServingError) -> ServerAddress {
    try ServerAddress(text, currentFolder: "/here")
  }

  private func fault(_ text: String) -> String? {
    do throws(ServingError) {
      _ = try address(text)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("A port of the loopback, or a path")
  func good() throws {
    #expect(try address("127.0.0.1:8410") == .standard)
    #expect(try address("localhost:0") == .loopback(isSix: false, port: 0))
    #expect(try address("[::1]:80") == .loopback(isSix: true, port: 80))
    #expect(try address("unix:/run/a b.sock") == .unix("/run/a b.sock"))
    #expect(try address("unix:x") == .unix("/here/x"))
    #expect(ServerAddress.loopback(isSix: true, port: 80).description == "http://[::1]:80/")
    #expect(ServerAddress.unix("/x").description == "unix:/x")
  }

  @Test(
    "Nothing that others reach", arguments: ["0.0.0.0:80", "[::]:80", "192.168.0.1:80", "127.0.0.2:80", "[fe80::1]:1"])
  func open(text: String) {
    #expect(
      fault(text)
        == "cannot listen on \(text): the connection would not be encrypted, so tokens and pages could be read on their way. Listen on a Unix socket, --listen unix:PATH, and put a web server with TLS before it; 'martlet help nginx' has an example."
    )
  }

  @Test(
    "What is no address is refused",
    arguments: [
      "", "8410", ":80", "localhost", "localhost:", "localhost:65536", "localhost:-1", "localhost:8a", "unix:",
      "example.org:80", "[::1:80",
    ])
  func bad(text: String) {
    #expect(
      fault(text)
        == "'\(text)' is not an address to listen on: write it as 127.0.0.1:8410, [::1]:8410 or unix:PATH. See 'martlet help serve'."
    )
  }
}
