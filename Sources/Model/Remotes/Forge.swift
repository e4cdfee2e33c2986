/// A kind of forge, by its interface for reporting the results of commits.
package enum Forge: String, CaseIterable, Sendable, Codable {
  case github, gitlab
  /// Also Gitea, from which it originated.
  case forgejo

  /// The kind of a well-known forge, by its host; nil for any other.
  package init?(host: String) {
    switch host {
    case "github.com": self = .github
    case "gitlab.com": self = .gitlab
    case "codeberg.org": self = .forgejo
    default: return nil
    }
  }
}

/// How a bot has a forge show the results of commits.
package struct StatusReporting: Hashable, Sendable, Codable {
  /// Nil for the kind that is known by the host.
  package var forge: Forge?
  /// The name of the secret that is the forge's token; its value is in the bot's secrets file.
  package var token: String
  /// The base address of the forge's API; nil for the usual one of its kind.
  package var address: String?
  /// The name of the check on the forge; nil for the bot's name, preceded by Martlet's.
  package var context: String?

  package init(token: String) {
    self.token = token
  }
}

/// The endpoint for reporting the commits of one repository to a forge.
package struct StatusPlace: Hashable, Sendable {
  package var forge: Forge
  package var context: String
  /// The name of the secret that is the forge's token.
  package var token: String
  /// The address of a commit's statuses, without the name of the commit.
  private var statuses: String

  /// - Returns: nil if the kind of forge is unknown, or if the address is not that of a repository on such a forge.
  package init?(_ reporting: StatusReporting, of bot: String, at remote: RemoteAddress) {
    guard let forge = reporting.forge ?? Forge(host: remote.host) else { return nil }
    let parts = remote.repositoryParts
    guard parts.count >= 2 else { return nil }
    self.forge = forge
    context = reporting.context ?? "martlet/\(bot)"
    token = reporting.token
    // An owner's name contains no slash there, so anything before it is the path of the forge itself.
    let (before, own) = forge == .gitlab ? ([], parts) : (parts.dropLast(2).map(\.self), parts.suffix(2).map(\.self))
    var start = reporting.address ?? Self.start(of: forge, remote, beneath: before)
    while start.hasSuffix("/") { start.removeLast() }
    statuses =
      switch forge {
      // https://docs.gitlab.com/api/commits/#set-commit-pipeline-status
      case .gitlab: "\(start)/projects/\(SiteAddress.encoded(own.joined(separator: "/")))/statuses/"
      // https://docs.github.com/rest/commits/statuses, https://codeberg.org/api/swagger
      case .github, .forgejo: "\(start)/repos/\(own.map(SiteAddress.encoded).joined(separator: "/"))/statuses/"
      }
  }

  package func address(of commit: CommitID) -> String { statuses + commit.rawValue }

  /// The host that receives the reports, for use in sentences.
  package var host: String {
    let rest = statuses.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
    return String(rest.split(separator: ":").first ?? rest)
  }

  /// Returns the base address of the API of a forge, given the address of a repository on it.
  private static func start(of forge: Forge, _ remote: RemoteAddress, beneath folders: [String]) -> String {
    if forge == .github, remote.host == "github.com" { return "https://api.github.com" }
    let isWeb = remote.scheme != .ssh
    let host = remote.host.contains(":") ? "[\(remote.host)]" : remote.host
    let port = isWeb ? remote.port.map { ":\($0)" } ?? "" : ""
    let scheme = isWeb ? remote.scheme.rawValue : "https"
    let version =
      switch forge {
      case .github: "v3"
      case .gitlab: "v4"
      case .forgejo: "v1"
      }
    return (["\(scheme)://\(host)\(port)"] + folders + ["api", version]).joined(separator: "/")
  }
}

extension RemoteAddress {
  /// The components of the path, without the `.git` extension.
  fileprivate var repositoryParts: [String] {
    let parts = path.split(separator: "/").map(String.init)
    guard let last = parts.last, last.hasSuffix(".git"), last.count > 4 else { return parts }
    return parts.dropLast() + [String(last.dropLast(4))]
  }
}

extension Bot {
  /// Where to report the results of commits; nil for a bot that does not report any.
  package var statusPlace: StatusPlace? {
    guard let status, let remote else { return nil }
    return StatusPlace(status, of: name, at: remote)
  }
}
