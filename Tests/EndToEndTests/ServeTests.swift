import Foundation
import Glibc
import Model
import Testing

/// `martlet serve` as a process of its own, asked with curl as a user would.
@Suite("Serving the pages", .timeLimit(.minutes(10)))
struct ServeTests {
  private let scratch: ScratchFolder
  private let program: Program

  init() throws {
    scratch = try ScratchFolder("serve")
    program = Program(scratch: scratch)
    try scratch.write("<!DOCTYPE html>\n<title>All bots</title>\n", to: "home/site/index.html")
  }

  private func curl(_ arguments: String...) throws -> Program.Run {
    try Program.run("/usr/bin/curl", ["-sS", "--max-time", "20"] + arguments, environment: [:], in: scratch.path)
  }

  @Test("A server prints its address, and ends when it is told to")
  func serve() throws {
    let server = try RunningProgram(program, ["serve", "--listen", "127.0.0.1:0"])
    let address = try server.address()
    #expect(try curl(address).output == "<!DOCTYPE html>\n<title>All bots</title>\n")
    #expect(try curl("\(address)api/v1/bots").output == "{\"bots\":[]}\n")
    #expect(
      try curl("-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: evil.example", address).output == "421")
    server.send(SIGTERM)
    let run = try server.end()
    #expect(run.status == 0)
    #expect(run.output == "\(address)\n")
  }

  @Test("Watcher and server start together, and each outlives the other")
  func watch() throws {
    let first = try RunningProgram(program, ["watch", "--serve", "--listen", "127.0.0.1:0"])
    let address = try first.address()
    #expect(try curl("\(address)healthz").output.contains("\"isWatching\":true"))
    first.send(SIGKILL)
    _ = try first.waitForDeath()
    #expect(try curl("\(address)healthz").output.contains("\"isWatching\":false"))
    let next = try RunningProgram(program, ["watch"])
    _ = try next.line(beginning: "The pages are in ")
    #expect(try curl("\(address)healthz").output.contains("\"isWatching\":true"))
    #expect(ProcessList.end("serve", naming: scratch.file("home")))
    #expect(try program.run("status").status == 0)
    next.send(SIGTERM)
    #expect(try next.end().status == 0)
  }

  @Test("The next watcher replaces the server that a killed one left, at the same address")
  func replaced() throws {
    let first = try RunningProgram(program, ["watch", "--serve", "--listen", "127.0.0.1:0"])
    let address = try first.address()
    first.send(SIGKILL)
    _ = try first.waitForDeath()
    #expect(try curl("\(address)healthz").output.contains("\"isWatching\":false"))
    let place = try #require(address.split(separator: "/").last)
    let next = try RunningProgram(program, ["watch", "--serve", "--listen", String(place)])
    #expect(try next.line(beginning: "The server of an earlier watcher, process ")?.hasSuffix(", is replaced.") == true)
    #expect(try next.address() == address)
    #expect(try curl("\(address)healthz").output.contains("\"isWatching\":true"))
    #expect(try program.run("status").output.contains("\nPages: \(address)\n"))
    next.send(SIGTERM)
    #expect(try next.end().status == 0)
    #expect(try curl(address).status == 7)
  }

  @Test("A watcher that is told to end takes its server with it")
  func together() throws {
    let watcher = try RunningProgram(program, ["watch", "--serve", "--listen", "127.0.0.1:0"])
    let address = try watcher.address()
    watcher.send(SIGTERM)
    let run = try watcher.end()
    #expect(run.status == 0)
    let line = try #require(run.output.wholeMatch(of: #/[0-9-]{10}T[0-9:]{8}[+-][0-9:]{5} The pages are at (\S+)\n/#))
    #expect(line.1 == address)
    #expect(try curl(address).status == 7)
  }

  @Test("A forge's call and who has a token have the watcher act, and a bot without a file is none")
  func asked() throws {
    let repository = try GitFolder("Greeter", in: scratch)
    try repository.commit("Begin", ["README": "nothing to build\n"])
    try scratch.write(
      "repository: \(repository.path)\nbranches: [none]\nhook-secret: HOOK_KEY\n", to: "config/bots/Greeter.yml")
    try scratch.write("HOOK_KEY=s3cret\n", to: "config/secrets/Greeter.env")
    #expect(chmod(scratch.file("config/secrets/Greeter.env"), 0o600) == 0)
    let program = Program(scratch: scratch, environment: ["MARTLET_CONFIG": scratch.file("config")])
    let token = try program.run("tokens", "new", "--scope", "read,ask").output.dropLast()
    let watcher = try RunningProgram(program, ["watch", "--serve", "--listen", "127.0.0.1:0"])
    let address = try watcher.address()
    _ = try watcher.line(beginning: "The pages are in ")
    let noted = try curl("-d", "{}", "-H", "X-Gitlab-Token: s3cret", "\(address)hooks/Greeter")
    #expect(noted.output == "{\"integrations\":[],\"message\":\"Noted.\"}\n")
    let bearer = "Authorization: Bearer \(token)"
    let refused = try curl("-X", "POST", "-H", bearer, "\(address)api/v1/bots/Greeter/integrate")
    #expect(
      refused.output
        == "{\"detail\":\"There is no branch to integrate for Greeter: none in \(repository.path) is one that it asks for.\",\"status\":409,\"title\":\"Conflict\",\"type\":\"about:blank\"}\n"
    )
    let unknown = try curl("-X", "POST", "-H", bearer, "\(address)api/v1/bots/nope/integrate")
    #expect(unknown.output.contains("\"There is no such bot. /api/v1/bots lists those that there are.\""))
    watcher.send(SIGTERM)
    #expect(try watcher.end().status == 0)
  }

  @Test("A log grows until its integration is over, while the watcher is gone")
  func log() throws {
    try scratch.write(String(decoding: try Self.state(), as: UTF8.self), to: "home/watch-state.json")
    try scratch.write("one\n", to: "home/integrations/Greeter/7/log/building.log")
    let server = try RunningProgram(program, ["serve", "--listen", "127.0.0.1:0"])
    let address = try server.address()
    let reader = try FollowingReader("\(address)log/Greeter/7/building", in: scratch)
    #expect(reader.waits(for: "one\n"))
    try scratch.append("two\n", to: "home/integrations/Greeter/7/log/building.log")
    #expect(reader.waits(for: "one\ntwo\n"))
    try scratch.append("three\n", to: "home/integrations/Greeter/7/log/building.log")
    try scratch.write("{}", to: "home/integrations/Greeter/7/integration.json")
    #expect(try reader.end() == "one\ntwo\nthree\n")
    #expect(try curl("-r", "4-6", "\(address)log/Greeter/7/building").output == "two")
    #expect(try curl("\(address)log/Greeter/7/building?from=8").output == "three\n")
    #expect(
      try curl("\(address)log/Greeter/7/testing").output
        == "{\"detail\":\"There is no log of testing of Greeter 7: the step has not begun, or no program ran in it.\",\"status\":404,\"title\":\"Not Found\",\"type\":\"about:blank\"}\n"
    )
    server.send(SIGTERM)
    #expect(try server.end().status == 0)
  }

  private static func state() throws -> Data {
    try JSONEncoder().encode(
      WatchState(
        asOf: Date(timeIntervalSince1970: 1_790_000_000),
        bots: [WatchState.BotState(name: "Greeter", repository: "/nowhere")]))
  }

  @Test(
    "What cannot be served is refused in words",
    arguments: [
      (
        ["serve", "--listen", "0.0.0.0:80"],
        "error: cannot listen on 0.0.0.0:80: the connection would not be encrypted, so tokens and pages could be read on their way. Listen on a Unix socket, --listen unix:PATH, and put a web server with TLS before it; 'martlet help nginx' has an example.\n"
      ),
      (
        ["serve", "--listen", "80"],
        "error: '80' is not an address to listen on: write it as 127.0.0.1:8410, [::1]:8410 or unix:PATH. See 'martlet help serve'.\n"
      ),
      (
        ["watch", "--serve", "--once"], "error: '--serve' and '--once' do not go together. See 'martlet help watch'.\n"
      ),
      (["watch", "--listen", "x"], "error: '--listen' goes with '--serve' only. See 'martlet help watch'.\n"),
    ])
  func refused(arguments: [String], words: String) throws {
    let run = try program.run(arguments)
    #expect(run.status == 2)
    #expect(run.errors == words)
    #expect(run.output.isEmpty)
  }
}

/// A `curl` that follows something, into a file.
private final class FollowingReader {
  private let process: Process
  private let file: String

  init(_ address: String, in scratch: ScratchFolder) throws {
    file = scratch.file("followed")
    _ = FileManager.default.createFile(atPath: file, contents: nil)
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/curl")
    process.arguments = ["-sSN", "--max-time", "60", "-o", file, address]
    try process.run()
  }

  private var text: String {
    (FileManager.default.contents(atPath: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Waits until just this has come; false when that takes half a minute.
  func waits(for wanted: String) -> Bool {
    let end = ContinuousClock.now + .seconds(30)
    while text != wanted, ContinuousClock.now < end { poll(nil, 0, 5) }
    return text == wanted
  }

  /// All that came until the other side ended it.
  func end() throws -> String {
    process.waitUntilExit()
    return text
  }
}
