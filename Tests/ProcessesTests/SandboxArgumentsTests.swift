import Glibc
import Testing

@testable import Processes

@Suite("A sandbox in bubblewrap's words")
struct SandboxArgumentsTests {
  /// The mounts of the machine's files, where they exist.
  private func binds(_ paths: String) -> [String] {
    paths.split(whereSeparator: \.isWhitespace).flatMap { ["--ro-bind-try", String($0), String($0)] }
  }

  private var system: [String] {
    binds(
      """
      /usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc/alternatives /etc/ld.so.cache /etc/localtime /etc/os-release
      /etc/group /etc/nsswitch.conf /etc/hosts /etc/services /etc/ssl/certs /etc/ssl/cert.pem /etc/ssl/openssl.cnf
      /etc/ca-certificates/extracted /etc/pki/ca-trust/extracted /etc/pki/tls/certs /etc/pki/tls/cert.pem
      /etc/crypto-policies
      """)
  }

  private func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  private let namespaces =
    "--unshare-user --disable-userns --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try"
  private let lifetime = "--cap-drop ALL --seccomp 7 --die-with-parent --new-session"
  private let own =
    "--proc /proc --dev /dev "
    + ["/tmp", "/var/tmp", "/dev/shm"]
    .map { "--perms 1777 --size 2147483648 --tmpfs \($0)" }.joined(separator: " ")
    + (access("/proc/keys", F_OK) == 0 ? " --ro-bind /dev/null /proc/keys" : "")

  @Test("keeps everything out that is not named")
  func narrowest() {
    let sandbox = Sandbox(bubblewrap: "/usr/bin/bwrap")
    #expect(
      sandbox.bubblewrapArguments
        == words("\(namespaces) --unshare-net \(lifetime)") + system
        + words("\(own) --remount-ro /proc --remount-ro /dev --remount-ro /")
    )
  }

  @Test("shares the network, and how names are resolved there")
  func network() {
    let sandbox = Sandbox(bubblewrap: "/usr/bin/bwrap", network: true)
    #expect(
      sandbox.bubblewrapArguments
        == words("\(namespaces) \(lifetime)") + system + binds("/etc/resolv.conf")
        + words("\(own) --remount-ro /proc --remount-ro /dev --remount-ro /"))
  }

  @Test("with a view laid over a folder, is somebody else in an outer namespace")
  func views() throws {
    let scratch = try Scratch()
    let view = try FolderView.make(
      of: scratch.path, at: "/w/a", in: scratch.file("view"), kind: .overlay, cancellation: Cancellation())
    var sandbox = Sandbox(bubblewrap: "/usr/bin/bwrap", readable: ["/w/a/b"], writable: ["/w"])
    sandbox.views = [view]
    #expect(
      sandbox.bubblewrapArguments
        == words("\(namespaces) --unshare-net --uid \(getuid()) --gid \(getgid()) \(lifetime)") + system
        + words("\(own) --bind /w /w --bind \(scratch.file("view"))/merged /w/a --ro-bind /w/a/b /w/a/b")
        + words("--remount-ro /proc --remount-ro /dev --remount-ro /"))
    let command = Command("/w/tool", environment: [:], workingDirectory: "/w").contained(in: sandbox)
    #expect(command.overlays == [view])
  }

  @Test("with a router, resolves names there")
  func router() {
    var sandbox = Sandbox(bubblewrap: "/usr/bin/bwrap", network: true)
    sandbox.router = "/usr/bin/slirp4netns"
    sandbox.resolver = "/w/resolv.conf"
    let arguments =
      words("\(namespaces) --uid \(getuid()) --gid \(getgid()) \(lifetime)") + system
      + words("\(own) --ro-bind /w/resolv.conf /etc/resolv.conf --remount-ro /proc --remount-ro /dev --remount-ro /")
    #expect(sandbox.bubblewrapArguments == arguments)
    let plain = Command("/w/tool", environment: [:], workingDirectory: "/w")
    #expect(plain.contained(in: sandbox).router == "/usr/bin/slirp4netns")
    sandbox.network = false
    #expect(plain.contained(in: sandbox).router == nil)
    #expect(!sandbox.bubblewrapArguments.contains("/w/resolv.conf"))
  }

  @Test("binds a folder before what lies in it, and writable rather than not")
  func order() {
    let sandbox = Sandbox(
      bubblewrap: "/usr/bin/bwrap", readable: ["/w/b", "/t", "/w"], writable: ["/w/b", "/t"], home: "/w/home",
      temporaryFolder: "/w/tmp", accounts: "/w/passwd")
    let mounts = "--bind /t /t --ro-bind /w /w --bind /w/b /w/b"
    #expect(
      sandbox.bubblewrapArguments
        == words("\(namespaces) --unshare-net \(lifetime)") + system
        + words(
          "\(own) --ro-bind /w/passwd /etc/passwd \(mounts) --bind /w/home /w/home --bind /w/tmp /w/tmp --remount-ro /proc --remount-ro /dev --remount-ro /"
        )
    )
  }

  @Test("takes the command as it is, with the folder, HOME and TMPDIR")
  func command() {
    let plain = Command(
      "/w/tool", ["--bind", ""], environment: ["A": "b", "HOME": "/root", "TMPDIR": "/x"], workingDirectory: "/w",
      standardInput: "/w/input")
    let sandbox = Sandbox(bubblewrap: "/opt/bwrap", home: "/w/home", temporaryFolder: "/w/tmp")
    let contained = plain.contained(in: sandbox)
    #expect(contained.executable == "/opt/bwrap")
    #expect(contained.arguments == sandbox.bubblewrapArguments + ["--chdir", "/w", "--", "/w/tool", "--bind", ""])
    #expect(contained.environment == ["A": "b", "HOME": "/w/home", "TMPDIR": "/w/tmp"])
    #expect(contained.workingDirectory == "/w")
    #expect(contained.standardInput == "/w/input")
    #expect(contained.isContained)
    #expect(contained.words == ["/w/tool", "--bind", ""])
    #expect(plain.words == ["/w/tool", "--bind", ""])
    #expect(!plain.isContained)
    let homeless = plain.contained(in: Sandbox(bubblewrap: "/opt/bwrap"))
    #expect(homeless.environment == ["A": "b", "HOME": "/tmp", "TMPDIR": "/tmp"])
  }

  @Test("gives a TMPDIR outside ASCII another place, since the driver of Swift crashes on it")
  func ascii() {
    let plain = Command("/w/tool", environment: [:], workingDirectory: "/w")
    let sandbox = Sandbox(bubblewrap: "/opt/bwrap", writable: ["/wö/a"], home: "/wö/home", temporaryFolder: "/wö/tmp")
    let mounts = "--bind /wö/a /wö/a --bind /wö/home /wö/home --bind /wö/tmp /var/tmp/martlet"
    #expect(
      sandbox.bubblewrapArguments.suffix(15)
        == words("\(mounts) --remount-ro /proc --remount-ro /dev --remount-ro /")[...])
    #expect(plain.contained(in: sandbox).environment == ["HOME": "/wö/home", "TMPDIR": "/var/tmp/martlet"])
  }

  @Test(
    "tells a signal from an exit status only by the number",
    arguments: [
      (0, true, .exited(0)), (42, true, .exited(42)), (128, true, .exited(128)), (139, true, .signaled(11)),
      (192, true, .signaled(64)), (193, true, .exited(193)), (255, true, .exited(255)), (139, false, .exited(139)),
    ] as [(Int32, Bool, ProcessEnd)])
  func status(code: Int32, isContained: Bool, end: ProcessEnd) {
    #expect(ProcessEnd(status: code << 8, isContained: isContained) == end)
    #expect(ProcessEnd(status: 9, isContained: isContained) == .signaled(9))
  }
}

@Suite("A machine without a sandbox")
struct BubblewrapTests {
  private static let general = "Let this user and container make user namespaces and mount /proc in them."
  private static let cases: [(String, [String: String], String)] = [
    ("bwrap: Unknown option --disable-userns", [:], "Install bubblewrap 0.8 or newer."),
    (
      "bwrap: setting up uid map: Permission denied", ["kernel/apparmor_restrict_unprivileged_userns": "1"],
      "Let it, with “sysctl kernel.apparmor_restrict_unprivileged_userns=0” or an AppArmor profile."
    ),
    (
      "bwrap: No permissions to create new namespace", ["kernel/unprivileged_userns_clone": "0"],
      "Let it, with “sysctl kernel.unprivileged_userns_clone=1”."
    ),
    (
      "bwrap: No space left on device", ["user/max_user_namespaces": "0"],
      "Let it, with “sysctl user.max_user_namespaces=10000”."
    ),
    ("bwrap: Can't mount proc on /newroot/proc: Operation not permitted", [:], general),
  ]

  @Test("is told why, and what mends it", arguments: cases)
  func refused(words: String, settings: [String: String], remedy: String) {
    #expect(
      Bubblewrap.refused(words) { settings[$0] }
        == .unusable(why: "bubblewrap does not work (\(words))", remedy: remedy))
  }

  @Test("is told so when bubblewrap is silent")
  func silent() {
    #expect(
      Bubblewrap.refused("") { _ in nil } == .unusable(why: "bubblewrap does not work", remedy: Self.general))
  }

  @Test("is told what to install")
  func missing() throws {
    let found = try Bubblewrap.find(searchPath: "/nowhere", cancellation: Cancellation())
    #expect(
      found
        == .unusable(
          why: "bubblewrap is not installed",
          remedy: "Install it, on Debian and Ubuntu with “apt-get install bubblewrap”."))
  }

  @Test("is tried out, not believed")
  func broken() throws {
    let scratch = try Scratch()
    _ = try scratch.write(
      "#!/bin/sh\necho 'bwrap: Unknown option --disable-userns' >&2\nexit 1\n", to: "bwrap", mode: 0o755)
    #expect(
      try Bubblewrap.find(searchPath: "/nowhere:\(scratch.path)", cancellation: Cancellation())
        == .unusable(
          why: "bubblewrap does not work (bwrap: Unknown option --disable-userns)",
          remedy: "Install bubblewrap 0.8 or newer."))
  }
}
