import Git
import Glibc
package import Model
package import Processes

/// Updates the mirror of a remote repository, with git in a sandbox that has the network and can write to nothing but
/// the mirror.
package struct MirrorFetch {
  private let order: FetchOrder
  private let home: Home
  private let git: GitFetch
  private let cancellation: Cancellation
  private let mirror: Folder

  package init(_ order: FetchOrder, home: Home, environment: [String: String], cancellation: Cancellation) {
    self.order = order
    self.home = home
    self.cancellation = cancellation
    git = GitFetch(order: order, caller: environment)
    mirror = Folder(order.mirror, isPrivate: true)
  }

  /// The reason why nothing was fetched, as sentences.
  private struct Failure: Error {
    var words: String
  }

  /// The time limits of one call of git: the first fetch transfers everything.
  private static let (usual, first) = (Duration.seconds(600), Duration.seconds(3600))
  /// The maximum output of git in bytes, which only a server can make it exceed.
  private static let mostOutput = 1 << 20
  /// The number of refs to keep in files of their own.
  private static let mostLooseRefs = 1000

  /// Fetches the repository; a failure is a result, not an error.
  package func run() -> FetchResult {
    do {
      try mirrors.create()
      try mirror.create()
      let lock = try FileLock.open(mirror.file(MirrorFile.lock))
      guard try lock.take(), lock.isInPlace else {
        throw Failure(words: failure.sentence("another process is about it"))
      }
      let (sandbox, warning) = try sandbox()
      var git = git
      git.isRouted = sandbox?.router != nil
      try fetch(git, in: sandbox)
      let untidied = tidy(git, in: sandbox)
      _ = consume lock
      return FetchResult(warning: warning ?? untidied)
    } catch let error as Failure {
      return FetchResult(failure: error.words)
    } catch {
      return FetchResult(failure: failure.sentence("\(error)"))
    }
  }

  private var failure: FetchFailure { FetchFailure(order: order) }
  private var mirrors: Folder { Folder(home.folder.file(MirrorFile.folder), isPrivate: true) }
  private var isNew: Bool { !mirror.holds(MirrorFile.fetched) }

  private func fetch(_ git: GitFetch, in sandbox: Sandbox?) throws {
    try requireKeys()
    // An interrupted fetch may have left locks that nobody holds any more.
    if mirror.holds(MirrorFile.fetching) { try MirrorLeftovers.remove(from: order.mirror) }
    try mirror.write([], to: MirrorFile.fetching)
    let head = RemoteHead(try call(git.asking, of: git, in: sandbox))
    if isNew || !mirror.holds("HEAD") {
      _ = try call(git.making(objectFormat: head.objectFormat), of: git, in: sandbox)
    }
    // Before fetching commits, so that a bot that follows HEAD sees nothing of the branch that it used to point to.
    if let branch = head.branch, mirror.read("HEAD") != Array("ref: \(branch)\n".utf8) {
      _ = try call(git.pointing(headTo: branch), of: git, in: sandbox)
    }
    do {
      _ = try call(git.fetching, of: git, in: sandbox)
    } catch {
      // A part of a pack may have taken gigabytes. What cannot be removed now stops the next fetch, which says why.
      try? MirrorLeftovers.remove(from: order.mirror)
      throw error
    }
    if isNew || mirror.folder("refs").filesBeneath().count > Self.mostLooseRefs {
      _ = try call(git.packing, of: git, in: sandbox)
    }
    try mirror.write([], to: MirrorFile.fetched)
    unlink(mirror.file(MirrorFile.fetching))
  }

  /// Combines the results of many fetches.
  ///
  /// - Returns: why that failed, as sentences; the fetched commits are there all the same.
  private func tidy(_ git: GitFetch, in sandbox: Sandbox?) -> String? {
    guard GitFetch.isUntidy(mirror) else { return nil }
    do {
      _ = try call(git.tidying, of: git, in: sandbox)
      return nil
    } catch let error as Failure {
      return "The mirror cannot be tidied up. \(error.words)"
    } catch {
      return "The mirror cannot be tidied up: \("\(error)".withStop)"
    }
  }

  /// Returns git's output.
  private func call(_ call: GitFetch.Call, of git: GitFetch, in sandbox: Sandbox?) throws -> String {
    var command = Command("git", call.arguments, environment: git.environment, workingDirectory: order.mirror)
    if var sandbox {
      sandbox.network = call.needsNetwork
      command = command.contained(in: sandbox)
    }
    let limits = call.limits.limits(wallClock: isNew ? Self.first : Self.usual, writing: [order.mirror])
    let output = try command.collect(limits: limits, cancellation: cancellation, limit: Self.mostOutput)
    guard output.result.succeeded else {
      let said = SecretMask(git.secrets).mask(String(decoding: output.standardError, as: UTF8.self))
      throw Failure(words: failure.words(output.result, of: call.limits, said: said))
    }
    return String(decoding: output.standardOutput, as: UTF8.self)
  }

  /// Throws if keys are missing or readable by others.
  private func requireKeys() throws(Failure) {
    guard let credentials = order.credentials else { return }
    if let problem = Self.problem(of: credentials) { throw Failure(words: failure.sentence(problem)) }
    guard credentials.sshAgent else { return }
    guard let agent = git.agent, access(agent, R_OK | W_OK) == 0 else {
      throw Failure(
        words: failure.sentence(
          "there is no ssh agent. Start the watcher with SSH_AUTH_SOCK, or name a key with 'ssh-key'"))
    }
  }
}

extension MirrorFetch {
  /// Returns what is wrong with the files that credentials name, as a clause with advice; nil for nothing.
  package static func problem(of credentials: Credentials) -> String? {
    if let key = credentials.sshKey {
      guard let status = stat(key, followingLinks: true), status.isFile else { return "there is no key \(key)" }
      guard status.st_mode & 0o077 == 0 else {
        return "others than its owner can open the key \(key). Run: chmod 600 \(RepeatCommand.quoted(key))"
      }
      guard access(key, R_OK) == 0 else {
        return "the key \(key) cannot be read: \(SystemReason.words(of: errno))"
      }
    }
    if let hosts = credentials.knownHosts, access(hosts, R_OK) != 0 {
      return "\(hosts), which 'known-hosts' names, cannot be read: \(SystemReason.words(of: errno))"
    }
    return nil
  }

  /// Returns the sandbox of git, nil if there is none, and a warning for the user.
  private func sandbox() throws -> (Sandbox?, warning: String?) {
    let searchPath = git.caller["PATH"] ?? ""
    let containment = try Containment.decide(
      SandboxPolicy(mode: order.sandbox), searchPath: searchPath, cancellation: cancellation)
    switch containment {
    case .off: return (nil, nil)
    case .impossible(let why, let remedy):
      return (nil, "It is fetched without a sandbox: \(why.followed(by: remedy))")
    case .contained(let bubblewrap, _):
      try mirrors.write(Accounts.file(home: "/tmp"), to: ".passwd")
      var sandbox = Sandbox(
        bubblewrap: bubblewrap, readable: git.readable.filter { access($0, F_OK) == 0 }, writable: [order.mirror],
        accounts: mirrors.file(".passwd"))
      sandbox.temporaryBytes = ResourceLimits().temporaryBytes
      try route(&sandbox, searchPath)
      return (sandbox, nil)
    }
  }

  /// Gives access to the network, but not to this machine's loopback unless the repository is there.
  private func route(_ sandbox: inout Sandbox, _ searchPath: String) throws {
    guard !order.address.isLoopback else { return }
    let router = try Router.find(
      bubblewrap: sandbox.bubblewrap, searchPath: searchPath, cancellation: cancellation)
    guard case .works(let program) = router, Router.unreachableProxies(in: git.environment).isEmpty else { return }
    try mirrors.write(Router.resolver(of: Router.machineResolver), to: ".resolv.conf")
    (sandbox.router, sandbox.resolver) = (program, mirrors.file(".resolv.conf"))
  }
}

/// What an interrupted fetch leaves in a mirror, which would block the next one or waste disk space.
enum MirrorLeftovers {
  static func remove(from mirror: String) throws {
    for path in Folder(mirror).filesBeneath() {
      let name = path.split(separator: "/").last ?? ""
      // https://git-scm.com/docs/gitrepository-layout: no permanent file is named so, but a branch may begin with tmp_.
      let isObject = path.hasPrefix("objects/") && (name.hasPrefix("tmp_") || name.hasPrefix(".tmp-"))
      guard name.hasSuffix(".lock") || isObject else { continue }
      guard unlink("\(mirror)/\(path)") == 0 || errno == ENOENT else {
        throw IntegratingError.storage("remove", "\(mirror)/\(path)", errno: errno)
      }
    }
  }
}
