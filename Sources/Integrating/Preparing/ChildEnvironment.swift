import Glibc
import Processes

/// The environment of the programs that an integration runs: allowed variables of the caller, and fixed values.
///
/// A fixed environment also keeps SwiftPM's manifest cache warm, whose key contains every variable.
enum ChildEnvironment {
  private static let allowed = personal.union(proxies).union(certificates).union([
    "USER", "LOGNAME", "PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
    "PKG_CONFIG_PATH", "LD_LIBRARY_PATH", "CPATH", "LIBRARY_PATH", "CC", "CXX", "SDKROOT", "CI",
  ])

  /// Returns the environment for the package manager, the compiler and the tools of the toolchain.
  static func building(from caller: [String: String], toolchain: Toolchain) -> [String: String] {
    var environment = caller.filter { allowed.contains($0.key) }
    let path = environment["PATH"] ?? "/usr/bin:/bin"
    environment["PATH"] = path.hasPrefix("\(toolchain.programs):") ? path : "\(toolchain.programs):\(path)"
    environment["NO_COLOR"] = "1"
    return environment
  }

  /// The variables that lead to the network; they may contain a password.
  static let proxies: Set<String> = [
    "http_proxy", "https_proxy", "no_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY",
  ]

  /// The variables that lead to the certificates of servers.
  static let certificates = ["GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "SSL_CERT_FILE", "SSL_CERT_DIR"]

  /// The variables that lead to the caller's own files and keys.
  private static let personal: Set<String> = [
    "HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "SSH_AUTH_SOCK", "GIT_SSH", "GIT_SSH_COMMAND",
    "GIT_CONFIG_GLOBAL",
  ]

  /// Returns the environment for a program in a sandbox.
  /// - Parameter own: the variables that the bot itself sets, which lead to a file of the caller only if the bot wants
  ///   that.
  static func contained(_ environment: [String: String], in sandbox: Sandbox, own: Set<String> = []) -> [String: String]
  {
    var environment = environment.filter { !personal.contains($0.key) || own.contains($0.key) }
    if !sandbox.network { environment = environment.filter { !proxies.contains($0.key) } }
    environment["HOME"] = sandbox.home
    environment["TMPDIR"] = sandbox.temporaryPlace
    return environment
  }

  /// Returns the environment for a test executable: as SwiftPM runs it, with its counters going to `profiles`.
  static func testing(from building: [String: String], profiles: String) -> [String: String] {
    building.merging(["LLVM_PROFILE_FILE": profiles, "SWT_EXPERIMENTAL_EVENT_STREAM_FIELDS_ENABLED": "1"]) { $1 }
  }
}

/// Makes programs pass on each line when it is printed. Otherwise, they would buffer what goes into a pipe, and what a
/// test printed before it crashed or hung would be lost.
///
/// The library is the one that `stdbuf` of the GNU coreutils preloads
/// (https://www.gnu.org/software/coreutils/manual/html_node/stdbuf-invocation.html). Without it, nothing but those
/// lines is missing.
enum LineBuffering {
  private static let places = [
    "/usr/libexec/coreutils/libstdbuf.so", "/usr/lib/coreutils/libstdbuf.so", "/usr/lib64/coreutils/libstdbuf.so",
  ]

  private static let library = places.first { access($0, R_OK) == 0 }

  /// Returns an environment with the library before those that are preloaded anyway.
  static func added(to environment: [String: String], library: String? = LineBuffering.library) -> [String: String] {
    guard let library else { return environment }
    let preloads = [library, environment["LD_PRELOAD"]].compactMap(\.self).joined(separator: ":")
    return environment.merging(["LD_PRELOAD": preloads, "_STDBUF_O": "L"]) { $1 }
  }
}
