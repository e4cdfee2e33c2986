import Foundation
import Model
import Processes
import Synchronization
import Testing

@testable import Notifying

/// An outbox with what forges are to be told, and who tells them.
struct ToldForge {
  private static let start = Date(timeIntervalSince1970: 1_000_000)

  let peer: HTTPPeer
  let forge: Forge
  var attempt: TestDelivery

  init(_ answers: [String], _ forge: Forge = .forgejo, token: String? = "fr1ed-tern") throws {
    peer = try HTTPPeer(answers)
    self.forge = forge
    attempt = try TestDelivery(secrets: token.map { ["FORGE": $0] } ?? [:])
  }

  func news(_ commit: String, _ state: CommitStatus.State, _ words: String, bot: String = "greeter") throws -> Delivery
  {
    let port = try #require(URL(string: peer.url)?.port)
    var reporting = StatusReporting(token: "FORGE")
    reporting.forge = forge
    let place = try #require(
      StatusPlace(reporting, of: bot, at: try RemoteAddress("http://127.0.0.1:\(port)/team/Greeter.git")))
    let status = CommitStatus(
      commit: CommitID(rawValue: commit), ref: RefName(branch: "main"), state: state, description: words,
      link: "https://ci.example.org/greeter/7/index.html")
    return try Delivery.status(status, at: place, of: bot, now: attempt.clock.time.withLock(\.self))
  }

  func tell(_ commit: String, _ state: CommitStatus.State, _ words: String) throws {
    #expect(try attempt.sender.outbox.replace(with: news(commit, state, words)))
    // Later news are later.
    pass(0.001)
  }

  func pass(_ seconds: Double) { attempt.clock.time.withLock { $0 += seconds } }

  func round() throws -> [String: String] { try StatusRound(attempt.sender).run() }

  /// What the forge was asked for.
  var asked: [String] {
    peer.requests.compactMap { request in
      request.line.hasPrefix("GET ") ? String(request.line.split(separator: " ")[1]) : nil
    }
  }

  /// What the forge was told, each as the commit and the body.
  var told: [String] {
    peer.requests.filter { $0.line.hasPrefix("POST ") }.map { request in
      let commit = request.line.split(separator: " ")[1].split(separator: "/").last ?? ""
      return "\(commit) \(String(decoding: request.body, as: UTF8.self))"
    }
  }

  var isWaiting: Bool { attempt.isWaiting }
}

@Suite("What forges are told of commits")
struct StatusRoundTests {
  @Test(
    "Each forge is told in its own words",
    arguments: [
      (
        Forge.github, "authorization", "Bearer fr1ed-tern", "POST /api/v3/repos/team/Greeter/statuses/c1 HTTP/1.1",
        #"{"context":"martlet/greeter","description":"2 red","state":"failure","target_url":"https://ci.example.org/greeter/7/index.html"}"#
      ),
      (
        .gitlab, "private-token", "fr1ed-tern", "POST /api/v4/projects/team%2FGreeter/statuses/c1 HTTP/1.1",
        #"{"description":"2 red","name":"martlet/greeter","ref":"main","state":"failed","target_url":"https://ci.example.org/greeter/7/index.html"}"#
      ),
      (
        .forgejo, "authorization", "token fr1ed-tern", "POST /api/v1/repos/team/Greeter/statuses/c1 HTTP/1.1",
        #"{"context":"martlet/greeter","description":"2 red","state":"failure","target_url":"https://ci.example.org/greeter/7/index.html"}"#
      ),
    ])
  func told(forge: Forge, header: String, login: String, line: String, body: String) throws {
    let told = try ToldForge(["201 Created"], forge)
    try told.tell("c1", .failed, "2 red")
    #expect(try told.round() == [:])
    let request = try #require(told.peer.requests.first)
    #expect((request.line, request.headers[header]) == (line, login))
    #expect(String(decoding: request.body, as: UTF8.self) == body)
    #expect(!told.isWaiting)
    #expect(try told.round() == [:])
    #expect(told.peer.requests.count == 1)
  }

  @Test("All states have a word at each forge, and a long description is cut")
  func words() throws {
    let states: [CommitStatus.State] = [.pending, .running, .succeeded, .failed, .unknown]
    func words(_ forge: Forge) throws -> [String] {
      try states.map { state in
        let status = CommitStatus(
          commit: CommitID(rawValue: "c"), ref: nil, state: state, description: String(repeating: "ä", count: 200),
          link: nil)
        let fields = try JSONDecoder().decode([String: String].self, from: Data(status.body(for: forge, context: "m")))
        #expect(fields["description"] == String(repeating: "ä", count: 139) + "…")
        #expect(fields["target_url"] == nil && fields["ref"] == nil)
        return fields["state"] ?? ""
      }
    }
    #expect(try words(.github) == ["pending", "pending", "success", "failure", "error"])
    #expect(try words(.gitlab) == ["pending", "running", "success", "failed", "canceled"])
    #expect(try words(.forgejo) == ["pending", "pending", "success", "failure", "error"])
  }

  @Test("Newer news of a commit take the place of those that were not sent yet")
  func order() throws {
    let told = try ToldForge(["500 Oh", "201 Created"])
    try told.tell("c1", .pending, "Waiting")
    #expect(try told.round() == [:])
    try told.tell("c1", .running, "Running")
    try told.tell("c1", .succeeded, "12 passed")
    #expect(try told.round() == [:])
    #expect(told.told.map { $0.contains("12 passed") } == [false, true])
    #expect(!told.isWaiting)
  }

  @Test(
    "A forge in trouble is asked again after pauses that grow, and nobody hears of it",
    arguments: ["502 Oh", "hang up"])
  func trouble(answer: String) throws {
    let told = try ToldForge([answer, answer, answer, answer, answer, "201 Created"])
    try told.tell("c1", .running, "Running")
    var times: [Double] = []
    var count = 0
    for second in stride(from: 0.0, to: 1200, by: 30) {
      #expect(try told.round() == [:])
      if told.peer.requests.count > count { times.append(second) }
      count = told.peer.requests.count
      told.pass(30)
    }
    #expect(times == [0, 60, 120, 180, 300, 540])
    #expect(!told.isWaiting)
    // It was asked what it has before it was told the same once more.
    #expect((told.asked.count, told.told.count) == (5, 2))
    #expect(Set(told.told).count == 1)
  }

  @Test(
    "A forge that had too many calls gets none before its time, whatever there is to tell",
    arguments: [
      ("429 Slow\nRetry-After: 90", 90.0), ("403 No\nretry-after: 90", 90),
      ("403 No\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1000090", 90),
      ("429 Slow\nRateLimit-Remaining: 0\nRateLimit-Reset: 1000090", 90), ("429 Slow", 60),
      ("503 Later\nRetry-After: 90", 90), ("429 Slow\nRetry-After: 99999999", 86_400),
    ])
  func limits(answer: String, seconds: Double) throws {
    let told = try ToldForge([answer, "201 Created"])
    try told.tell("c1", .running, "Running")
    #expect(try told.round() == [:])
    try told.tell("c1", .succeeded, "12 passed")
    try told.tell("c2", .running, "Running")
    told.pass(seconds - 2)
    #expect(try told.round() == [:])
    #expect(told.peer.requests.count == 1)
    told.pass(2)
    #expect(try told.round() == [:])
    #expect(told.told.dropFirst().map { $0.prefix(2) } == ["c2", "c1"])
    #expect(told.told.last?.contains("12 passed") == true)
    #expect(!told.isWaiting)
  }

  @Test(
    "GitHub's limit on calls in a row is no fault of the token, and is over when it says, or else in a minute",
    arguments: [
      ("X-RateLimit-Remaining: 4990\nX-RateLimit-Reset: 1003000", 60.0),
      ("Retry-After: 90\nX-RateLimit-Remaining: 4990\nX-RateLimit-Reset: 1003000", 90),
      ("X-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1000090", 90),
    ])
  func secondaryLimit(headers: String, seconds: Double) throws {
    let answer = """
      403 Forbidden
      \(headers)

      {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}
      """
    let told = try ToldForge([answer, "201 Created"], .github)
    try told.tell("c1", .running, "Running")
    #expect(try told.round() == [:])
    told.pass(seconds - 2)
    #expect(try told.round() == [:])
    #expect(told.peer.requests.count == 1)
    told.pass(2)
    #expect(try told.round() == [:])
    #expect(told.told.count == 2)
    #expect(!told.isWaiting)
  }

  @Test("A login that is refused is told, and tried again each hour or by another token", arguments: [401, 403, 404])
  func closed(status: Int) throws {
    var told = try ToldForge(["\(status) No\n\n{\"message\": \"fr1ed-tern is wrong\"}", "201 Created"])
    let trouble = [
      "greeter":
        "127.0.0.1 does not take what it is told of commits: it answers \(status): •••••• is wrong. Check 'status' in the bot's file and the rights of the token in secrets/greeter.env; it is tried again each hour."
    ]
    try told.tell("c1", .running, "Running")
    #expect(try told.round() == trouble)
    try told.tell("c1", .succeeded, "12 passed")
    try told.tell("c2", .running, "Running")
    #expect(try told.round() == trouble)
    #expect(told.peer.requests.count == 1)
    if status == 401 { told.attempt.sender.secrets = ["greeter": ["FORGE": "another"]] } else { told.pass(3600) }
    #expect(try told.round() == [:])
    #expect(told.peer.requests.count == 3)
    #expect(!told.isWaiting)
  }

  @Test("A commit that a forge does not know keeps no other from being told")
  func unknown() throws {
    let told = try ToldForge(["201 Created", "404 Not found"])
    try told.tell("gone", .running, "Running")
    try told.tell("here", .running, "Running")
    #expect(try told.round() == [:])
    #expect(told.told.map { $0.split(separator: " ")[0] } == ["here", "gone"])
    #expect(!told.isWaiting)
  }

  @Test("What a forge does not take for itself is told once and given up")
  func refused() throws {
    let told = try ToldForge(["422 No\n\n{\"message\": \"No commit found for SHA: c1\"}"])
    try told.tell("c1", .running, "Running")
    #expect(
      try told.round() == [
        "greeter":
          "127.0.0.1 does not take the status of a commit: it answers 422: No commit found for SHA: c1. It is not told of that commit."
      ])
    #expect(try told.round() == [:])
    #expect(told.peer.requests.count == 1)
    #expect(!told.isWaiting)
  }

  @Test("A state that GitLab has already is no failure, and a wrong field is one")
  func already() throws {
    let told = try ToldForge(
      [
        #"400 Bad\#n\#n{"message":"Cannot transition status via :run from :running (Reason(s): …)"}"#,
        #"400 Bad\#n\#n{"message":{"name":["is too long"]}}"#,
      ], .gitlab)
    try told.tell("c1", .running, "Running")
    #expect(try told.round() == [:])
    #expect(!told.isWaiting)
    try told.tell("c2", .running, "Running")
    #expect(
      try told.round() == [
        "greeter":
          #"127.0.0.1 does not take the status of a commit: it answers 400: {"message":{"name":["is too long"]}}. It is not told of that commit."#
      ])
    #expect(!told.isWaiting)
  }

  @Test("Without a token, or with one that would break a header, nothing is sent", arguments: [nil, "a\r\nHost: b"])
  func noToken(token: String?) throws {
    let told = try ToldForge(["201 Created"], token: token)
    try told.tell("c1", .running, "Running")
    let trouble = try #require(told.round()["greeter"])
    #expect(
      trouble
        == (token == nil
          ? "127.0.0.1 is not told what became of commits: the secret 'FORGE' has no value. Write it into secrets/greeter.env, or take 'status' out of the bot's file."
          : "127.0.0.1 is not told what became of commits: the secret 'FORGE' holds a space, a line break or a letter that no token has. Mend it in secrets/greeter.env.")
    )
    #expect(told.peer.requests.isEmpty)
    #expect(told.isWaiting)
  }

  @Test("A forge that leads elsewhere is not followed there")
  func elsewhere() throws {
    let told = try ToldForge(["301 There"])
    try told.tell("c1", .running, "Running")
    #expect(try told.round()["greeter"]?.contains("it answers 301, which leads elsewhere.") == true)
    #expect(told.peer.requests.count == 1)
  }
}
