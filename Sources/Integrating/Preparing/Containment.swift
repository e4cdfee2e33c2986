import Glibc
import Model
import Processes

/// The decision about containing the code under test, which depends on the policy and on the machine.
enum Containment: Sendable, Hashable {
  /// Everything runs under bubblewrap, with the exceptions of the policy.
  case contained(bubblewrap: String, SandboxPolicy)
  /// The user does not want containment.
  case off
  /// The machine cannot do it; the reason is the middle of a sentence, the remedy a whole one.
  case impossible(why: String, remedy: String)

  /// Makes the decision, before anything is written.
  ///
  /// - Throws: an error of kind `service` if containment is demanded but impossible, and one of kind `request` if the
  ///   policy names a path that cannot be let in.
  static func decide(_ policy: SandboxPolicy, searchPath: String, cancellation: Cancellation) throws(IntegratingError)
    -> Containment
  {
    guard policy.mode != .off else { return .off }
    try requirePaths(policy)
    let found: Bubblewrap
    do {
      found = try Bubblewrap.find(searchPath: searchPath, cancellation: cancellation)
    } catch {
      found = .unusable(why: "\(error)", remedy: "")
    }
    switch found {
    case .works(let program): return .contained(bubblewrap: program, policy)
    case .unusable(let why, let remedy):
      if policy.mode == .auto { return .impossible(why: why, remedy: remedy) }
      throw IntegratingError(
        .service,
        "cannot contain the code under test: \(why.followed(by: remedy)) Or run it uncontained, with --sandbox off.")
    }
  }

  private static func requirePaths(_ policy: SandboxPolicy) throws(IntegratingError) {
    for path in policy.read + policy.write {
      let reason: String? =
        if let reason = refusal(ofPlace: path) {
          reason
        } else if policy.write.contains(where: { path.hasPrefix("\($0)/") }) {
          "it lies in a folder that can be written, where it could become a link to anything"
        } else if access(path, F_OK) != 0 {
          SystemReason.words(of: errno)
        } else {
          nil
        }
      guard let reason else { continue }
      throw IntegratingError(
        .request, "cannot let the sandbox have '\(path)': \(reason). Correct 'read' and 'write' of the sandbox.")
    }
  }

  /// Returns why no sandbox can have a path, as the middle of a sentence; nil if that depends on more than the path.
  static func refusal(ofPlace path: String) -> String? {
    if !path.hasPrefix("/") || path.split(separator: "/").contains("..") { return "it is not an absolute path" }
    return path.allSatisfy { $0 == "/" } ? "it is the whole machine" : nil
  }

  /// Its name in documents and on pages.
  var word: String {
    switch self {
    case .contained(_, let policy): "bubblewrap\(policy.allowance)"
    case .off: "off"
    case .impossible(let why, _): "none: \(why)"
    }
  }

  var bubblewrap: String? { if case .contained(let program, _) = self { program } else { nil } }

  /// Whether it keeps tests from the machine's network.
  var lacksNetwork: Bool {
    guard case .contained(_, let policy) = self else { return false }
    return !policy.network
  }

  /// Whether no two processes of tests, each in folders of its own, can reach what both can change.
  var separatesTests: Bool {
    guard case .contained(_, let policy) = self else { return false }
    return !policy.network && policy.write.isEmpty && policy.allow.isEmpty
  }

  var warning: ServiceWarning? {
    guard case .impossible(let why, let remedy) = self else { return nil }
    return .uncontained(why: why, remedy: remedy)
  }
}

/// The accounts that a contained program sees: its own, root, and nobody.
enum Accounts {
  /// Returns the text of a password file (https://man7.org/linux/man-pages/man5/passwd.5.html).
  ///
  /// A home whose path would break the format is replaced with `/tmp`.
  static func file(user: UInt32 = getuid(), group: UInt32 = getgid(), home: String) -> String {
    let isPlain = !home.contains { $0 == ":" || $0.isNewline }
    let home = isPlain ? home : "/tmp"
    let own = user == 0 ? "root" : "martlet"
    var lines = ["\(own):x:\(user):\(group)::\(home):/bin/sh"]
    if user != 0 { lines.append("root:x:0:0::/:/bin/sh") }
    if user != 65534 { lines.append("nobody:x:65534:65534::/:/bin/sh") }
    return lines.map { $0 + "\n" }.joined()
  }
}
