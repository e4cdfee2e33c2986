import Foundation
import Glibc
import Model
import Testing

extension Histories {
  @Suite("Integrations on another machine", .enabled(if: SecureShellServer.isThere, "needs sshd, ssh-keygen and bwrap"))
  struct MachinesTests {
    private let scratch: ScratchFolder
    private let program: Program
    private let work: GitFolder

    init() throws {
      scratch = try ScratchFolder("machines")
      program = Program(scratch: scratch, environment: ["MARTLET_CONFIG": scratch.file("config")])
      work = try GitFolder.tiny(in: scratch)
      try scratch.write(
        """
        repository: \(work.path)
        tests: none
        actions: [build]
        schedule: {also-when-toolchain-changes: false}
        triggers: [{after: {beside: tell.sh}, network: false}]

        """, to: "config/bots/tiny.yml")
      try scratch.write("#!/bin/sh\necho told by $MARTLET_INTEGRATION_RESULT\n", to: "config/bots/tell.sh", mode: 0o755)
    }

    /// Names a machine that is reached through a server; this machine then only hands out.
    private func settings(_ server: SecureShellServer, _ more: String = "") throws {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      try scratch.write(
        """
        jobs: 0
        machines:
          other:
            ssh: "\(NSUserName())@127.0.0.1:\(server.port)"
            home: \(scratch.file("other"))
            key: \(server.key)
            known-hosts: \(server.knownHosts)
            environment: {PATH: "\(path)"}
        \(more)

        """, to: "config/martlet.yml")
    }

    private func document(_ number: Int) throws -> IntegrationRecord { try program.document(number, of: "tiny") }

    private func machine(of document: IntegrationRecord) -> String? {
      document.circumstances?.machine
    }

    @Test(
      "Are in their place like those of this machine, with pages, logs and messages, and nothing is left over there")
    func handedOut() throws {
      let server = try SecureShellServer(of: scratch)
      try settings(server)
      let first = try program.run("watch", "--once")
      #expect(first.status == 0, "\(first.errors)")
      #expect(first.errors.contains("tiny 1: handed out to other."))
      let one = try document(1)
      #expect(one.outcome == .succeeded && machine(of: one) == "other")
      #expect(one.repository == work.path)
      #expect(try scratch.read("home/site/tiny/1/index.html").contains("other"))
      #expect(try program.run("show", "tiny/1").output.contains("\nMachine   other\n"))
      #expect(!scratch.names(in: "home/integrations/tiny/1/log").isEmpty)
      #expect(try scratch.read("home/integrations/tiny/1/log/after-triggers.log").contains("told by succeeded"))

      try work.commit("Second", ["Sources/Tiny/Tiny.swift": "public let answer = 43\n"])
      let second = try program.run("watch", "--once")
      #expect(second.status == 0, "\(second.errors)")
      let two = try document(2)
      #expect(two.outcome == .succeeded && two.baseline == 1)
      // The home and the machine agree on the past, and hold nothing of what is over.
      #expect(scratch.names(in: "home/handed").isEmpty && scratch.names(in: "other/handed").isEmpty)
      #expect(scratch.names(in: "home/workspaces").isEmpty)
      #expect(scratch.names(in: "other/integrations/tiny/2") == ["integration.json", "page-keys"])
    }

    @Test("An older commit that is integrated again is no news of its branch, as it is none on this machine")
    func olderCommit() throws {
      let server = try SecureShellServer(of: scratch)
      try settings(server)
      let watcher = try RunningProgram(program, ["watch"])
      #expect(try watcher.line(beginning: "tiny 1: succeeded") != nil)
      try work.commit("Second", ["Sources/Tiny/Tiny.swift": "public let answer = 43\n"])
      #expect(try watcher.line(beginning: "tiny 2: succeeded") != nil)
      let again = try program.run("rerun", "tiny/1", "--wait")
      #expect(again.status == 0, "\(again.errors)")
      #expect(try document(3).commit.id == document(1).commit.id)
      #expect(try machine(of: document(3)) == "other" && document(3).behindBranch == true)
      watcher.send(SIGTERM)
      #expect(try watcher.end().status == 0)
    }

    @Test("Go on when the watcher is killed, and the next one takes the result in")
    func killedWatcher() throws {
      let server = try SecureShellServer(of: scratch)
      try settings(server)
      let watcher = try RunningProgram(program, ["watch"])
      #expect(try watcher.line(beginning: "tiny 1: handed out to other.") != nil)
      let started = scratch.file("other/integrations/tiny/1/log")
      #expect(wait { access(started, F_OK) == 0 })
      watcher.send(SIGKILL)
      try watcher.waitForDeath()
      let next = try program.run("watch", "--once")
      #expect(next.status == 0, "\(next.errors)")
      #expect(next.errors.contains("tiny 1: is followed on other."))
      #expect(try document(1).outcome == .succeeded)
      #expect(scratch.names(in: "home/integrations/tiny").filter { Int($0) != nil } == ["1"])
      #expect(scratch.names(in: "other/handed").isEmpty)
    }

    @Test("A machine with another toolchain, without a sandbox or with a full disk is unavailable, with the reason")
    func unfit() throws {
      let server = try SecureShellServer(of: scratch, smallDisk: scratch.file("full"))
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let swift = try #require(path.split(separator: ":").first { access("\($0)/swiftc", X_OK) == 0 })
      try FileManager.default.createDirectory(atPath: scratch.file("few"), withIntermediateDirectories: true)
      for name in ["git", "sh"] {
        try FileManager.default.createSymbolicLink(
          atPath: scratch.file("few/\(name)"), withDestinationPath: "/usr/bin/\(name)")
      }
      let about =
        #"{"compilerVersion": "Swift version 6.0 (early)", "paths": {"runtimeResourcePath": "/usr/lib/swift"}}"#
      for (name, body) in [("swift", "exit 0"), ("llvm-cov", "exit 0"), ("swiftc", "echo '\(about)'")] {
        try scratch.write("#!/bin/sh\n\(body)\n", to: "old/usr/bin/\(name)", mode: 0o755)
      }
      func machine(_ name: String, path: String) -> String {
        """
          \(name):
            {ssh: "\(NSUserName())@127.0.0.1:\(server.port)", home: \(scratch.file(name)), key: \(server.key),
             known-hosts: \(server.knownHosts), environment: {PATH: "\(path)"}}

        """
      }
      try scratch.write(
        "jobs: 0\nmachines:\n" + machine("bare", path: "\(swift):\(scratch.file("few"))") + machine("full", path: path)
          + machine("early", path: "\(scratch.file("old/usr/bin")):\(path)"), to: "config/martlet.yml")
      let watcher = try RunningProgram(program, ["watch"])
      for name in ["bare", "full", "early"] { #expect(try watcher.line(beginning: "\(name) is unavailable: ") != nil) }
      let told = try program.run("machines").output.split(separator: "\n").filter { $0.hasPrefix("  unavailable: ") }
      #expect(told.count == 3, "\(told)")
      #expect(told.contains { $0.hasPrefix("  unavailable: sandbox: ") })
      #expect(told.contains { $0.hasPrefix("  unavailable: disk: only ") })
      #expect(
        told.contains {
          $0.hasPrefix("  unavailable: Its toolchain is Swift version 6.0 (early), and that of this machine is ")
        })
      #expect(scratch.names(in: "home/integrations").isEmpty)
      watcher.send(SIGTERM)
      try watcher.waitForDeath()
    }

    @Test("A machine that cannot be reached is unavailable, with the reason, and its integrations wait or run here")
    func unreachable() throws {
      let port: UInt16
      do {
        let server = try SecureShellServer(of: scratch)
        try settings(server)
        port = server.port
        try server.know("other")
      }
      let waiting = try program.run("watch", "--once")
      #expect(waiting.errors.contains("other is unavailable: it cannot be reached: "), "\(waiting.errors)")
      #expect(scratch.names(in: "home/integrations").isEmpty)
      let text = try scratch.read("config/martlet.yml")
      #expect(text.contains("\(port)"))
      try scratch.write(text + "when-down: local\n", to: "config/martlet.yml")
      let here = try program.run("watch", "--once")
      #expect(here.status == 0, "\(here.errors)")
      #expect(try machine(of: document(1)) == nil)
    }
  }
}
