import Foundation
import Model
import Testing

extension Histories {
  @Suite("Repositories that lie elsewhere", .enabled(if: GitWebServer.isThere, "needs python3 and git's http-backend"))
  struct RemoteTests {
    private let scratch: ScratchFolder
    private let program: Program
    private let work: GitFolder

    private static let shared = Result { try ScratchFolder("remote") }

    init() throws {
      scratch = try Self.shared.get()
      try scratch.beginAnew()
      program = Program(scratch: scratch, environment: ["MARTLET_CONFIG": scratch.file("config")])
      work = try GitFolder.tiny(in: scratch)
      try work.git("clone", "--quiet", "--bare", ".", scratch.file("team/Tiny.git"))
    }

    private func push() throws { try work.git("push", "--quiet", scratch.file("team/Tiny.git"), "main") }

    private func bot(_ address: String, _ more: String = "") throws {
      try scratch.write(
        """
        repository: \(address)
        tests: none
        actions: [build]
        schedule: {also-when-toolchain-changes: false}
        \(more)

        """, to: "config/bots/tiny.yml")
    }

    private func secret(_ value: String) throws {
      try scratch.write("FORGE=\(value)\n", to: "config/secrets/tiny.env", mode: 0o600)
    }

    /// What the watcher says beside its greeting, without times.
    private func said(_ run: Program.Run) -> [String] {
      run.errors.split(separator: "\n").map { String($0.trimmingPrefix(#/[0-9T:+-]{25} /#)) }
        .filter { !$0.hasPrefix("warning: ") && !$0.hasPrefix("The pages are in") && !$0.hasPrefix("tiny: watching") }
    }

    private func commits() throws -> [String] {
      try program.documents(of: "tiny").map { "\($0.repository) \($0.commit.summary) \($0.outcome.rawValue)" }
    }

    @Test(
      "From a push to a forge with a login to a report: each new commit is fetched and integrated under the address")
    func fromPush() throws {
      let server = try GitWebServer(of: scratch)
      let address = "\(server.address)/team/Tiny.git"
      try bot(address, "credentials: {token: FORGE}")
      try secret(GitWebServer.token)
      #expect(try program.run("check").output == "1 bot file is valid.\n")
      #expect(try program.run("watch", "--once").status == 0)
      #expect(try commits() == ["\(address) Begin succeeded"])
      try work.commit("Second", ["Sources/Tiny/Tiny.swift": "public let answer = 43\n"])
      try push()
      #expect(try program.run("watch", "--once").status == 0)
      #expect(try commits() == ["\(address) Begin succeeded", "\(address) Second succeeded"])
      // Neither the password nor where the mirror lies is told anywhere.
      let mirror = try #require(scratch.names(in: "home/mirrors").first { !$0.hasPrefix(".") })
      let found = try Program.run(
        "grep",
        ["-rlE", "\(GitWebServer.token)|\(mirror)", scratch.file("home/site"), scratch.file("home/integrations")],
        environment: ["PATH": "/usr/bin:/bin"], in: scratch.path)
      #expect(found.output == scratch.file("home/integrations/tiny/repository") + "\n")
      #expect(
        try FileManager.default.attributesOfItem(atPath: scratch.file("home/mirrors/\(mirror)"))[.posixPermissions]
          as? Int == 0o700)
    }

    @Test("A wrong password, a forge that fails and one that leads elsewhere are told, and the next fetch works")
    func failures() throws {
      let server = try GitWebServer(of: scratch)
      let address = "\(server.address)/team/Tiny.git"
      try bot(address, "credentials: {token: FORGE}")
      try secret("wrong-word")
      let refused = try program.run("watch", "--once")
      #expect(refused.status == 3)
      #expect(
        said(refused) == [
          "Cannot fetch \(address): 127.0.0.1 refuses the login. Check 'credentials' in the bot's file, and the value of the secret that it names."
        ])
      try secret(GitWebServer.token)
      try server.answer(.fail)
      #expect(
        try said(program.run("watch", "--once")) == [
          "Cannot fetch \(address): 127.0.0.1 reports a server error. It is tried again after a pause."
        ])
      try server.answer(.elsewhere)
      #expect(
        try said(program.run("watch", "--once")) == [
          "Cannot fetch \(address): 127.0.0.1 leads elsewhere, and is not followed there. Write the address that it leads to into the bot's file."
        ])
      #expect(try commits() == [])
      try server.answer(.ok)
      #expect(try program.run("watch", "--once").status == 0)
      #expect(try commits() == ["\(address) Begin succeeded"])
    }

    @Test("Branches that come by the thousand take no file each")
    func many() throws {
      let server = try GitWebServer(of: scratch)
      try work.git("clone", "--quiet", "--bare", ".", scratch.file("open/Tiny.git"))
      try bot("\(server.address)/open/Tiny.git")
      #expect(try program.run("watch", "--once").status == 0)
      let commit = try work.head.rawValue
      let refs = (1...1500).map { "\(commit) refs/heads/b\($0)\n" }.sorted() + ["\(commit) refs/heads/main\n"]
      try scratch.write(
        "# pack-refs with: peeled fully-peeled sorted \n" + refs.joined(), to: "open/Tiny.git/packed-refs")
      #expect(try program.run("watch", "--once").status == 0)
      let mirror = try #require(scratch.names(in: "home/mirrors").first { !$0.hasPrefix(".") })
      #expect(scratch.names(in: "home/mirrors/\(mirror)/refs/heads") == [])
      let known = try scratch.read("home/mirrors/\(mirror)/packed-refs")
      #expect(known.split(separator: "\n").count { $0.contains("refs/heads/") } == 1501)
    }

    @Test("A login that is missing is asked for, and what is not there is not found")
    func missing() throws {
      let server = try GitWebServer(of: scratch)
      try bot("\(server.address)/team/Tiny.git")
      #expect(
        try said(program.run("watch", "--once")) == [
          "Cannot fetch \(server.address)/team/Tiny.git: 127.0.0.1 asks for a login. Write credentials: {token: NAME} into the bot's file, and NAME=… into its secrets."
        ])
      try bot("\(server.address)/open/Other.git")
      #expect(
        try said(program.run("watch", "--once")) == [
          "Cannot fetch \(server.address)/open/Other.git: 127.0.0.1 has no such repository, or does not show it to who logs in so. Check the address and 'credentials' in the bot's file."
        ])
    }

    @Test("A watcher that is killed during a fetch leaves no process, and nothing that holds up the next one")
    func killed() throws {
      let server = try GitWebServer(of: scratch)
      let address = "\(server.address)/team/Tiny.git"
      try bot(address, "credentials: {token: FORGE}\nfetch: webhook")
      try secret(GitWebServer.token)
      #expect(try program.run("watch", "--once").status == 0)
      try server.answer(.hang)
      let asked = try NamedPipe(scratch.file("asked"))
      let watcher = try RunningProgram(program, ["watch"])
      #expect(asked.isWrittenTo(within: 60))
      let status = try program.run("status").output
      #expect(
        status.contains("\ntiny  \(address), fetched 0 s ago, being fetched\n") || status.contains(", being fetched\n"))
      watcher.send(SIGKILL)
      try watcher.waitForDeath()
      #expect(ProcessList.remaining(naming: "\(server.address)/team") == [])
      // What a git that is killed while it writes leaves as well.
      let mirror = try #require(scratch.names(in: "home/mirrors").first { !$0.hasPrefix(".") })
      for name in ["refs/heads/main.lock", "packed-refs.lock", "HEAD.lock", "objects/pack/tmp_pack_x"] {
        try scratch.write("", to: "home/mirrors/\(mirror)/\(name)")
      }
      try work.commit("Second", ["Sources/Tiny/Tiny.swift": "public let answer = 43\n"])
      try push()
      try server.answer(.ok)
      #expect(try program.run("watch", "--once").status == 0)
      #expect(try commits().last == "\(address) Second succeeded")
      #expect(!scratch.exists("home/mirrors/\(mirror)/objects/pack/tmp_pack_x"))
    }

    @Test(
      "Over ssh only the host that is known is trusted, and only the key that is named is used",
      .enabled(if: SecureShellServer.isThere, "needs openssh-server, ssh-keygen and bubblewrap"))
    func secureShell() throws {
      let server = try SecureShellServer(of: scratch)
      let user = String(cString: try #require(getpwuid(getuid())).pointee.pw_name)
      let address = "ssh://\(user)@127.0.0.1:\(server.port)\(scratch.file("team/Tiny.git"))"
      try bot(address, "credentials: {ssh-key: \(server.key), known-hosts: \(server.knownHosts)}")
      #expect(try program.run("check").output == "1 bot file is valid.\n")
      #expect(try program.run("watch", "--once").status == 0)
      #expect(try commits() == ["\(address) Begin succeeded"])
      try server.know("other")
      #expect(
        try said(program.run("watch", "--once")) == [
          "Cannot fetch \(address): 127.0.0.1 has another key than the one in \(server.knownHosts). If it has a new one, get that from whoever runs 127.0.0.1 and write it there; if not, somebody else answers in its place."
        ])
      try scratch.write("", to: "ssh/known")
      #expect(
        try said(program.run("watch", "--once")) == [
          "Cannot fetch \(address): \(server.knownHosts) has no key of 127.0.0.1. Append what 'ssh-keyscan -p \(server.port) 127.0.0.1' prints, after comparing it with what whoever runs 127.0.0.1 says."
        ])
      try server.know("host")
      try scratch.write(scratch.read("ssh/other.pub"), to: "ssh/authorized")
      #expect(
        try said(program.run("watch", "--once")) == [
          "Cannot fetch \(address): 127.0.0.1 does not take the key. Give it the public half of the one that 'credentials' names."
        ])
      chmod(server.key, 0o644)
      let check = try program.run("check")
      #expect(check.status == 2)
      #expect(
        check.output.contains("others than its owner can open the key \(server.key). Run: chmod 600 \(server.key)"))
    }

    // The last one, since it removes the bot with what was built for it.
    @Test("A running watcher fetches when it is told that the repository moved, and before what somebody asks for")
    func told() throws {
      let server = try GitWebServer(of: scratch)
      try work.git("clone", "--quiet", "--bare", ".", scratch.file("open/Tiny.git"))
      let address = "\(server.address)/open/Tiny"
      let made = try program.run("bots", "new", "tiny", "--repository", address)
      #expect(made.status == 0, "\(made.errors)")
      try bot(address, "fetch: manual")
      let watcher = try RunningProgram(program, ["watch"])
      #expect(try watcher.line(beginning: "The pages are in") != nil)
      #expect(server.requests.isEmpty)
      let integrated = try program.run("integrate", "tiny", "--wait")
      #expect(integrated.status == 0, "\(integrated.errors)")
      try work.commit("Second", ["Sources/Tiny/Tiny.swift": "public let answer = 43\n"])
      try work.git("push", "--quiet", scratch.file("open/Tiny.git"), "main", "HEAD:refs/heads/other")
      #expect(try program.run("notify", "\(address).git").status == 0)
      #expect(try watcher.line(beginning: "tiny 2: succeeded") != nil)
      watcher.send(SIGTERM)
      #expect(try watcher.end().status == 0)
      #expect(try commits() == ["\(address) Begin succeeded", "\(address) Second succeeded"])
      #expect(try program.run("bots", "remove", "tiny").status == 0)
      #expect(scratch.names(in: "home/mirrors").filter { !$0.hasPrefix(".") } == [])
    }
  }
}
