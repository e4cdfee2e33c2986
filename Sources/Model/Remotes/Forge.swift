/// A kind of forge, by how it is told what became of a commit.
package enum Forge: String, CaseIterable, Sendable, Codable {
  case github, gitlab
  /// And Gitea, which it grew out of.
  case forgejo

  /// The kind of a forge that everybody knows by its host; nil for any other.
  package init?(host: String) {
    switch host {
    case "github.com": self = .github
    case "gitlab.com": self = .gitlab
    case "codeberg.org": self = .forgejo
    default: return nil
    }
  }
}

/// How a bot has a forge show what became of commits.
package struct StatusReporting: Hashable, Sendable, Codable {
  /// Nil for the one that is known by its host.
  package var forge: Forge?
  /// The name of the secret that is the forge's token; its value stands in the bot's file of secrets.
  package var token: String
  /// Where the forge's API begins; nil for where its kind has it.
  package var address: String?
  /// What the forge calls the check; nil for the bot's name behind Martlet's.
  package var context: String?

  package init(token: String) {
    self.token = token
  }
}

/// The place at which a forge is told of the commits of one repository.
package struct StatusPlace: Hashable, Sendable {
  package var forge: Forge
  package var context: String
  /// The name of the secret that is the forge's token.
  package var token: String
  /// The address of a commit's statuses without the name of the commit.
  private var statuses: String

  /// - Returns: nil where the kind of forge is not known, or the address names no repository as that kind has them.
  package init?(_ reporting: StatusReporting, of bot: String, at remote: RemoteAddress) {
    guard let forge = reporting.forge ?? Forge(host: remote.host) else { return nil }
    let parts = remote.repositoryParts
    guard parts.count >= 2 else { return nil }
    self.forge = forge
    context = reporting.context ?? "martlet/\(bot)"
    token = reporting.token
    // An owner's name has no slash in it there: what stands before is the way to the forge itself.
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

  /// The machine that is told, for sentences.
  package var host: String {
    let rest = statuses.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
    return String(rest.split(separator: ":").first ?? rest)
  }

  /// Where the API of a forge begins whose repositories are at an address.
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
  /// The parts of the path, without the ending that git puts behind it.
  fileprivate var repositoryParts: [String] {
    let parts = path.split(separator: "/").map(String.init)
    guard let last = parts.last, last.hasSuffix(".git"), last.count > 4 else { return parts }
    return parts.dropLast() + [String(last.dropLast(4))]
  }
}

extension Bot {
  /// Where a forge is told what became of the commits; nil for a bot that tells none.
  package var statusPlace: StatusPlace? {
    guard let status, let remote else { return nil }
    return StatusPlace(status, of: name, at: remote)
  }
}
