extension Bot {
  /// Whose change requests are integrated.
  package enum Trust: String, CaseIterable, Sendable, Codable {
    /// No one's.
    case none
    /// Those whose commits are on a branch of the repository, so that they were put there by someone with permission.
    case members
    /// Everyone's.
    case all

    /// What is integrated, as the bot's page says it.
    package var words: String {
      switch self {
      case .none: "none"
      case .members: "those that a branch holds, contained"
      case .all: "everybody's, contained"
      }
    }
  }

  /// Whether the bot asks for change requests, a forge's name for commits that are proposed for merging.
  package var asksForChangeRequests: Bool { branches.contains(where: RefName.isForChangeRequests) }

  /// The bot's settings for integrating a change request. Since anyone may have written it, it gets nothing that it
  /// could keep, read, report or write.
  package var contained: Bot {
    var bot = self
    (bot.triggers, bot.secrets, bot.secretBranches, bot.notes) = ([], [], [], false)
    bot.sandbox = SandboxPolicy(mode: .on)
    bot.submodules = Submodules()
    bot.credentials = nil
    bot.dependencyCredentials = nil
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

  /// The patterns for asking git for all change requests.
  package static let changeRequestPatterns = folders.map { "\($0)*\(ending)" }

  /// A name that no ref has, used to remember that the change requests that existed at first are known.
  package static let changeRequestsSeen = RefName(rawValue: "refs/pull/")

  /// Whether the ref is the newest commit of a change request: `refs/pull/7/head`.
  package var isChangeRequest: Bool {
    guard let folder = Self.folders.first(where: rawValue.hasPrefix), rawValue.hasSuffix(Self.ending) else {
      return false
    }
    let number = rawValue.dropFirst(folder.count).dropLast(Self.ending.count)
    return !number.isEmpty && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Returns whether a glob matches names of change requests rather than of branches.
  package static func isForChangeRequests(_ glob: String) -> Bool {
    folders.contains(where: glob.hasPrefix) && glob.hasSuffix(ending)
  }
}
