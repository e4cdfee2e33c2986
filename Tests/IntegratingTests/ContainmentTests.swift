import Model
import Glibc
import Processes
import Testing

@testable import Integrating

@Suite("Containing the code under test")
struct ContainmentTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private func decide(_ policy: SandboxPolicy, searchPath: String = "/nowhere") throws -> Containment {
    try Containment.decide(policy, searchPath: searchPath, cancellation: Cancellation())
  }

  @Test("Off is off, and bubblewrap is not looked for")
  func off() throws {
    let containment = try decide(SandboxPolicy(mode: .off))
    #expect(containment == .off)
    #expect(containment.word == "off")
    #expect(containment.warning == nil)
  }

  @Test("Auto goes on without bubblewrap, and says so")
  func auto() throws {
    let containment = try decide(SandboxPolicy())
    #expect(containment.word == "none: bubblewrap is not installed")
    #expect(
      containment.warning
        == .uncontained(
          why: "bubblewrap is not installed",
          remedy: "Install it, on Debian and Ubuntu with “apt-get install bubblewrap”.")
    )
  }

  @Test("On refuses without bubblewrap, with the command that mends it")
  func on() {
    #expect(
      throws: IntegratingError(
        .service,
        "cannot contain the code under test: bubblewrap is not installed. Install it, on Debian and Ubuntu with “apt-get install bubblewrap”. Or run it uncontained, with --sandbox off."
      )
    ) { try decide(SandboxPolicy(mode: .on)) }
  }

  @Test("Both contain where bubblewrap works", arguments: [SandboxPolicy.Mode.auto, .on])
  func works(mode: SandboxPolicy.Mode) throws {
    try scratch.folder.write(Array("#!/bin/sh\nexit 0\n".utf8), to: "bwrap")
    #expect(chmod(scratch.folder.file("bwrap"), 0o755) == 0)
    let policy = SandboxPolicy(mode: mode, read: [scratch.folder.path])
    let containment = try decide(policy, searchPath: scratch.folder.path)
    #expect(containment == .contained(bubblewrap: scratch.folder.file("bwrap"), policy))
    #expect(containment.word == "bubblewrap")
    #expect(containment.warning == nil)
    let open = SandboxPolicy(mode: mode, allow: [.ioUring, .vsock])
    #expect(try decide(open, searchPath: scratch.folder.path).word == "bubblewrap, allowing io_uring, vsock")
  }

  @Test("What a bot allows of the kernel is what the sandbox gives", arguments: SandboxPolicy.Feature.allCases)
  func features(feature: SandboxPolicy.Feature) {
    let known: [SandboxPolicy.Feature: Sandbox.Features] = [
      .keyrings: .keyrings, .vsock: .vsock, .sockets: .sockets, .ioUring: .ioUring, .bpf: .bpf, .perf: .perf,
      .userfaultfd: .userfaultfd, .setuid: .setuid,
    ]
    #expect(Sandbox.Features([feature]) == known[feature])
    #expect(Sandbox.Features([.keyrings, feature]) == [.keyrings, Sandbox.Features([feature])])
  }

  @Test(
    "A path that cannot be let in is refused",
    arguments: [
      ("a", "it is not an absolute path"), ("/usr/../etc", "it is not an absolute path"),
      ("/", "it is the whole machine"), ("//", "it is the whole machine"),
      ("/no/such/folder", "No such file or directory"),
      ("/usr/bin", "it lies in a folder that can be written, where it could become a link to anything"),
    ])
  func paths(path: String, reason: String) {
    #expect(
      throws: IntegratingError(
        .request,
        "cannot let the sandbox have '\(path)': \(reason). Correct 'read' and 'write' of the sandbox.")
    ) { try decide(SandboxPolicy(read: [path], write: ["/usr"])) }
  }
}

@Suite("What a contained program finds of the caller")
struct ContainedSurroundingsTests {
  private let caller = [
    "HOME": "/h", "TMPDIR": "/t", "XDG_CACHE_HOME": "/c", "SSH_AUTH_SOCK": "/s", "PATH": "/bin", "LANG": "C",
    "https_proxy": "http://user:secret@proxy",
  ]

  @Test("Neither home nor keys, and the way to the network only with the network")
  func environment() {
    var sandbox = Sandbox(bubblewrap: "/b", home: "/w/home", temporaryFolder: "/w/tmp")
    let inside = ["HOME": "/w/home", "TMPDIR": "/w/tmp", "PATH": "/bin", "LANG": "C"]
    #expect(ChildEnvironment.contained(caller, in: sandbox) == inside)
    sandbox.network = true
    #expect(
      ChildEnvironment.contained(caller, in: sandbox)
        == inside.merging(["https_proxy": "http://user:secret@proxy"]) { $1 })
  }

  @Test("An account file with its own account, root and nobody")
  func accounts() {
    #expect(
      Accounts.file(user: 1000, group: 100, home: "/w/h")
        == "martlet:x:1000:100::/w/h:/bin/sh\nroot:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n")
    #expect(
      Accounts.file(user: 0, group: 0, home: "/w:h\nx:0")
        == "root:x:0:0::/tmp:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n")
  }
}

@Suite("Configuration that a sandbox hides")
struct HiddenConfigurationTests {
  private let errors = ["Failed to clone repository https://example.org/a.git:"]

  @Test("Nothing is said where nothing is hidden, or where something else failed")
  func silent() {
    #expect(HiddenConfiguration(found: []).advice(after: errors) == nil)
    #expect(HiddenConfiguration(found: [".netrc"]).advice(after: ["Dependencies could not be resolved"]) == nil)
  }

  @Test("What is hidden is named with what helps")
  func named() {
    #expect(
      HiddenConfiguration(found: [".gitconfig"]).advice(after: errors)
        == "What fetches dependencies does not see ~/.gitconfig, which the sandbox keeps from it. Where this code is trusted "
        + "and needs it, run with --sandbox off; a bot can name a copy in its environment (GIT_CONFIG_GLOBAL) and in its "
        + "sandbox's 'read'.")
    let two = HiddenConfiguration(found: [".gitconfig", ".netrc"]).advice(after: errors)
    #expect(
      two?.hasPrefix("What fetches dependencies does not see ~/.gitconfig and ~/.netrc, which the sandbox") == true)
    #expect(two?.contains("trusted and needs them,") == true)
  }
}

@Suite("Dependencies outside the sandbox")
struct OutsideDependenciesTests {
  private func find(_ manifest: String, reachable: [String] = []) -> OutsideDependencies {
    OutsideDependencies(
      [PackageManifests.Manifest(path: "Tools/Package.swift", text: manifest)], in: "/w/source/Shop",
      reachable: ["/w/source/Shop"] + reachable)
  }

  @Test("Those outside the repository are found, each once")
  func outside() {
    let manifest = """
      .package(path: "../Kit"), .package(path: "../../Other"), .package(url: "file:///git/A.git", from: "1.0.0"),
      .package(name: "B", path:"/git/B"), .package(url : "/git/./B", branch: "main"), .target(name: "T", path: "Sources"),
      .package(url: "https://example.org/C.git", from: "1.0.0"), .package(path: "..")
      """
    let found = find(manifest)
    #expect(found.paths == ["/git/A.git", "/git/B"])
    #expect(found.strays == ["../../Other"])
    #expect(find(manifest, reachable: ["/git"]).paths.isEmpty)
    let stray =
      "“../../Other” leads out of the repository, so no commit holds what is there. Name the package by a URL, or by an "
      + "absolute path that a bot's sandbox may read ('read'), or keep both in one repository."
    #expect(found.advice(isContained: false, hasLogin: false) == [stray])
    #expect(
      found.advice(isContained: true, hasLogin: false)
        == [
          stray,
          "/git/A.git, /git/B lie outside the sandbox. If you trust this code, run with --sandbox off.",
        ])
  }

  @Test("A package without them gets no advice", arguments: ["", "\"", "path: \"", "path: \"a\"", "x: \"/git/B\""])
  func none(manifest: String) {
    #expect(find(manifest).advice(isContained: true, hasLogin: false).isEmpty)
  }

  @Test("The advice is in the singular for one")
  func one() {
    #expect(
      find("path: \"/git/B\"").advice(isContained: true, hasLogin: false)
        == [
          "/git/B lies outside the sandbox. If you trust this code, run with --sandbox off."
        ])
  }

  @Test("Those that need keys are told from those that do not")
  func keys() {
    let advice = [
      "Dependencies over SSH need keys, which lie outside the sandbox. Write 'dependency-credentials' into the bot's file, name them by their https addresses, or run with --sandbox off."
    ]
    let withLogin = [
      "Some dependencies are fetched over SSH. Their hosts need to accept the key of 'dependency-credentials', and its 'known-hosts' needs to have their keys."
    ]
    #expect(
      find(".package(url: \"git@example.org:a/b.git\", from: \"1.0.0\")").advice(isContained: false, hasLogin: true)
        == withLogin)
    #expect(
      find(".package(url: \"git@example.org:a/b.git\", from: \"1.0.0\")").advice(isContained: true, hasLogin: false)
        == advice)
    #expect(
      find(".package(url: \"ssh://git@example.org/a/b.git\", from: \"1.0.0\")").advice(
        isContained: true, hasLogin: false) == advice)
    #expect(find("// see git@example.org, \"git@example.org\"").advice(isContained: true, hasLogin: false).isEmpty)
  }
}
