import CProcess
import Glibc

/// What a contained program can reach; for it, nothing else exists.
///
/// Paths are the same inside and outside, but that of `TMPDIR` where it is not in ASCII. A path that can be read or written must not lie in one that can be written: what
/// ran there could put a link in its place, and the link would be let in.
///
/// The system's programs and libraries can always be read, and a `/tmp` that goes
/// with the program can be written. There are no capabilities, no other processes, no services of the machine, and no
/// way to more.
package struct Sandbox: Hashable, Sendable {
  /// The program that builds the sandbox, from `Bubblewrap.find`.
  package var bubblewrap: String
  /// The program, made of `EndReporter.source`, that tells an exit status from a signal; nil for none.
  package var reporter: String?
  /// Files and folders that can be read; they must exist.
  package var readable: [String]
  /// Folders that can be written; they must exist.
  package var writable: [String]
  /// Folders that can be written at their places, while what they show stays as it is.
  package var views: [FolderView] = []
  /// Whether the machine's network can be reached, its own services included where there is no router; otherwise there is
  /// a loopback without neighbours.
  package var network: Bool
  /// The program that leads to the network without the machine's loopback, from `Router.find`; nil to share the machine's.
  package var router: String?
  /// The file that stands for `/etc/resolv.conf` with a router, and holds `Router.resolver(of:)`; nil for none.
  package var resolver: String?
  /// The program's `HOME`, writable; nil for `/tmp`.
  package var home: String?
  /// The program's `TMPDIR`, writable, which it finds at `temporaryPlace`; nil for `/tmp`.
  package var temporaryFolder: String?
  /// How many bytes the `/tmp` that goes with the program takes, and each other folder that is held in memory.
  package var temporaryBytes = 2 << 30
  /// The file that stands for `/etc/passwd`; Foundation and SwiftPM look for the home there. Nil for none.
  package var accounts: String?
  /// What of the kernel is allowed beside what every program has.
  package var features: Features = []
  /// A process of another sandbox, among whose processes the program is put; nil for a namespace of its own.
  var companion: Int32?

  package init(
    bubblewrap: String, readable: [String] = [], writable: [String] = [], network: Bool = false,
    home: String? = nil, temporaryFolder: String? = nil, accounts: String? = nil
  ) {
    self.bubblewrap = bubblewrap
    self.readable = readable
    self.writable = writable
    self.network = network
    self.home = home
    self.temporaryFolder = temporaryFolder
    self.accounts = accounts
  }
}

extension Sandbox {
  /// Where the program finds its `TMPDIR`: the driver of Swift crashes where that has a letter outside ASCII.
  package var temporaryPlace: String {
    guard let temporaryFolder else { return "/tmp" }
    return temporaryFolder.utf8.allSatisfy { $0 < 128 } ? temporaryFolder : "/var/tmp/martlet"
  }
}

extension Command {
  /// The same command inside a sandbox, with the sandbox's `HOME` and `TMPDIR`.
  ///
  /// What outlives the program is ended with it, before it can be counted in `leftovers`. Without a reporter, an exit
  /// status of 129 and above that stands for a signal counts as that signal, because bubblewrap reports both alike.
  package func contained(in sandbox: Sandbox) -> Command {
    var command = self
    command.executable = sandbox.bubblewrap
    command.arguments =
      sandbox.bubblewrapArguments + ["--chdir", workingDirectory, "--"]
      + [sandbox.reporter, executable].compactMap(\.self) + arguments
    command.router = sandbox.network ? sandbox.router : nil
    command.overlays = sandbox.views.filter { $0.kind == .overlay }
    command.isReported = sandbox.reporter != nil
    command.features = sandbox.features
    command.companion = sandbox.companion
    command.environment["HOME"] = sandbox.home ?? "/tmp"
    command.environment["TMPDIR"] = sandbox.temporaryPlace
    command.containedCount = 1 + arguments.count
    return command
  }
}

extension Sandbox {
  /// Programs and libraries; a link such as `/bin` is bound as what it points to.
  private static let system = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]

  /// The settings that compilers, resolvers and time zones need; none of them is a secret, and each costs a third of a
  /// millisecond.
  private static let settings = [
    "alternatives", "ld.so.cache", "localtime", "os-release", "group", "nsswitch.conf", "hosts", "services",
    "ssl/certs", "ssl/cert.pem", "ssl/openssl.cnf", "ca-certificates/extracted", "pki/ca-trust/extracted",
    "pki/tls/certs", "pki/tls/cert.pem", "crypto-policies",
  ]

  /// The policy in bubblewrap's words, up to but not including the folder to start in and the command.
  ///
  /// https://github.com/containers/bubblewrap/blob/main/bwrap.xml
  var bubblewrapArguments: [String] {
    namespaces + networkArguments + rights + Self.lifetime + systemMounts + ownMounts
      // In /proc, root could set how the kernel treats crashed programs, which takes no capability but that user number.
      // The root itself holds only mount points; what a program writes beside them would look like success.
      // And /dev would be a place in memory without a bound; its devices can be written all the same.
      + ["--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/"]
  }

  private var networkArguments: [String] {
    let isRouted = network && router != nil
    // There bubblewrap itself is root of the namespace that the network or the views belong to.
    let isNested = isRouted || views.contains { $0.kind == .overlay }
    return (network ? [] : ["--unshare-net"]) + (isNested ? ["--uid", "\(getuid())", "--gid", "\(getgid())"] : [])
  }

  private static let lifetime = ["--die-with-parent", "--new-session"]

  private var systemMounts: [String] {
    let isShared = network && router == nil
    let etc = (Self.settings + (isShared ? ["resolv.conf"] : [])).map { "/etc/\($0)" }
    let inMemory = SandboxMemory.places.flatMap { path in
      ["--perms", "1777", "--size", "\(temporaryBytes)", "--tmpfs", path]
    }
    return (Self.system + etc).flatMap { ["--ro-bind-try", $0, $0] } + ["--proc", "/proc", "--dev", "/dev"] + inMemory
      + substitutes
  }

  /// Files that stand for the machine's own.
  private var substitutes: [String] {
    var mounts = hidesKeys ? ["--ro-bind", "/dev/null", Self.keys] : []
    if let accounts { mounts += ["--ro-bind", accounts, "/etc/passwd"] }
    if network, router != nil, let resolver { mounts += ["--ro-bind", resolver, "/etc/resolv.conf"] }
    return mounts
  }

  /// Lists keys by the user they belong to, in whichever keyring they are. https://man7.org/linux/man-pages/man7/keyrings.7.html
  private static let keys = "/proc/keys"

  private var hidesKeys: Bool {
    !features.contains(.keyrings) && access(Self.keys, F_OK) == 0
  }

  /// A folder comes before what lies in it, so that the inner rule is the one that holds.
  private var ownMounts: [String] {
    let isElsewhere = temporaryFolder.map { $0 != temporaryPlace } ?? false
    var mounts: [String: [String]] = [:]
    for path in readable + [reporter].compactMap(\.self) { mounts[path] = ["--ro-bind", path, path] }
    for path in writable + [home, isElsewhere ? nil : temporaryFolder].compactMap(\.self) {
      mounts[path] = ["--bind", path, path]
    }
    for view in views { mounts[view.place] = ["--bind", view.content, view.place] }
    return mounts.sorted { $0.key < $1.key }.flatMap(\.value)
      + (isElsewhere ? temporaryFolder.map { ["--bind", $0, temporaryPlace] } ?? [] : [])
  }
}

extension Sandbox {
  /// Parts of the kernel that a contained program has only when they are allowed; `filter.c` says which system calls they
  /// are, and what else is always refused.
  package struct Features: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    private init(_ feature: cprocess_feature) {
      rawValue = feature.rawValue
    }

    package static let keyrings = Features(CPROCESS_KEYRINGS)
    package static let vsock = Features(CPROCESS_VSOCK)
    /// Sockets of other families than Unix, the internet's, and that of routes.
    package static let sockets = Features(CPROCESS_SOCKETS)
    package static let ioUring = Features(CPROCESS_IO_URING)
    package static let bpf = Features(CPROCESS_BPF)
    package static let perf = Features(CPROCESS_PERF)
    package static let userfaultfd = Features(CPROCESS_USERFAULTFD)
    /// Making files and folders with the setuid, setgid or sticky bit.
    package static let setuid = Features(CPROCESS_SETUID)
  }

  /// The sandbox of a program that looks at a process of this one: it sees the same processes and files, and writes none.
  ///
  /// - Parameter process: the number that the process has outside.
  package func looking(at process: Int32) -> Sandbox {
    var sandbox = self
    sandbox.companion = process
    sandbox.readable += writable + [home, temporaryFolder].compactMap(\.self)
    // A view would take the way into the process's namespaces, and no stack leads to what is written there.
    (sandbox.writable, sandbox.views) = ([], [])
    (sandbox.home, sandbox.temporaryFolder, sandbox.reporter) = (nil, nil, nil)
    (sandbox.network, sandbox.router, sandbox.features) = (false, nil, [])
    return sandbox
  }

  /// The namespaces in bubblewrap's words.
  ///
  /// The user namespace is also made for root, whose capabilities would otherwise reach the machine's mounts. A companion's
  /// is entered once the mounts stand, with the right to look at its processes, which is worth something only there.
  var namespaces: [String] {
    let kept = ["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    guard companion != nil else { return ["--unshare-user", "--disable-userns", "--unshare-pid"] + kept }
    return [
      "--userns", "\(CPROCESS_OUTER_USERS)", "--userns2", "\(CPROCESS_INNER_USERS)", "--pidns", "\(CPROCESS_PROCESSES)",
    ] + kept
  }

  /// Capabilities and system calls, in bubblewrap's words.
  var rights: [String] {
    ["--cap-drop", "ALL"] + (companion == nil ? [] : ["--cap-add", "CAP_SYS_PTRACE"])
      + ["--seccomp", "\(CPROCESS_FILTER)"]
  }
}
