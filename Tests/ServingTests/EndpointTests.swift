import Testing

@testable import Serving

@Suite("What can be asked for")
struct EndpointTests {
  private func endpoint(_ path: String) throws -> Endpoint {
    try #require(Endpoints.all.first { $0.path == path })
  }

  private func request(_ target: String) throws(Problem) -> HTTPRequest {
    try HTTPRequest(method: "GET", target: target, headers: [("Host", "localhost")], host: .loopback)
  }

  /// What is wrong with a request for an endpoint.
  private func problem(_ path: String, _ target: String) throws -> Problem? {
    let endpoint = try endpoint(path)
    do throws(Problem) {
      let request = try request(target)
      guard let values = endpoint.match(request.path) else { return nil }
      _ = try endpoint.call(request, values, by: .nobody(isOpen: true))
      return nil
    } catch {
      return error
    }
  }

  @Test("A path finds the one endpoint that it is of")
  func paths() throws {
    func found(_ target: String) throws -> [String] {
      let path = try request(target).path
      return Endpoints.all.filter { $0.match(path) != nil }.map(\.path)
    }
    #expect(try found("/api/v1/bots") == ["/api/v1/bots"])
    #expect(try found("/api/v1/bots/a%2Fb") == ["/api/v1/bots/{bot}"])
    #expect(try found("/api/v1/bots/a/integrations/7") == ["/api/v1/bots/{bot}/integrations/{number}"])
    #expect(try found("/badge/a.b.svg") == ["/badge/{bot}.svg"])
    #expect(try found("/badge/a/release%2F1.0.svg") == ["/badge/{bot}/{branch}.svg"])
    for target in ["/api/v1/bots/", "/api/v1/bots/a/", "/api/v1/Bots", "/badge/.svg", "/badge/a.png", "/metrics/", "/"]
    {
      #expect(try found(target).filter { !$0.contains("{bot}") } == [], "\(target)")
    }
    #expect(try found("/badge/.svg") == [])
  }

  @Test("No two have the same name or path, and each has a summary of one sentence")
  func names() {
    #expect(Set(Endpoints.all.map(\.name)).count == Endpoints.all.count)
    #expect(Set(Endpoints.all.map { "\($0.method) \($0.path)" }).count == Endpoints.all.count)
    for endpoint in Endpoints.all {
      #expect(!endpoint.summary.isEmpty && !endpoint.summary.hasSuffix("."), "\(endpoint.path)")
      let inPath = endpoint.parts.compactMap { if case .value(let name, _) = $0 { name } else { nil } }
      #expect(inPath == endpoint.parameters.filter { $0.place == .path }.map(\.name), "\(endpoint.path)")
    }
  }

  @Test("Values are read as what they are")
  func values() throws {
    let endpoint = try endpoint("/api/v1/bots/{bot}/integrations")
    let request = try request("/api/v1/bots/a%20b/integrations?limit=7&branch=release%2F1&outcome=warnings")
    let call = try endpoint.call(request, try #require(endpoint.match(request.path)), by: .nobody(isOpen: true))
    #expect(call.text("bot") == "a b")
    #expect(call.number("limit") == 7)
    #expect(call.number("before") == nil)
    #expect(call.optionalText("branch") == "release/1")
    #expect(call.optionalText("outcome") == "warnings")
  }

  @Test(
    "What is no fit value is refused, with what would be",
    arguments: [
      ("limit=0", "'limit' is a whole number from 1 to 500."),
      ("limit=501", "'limit' is a whole number from 1 to 500."),
      ("limit=-1", "'limit' is a whole number from 1 to 500."),
      ("limit=+1", "'limit' is a whole number from 1 to 500."),
      ("limit=", "'limit' is a whole number from 1 to 500."), ("limit=1e2", "'limit' is a whole number from 1 to 500."),
      ("limit=%D9%A1", "'limit' is a whole number from 1 to 500."),
      ("limit=99999999999999999999", "'limit' is a whole number from 1 to 500."),
      ("limit=1&limit=1", "'limit' is said twice."),
      ("bot=a", "There is no parameter 'bot' here. It takes limit, before, branch, outcome."),
      ("x", "There is no parameter 'x' here. It takes limit, before, branch, outcome."),
      (
        "outcome=green",
        "'outcome' is one of internal-error, canceled, checkout-error, trigger-error, build-errors, test-failures, incomplete, analyzer-warnings, warnings, succeeded."
      ),
    ])
  func refused(query: String, why: String) throws {
    let path = "/api/v1/bots/{bot}/integrations"
    #expect(try problem(path, "/api/v1/bots/a/integrations?\(query)") == Problem(400, why))
  }

  @Test("What is missing is named, and what takes nothing says so")
  func missing() throws {
    #expect(try problem("/api/v1/bots/{bot}/tests", "/api/v1/bots/a/tests") == Problem(400, "'test' is missing."))
    #expect(
      try problem("/api/v1/bots/{bot}/tests", "/api/v1/bots/a/tests?test=") == Problem(400, "'test' is missing."))
    #expect(try problem("/healthz", "/healthz?x=1") == Problem(400, "There is no parameter 'x' here. It takes none."))
    #expect(
      try problem("/api/v1/bots/{bot}/integrations/{number}", "/api/v1/bots/a/integrations/x")
        == Problem(400, "'number' is a whole number from 1 to 2147483647."))
  }
}
