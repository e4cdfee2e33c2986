import FoundationEssentials
import Glibc
import Model
import Processes

/// How git is called to fetch a repository: without the machine's configuration, with only the protocol of the address,
/// and without running anything in the mirror.
struct GitFetch {
  let order: FetchOrder
  /// The environment of the caller, from which proxies and certificates are taken.
  let caller: [String: String]
  /// Whether git cannot reach this machine's loopback, so that no server can lead it there.
  var isRouted = false

  /// The variables for programs, proxies and certificates (https://git-scm.com/docs/git#_git_environment_variables).
  private static let passed = ChildEnvironment.proxies.union(ChildEnvironment.certificates).union(["PATH"])

  /// The files of the machine that git and ssh read.
  var readable: [String] {
    let certificates = ChildEnvironment.certificates.compactMap { caller[$0] }
    let own = [order.credentials?.sshKey, order.credentials?.knownHosts, agent].compactMap(\.self)
    return own + certificates.filter { $0.hasPrefix("/") && access($0, R_OK) == 0 }
  }

  /// The socket of the agent that holds the key.
  var agent: String? {
    order.credentials?.sshAgent == true ? caller["SSH_AUTH_SOCK"].flatMap { $0.isEmpty ? nil : $0 } : nil
  }

  var environment: [String: String] {
    var environment = caller.filter { Self.passed.contains($0.key) }
    environment.merge([
      "HOME": "/nonexistent", "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
      "GIT_ATTR_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "SSH_ASKPASS_REQUIRE": "never",
      "GIT_CEILING_DIRECTORIES": String(
        order.mirror.prefix(upTo: order.mirror.lastIndex(of: "/") ?? order.mirror.endIndex)),
    ]) { $1 }
    if order.address.scheme == .ssh {
      environment["GIT_SSH_COMMAND"] =
        SecureShell(key: order.credentials?.sshKey, knownHosts: order.credentials?.knownHosts ?? "/dev/null").command
      environment["GIT_SSH_VARIANT"] = "ssh"
      environment["SSH_AUTH_SOCK"] = agent
    }
    // Not passed as arguments, which every user of the machine can read.
    let settings = settings
    environment["GIT_CONFIG_COUNT"] = "\(settings.count)"
    for (index, setting) in settings.enumerated() {
      environment["GIT_CONFIG_KEY_\(index)"] = setting.name
      environment["GIT_CONFIG_VALUE_\(index)"] = setting.value
    }
    return environment
  }

  /// Git's settings (https://git-scm.com/docs/git-config).
  private var settings: [(name: String, value: String)] {
    var settings = [
      ("protocol.allow", "never"), ("protocol.\(order.address.scheme.rawValue).allow", "always"),
      // A login must not be sent to where a server redirects.
      ("http.followRedirects", login == nil && isRouted ? "initial" : "false"),
      ("http.lowSpeedLimit", "1000"), ("http.lowSpeedTime", "60"),
      ("transfer.fsckObjects", "true"), ("fetch.fsckObjects", "true"),
      ("core.hooksPath", "/dev/null"), ("core.fsmonitor", "false"), ("credential.helper", ""),
      ("fetch.recurseSubmodules", "false"), ("fetch.writeCommitGraph", "false"), ("gc.auto", "0"),
      ("maintenance.auto", "false"),
    ]
    if let login { settings.append(("http.extraHeader", "Authorization: Basic \(login)")) }
    return settings
  }

  /// The login in the form of the header (https://www.rfc-editor.org/rfc/rfc7617).
  private var login: String? {
    guard let token = order.token, order.address.scheme != .ssh else { return nil }
    let words = "\(order.credentials?.user ?? Credentials.usualUser):\(token)"
    return Data(words.utf8).base64EncodedString()
  }

  /// What must not be shown of git's output.
  var secrets: [String] { [order.token, login].compactMap(\.self) }
}

extension GitFetch {
  struct Call: Hashable, Sendable {
    var arguments: [String]
    var needsNetwork = false
    var limits = ResourceLimits.fetching
  }

  /// The call that asks where HEAD points, and which hash names the repository's objects.
  var asking: Call {
    Call(
      arguments: ["ls-remote", "--symref", "--", order.address.text, "HEAD"], needsNetwork: true, limits: .asking)
  }

  func making(objectFormat: String) -> Call {
    Call(
      arguments: [
        "init", "--quiet", "--bare", "--template=", "--initial-branch=main", "--object-format=\(objectFormat)",
        order.mirror,
      ])
  }

  func pointing(headTo branch: String) -> Call { Call(arguments: ["symbolic-ref", "HEAD", branch]) }

  /// The call that fetches all branches and tags; it deletes those that are gone, and moves those that were rewritten.
  var fetching: Call {
    Call(
      arguments: [
        "fetch", "--quiet", "--prune", "--force", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance",
        "--no-recurse-submodules", "--", order.address.text, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*",
      ] + changeRequests.map { "+\($0):\($0)" }, needsNetwork: true)
  }

  private var changeRequests: [String] {
    order.includesChangeRequests == true ? RefName.changeRequestPatterns : []
  }

  /// The call that combines many branches in one file; otherwise each would take a block of the disk.
  var packing: Call { Call(arguments: ["pack-refs", "--all"]) }

  /// The call that combines the results of many fetches, once there are enough of them.
  var tidying: Call {
    Call(arguments: ["-c", "gc.auto=\(Self.mostLoose)", "-c", "gc.autoDetach=false", "gc", "--quiet", "--auto"])
  }

  /// The number of loose objects and of packs from which on git tidies up; the latter is its default.
  private static let (mostLoose, mostPacks) = (2000, 50)

  /// Whether the call for it would do anything, estimated as git does: by one of the 256 folders of loose objects, and by
  /// the packs (https://git-scm.com/docs/git-gc). Mostly not, and then the call would only take time.
  static func isUntidy(_ mirror: Folder) -> Bool {
    let objects = mirror.folder("objects")
    return objects.folder("17").names().count > (mostLoose + 255) / 256
      || objects.folder("pack").names().count { $0.hasSuffix(".pack") } > mostPacks
  }
}

/// The HEAD of a remote repository, as `git ls-remote --symref` reports it.
struct RemoteHead: Hashable, Sendable {
  /// The full name of the branch that HEAD points to; nil if it points to none, or if that is unknown.
  var branch: String?
  /// The name of its commit; nil in a repository without commits.
  var commit: String?

  /// - Parameter text: `ref: refs/heads/main`, a tab, `HEAD`; then the commit, a tab, `HEAD`.
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard columns.count == 2, columns[1] == "HEAD" else { continue }
      let words = columns[0].split(separator: " ")
      if words.count == 2, words[0] == "ref:", words[1].hasPrefix("refs/heads/") {
        branch = String(words[1])
      } else if columns[0].allSatisfy(\.isHexDigit) {
        commit = String(columns[0])
      }
    }
  }

  /// The hash that names objects (https://git-scm.com/docs/hash-function-transition).
  var objectFormat: String { commit?.utf8.count == 64 ? "sha256" : "sha1" }
}
