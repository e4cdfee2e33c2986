import FoundationEssentials
import Glibc
@testable import Integrating
import Model
import Rendering
import Storing
import TestGround

@testable import Serving

/// A home with a few integrations of the bot Greeter, and what serves it.
final class ServedHome {
  static let date = Date(timeIntervalSince1970: 1_790_000_000)

  let path: String
  let home: Home
  let site: SiteServer
  let access: AccessGate
  let pages: Site
  /// What the watcher is asked, and says.
  let watcher = StubWatcher()
  /// Whose secrets were read.
  let secretReads = SecretReads()

  init(numbers: ClosedRange<Int>? = 1...3, address: SiteAddress? = nil, isBehindFront: Bool = false) throws {
    path =
      "\(FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path)/martlet-served-\(UInt32.random(in: 0 ... .max))"
    home = Home(path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let index = PastIndex(of: home)
    for number in numbers.map(Array.init) ?? [] {
      let document = Self.document(number)
      let folder = "\(path)/integrations/Greeter/\(number)"
      try Self.write(try document.encoded(), to: "\(folder)/integration.json")
      try Self.write(Array("line one\nline two\n".utf8), to: "\(folder)/log/testing.log")
      try index.add(document)
    }
    access = AccessGate(of: home, isPrivate: isBehindFront, trustedHeader: "X-User", clock: { Self.date })
    let templates = try ReportTemplates(
      folder: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "templates").path)
    pages = Site(home: home, templates: templates, time: .utc)
    site = SiteServer(
      home, version: "1.2.3", address: address, isBehindFront: isBehindFront, access: access,
      pages: pages, door: WatcherDoor { [watcher] in watcher.take($0) },
      hookSecrets: { [secretReads] bot, name in
        secretReads.bots.append(bot)
        return bot == "Greeter" && name == "HOOK_KEY" ? "It's a Secret to Everybody" : nil
      },
      clock: { Self.date })
    try write("<!DOCTYPE html>\n<title>All bots</title>\n", to: "site/index.html")
    try write("<!DOCTYPE html>\n<title>Greeter</title>\n", to: "site/Greeter/index.html")
    try write("secret", to: "secret.html")
  }

  deinit { ScratchRemoval.removeAtEnd(path) }

  /// Another server on the same home, as after a restart.
  func restarted(_ access: AccessGate? = nil) -> SiteServer {
    SiteServer(
      home, version: "1.2.3", address: nil, isBehindFront: true, access: access ?? self.access, pages: pages,
      door: WatcherDoor { [watcher] in watcher.take($0) }, hookSecrets: { _, _ in "It's a Secret to Everybody" },
      clock: { Self.date })
  }

  /// Writes a file of the home.
  func write(_ text: String, to name: String) throws { try Self.write(Array(text.utf8), to: "\(path)/\(name)") }

  /// Writes an integration in the place of the one with its number.
  func rewrite(_ document: IntegrationRecord) throws {
    try Self.write(try document.encoded(), to: "\(path)/integrations/Greeter/\(document.number)/integration.json")
    try PastIndex(of: home).add(document)
  }

  /// Writes behind the end of a file of the home.
  func append(_ text: String, to name: String) throws {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw Problem(500, name) }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: path))
  }

  /// Every second one is red, and every third one of another branch.
  static func document(_ number: Int) -> IntegrationRecord {
    var integration = Integration(
      bot: "Greeter", number: number, repository: "/srv/git/Greeter.git", branch: number % 3 == 0 ? "topic" : "main",
      commit: Commit(
        id: CommitID(rawValue: String(repeating: "\(number % 10)", count: 40)), summary: "Change \(number) & <more>",
        author: "Ada", date: date),
      cause: .commit, toolchain: "Swift version 6.3", configuration: "debug", sandbox: "bubblewrap", queuedAt: date,
      repeatCommand: "")
    let isRed = number % 2 == 0
    integration.outcome = isRed ? .testFailures : .succeeded
    (integration.startedAt, integration.endedAt) = (date + Double(number) * 60, date + Double(number) * 60 + 5)
    integration.tests = TestReport(results: [
      TestResult(
        id: TestID(module: "GreeterTests", suite: "", name: "greets()"), library: .swiftTesting,
        state: isRed ? .failed : .passed, duration: 0.25),
      TestResult(
        id: TestID(module: "GreeterTests", suite: "Tests", name: "testWaves"), library: .xctest, state: .passed,
        duration: 0.5),
    ])
    return IntegrationRecord(integration, words: { _ in "" })
  }

  /// The answer to a request for a target.
  func get(
    _ target: String, _ headers: [(name: String, value: String)] = [], method: String = "GET"
  ) throws(Problem) -> HTTPAnswer {
    site.answer(
      try HTTPRequest(
        method: method, target: target, headers: [("Host", "localhost:8410")] + headers, host: .loopback))
  }

  /// The answer to something that is sent, be it that it is still to come.
  func send(
    _ target: String, _ headers: [(name: String, value: String)] = [], body: String = ""
  ) throws(Problem) -> HTTPAnswer {
    site.answer(
      try HTTPRequest(
        method: "POST", target: target, headers: [("Host", "localhost:8410")] + headers, body: Array(body.utf8),
        host: .loopback))
  }

  /// The answer to something that is sent, once it has come.
  func post(
    _ target: String, _ headers: [(name: String, value: String)] = [], body: String = ""
  ) throws(Problem) -> HTTPAnswer {
    let answer = try send(target, headers, body: body)
    guard case .later(let make) = answer.body else { return answer }
    while true {
      if let answer = make() { return answer }
      sched_yield()
    }
  }

  /// The body of the answer, as text.
  func text(_ target: String, _ headers: [(name: String, value: String)] = []) throws -> String {
    String(decoding: try get(target, headers).wholeBody, as: UTF8.self)
  }

  /// The body of the answer, as JSON.
  func json(_ target: String) throws -> JSONTree {
    try JSONDecoder().decode(JSONTree.self, from: Data(try get(target).wholeBody))
  }
}

/// Notes what is read.
final class SecretReads {
  var bots: [String] = []
}

extension HTTPAnswer {
  /// All bytes of the body that there are now.
  var wholeBody: [UInt8] {
    switch body {
    case .bytes(let bytes): return bytes
    case .file(let file, let range): return file.read(from: range.lowerBound, atMost: range.count)
    case .stream(let source):
      var bytes: [UInt8] = []
      while case .bytes(let more) = source.next(atMost: 7) { bytes += more }
      return bytes
    case .later: return []
    }
  }
}

/// JSON of any form.
enum JSONTree: Decodable, Equatable {
  case text(String)
  case number(Double)
  case flag(Bool)
  case list([JSONTree])
  case object([String: JSONTree])
  case nothing

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .nothing
    } else if let value = try? container.decode(Bool.self) {
      self = .flag(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSONTree].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSONTree].self))
    }
  }

  subscript(_ key: String) -> JSONTree {
    if case .object(let members) = self { members[key] ?? .nothing } else { .nothing }
  }

  subscript(_ index: Int) -> JSONTree {
    if case .list(let elements) = self, elements.indices.contains(index) { elements[index] } else { .nothing }
  }

  var elements: [JSONTree] { if case .list(let elements) = self { elements } else { [] } }
}

extension ServedHome {
  /// Keeps one more integration.
  func add(_ document: IntegrationRecord) throws {
    try write(
      String(decoding: document.encoded(), as: UTF8.self),
      to: "integrations/\(document.bot)/\(document.number)/integration.json")
    try PastIndex(of: home).add(document)
  }

  /// Writes what a watcher says that it does, as watchers do.
  func tell(_ state: WatchState) throws {
    try Data(JSONEncoder().encode(state)).write(to: URL(filePath: "\(path)/\(WatchState.fileName)"), options: .atomic)
  }
}

extension ServedHome {
  /// Makes a token; gives its id, and the header that a program sends with it.
  func token(
    _ scopes: [AccessToken.Scope] = [.read, .log], bots: String = "*"
  ) throws -> (id: String, header: (name: String, value: String)) {
    let made = try access.tokens.make(name: nil, scopes: scopes, bots: bots, days: 1, at: Self.date)
    return (made.token.id, ("Authorization", "Bearer \(made.text)"))
  }
}
