import Foundation
import Glibc
import Model
import TestGround
import Testing

extension Histories {
  @Suite(
    "Change requests of strangers",
    .enabled(
      if: GitWebServer.isThere && MachineAbilities.canContain, "needs python3, git's http-backend and bubblewrap"))
  struct ChangeRequestTests {
    private let scratch: ScratchFolder
    private let program: Program
    private let work: GitFolder
    private let server: GitWebServer

    init() throws {
      scratch = try ScratchFolder("requests")
      program = Program(scratch: scratch, environment: ["MARTLET_CONFIG": scratch.file("config")])
      work = try GitFolder.tiny(in: scratch)
      try work.git("clone", "--quiet", "--bare", ".", scratch.file("open/Tiny.git"))
      server = try GitWebServer(of: scratch)
      try scratch.write("DEPLOY=pol1te-ibis\n", to: "config/secrets/tiny.env", mode: 0o600)
      try scratch.write("", to: "deployed/log")
    }

    private func bot(trust: String) throws {
      try scratch.write(
        """
        repository: \(server.address)/open/Tiny.git
        branches: [main, "refs/pull/*/head"]
        trust: \(trust)
        tests: none
        secrets: [DEPLOY]
        triggers:
          - {after: {run: "#!/bin/sh\\necho deployed $MARTLET_COMMIT >> \(scratch.file("deployed/log"))"}, write: ["\(scratch.file("deployed"))"]}
        schedule: {also-when-toolchain-changes: false}

        """, to: "config/bots/tiny.yml")
    }

    /// A package whose manifest and test reach for a secret, the mirror, the home and this machine's loopback; each success
    /// makes the integration red, or is seen from outside.
    private func push(_ number: Int, mirror: String, at door: Door) throws {
      let reach = """
        func reach() -> [String] {
          var reached: [String] = []
          for path in ["\(scratch.file("config/secrets/tiny.env"))", "\(mirror)/HEAD", "\(scratch.file("home/martlet.sqlite"))"] {
            if let file = fopen(path, "r") { reached.append(path); fclose(file) }
          }
          for path in ["\(mirror)/refs/heads/evil", "\(scratch.file("home/evil"))", "\(scratch.file("deployed/evil"))"] {
            if let file = fopen(path, "w") { fclose(file) }
          }
          if getenv("DEPLOY") != nil { reached.append("DEPLOY") }
          for address in [UInt32(0x7F00_0001), 0x0A00_0202] {
            let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_addr.s_addr = address.bigEndian
            place.sin_port = UInt16(\(door.port)).bigEndian
            _ = withUnsafePointer(to: &place) { pointer in
              pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
              }
            }
            close(number)
          }
          return reached
        }

        """
      try work.git("checkout", "--quiet", "--detach")
      try work.commit(
        "Strange \(number)",
        [
          "Package.swift": """
          // swift-tools-version: 6.0
          import Glibc
          import PackageDescription
          \(reach)
          let reached = reach()
          if !reached.isEmpty { fatalError("reached \\(reached)") }
          let package = Package(
            name: "Tiny", dependencies: [.package(path: "Kit")],
            targets: [.target(name: "Tiny"), .testTarget(name: "TinyTests", dependencies: [.product(name: "Kit", package: "Kit")])])

          """,
          "Kit/Package.swift": """
          // swift-tools-version: 6.0
          import PackageDescription
          let package = Package(
            name: "Kit", products: [.library(name: "Kit", targets: ["Kit"])], targets: [.target(name: "Kit")])

          """,
          "Kit/Sources/Kit/Kit.swift": "public func answer() -> Int { \(number) }\n",
          "Tests/TinyTests/TinyTests.swift": """
          import Glibc
          import Kit
          import Testing
          \(reach)
          @Test func reaches() { #expect(reach() == []) }

          """,
        ])
      try work.git("push", "--quiet", "--force", scratch.file("open/Tiny.git"), "HEAD:refs/pull/7/head")
      try work.git("checkout", "--quiet", "main")
    }

    private func outcomes() throws -> [String] {
      try program.documents(of: "tiny").map { "\($0.commit.summary) \($0.outcome.rawValue)" }
    }

    @Test(
      "Nothing of a stranger's runs without trust; with it, it reads no secret, writes nothing and calls nobody here")
    func hostile() throws {
      let door = try Door()
      try bot(trust: "members")
      #expect(try program.run("watch", "--once").status == 0)
      #expect(try outcomes() == ["Begin succeeded"])
      let mirror = scratch.file(
        "home/mirrors/\(try #require(scratch.names(in: "home/mirrors").first { !$0.hasPrefix(".") }))")
      let deployed = try scratch.read("deployed/log")
      #expect(deployed.split(separator: "\n").count == 1)
      try push(1, mirror: mirror, at: door)
      let refused = try program.run("watch", "--once")
      #expect(refused.status == 0)
      #expect(
        refused.errors.contains(
          "tiny: pull requests of commits that no branch of \(server.address)/open/Tiny.git holds are not integrated. With 'trust: all' in the bot's file they are, contained and without secrets."
        ), "\(refused.errors)")
      #expect(try outcomes() == ["Begin succeeded"])
      try bot(trust: "all")
      try push(2, mirror: mirror, at: door)
      let run = try program.run("watch", "--once")
      #expect(try outcomes() == ["Begin succeeded", "Strange 2 succeeded"], "\(run.errors)")
      #expect(!door.wasCalled)
      #expect(try scratch.read("deployed/log") == deployed)
      #expect(!scratch.exists("deployed/evil") && !scratch.exists("home/evil"))
      #expect(access("\(mirror)/refs/heads/evil", F_OK) != 0)
      let workspaces = scratch.names(in: "home/workspaces/tiny")
      #expect(workspaces.filter { !$0.hasPrefix(".") } == ["main"])
    }
  }
}
