import Foundation
import Testing

extension Histories {
  @Suite("What forges are told", .enabled(if: GitWebServer.isThere, "needs python3 and git's http-backend"))
  struct StatusTests {
    private let scratch: ScratchFolder
    private let program: Program
    private let work: GitFolder
    private let forge: ForgeDouble

    private static let shared = Result { try ScratchFolder("status") }

    init() throws {
      let scratch = try Self.shared.get()
      try scratch.beginAnew()
      try self.init(in: scratch)
    }

    /// - Parameter scratch: one of its own for a test that needs the time that a build from nothing takes.
    private init(in scratch: ScratchFolder) throws {
      self.scratch = scratch
      program = Program(scratch: scratch, environment: ["MARTLET_CONFIG": scratch.file("config")])
      work = try GitFolder.tiny(in: scratch)
      try work.git("clone", "--quiet", "--bare", ".", scratch.file("team/Tiny.git"))
      forge = try ForgeDouble(of: scratch, token: "pol1te-ibis")
      let server = try GitWebServer(of: scratch)
      self.server = server
      try scratch.write("address: https://ci.example.org/\n", to: "config/martlet.yml")
      try scratch.write(
        """
        repository: \(server.address)/team/Tiny.git
        credentials: {token: FORGE}
        status: {forge: gitlab, token: STATUS, address: "\(forge.address)"}
        hook-secret: HOOK
        fetch: webhook
        tests: none
        actions: [build]
        schedule: {also-when-toolchain-changes: false}

        """, to: "config/bots/tiny.yml")
      try scratch.write(
        "FORGE=\(GitWebServer.token)\nSTATUS=pol1te-ibis\nHOOK=s3cret\n", to: "config/secrets/tiny.env", mode: 0o600)
    }

    private let server: GitWebServer

    /// Waits until the forge was told so much.
    private func told(_ count: Int) throws -> [String] {
      let deadline = Date().addingTimeInterval(120)
      while true {
        let told = try forge.told()
        if told.count >= count || Date() > deadline { return told }
        poll(nil, 0, 20)
      }
    }

    @Test("From a push through a hook to what the forge shows beside the commit")
    func fromPush() throws { try Self(in: ScratchFolder("push")).followsPush() }

    private func followsPush() throws {
      let watcher = try RunningProgram(program, ["watch", "--serve", "--listen", "127.0.0.1:0"])
      let address = try watcher.address()
      #expect(try watcher.line(beginning: "tiny 1: succeeded") != nil)
      let page = "(martlet/tiny https://ci.example.org/tiny/"
      #expect(
        try told(2) == [
          "0 running: Running \(page)index.html at main)", "0 success: Builds \(page)1/index.html at main)",
        ])
      try scratch.write(
        """
        #!/bin/sh
        read -r old new ref
        exec curl -sS -o '\(scratch.file("hooked"))' -H 'X-Gitlab-Token: s3cret' -d "{\\"after\\": \\"$new\\"}" \(address)hooks/tiny

        """, to: "team/Tiny.git/hooks/post-receive", mode: 0o755)
      try work.commit("Second", ["Sources/Tiny/Tiny.swift": "public let answer: String = 43\n"])
      // The forge takes the first status, and asks to be told the second one a second later.
      try forge.answer(201, 503)
      try work.git("push", "--quiet", scratch.file("team/Tiny.git"), "main")
      #expect(try watcher.line(beginning: "tiny 2: build-errors") != nil)
      #expect(
        try told(4).dropFirst(2) == [
          "1 running: Running \(page)index.html at main)", "1 failed: 1 error \(page)2/index.html at main)",
        ])
      watcher.send(SIGTERM)
      #expect(try watcher.end().status == 0)
      let found = try Program.run(
        "grep", ["-rlE", "pol1te-ibis", scratch.file("home")], environment: ["PATH": "/usr/bin:/bin"], in: scratch.path)
      #expect(found.output == "")
    }

    // GitLab refuses what it has already; Forgejo would keep it twice, and is asked.
    @Test(
      "A status whose answer was lost is there once, though the watcher that told it is no more",
      arguments: ["gitlab", "forgejo"])
    func lostAnswer(from forgeName: String) throws {
      let isAsked = forgeName == "forgejo"
      let bot = try scratch.read("config/bots/tiny.yml")
      try scratch.write(
        bot.replacing("forge: gitlab", with: "forge: \(forgeName)")
          .replacing(forge.address, with: isAsked ? forge.forgejo : forge.address),
        to: "config/bots/tiny.yml")
      // The first watcher has no token, so that all it leaves is the result.
      let secrets = try scratch.read("config/secrets/tiny.env")
      try scratch.write(
        secrets.replacing("STATUS=pol1te-ibis", with: "STATUS="), to: "config/secrets/tiny.env", mode: 0o600)
      #expect(try program.run("watch", "--once").status == 0)
      try scratch.write(secrets, to: "config/secrets/tiny.env", mode: 0o600)
      try forge.answer(0)
      #expect(try program.run("watch", "--once").status == 0)
      let told = [
        "0 success: Builds (martlet/tiny https://ci.example.org/tiny/1/index.html at \(isAsked ? "None" : "main"))"
      ]
      #expect(try (forge.told(), forge.asked()) == (told, []))
      let outbox = scratch.file("home/outbox")
      let name = try #require(
        try FileManager.default.contentsOfDirectory(atPath: outbox).first { $0.hasSuffix(".json") })
      let delivery = try scratch.read("home/outbox/\(name)")
      #expect(delivery.contains(#""mayHaveArrived":true"#))
      // The minute until the next attempt is over.
      try scratch.write(
        delivery.replacing(/"dueAt":[0-9.]+/, with: #""dueAt":0"#), to: "home/outbox/\(name)", mode: 0o600)
      #expect(try program.run("watch", "--once").status == 0)
      #expect(try (forge.told(), forge.asked().count) == (told, isAsked ? 1 : 0))
      #expect(try FileManager.default.contentsOfDirectory(atPath: outbox) == [])
    }

    @Test("A wrong token is told once, and what waits is sent by the right one")
    func wrongToken() throws {
      try scratch.write(
        "FORGE=\(GitWebServer.token)\nSTATUS=wr0ng-ibis\nHOOK=s3cret\n", to: "config/secrets/tiny.env", mode: 0o600)
      let trouble =
        "tiny: 127.0.0.1 does not take what it is told of commits: it answers 401: 401 Unauthorized. Check 'status' in the bot's file and the rights of the token in secrets/tiny.env; it is tried again each hour."
      let run = try program.run("watch", "--once")
      #expect(run.status == 0)
      #expect(run.errors.components(separatedBy: trouble).count == 2, "\(run.errors)")
      #expect(!run.errors.contains("wr0ng-ibis"))
      #expect(try forge.told() == [])
      try scratch.write(
        "FORGE=\(GitWebServer.token)\nSTATUS=pol1te-ibis\nHOOK=s3cret\n", to: "config/secrets/tiny.env", mode: 0o600)
      #expect(try program.run("watch", "--once").status == 0)
      #expect(try forge.told().map { $0.prefix { $0 != "(" } } == ["0 success: Builds "])
    }
  }
}
