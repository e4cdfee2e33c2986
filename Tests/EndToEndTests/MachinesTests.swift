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

    private func document(_ number: Int) throws -> IntegrationRecord {
      let bytes = try Data(contentsOf: URL(filePath: scratch.file("home/integrations/tiny/\(number)/integration.json")))
      return try IntegrationRecord(reading: [UInt8](bytes))
    }

    private func machine(of document: IntegrationRecord) -> String? {
      document.circumstances?.first { $0.name == Circumstance.machine }?.value
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
      #expect(!scratch.names(in: "home/integrations/tiny/1/log").isEmpty)
      #expect(try scratch.read("home/integrations/tiny/1/log/after-triggers.log").contains("told by succeeded"))
      #expect(try program.run("show", "tiny/1").status == 0)

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

    @Test("Go on when the watcher is killed, and the next one takes the result in")
    func killedWatcher() throws {
      let server = try SecureShellServer(of: scratch)
      try settings(server)
      let watcher = try RunningProgram(program, ["watch"])
      #expect(try watcher.line(beginning: "tiny 1: handed out to other.") != nil)
      let started = scratch.file("other/integrations/tiny/1/log")
      while access(started, F_OK) != 0 { usleep(20_000) }
      watcher.send(SIGKILL)
      try watcher.waitForDeath()
      let next = try program.run("watch", "--once")
      #expect(next.status == 0, "\(next.errors)")
      #expect(next.errors.contains("tiny 1: is followed on other."))
      #expect(try document(1).outcome == .succeeded)
      #expect(scratch.names(in: "home/integrations/tiny").filter { Int($0) != nil } == ["1"])
      #expect(scratch.names(in: "other/handed").isEmpty)
    }

    @Test("A machine that cannot be reached is passed over with the reason, and its integrations wait or run here")
    func unreachable() throws {
      let port: UInt16
      do {
        let server = try SecureShellServer(of: scratch)
        try settings(server)
        port = server.port
        try server.know("other")
      }
      let waiting = try program.run("watch", "--once")
      #expect(waiting.errors.contains("other is passed over: it cannot be reached: "), "\(waiting.errors)")
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
