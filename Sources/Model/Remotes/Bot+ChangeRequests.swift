extension Bot {
  /// Whose change requests are integrated.
  package enum Trust: String, CaseIterable, Sendable, Codable {
    /// Those whose commits a branch of the repository holds, so that somebody put them there who may.
    case none
    /// Everybody's.
    case all
  }

  /// Whether it integrates change requests, by which a forge knows commits that somebody would like to have merged.
  package var asksForChangeRequests: Bool { branches.contains(where: RefName.isForChangeRequests) }

  /// The bot as it integrates a change request: anybody may have written it, so that it gets nothing to keep, to read, to
  /// tell or to write.
  package var contained: Bot {
    var bot = self
    (bot.triggers, bot.secrets, bot.secretBranches, bot.notes) = ([], [], [], false)
    bot.sandbox = SandboxPolicy(mode: .on)
    bot.submodules = Submodules()
    bot.credentials = nil
    bot.status = nil
    bot.hookSecret = nil
    return bot
  }
}

extension RefName {
  /// Where GitHub, Forgejo and Gitea, and where GitLab keep change requests
  /// (https://docs.github.com/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests/checking-out-pull-requests-locally,
  /// https://docs.gitlab.com/user/project/merge_requests/versions/).
  private static let folders = ["refs/pull/", "refs/merge-requests/"]
  private static let ending = "/head"

  /// What git is asked for to have all of them.
  package static let changeRequestPatterns = folders.map { "\($0)*\(ending)" }

  /// A name that no ref has, by which it is remembered that the change requests that were there at first are known.
  package static let changeRequestsSeen = RefName(rawValue: "refs/pull/")

  /// Whether it is the newest commit of a change request: `refs/pull/7/head`.
  package var isChangeRequest: Bool {
    guard let folder = Self.folders.first(where: rawValue.hasPrefix), rawValue.hasSuffix(Self.ending) else {
      return false
    }
    let number = rawValue.dropFirst(folder.count).dropLast(Self.ending.count)
    return !number.isEmpty && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Whether a glob is for the names of change requests and not for those of branches.
  package static func isForChangeRequests(_ glob: String) -> Bool {
    folders.contains(where: glob.hasPrefix) && glob.hasSuffix(ending)
  }
}
