/// The availability of bubblewrap for containing programs on this machine.
package enum Bubblewrap: Hashable, Sendable {
  /// The path of bubblewrap.
  case works(program: String)
  /// The reason as the middle of a sentence, and the remedy as a whole one.
  case unusable(why: String, remedy: String)

  /// Looks for bubblewrap in the folders of a search path, and tries it on a program that does nothing.
  package static func find(searchPath: String, cancellation: Cancellation) throws -> Bubblewrap {
    let trial = Command("bwrap", environment: ["PATH": searchPath], workingDirectory: "/")
    guard let program = try? trial.lookUp() else {
      return .unusable(
        why: "bubblewrap is not installed",
        remedy: "Install it, on Debian and Ubuntu with “apt-get install bubblewrap”.")
    }
    let complaint = try Sandbox(bubblewrap: program).complaint(cancellation)
    return complaint.map { refused($0, setting: Self.kernelSetting) } ?? .works(program: program)
  }

  /// Interprets bubblewrap's error message on a kernel with certain settings.
  static func refused(_ words: String, setting: (String) -> String?) -> Bubblewrap {
    .unusable(
      why: words.isEmpty ? "bubblewrap does not work" : "bubblewrap does not work (\(words))",
      remedy: remedy(for: words, setting: setting))
  }

  private static func remedy(for words: String, setting: (String) -> String?) -> String {
    if words.contains("Unknown option") { return "Install bubblewrap 0.8 or newer." }
    if setting("kernel/apparmor_restrict_unprivileged_userns") == "1" {
      return "Let it, with “sysctl kernel.apparmor_restrict_unprivileged_userns=0” or an AppArmor profile."
    }
    if setting("kernel/unprivileged_userns_clone") == "0" {
      return "Let it, with “sysctl kernel.unprivileged_userns_clone=1”."
    }
    if setting("user/max_user_namespaces") == "0" {
      return "Let it, with “sysctl user.max_user_namespaces=10000”."
    }
    return "Let this user and container make user namespaces and mount /proc in them."
  }

  private static func kernelSetting(_ name: String) -> String? {
    guard case .bytes(let bytes) = UntrustedFolder("/proc/sys").read(name) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}

extension Sandbox {
  /// Tries the sandbox on a program that does nothing. Returns the first line of what does not work; nil if it works, or
  /// if the trial was canceled.
  func complaint(_ cancellation: Cancellation) throws -> String? {
    let answer = try Command("true", environment: ["PATH": "/usr/bin:/bin"], workingDirectory: "/")
      .contained(in: self)
      .collect(limits: Limits(wallClock: .seconds(20)), cancellation: cancellation, limit: 1 << 16)
    return answer.result.succeeded || answer.result.why == .canceled ? nil : answer.complaint
  }
}
