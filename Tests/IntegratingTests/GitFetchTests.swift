import Foundation
import Model
import Processes
import Testing

@testable import Integrating

@Suite("How git is called to fetch")
struct GitFetchTests {
  private func git(_ address: String, isRouted: Bool = true, _ change: (inout FetchOrder) -> Void = { _ in }) throws
    -> GitFetch
  {
    var order = FetchOrder(address: try RemoteAddress(address), mirror: "/mirrors/a")
    change(&order)
    let caller = [
      "PATH": "/usr/bin", "HOME": "/users/ada", "SSH_AUTH_SOCK": "/run/agent", "GIT_SSH_COMMAND": "evil",
      "https_proxy": "http://proxy:3128", "GIT_DIR": "/elsewhere", "GIT_CONFIG_COUNT": "7",
    ]
    return GitFetch(order: order, caller: caller, isRouted: isRouted)
  }

  private func settings(_ git: GitFetch) -> [String: String] {
    let environment = git.environment
    let count = environment["GIT_CONFIG_COUNT"].flatMap { Int($0) } ?? 0
    return Dictionary(
      (0..<count).map { (environment["GIT_CONFIG_KEY_\($0)"] ?? "", environment["GIT_CONFIG_VALUE_\($0)"] ?? "") },
      uniquingKeysWith: { $1 })
  }

  @Test("Nothing of the machine's settings counts, and only the protocol of the address is spoken")
  func settings() throws {
    let git = try git("https://example.org/a")
    let environment = git.environment
    #expect(environment["GIT_CONFIG_NOSYSTEM"] == "1")
    #expect(environment["GIT_CONFIG_GLOBAL"] == "/dev/null")
    #expect(environment["GIT_TERMINAL_PROMPT"] == "0")
    #expect(environment["HOME"] == "/nonexistent")
    #expect(environment["https_proxy"] == "http://proxy:3128")
    for name in ["GIT_DIR", "GIT_SSH_COMMAND", "SSH_AUTH_SOCK", "GIT_ASKPASS"] { #expect(environment[name] == nil) }
    let settings = settings(git)
    #expect(settings["protocol.allow"] == "never")
    #expect(settings["protocol.https.allow"] == "always")
    #expect(settings["protocol.ssh.allow"] == nil)
    #expect(settings["transfer.fsckObjects"] == "true")
    #expect(settings["core.hooksPath"] == "/dev/null")
    #expect(settings["http.extraHeader"] == nil)
  }

  @Test("A server may lead elsewhere only without a login, and where this machine's loopback is out of reach")
  func redirects() throws {
    let open = "https://example.org/a"
    #expect(settings(try git(open))["http.followRedirects"] == "initial")
    #expect(settings(try git(open, isRouted: false))["http.followRedirects"] == "false")
    #expect(settings(try git(open) { $0.token = "hush" })["http.followRedirects"] == "false")
  }

  @Test("A login is in no argument, goes as RFC 7617 has it, and is known as a secret in both forms")
  func login() throws {
    let git = try git("https://example.org/a") { order in
      order.token = "open sesame"
      order.credentials = Credentials()
      order.credentials?.user = "Aladdin"
    }
    // The example of https://www.rfc-editor.org/rfc/rfc7617#section-2.
    #expect(settings(git)["http.extraHeader"] == "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    #expect(git.secrets == ["open sesame", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="])
    let calls = [git.asking, git.making(objectFormat: "sha1"), git.pointing(headTo: "refs/heads/a"), git.fetching]
    #expect(!calls.flatMap(\.arguments).contains { $0.contains("sesame") || $0.contains("QWxh") })
    #expect(calls.map(\.needsNetwork) == [true, false, false, true])
  }

  @Test("The address stands behind the end of the options")
  func options() throws {
    let git = try git("https://example.org/a")
    for call in [git.asking, git.fetching] {
      let end = try #require(call.arguments.firstIndex(of: "--"))
      #expect(call.arguments[end + 1] == "https://example.org/a")
    }
  }

  @Test("Over ssh only the named key and the pinned hosts count, whatever their paths")
  func shell() throws {
    let git = try git("git@example.org:a") { order in
      order.credentials = Credentials()
      order.credentials?.sshKey = "/keys/my key"
      order.credentials?.knownHosts = "/keys/known hosts"
    }
    let command = try #require(git.environment["GIT_SSH_COMMAND"])
    #expect(
      command.hasPrefix(
        "ssh -F none -o BatchMode=yes -o StrictHostKeyChecking=yes -o 'UserKnownHostsFile=\"/keys/known hosts\"' -o GlobalKnownHostsFile=none"
      ))
    #expect(command.hasSuffix("-o 'IdentityFile=\"/keys/my key\"' -o IdentitiesOnly=yes -o IdentityAgent=none"))
    #expect(git.environment["SSH_AUTH_SOCK"] == nil)
    #expect(git.readable == ["/keys/my key", "/keys/known hosts"])
    let agent = try self.git("git@example.org:a") { order in
      order.credentials = Credentials()
      order.credentials?.sshAgent = true
    }
    #expect(agent.environment["SSH_AUTH_SOCK"] == "/run/agent")
    #expect(
      agent.environment["GIT_SSH_COMMAND"]?.hasSuffix("-o IdentityFile=none -o IdentityAgent=SSH_AUTH_SOCK") == true)
    #expect(agent.readable == ["/run/agent"])
  }

  @Test("HEAD is read from what git says, and nothing else that is called so")
  func head() {
    let sha1 = String(repeating: "a", count: 40)
    let head = RemoteHead("ref: refs/heads/trunk\tHEAD\n\(sha1)\tHEAD\n\(sha1)\trefs/remotes/x/HEAD\n")
    #expect((head.branch, head.commit, head.objectFormat) == ("refs/heads/trunk", sha1, "sha1"))
    #expect(RemoteHead("\(String(repeating: "b", count: 64))\tHEAD\n").objectFormat == "sha256")
    let none = RemoteHead("ref: refs/tags/v1\tHEAD\nref: -x\tHEAD\n")
    #expect((none.branch, none.commit) == (nil, nil))
  }

  @Test("A mirror is tidied up when git would: with many objects in a folder of them, or many packs")
  func untidy() throws {
    let scratch = try Scratch()
    let mirror = scratch.folder
    let (objects, packs) = (try mirror.folder("objects/17").create(), try mirror.folder("objects/pack").create())
    for number in 1...8 { try objects.write([], to: "\(number)") }
    for number in 1...50 { for kind in ["pack", "idx"] { try packs.write([], to: "\(number).\(kind)") } }
    #expect(!GitFetch.isUntidy(mirror))
    try objects.write([], to: "9")
    #expect(GitFetch.isUntidy(mirror))
    try FileManager.default.removeItem(atPath: objects.file("9"))
    try packs.write([], to: "51.pack")
    #expect(GitFetch.isUntidy(mirror))
  }

  @Test("What was cut off is cleared away, and what lasts is not")
  func leftovers() throws {
    let scratch = try Scratch()
    let names = [
      "HEAD.lock", "refs/heads/a.lock", "objects/pack/tmp_pack_1", "objects/ab/tmp_obj_2", "objects/pack/.tmp-3-pack-x",
    ]
    let lasting = [
      "HEAD", "lock", "refs/heads/a", "refs/heads/tmp_b", "objects/pack/pack-1.pack", "objects/ab/cd",
    ]
    for name in names + lasting {
      let file = URL(fileURLWithPath: scratch.file("mirror/\(name)"))
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
    try MirrorLeftovers.remove(from: "\(scratch.path)/mirror")
    #expect(Folder("\(scratch.path)/mirror").filesBeneath().sorted() == lasting.sorted())
  }
}

@Suite("Why a repository could not be fetched")
struct FetchFailureTests {
  private func words(_ said: String, token: String? = nil, _ address: String = "https://example.org/a") throws -> String
  {
    let failure = FetchFailure(
      order: FetchOrder(address: try RemoteAddress(address), mirror: "/m", token: token))
    return failure.words(ProcessResult(end: .exited(128), why: .byItself), said: said)
  }

  @Test("What git, curl and ssh say is told with what to do", arguments: Self.causes)
  func known(said: String, words: String) throws {
    #expect(try self.words(said) == "Cannot fetch https://example.org/a: \(words)")
  }

  private static let causes: [(String, String)] = [
    (
      "fatal: Authentication failed for 'https://example.org/a/'",
      "example.org asks for a login. Write credentials: {token: NAME} into the bot's file, and NAME=… into its secrets."
    ),
    (
      "fatal: unable to access 'https://example.org/a/': Could not resolve host: example.org",
      "there is no host example.org. Check the address."
    ),
    (
      "remote: Repository not found.\nfatal: repository 'https://example.org/a/' not found",
      "example.org has no such repository, or does not show it to who logs in so. Check the address and 'credentials' in the bot's file."
    ),
    (
      "ssh: connect to host example.org port 22: Connection refused\nfatal: Could not read from remote repository.",
      "no answer from example.org. It is asked again after a pause."
    ),
    ("error: cannot run ssh: No such file", "there is no ssh. Run: apt-get install openssh-client."),
    ("remote: a\nfatal: fsck error in packed object", "fatal: fsck error in packed object."),
    ("something\u{1B}[31m odd", "something⟨U+001B⟩[31m odd."),
    ("", "git failed with exit status 128 without giving a reason."),
  ]

  @Test("A login that was refused is told otherwise than one that is missing, and a time limit by its length")
  func others() throws {
    #expect(
      try words("error: 403", token: "hush")
        == "Cannot fetch https://example.org/a: example.org refuses the login. Check 'credentials' in the bot's file, and the value of the secret that it names."
    )
    let failure = FetchFailure(order: FetchOrder(address: try RemoteAddress("https://example.org/a"), mirror: "/m"))
    let late = ProcessResult(end: .signaled(15), why: .timedOut(after: .seconds(600)))
    #expect(
      failure.words(late, said: "fatal: the remote end hung up unexpectedly")
        == "Cannot fetch https://example.org/a: git was stopped, because it took longer than 10 min.")
  }

  @Test("A server that sends without an end is stopped before it fills the memory")
  func endless() throws {
    let most = try #require(ResourceLimits.fetching.limits(writing: []).memory)
    #expect(most <= 4_000_000_000)
    let asked = try #require(ResourceLimits.asking.limits(writing: []).memory)
    #expect(asked <= 1_000_000_000)
    let advice =
      "Its server sends without an end, or it is larger than Martlet fetches by itself. In the latter case keep a mirror of it on this machine, with 'git clone --mirror', and let 'repository' in the bot's file be its path."
    let failure = FetchFailure(order: FetchOrder(address: try RemoteAddress("https://example.org/a"), mirror: "/m"))
    func words(_ result: ProcessResult) -> String { failure.words(result, said: "") }
    #expect(
      words(ProcessResult(end: .signaled(9), why: .tooMuchMemory(limit: 4_000_000_000)))
        == "Cannot fetch https://example.org/a: git was stopped: its processes used more than 4000 MB of memory together. \(advice)"
    )
    #expect(
      words(ProcessResult(end: .signaled(9), why: .tooMuchDisk(limit: 20_000_000_000)))
        == "Cannot fetch https://example.org/a: git was stopped: it wrote more than 20 GB to the disk, which was removed. \(advice)"
    )
    #expect(
      words(ProcessResult(end: .signaled(SIGXFSZ), why: .byItself))
        == "Cannot fetch https://example.org/a: git was stopped: it wrote a file of more than 10 GB. \(advice)")
    #expect(
      failure.words(
        ProcessResult(end: .exited(128), why: .byItself),
        said: "error: index-pack died of signal 25\nfatal: fetch-pack: invalid index-pack output\n")
        == "Cannot fetch https://example.org/a: git was stopped: it wrote a file of more than 10 GB. \(advice)")
    #expect(!words(ProcessResult(end: .signaled(9), why: .canceled)).contains(advice))
  }

  @Test("What came of a fetch that failed is removed at once, and its reason is told")
  func leftovers() throws {
    let scratch = try Scratch()
    let program = """
      #!/bin/sh
      case "$1" in
      ls-remote) printf 'ref: refs/heads/main\tHEAD\n' ;;
      fetch)
        mkdir -p objects/pack refs/heads
        echo half > objects/pack/tmp_pack_ZrGk3a
        echo held > refs/heads/main.lock
        echo whole > objects/pack/pack-1.pack
        echo 'fatal: early EOF' >&2
        exit 128 ;;
      esac
      """
    let (bin, home) = (scratch.folder.folder("bin"), scratch.folder.folder("home"))
    for folder in [bin, home] { try folder.create() }
    try bin.write(program, to: "git")
    #expect(chmod(bin.file("git"), 0o755) == 0)
    var order = FetchOrder(
      address: try RemoteAddress("https://example.org/a"), mirror: home.file("mirrors/a"), sandbox: .off)
    order.includesChangeRequests = true
    let fetch = MirrorFetch(
      order, home: Home(home.path), environment: ["PATH": "\(bin.path):/usr/bin:/bin"],
      cancellation: try Cancellation())
    #expect(fetch.run() == FetchResult(failure: "Cannot fetch https://example.org/a: fatal: early EOF."))
    let left = home.folder("mirrors/a").filesBeneath().sorted()
    #expect(left == ["fetching", "lock", "objects/pack/pack-1.pack"])
  }
}
