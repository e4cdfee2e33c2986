import Glibc

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
