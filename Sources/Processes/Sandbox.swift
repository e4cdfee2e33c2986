import CProcess
import Glibc

/// Everything that a contained program can reach; nothing else exists for it.
///
/// Paths are the same inside and outside, except that of a `TMPDIR` that is not ASCII. A readable or writable path must
/// not be inside another writable one: code running there could put a link in its place, and the link's target would
/// become reachable.
///
/// The system's programs and libraries are always readable, and a `/tmp` that disappears with the program is writable.
/// There are no capabilities, no other processes, no services of the machine, and no way to gain more.
package struct Sandbox: Hashable, Sendable {
  /// The program that builds the sandbox, from `Bubblewrap.find`.
  package var bubblewrap: String
  /// The program, built from `EndReporter.source`, that distinguishes an exit status from a signal; nil for none.
  package var reporter: String?
  /// Readable files and folders, which must exist.
  package var readable: [String]
  /// Writable folders, which must exist.
  package var writable: [String]
  /// Folders that can be written at their views' places while the originals remain unchanged.
  package var views: [FolderView] = []
  /// Whether the machine's network is reachable, including its own services if there is no router. Otherwise there is
  /// only a loopback interface.
  package var network: Bool
  /// The program that provides a network without the machine's loopback, from `Router.find`; nil to share the
  /// machine's.
  package var router: String?
  /// The file that replaces `/etc/resolv.conf` with a router, containing `Router.resolver(of:)`; nil for none.
  package var resolver: String?
  /// The program's writable `HOME`; nil for `/tmp`.
  package var home: String?
  /// The program's writable `TMPDIR`, which it sees at `temporaryPlace`; nil for `/tmp`.
  package var temporaryFolder: String?
  /// The size limit, in bytes, of the program's own `/tmp` and of every other folder held in memory.
  package var temporaryBytes = 2 << 30
  /// The file that replaces `/etc/passwd`, where Foundation and SwiftPM look up the home; nil for none.
  package var accounts: String?
  /// The kernel features allowed in addition to those that every program has.
  package var features: Features = []
  /// A process in another sandbox whose process namespace the program joins; nil for a namespace of its own.
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
  /// The path at which the program sees its `TMPDIR`. Swift's driver crashes if it contains a non-ASCII character.
  package var temporaryPlace: String {
    guard let temporaryFolder else { return "/tmp" }
    return temporaryFolder.utf8.allSatisfy { $0 < 128 } ? temporaryFolder : "/var/tmp/martlet"
  }
}

extension Command {
  /// Returns the same command inside a sandbox, with the sandbox's `HOME` and `TMPDIR`.
  ///
  /// Processes that outlive the program end with it, before they can be counted in `leftovers`. Without a reporter, an
  /// exit status of 129 or above that could represent a signal counts as that signal, because bubblewrap reports both
  /// alike.
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
  /// Programs and libraries. A link such as `/bin` is bound as its target.
  private static let system = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]

  /// The settings that compilers, resolvers and time zones need. None of them is secret, and each costs a third of a
  /// millisecond.
  private static let settings = [
    "alternatives", "ld.so.cache", "localtime", "os-release", "group", "nsswitch.conf", "hosts", "services",
    "ssl/certs", "ssl/cert.pem", "ssl/openssl.cnf", "ca-certificates/extracted", "pki/ca-trust/extracted",
    "pki/tls/certs", "pki/tls/cert.pem", "crypto-policies",
  ]

  /// The policy as bubblewrap's arguments, up to but not including the working directory and the command.
  ///
  /// https://github.com/containers/bubblewrap/blob/main/bwrap.xml
  var bubblewrapArguments: [String] {
    namespaces + networkArguments + rights + Self.lifetime + systemMounts + ownMounts
      // In /proc, root could change how the kernel handles crashed programs, which requires no capability, only that
      // user ID.
      // The root itself contains only mount points; writing anything else there would appear to succeed.
      // And /dev would be an unlimited place in memory; its devices remain writable all the same.
      + ["--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/"]
  }

  private var networkArguments: [String] {
    let isRouted = network && router != nil
    // In this case bubblewrap itself is root of the namespace to which the network or the views belong.
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

  /// Files that replace the machine's own.
  private var substitutes: [String] {
    var mounts = hidesKeys ? ["--ro-bind", "/dev/null", Self.keys] : []
    if let accounts { mounts += ["--ro-bind", accounts, "/etc/passwd"] }
    if network, router != nil, let resolver { mounts += ["--ro-bind", resolver, "/etc/resolv.conf"] }
    return mounts
  }

  /// Lists keys by the user who owns them, whatever their keyring.
  /// https://man7.org/linux/man-pages/man7/keyrings.7.html
  private static let keys = "/proc/keys"

  private var hidesKeys: Bool {
    !features.contains(.keyrings) && access(Self.keys, F_OK) == 0
  }

  /// A folder precedes its contents, so that the inner rule takes effect.
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
  /// Kernel features that a contained program has only if they are allowed. `filter.c` lists the system calls they
  /// comprise, and those that are always refused.
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
    /// Socket families other than Unix, internet and routing sockets.
    package static let sockets = Features(CPROCESS_SOCKETS)
    package static let ioUring = Features(CPROCESS_IO_URING)
    package static let bpf = Features(CPROCESS_BPF)
    package static let perf = Features(CPROCESS_PERF)
    package static let userfaultfd = Features(CPROCESS_USERFAULTFD)
    /// Creating files and folders with the setuid, setgid or sticky bit.
    package static let setuid = Features(CPROCESS_SETUID)
  }

  /// Returns the sandbox of a program that inspects a process of this one: it sees the same processes and files, and
  /// can write none.
  ///
  /// - Parameter process: The process ID outside the sandbox.
  package func looking(at process: Int32) -> Sandbox {
    var sandbox = self
    sandbox.companion = process
    sandbox.readable += writable + [home, temporaryFolder].compactMap(\.self)
    // A view would interfere with entering the process's namespaces, and no stack leads to the files written there.
    (sandbox.writable, sandbox.views) = ([], [])
    (sandbox.home, sandbox.temporaryFolder, sandbox.reporter) = (nil, nil, nil)
    (sandbox.network, sandbox.router, sandbox.features) = (false, nil, [])
    return sandbox
  }

  /// The namespaces as bubblewrap's arguments.
  ///
  /// The user namespace is created even for root, whose capabilities would otherwise extend to the machine's mounts. A
  /// companion's namespace is entered once the mounts are in place, with the right to inspect its processes, which is
  /// worth something only there.
  var namespaces: [String] {
    let kept = ["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    guard companion != nil else { return ["--unshare-user", "--disable-userns", "--unshare-pid"] + kept }
    return [
      "--userns", "\(CPROCESS_OUTER_USERS)", "--userns2", "\(CPROCESS_INNER_USERS)", "--pidns", "\(CPROCESS_PROCESSES)",
    ] + kept
  }

  /// Capabilities and system calls, as bubblewrap's arguments.
  var rights: [String] {
    ["--cap-drop", "ALL"] + (companion == nil ? [] : ["--cap-add", "CAP_SYS_PTRACE"])
      + ["--seccomp", "\(CPROCESS_FILTER)"]
  }
}

/// The folders that a sandbox holds in memory, seen from outside through one of its processes.
enum SandboxMemory {
  /// The folders' paths; `Sandbox` creates them.
  static let places = ["/tmp", "/var/tmp", "/dev/shm"]

  /// Returns the bytes of the files in the folders, or nil if a process is not in a sandbox or cannot be inspected.
  static func bytes(of pid: Int32) -> Int? {
    let root = "/proc/\(pid)/root"
    // While a sandbox is being created, its folders are not separate mounts yet.
    let disks = places.map { disk("\(root)\($0)") }
    guard let top = disk("\(root)/"), top != disk("/"), !disks.contains(top), !disks.contains(nil) else { return nil }
    return places.reduce(0) { sum, place in
      var status = statvfs()
      guard statvfs("\(root)\(place)", &status) == 0 else { return sum }
      let blocks = Int(clamping: status.f_blocks) - Int(clamping: status.f_bfree)
      return sum + max(0, blocks) * Int(clamping: status.f_frsize)
    }
  }

  private static func disk(_ path: String) -> dev_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_dev : nil
  }
}
