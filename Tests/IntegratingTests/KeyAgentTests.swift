import FoundationEssentials
import Glibc
import Processes
import Testing

@testable import Integrating

@Suite(
  "An ssh agent for one key",
  .enabled(
    if: access("/usr/bin/ssh-agent", X_OK) == 0 && access("/usr/bin/ssh-keygen", X_OK) == 0, "needs openssh-client"))
struct KeyAgentTests {
  private let scratch: Scratch
  private let searchPath = "/usr/bin:/bin"
  private var key: String { "\(scratch.path)/key" }
  private var socket: String { "\(scratch.path)/agent" }

  init() throws {
    scratch = try Scratch()
  }

  private func makeKey(passphrase: String) throws {
    #expect(try run("ssh-keygen", ["-q", "-t", "ed25519", "-N", passphrase, "-C", "tern", "-f", key]).result.succeeded)
  }

  private func run(_ program: String, _ arguments: [String]) throws -> CollectedOutput {
    try Command(
      program, arguments, environment: ["PATH": searchPath, "SSH_AUTH_SOCK": socket], workingDirectory: scratch.path
    ).collect(limits: Limits(wallClock: .seconds(60)), cancellation: try Cancellation(), limit: 1 << 16)
  }

  private func agent(_ socket: String? = nil, searchPath: String? = nil) throws -> KeyAgent {
    try KeyAgent(
      key: key, socket: socket ?? self.socket, searchPath: searchPath ?? self.searchPath,
      cancellation: try Cancellation())
  }

  private func refusal(_ body: () throws -> KeyAgent) throws -> String {
    "\(try #require(throws: IntegratingError.self) { _ = try body() })"
  }

  @Test("It holds the key until it is closed, and takes the place of one that was killed")
  func holds() throws {
    try makeKey(passphrase: "")
    try Data().write(to: URL(filePath: socket))
    let agent = try agent()
    #expect(String(decoding: try run("ssh-add", ["-l"]).standardOutput, as: UTF8.self).contains("tern"))
    agent.close()
    #expect(access(socket, F_OK) != 0)
    #expect(try !run("ssh-add", ["-l"]).result.succeeded)
  }

  @Test("A key with a passphrase is refused, and leaves no agent")
  func passphrase() throws {
    try makeKey(passphrase: "albatross")
    #expect(
      try refusal { try agent() }
        == "cannot use the key \(key) to fetch dependencies: ssh-add does not take it. It needs to be a private key without a passphrase."
    )
    #expect(access(socket, F_OK) != 0)
  }

  @Test("A machine without ssh and a home that lies too deep are told with what to do")
  func impossible() throws {
    try makeKey(passphrase: "")
    #expect(try refusal { try agent(searchPath: scratch.path) }.hasSuffix("Run: apt-get install openssh-client"))
    let deep = "\(scratch.path)/\(String(repeating: "deep/", count: 30))agent"
    #expect(
      try refusal { try agent(deep) }
        == "cannot use the key \(key) to fetch dependencies: the path \(deep) is too long for a socket. Take a home with a shorter path."
    )
  }
}
